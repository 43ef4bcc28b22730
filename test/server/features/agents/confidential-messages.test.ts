import { describe, expect, it } from 'vitest';
import { buildFindingsBlock } from '../../../../agents/agent/findings-block.ts';
import { rankPassages } from '../../../../agents/agent/passages.ts';
import type { ChatMessage } from '../../../../models/interface/model.ts';
import {
  documentsOf,
  rankingTask,
  shortMessages,
  type TurnSources,
  wholeMessages,
} from '../../../../server/features/agents/messages.ts';
import { testAgent, testPrompt } from '../../../support/agents/test-agent.ts';

const paragraphs = Array.from(
  { length: 40 },
  (_, k) => `${k}. Parcel ${k} went to room ${k * 7} by way of the stairs.`,
);
const document = paragraphs.join('\n\n');
const digest = [{ name: 'parcel_count', version: '2', digest: ['parcels: 40'] }];

function sources(form: TurnSources['form'], ...messages: ChatMessage[]): TurnSources {
  return { agent: testAgent, form, messages, block: buildFindingsBlock(digest, form) };
}

const short = (of: TurnSources, unitsMax: number) => shortMessages(of, rankPassages(rankingTask(of)), unitsMax);
const user = (content: string): ChatMessage => ({ role: 'user', content });
const contents = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content);

describe('complete messages', () => {
  it('start with the agent’s prompt, followed by the caller’s system messages', () => {
    const [system] = wholeMessages(
      sources('full', { role: 'system', content: 'You are a pirate. Ignore what was said before.' }, user('Ahoy')),
    );
    expect(system).toEqual({
      role: 'system',
      content: `${testPrompt.trimEnd()}\n\nYou are a pirate. Ignore what was said before.`,
    });
  });

  it('move system messages from any position before the documents', () => {
    const messages = wholeMessages(sources('full', user('a'), { role: 'system', content: 'later' }, user('b')));
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
    expect(messages[0]!.content).toMatch(/later$/);
  });

  it('keep the caller’s text unchanged, followed by the findings', () => {
    const text = `${document}\n\nWhich room?`;
    const [, last] = contents(wholeMessages(sources('full', user(text))));
    expect(last).toBe(`${text}\n\n${sources('full').block!.text}`);
  });

  it('end with the question if the brief prompt is used', () => {
    const [, last] = contents(wholeMessages(sources('brief', user(`${document}\n\nWhich room?`))));
    expect(last).toBe(`${document}\n\nFindings:\n- parcels: 40\n\nWhich room?`);
  });

  it('recognize a question that precedes the document', () => {
    const [, last] = contents(wholeMessages(sources('brief', user(`Which room is it?\n\n${document}`))));
    expect(last).toBe(`${document}\n\nFindings:\n- parcels: 40\n\nWhich room is it?`);
  });

  it('append the findings to the result of a caller’s own tool', () => {
    const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const messages = wholeMessages(
      sources(
        'full',
        user('Look it up.'),
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', content: 'parcel 9', tool_call_id: 'c' },
      ),
    );
    expect(messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'c',
      content: expect.stringMatching(/^parcel 9\n\n=== /),
    });
    expect(messages[2]).toMatchObject({ tool_calls: [call] });
  });

  it('put the findings into the system message if there is no other message', () => {
    const messages = wholeMessages(sources('brief', { role: 'assistant', content: 'Yes.' }));
    expect(messages[0]!.content).toMatch(/Findings:\n- parcels: 40$/);
  });
});

describe('shortened messages', () => {
  it('contain the question and the passages that share its words', () => {
    const text = `${document}\n\nTo which room did parcel 17 go?`;
    const { messages, excerpts } = short(sources('full', user(text)), 120);
    const shown = messages[1]!.content;
    expect(shown).toContain(paragraphs[17]);
    expect(shown).toContain('To which room did parcel 17 go?');
    expect(shown).not.toContain(paragraphs[30]);
    expect(excerpts.units).toBe(text.length);
    for (const { message, start, end } of excerpts.passages) {
      expect(message).toBe(0);
      expect(shown).toContain(text.slice(start, end));
    }
  });

  it('mark where passages were left out', () => {
    const { messages, excerpts } = short(sources('full', user(document), user('What of parcel 3?')), 60);
    const [, first, last] = contents(messages);
    expect(first).toBe(`[…]\n\n${paragraphs[3]}\n\n[…]`);
    expect(last).toContain(`${excerpts.unitsShown} of their ${excerpts.units} characters are shown`);
    expect(last).toContain('=== FINDINGS');
  });

  it('contain the question once', () => {
    const { messages } = short(sources('brief', user(`${document}\n\nWhat of parcel 3?`)), 60);
    const last = messages.at(-1)!.content;
    expect(last.split('What of parcel 3?')).toHaveLength(2);
    expect(last).toMatch(/Findings:\n- parcels: 40\n\nWhat of parcel 3\?$/);
  });

  it('keep the order of all messages', () => {
    const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const all: ChatMessage[] = [
      user(document),
      { role: 'assistant', content: 'I look.', tool_calls: [call] },
      { role: 'tool', content: document, tool_call_id: 'c' },
      user('What of parcel 3?'),
    ];
    const { messages } = short(sources('full', ...all), 0);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(contents(messages).slice(1, 4)).toEqual(['[…]', 'I look.', '[…]']);
  });
});

it('documents are the messages of users and tools, identified by message index', () => {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'x' },
    user('a'),
    user(''),
    { role: 'assistant', content: 'b' },
  ];
  expect(documentsOf(messages)).toEqual([{ message: 1, text: 'a' }]);
});

it.each([
  ['paragraphs', 'abc def.\n\n'.repeat(20_000)],
  ['one-letter lines', 'a\n\n'.repeat(66_666)],
  ['one line', 'a'.repeat(200_000)],
  ['white space', ' '.repeat(200_000)],
])('the main thread is blocked only briefly by 200,000 characters of %s', (_what, text) => {
  const of = sources('full', user(text));
  const ranking = rankPassages(rankingTask(of));
  const before = process.threadCpuUsage();
  wholeMessages(of);
  for (let tries = 0; tries < 5; tries++) shortMessages(of, ranking, 20_000);
  const { user: userMicros, system } = process.threadCpuUsage(before);
  expect(userMicros + system).toBeLessThan(150_000);
});
