import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentTool } from '../../agents/agent/agent.ts';
import { callUnitsMax, offeredFunctions, readArguments } from '../../agents/agent/tool-offer.ts';
import { euLegal } from '../../agents/eu-legal/index.ts';
import { agents } from '../../agents/registry.ts';

const plain: Pick<AgentTool, 'inputs'> = {};
const deadlines = euLegal.tools.find(({ name }) => name === 'eu_deadlines')!;
const documents = [{ message: 1, text: 'Notified on 27 March 2026, to be answered within one week of notification.' }];
const sources = { documents, message: 4 };
const read = (tool: Pick<AgentTool, 'inputs'>, args: unknown) =>
  readArguments(tool, typeof args === 'string' ? args : JSON.stringify(args), sources);

describe('the functions of an agent', () => {
  it.each(agents.map((agent) => [agent.slug, agent] as const))(
    'of %s have short names and one line each',
    (_slug, agent) => {
      const functions = offeredFunctions(agent).map((one) => one.function);
      const offered = agent.tools.filter(({ isOffered }) => isOffered !== false);
      expect(functions.map(({ name }) => name)).toEqual(offered.map(({ name }) => name));
      for (const { name, description } of functions) {
        expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
        expect(description).toMatch(/^[A-Z][^\n]{40,300}\.$/);
        expect(description).toContain(' Text: ');
      }
      // They are in the prompt of every turn, and about a third as long as the agent's own prompt.
      expect(JSON.stringify(offeredFunctions(agent)).length).toBeLessThan(3_000);
    },
  );

  it('take a text and the other parameters of the tool', () => {
    const { inputs: _inputs, ...simple } = deadlines;
    const [first] = offeredFunctions({ tools: [simple] });
    expect(first!.function.parameters).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    });
    const own = offeredFunctions(euLegal).find((one) => one.function.name === 'eu_deadlines')!;
    expect(own.function.parameters).toMatchObject({
      properties: { message: { type: 'integer' }, holidays: { type: 'array', items: { type: 'string' } } },
    });
  });
});

describe('the arguments of a call', () => {
  it('become a separate document', () => {
    expect(read(plain, { text: ' Article 6 GDPR\n' })).toEqual({ documents: [{ message: 4, text: 'Article 6 GDPR' }] });
  });

  it('may omit optional parameters', () => {
    const given = { text: 'Within two days.', holidays: null, message: null };
    expect(read(deadlines, given)).toEqual({ documents: [{ message: 4, text: 'Within two days.' }] });
  });

  it('may request a document to be read again with other parameters', () => {
    const given = { message: 1, holidays: ['2026-04-03', '2026-04-06'] };
    const reading = read(deadlines, given) as { documents: { message: number; text: string }[] };
    expect(reading.documents).toEqual([...documents, { message: 4, text: 'Holidays: 2026-04-03, 2026-04-06' }]);
    // One week from 27 March 2026 is Good Friday; the next working day is Tuesday, 7 April: Article 3(4).
    const lines = (list: typeof documents) => deadlines.run(list).digest.join('\n');
    expect(lines(documents)).toContain('ends with 2026-04-03 (Friday)');
    expect(lines(reading.documents)).toContain('ends with 2026-04-07 (Tuesday), moved from 2026-04-03');
  });

  it.each([
    ['no object', '[1]', 'the arguments must be one JSON object'],
    ['no JSON', 'text', 'the arguments must be one JSON object'],
    ['an unknown one', { text: 'a', path: '/' }, 'accepted arguments: text, message, holidays'],
    [
      'a message that holds no document',
      { message: 0 },
      '`message` must be the number of a message that contains a document',
    ],
    ['a wrong list', { text: 'a', holidays: 'Christmas' }, '`holidays` must be a list of at most 60'],
    ['a wrong value', { text: 'a', holidays: ['2026-12-25\n'] }, '`holidays` must be a list of at most 60'],
    [
      'too many values',
      { text: 'a', holidays: Array(61).fill('2026-12-25') },
      '`holidays` must be a list of at most 60',
    ],
    ['nothing', { text: ' ' }, 'there is nothing to read'],
    ['too much', { text: 'a'.repeat(callUnitsMax + 1) }, `at most ${callUnitsMax} characters`],
  ])('are rejected with the reason: %s', (_what, args, error) => {
    expect(read(deadlines, args)).toEqual({ error: expect.stringContaining(error) });
  });

  it('are parsed or rejected with an error that does not quote them, whatever they contain', () => {
    const canary = 'canary7f3a';
    const value = fc.oneof(fc.jsonValue(), fc.constant(canary), fc.array(fc.constant(canary)));
    const object = fc.dictionary(fc.constantFrom('text', 'message', 'holidays', canary), value);
    const args = fc.oneof(
      object.map((one) => JSON.stringify(one)),
      fc.string(),
      fc.constant(`{"${canary}`),
    );
    fc.assert(
      fc.property(args, (text) => {
        const reading = readArguments(deadlines, text, sources);
        if ('error' in reading) expect(reading.error).not.toContain(canary);
        else expect(reading.documents.at(-1)!.message).toBe(4);
      }),
    );
  });
});
