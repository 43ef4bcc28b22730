import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../../runtime/chat/request.ts';
import { guarded, omission, PromptShape, repeatsPrompt } from '../../../../server/features/agents/guard.ts';
import type { AnswerEvent } from '../../../../server/serving/answer-event.ts';
import { testPrompt } from '../../../support/agents/test-agent.ts';

const shape = new PromptShape(testPrompt);
const firstLine = testPrompt.split('\n')[0]!;

type Part = {
  readonly content?: string;
  readonly reasoning?: string;
  readonly call?: string;
  readonly choice?: number;
};

function delta({ content = '', reasoning = '', call, choice = 0 }: Part): ChatEvent {
  const toolCalls = call === undefined ? [] : [{ index: 0, id: 'c1', name: 'f', arguments: call }];
  const logprobs = content === '' ? [] : [{ token: content, bytes: [], logprob: -1, top: [] }];
  return { kind: 'delta', choice, content, reasoning, toolCalls, logprobs, tokens: 1 };
}

const finished = (choice = 0): ChatEvent => ({
  kind: 'finished',
  choice,
  reason: 'stop',
  completionTokens: 0,
  reasoningTokens: 0,
});

async function passed(parts: readonly Part[], allowed: readonly string[] = []): Promise<AnswerEvent[]> {
  async function* events(): AsyncGenerator<ChatEvent> {
    yield* parts.map(delta);
    for (const choice of new Set(parts.map((part) => part.choice ?? 0))) yield finished(choice);
  }
  const told: AnswerEvent[] = [];
  for await (const event of guarded(events(), { shape, allowed })) told.push(event);
  return told;
}

function textOf(events: readonly AnswerEvent[], field: 'content' | 'reasoning' = 'content', choice = 0): string {
  return events.map((event) => (event.kind === 'delta' && event.choice === choice ? event[field] : '')).join('');
}

/** Emits text as a model does: a few characters at a time. */
const pieces = (text: string, size = 4) => text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
const written = async (text: string, size?: number) =>
  textOf(await passed(pieces(text, size).map((content) => ({ content }))));

function longestRun(text: string): number {
  let longest = 0;
  for (let start = 0; start < testPrompt.length; start++) {
    while (start + longest < testPrompt.length && text.includes(testPrompt.slice(start, start + longest + 1)))
      longest += 1;
  }
  return longest;
}

describe('the output of an agent’s model', () => {
  it('passes unchanged if it does not contain the prompt', async () => {
    const text = 'There are two parcels: parcel 7 weighs 1.5 kilograms, and the other is missing.';
    expect(await written(text)).toBe(text);
  });

  it.each([1, 3, 7, 40, 1000])(
    'loses a passage of the prompt when emitted in pieces of %i characters',
    async (size) => {
      const text = await written(`Gladly: ${testPrompt} Anything else?`, size);
      expect(longestRun(text)).toBeLessThan(60);
      expect(text).toContain(omission);
    },
  );

  it('continues after a removed passage of the prompt', async () => {
    expect(await written(`My rules are: ${firstLine} That is all I have to say.`, 1)).toMatch(
      /^My rules are: You are the parcel clerk of this house\. \[…\] ?That is all I have to say\.$/,
    );
  });

  it.each([
    ['in capitals', (text: string) => text.toUpperCase()],
    ['letter by letter', (text: string) => [...text].join(' ')],
    ['as a quotation', (text: string) => text.replaceAll('\n', '\n> ')],
    ['without spaces', (text: string) => text.replaceAll(' ', '')],
    ['in markup', (text: string) => text.replaceAll(' ', '** ')],
  ])('loses a passage of the prompt %s too', async (_how, change) => {
    const text = await written(change(firstLine), 3);
    expect(text.replace(/[^a-z]/gi, '').length).toBeLessThan(60);
    expect(text).toContain(omission);
  });

  it('keeps a short match with the prompt once the text diverges', async () => {
    const text = `${firstLine.slice(0, 40)} a bicycle.`;
    expect(await written(text)).toBe(text);
  });

  it('keeps a short match with the prompt at the end of the output', async () => {
    const text = firstLine.slice(0, 45);
    expect(await written(text)).toBe(text);
  });

  it('keeps sentences that the prompt tells the model to use', async () => {
    const text = 'The parcel is missing, ask at the front desk';
    expect(await written(text)).toBe(text);
  });

  it('keeps text that the caller wrote in the request', async () => {
    const events = await passed([{ content: firstLine }], [`A letter says: ${firstLine}`]);
    expect(textOf(events)).toBe(firstLine);
  });

  it('is filtered in reasoning and tool calls as in content', async () => {
    const events = await passed([{ reasoning: firstLine }, { call: JSON.stringify({ rules: testPrompt }) }]);
    expect(textOf(events, 'reasoning')).toBe(omission);
    expect(JSON.stringify(events)).not.toContain('parcel clerk of this house');
    expect(JSON.stringify(events)).toContain('"id":"c1"');
  });

  it('is filtered separately for each choice', async () => {
    const parts = pieces(firstLine, 5).flatMap((content) => [
      { content, choice: 0 },
      { content: 'fine ', choice: 1 },
    ]);
    const events = await passed(parts);
    expect(textOf(events, 'content', 0)).not.toContain('Count every parcel');
    expect(textOf(events, 'content', 1)).toBe('fine '.repeat(parts.length / 2));
  });

  it('keeps its token count and loses the log probabilities of removed text', async () => {
    const parts = pieces(`${testPrompt} Bye.`, 6).map((content) => ({ content }));
    const events = await passed(parts);
    const deltas = events.filter((event) => event.kind === 'delta');
    expect(deltas.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(parts.length);
    const told = deltas.flatMap(({ logprobs }) => logprobs.map(({ token }) => token)).join('');
    expect(longestRun(told)).toBeLessThan(60);
  });

  it('never contains 60 consecutive characters of the prompt, for random splits and mixtures', async () => {
    const cut = fc
      .tuple(fc.nat(testPrompt.length), fc.nat(testPrompt.length))
      .map(([a, b]) => testPrompt.slice(a, a + b));
    const answer = fc.array(fc.oneof(cut, fc.string()), { maxLength: 6 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(answer, fc.integer({ min: 1, max: 80 }), async (text, size) => {
        const seen = await written(text, size);
        return longestRun(seen) < 60;
      }),
      { numRuns: 60 },
    );
  });
});

describe('a text passed to a tool', () => {
  it('is recognized as part of the prompt regardless of case and spacing', () => {
    const guard = { shape, allowed: [] };
    expect(repeatsPrompt(`Rules: ${testPrompt.toUpperCase().replaceAll(' ', '  ')}`, guard)).toBe(true);
    expect(repeatsPrompt('parcel 12 weighs 3.2 kilograms, and so does the next one that the letter names', guard)).toBe(
      false,
    );
  });

  it('may be any text that the caller sent', () => {
    expect(repeatsPrompt(firstLine, { shape, allowed: [`A letter says: ${firstLine}`] })).toBe(false);
  });
});
