/** The page that signs a person in with a single-use link. */

/**
 * The secret is in the fragment, which browsers do not send: it appears in no log.
 * @param baseUrl of the server, without a slash at the end · @param secret of `Accounts.makeLoginLink`
 */
export function signInLink(baseUrl: string, secret: string): string {
  return `${baseUrl}/sign-in#${secret}`;
}
