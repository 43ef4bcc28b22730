import { describe, expect, it } from 'vitest';
import { reportsOf } from '../../agents/agent/reports.ts';
import { testAgent } from '../support/agents/test-agent.ts';

const tellingOf = (...texts: string[]) =>
  reportsOf(
    testAgent,
    texts.map((text, message) => ({ message, text })),
  ).map(({ isTelling }) => isTelling);

describe('the report of a tool', () => {
  it('is shown to the model if the findings differ from those of an empty text', () => {
    expect(tellingOf('parcel 7')).toEqual([true]);
  });

  it('is not shown to the model for a question without findings', () => {
    expect(tellingOf('Good morning, who are you?')).toEqual([false]);
    expect(tellingOf()).toEqual([false]);
  });

  it('is shown to the model for documents, even without findings', () => {
    expect(tellingOf('nothing here. '.repeat(60), 'nor here. '.repeat(70))).toEqual([true]);
  });

  it('is requested tool by tool, and may end between two tools', () => {
    const stop = () => {
      throw new Error('gone');
    };
    expect(() => reportsOf(testAgent, [], stop)).toThrow('gone');
  });
});
