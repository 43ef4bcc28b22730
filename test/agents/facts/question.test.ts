import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { NumberedLines } from '../../../agents/facts/numbered-lines.ts';
import { factsQuestion } from '../../../agents/facts/question.ts';
import { agents } from '../../../agents/registry.ts';

describe.each(agents.map((agent) => [agent.slug, agent] as const))('the question of %s', (_slug, { facts }) => {
  const { instruction, schema } = factsQuestion(facts);

  it('explains every kind and field that documents state, and no other', () => {
    for (const [name, { means, by }] of Object.entries(facts)) {
      expect(instruction.includes(`\n${name}: ${means}`)).toBe(by === undefined);
    }
  });

  it('has a schema that allows its kinds alone', () => {
    const isValid = new Ajv({ strict: false }).compile(JSON.parse(schema));
    expect(isValid({ facts: [] })).toBe(true);
    const [kind] = Object.entries(facts).find(([, { by }]) => by === undefined)!;
    expect(isValid({ facts: [{ kind, line: 1, value: {} }] })).toBe(true);
    expect(isValid({ facts: [{ kind: 'other', line: 1, value: {} }] })).toBe(false);
    expect(isValid({ facts: [{ kind, line: 0, value: {} }] })).toBe(false);
  });
});

describe('numbered lines', () => {
  const documents = [
    { message: 0, text: 'first\r\n\nthird' },
    { message: 2, text: 'fourth' },
  ];
  const lines = new NumberedLines(documents);

  it('are shown with their numbers, empty ones without', () => {
    expect(lines.show(0, { start: 0, end: 14 })).toBe('1|first\n\n3|third');
    expect(lines.show(2, { start: 0, end: 6 })).toBe('4|fourth');
    expect(lines.show(1, { start: 0, end: 6 })).toBe('');
  });

  it('keep them in a part of a document', () => {
    expect(lines.show(0, { start: 10, end: 14 })).toBe('3|ird');
  });

  it('are found by their numbers', () => {
    expect(lines.find(3)).toEqual({ document: 0, index: 2, start: 8, end: 13 });
    expect(lines.find(4)).toMatchObject({ document: 1, index: 0 });
    expect([lines.find(0), lines.find(5)]).toEqual([undefined, undefined]);
  });
});
