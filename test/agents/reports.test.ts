import { describe, expect, it } from 'vitest';
import { reportsOf } from '../../agents/agent/reports.ts';
import { testAgent } from '../support/agents/test-agent.ts';

const tellingOf = (...texts: string[]) =>
  reportsOf(
    testAgent,
    texts.map((text, message) => ({ message, text })),
  ).map(({ isTelling }) => isTelling);

describe('the report of a tool', () => {
  it('is told where the texts lead to other findings than no text', () => {
    expect(tellingOf('parcel 7')).toEqual([true]);
  });

  it('is not told of a question in which there is nothing to find', () => {
    expect(tellingOf('Good morning, who are you?')).toEqual([false]);
    expect(tellingOf()).toEqual([false]);
  });

  it('is told of documents also where nothing is in them', () => {
    expect(tellingOf('nothing here. '.repeat(60), 'nor here. '.repeat(70))).toEqual([true]);
  });

  it('is asked for tool by tool, and may end between two', () => {
    const stop = () => {
      throw new Error('gone');
    };
    expect(() => reportsOf(testAgent, [], stop)).toThrow('gone');
  });
});
