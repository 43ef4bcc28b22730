/** Complete turns through the application, with an engine that counts one token per four characters. */
import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import type { FakeChat } from '../../../support/runtime/fake-engine.ts';
import { type ConfidentialApp, startConfidentialApp } from '../../../support/server/confidential-app.ts';

let running: ConfidentialApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const contextLength = 4096;
const tokensOf = ({ messages }: FakeChat) => Math.ceil(JSON.stringify(messages).length / 4);

/** Rejects a prompt that is too long before it starts, with the token count. */
function answerWhatFits(chat: FakeChat): void {
  const counted = tokensOf(chat);
  const limit = Math.min(chat.request.contextMax ?? contextLength, contextLength);
  if (counted < limit) void chat.answer('ok');
  else chat.fail(new RuntimeError('ERR_CONTEXT_OVERFLOW', 'too long', { details: { limit, counted } }));
}

async function ask(content: string, fields: Record<string, unknown> = {}) {
  running = await startConfidentialApp({ script: answerWhatFits });
  const messages = [{ role: 'user', content }];
  const { status, json } = await running.ask({ messages, ...fields });
  const { agent, error, details } = json() as never as Record<string, { context: Record<string, unknown> }>;
  return { status, context: agent?.context, error, details, last: running.engine.chats.at(-1)! };
}

const paragraph = (k: number) =>
  `${k}. Whatever is written in paragraph ${k} concerns parcel ${k} and no other parcel.`;
const text = (count: number) => Array.from({ length: count }, (_, k) => paragraph(k)).join('\n\n');

describe('documents that fit', () => {
  it('are included whole, without counting tokens first if they are short', async () => {
    const { context, last } = await ask(text(5));
    expect(context).toEqual({ complete: true });
    expect(running!.engine.chats).toEqual([last]);
  });

  it('are included whole after counting tokens if they are long', async () => {
    const { context, last } = await ask(text(100));
    expect(context).toEqual({ complete: true });
    expect(last.messages.at(-1)!.content).toContain(paragraph(99));
  });
});

describe('documents that do not fit', () => {
  const question = 'What about parcel 321?';

  it('are answered from findings and passages, and the answer reports it', async () => {
    const sent = `${text(500)}\n\n${question}`;
    const { status, context, last } = await ask(sent);
    expect(status).toBe(200);
    expect(context).toMatchObject({ complete: false, of: sent.length });
    const shown = last.messages.at(-1)!.content;
    expect(shown).toContain(paragraph(321));
    expect(shown).toContain('parcels: 501');
    expect(shown).toContain('(The documents do not fit:');
    expect(shown.endsWith(question)).toBe(true);
  });

  it('leave room for the answer and use the rest of the window', async () => {
    const { last } = await ask(text(500), { max_tokens: 1000 });
    expect(tokensOf(last)).toBeLessThanOrEqual(contextLength - 1000);
    expect(tokensOf(last)).toBeGreaterThan((contextLength - 1000) * 0.8);
  });

  it('yield the same passages for the same request', async () => {
    const first = await ask(text(400));
    await running!.close();
    expect((await ask(text(400))).context).toEqual(first.context);
  });

  it('identify passages by their position in the request', async () => {
    const sent = text(500);
    const { context, last } = await ask(sent);
    for (const { message, start, end } of context!.passages as { message: number; start: number; end: number }[]) {
      expect(message).toBe(0);
      expect(last.messages.at(-1)!.content).toContain(sent.slice(start, end));
    }
  });

  it('are shortened a limited number of times', async () => {
    await ask(text(2000));
    expect(running!.engine.chats.length).toBeLessThanOrEqual(8);
  });

  it('are rejected if the rest of the conversation does not fit', async () => {
    running = await startConfidentialApp({ script: answerWhatFits });
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b'.repeat(20_000) },
      { role: 'user', content: 'c' },
    ];
    const { status, json } = await running.ask({ messages });
    expect([status, json().details.code]).toEqual([400, 'ERR_CONTEXT_OVERFLOW']);
  });
});
