/** The words of financings, sales of companies, and due diligence. */
export const dealWords = `
`;
