/** Retry guidance for clients (C-038, I-049, I-072). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AccountError } from '../../accounts/base/errors.ts';
import { openApiDocument } from '../../server/features/openapi/openapi.ts';
import { errorReply } from '../../server/http/error-replies.ts';
import { type Document, follow } from '../support/openapi.ts';

/** Every code that an error of ours can have. */
const codes = ['runtime/pool/errors.ts', 'server/http/errors.ts', 'accounts/base/errors.ts'].flatMap((file) => {
  const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  return [...text.matchAll(/\| '(ERR_\w+)'/g)].map(([, code]) => code!);
});
const replies = codes.map((code) => ({ code, reply: errorReply(new AccountError(code as never, 'text'), '/v1/x') }));

type Responses = Readonly<
  Record<string, { readonly $ref?: string; readonly headers?: object; readonly description: string }>
>;

describe('Retry-After', () => {
  const passing = replies.filter(({ reply }) => reply.status === 503 || reply.status === 429);

  it.each(passing.filter(({ code }) => code !== 'ERR_RATE_LIMIT').map(({ code, reply }) => [code, reply] as const))(
    'is sent with %s in header and body',
    (_code, { headers, body }) => {
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(body.details.retry_after).toBe(Number(headers['retry-after']));
    },
  );

  it('is absent from errors that a retry cannot fix', () => {
    expect(passing.length).toBeGreaterThan(8);
    for (const { reply } of replies.filter(({ reply: { status } }) => status < 429 || status === 500)) {
      expect(reply.headers['retry-after']).toBeUndefined();
    }
  });
});

describe('the description of the interface', () => {
  it('documents which errors to retry, how often and at which intervals', () => {
    expect(openApiDocument.info.description).toContain(
      'Retry 429, 500, 502 and 503 with exponential backoff from 1 s, at most 5 times',
    );
    const paths = openApiDocument.paths as unknown as Record<string, { post: { responses: Responses } }>;
    const { responses } = paths['/chat/completions']!.post;
    const answer = (status: string) => follow(responses[status]!, openApiDocument as unknown as Document);
    for (const status of ['429', '503']) expect(answer(status).headers).toHaveProperty('Retry-After');
    expect(answer('500').description).toContain('retry with backoff');
  });
});
