/** A response format that keeps a model writing: the demo model ends most answers by itself after a few tokens. */
export const longAnswer = {
  type: 'json_schema',
  json_schema: {
    name: 'long',
    strict: true,
    schema: { type: 'array', items: { type: 'integer' }, minItems: 1900 },
  },
};
