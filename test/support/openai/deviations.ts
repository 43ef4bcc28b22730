/** Where answers differ from OpenAI's document on purpose. */

export interface Deviation {
  /** What differs, as in the table of `docs/reference/clients.md`. */
  readonly answers: string;
  readonly why: string;
  /** Lines of `OpenAiSchemas.violations`. */
  readonly violation: RegExp;
}

export const deviations: readonly Deviation[] = [
  {
    answers: 'errors of `/v1`: `error` is a text',
    why: 'I-067; `/openai/v1` has the form of OpenAI',
    violation: /^ErrorResponse\/error: must be object$/,
  },
  {
    answers: 'chunks of completions: `finish_reason` is null before the last chunk of a choice',
    why: 'the document describes whole completions only; chunks of chats have null as well',
    violation: /^CreateCompletionResponse\/choices\/\d+\/finish_reason: must be (string|equal to one of)/,
  },
  {
    answers: 'chunks of completions with `include_usage`: `usage` is null before the last chunk',
    why: 'so says the description of `include_usage`',
    violation: /^CreateCompletionResponse\/usage: must be object$/,
  },
  {
    answers: 'embeddings with `encoding_format: "base64"`: `embedding` is a text',
    why: 'I-032; the document describes arrays only',
    violation: /^CreateEmbeddingResponse\/data\/\d+\/embedding: must be array$/,
  },
  {
    answers: 'events of images: `size` is the real size, also of previews',
    why: 'I-035 has sizes that the document has not',
    violation: /^ImageGen(PartialImage|Completed)Event\/size: must be equal to one of/,
  },
  {
    answers: 'events of images: `url` instead of `b64_json`, unless `response_format` is `b64_json`',
    why: 'I-036: links are the default',
    violation: /^ImageGenCompletedEvent: must have required property 'b64_json'$/,
  },
  {
    answers: 'events of images: `image.progress`',
    why: 'an extension, which reports each step; clients of OpenAI ignore it',
    violation: /^ImageGenStreamEvent: no event has the type image\.progress$/,
  },
];

/** @returns the violations that no deviation explains */
export function unexplained(violations: readonly string[]): string[] {
  return violations.filter((line) => !deviations.some(({ violation }) => violation.test(line)));
}
