import { describe, expect, it } from 'vitest';
import { promptForm, promptOf } from '../../agents/agent/brief.ts';
import { testAgent, testPrompt } from '../support/agents/test-agent.ts';

describe('the form of a prompt', () => {
  it('uses the full prompt with at least 6,144 tokens per sequence', () => {
    expect([promptForm(4096), promptForm(6143), promptForm(6144), promptForm(131_072)]).toEqual([
      'brief',
      'brief',
      'full',
      'full',
    ]);
  });

  it('is the full prompt without its final line feed', () => {
    expect(promptOf(testAgent, 'full')).toBe(testPrompt.trimEnd());
  });

  it.each([
    ['Contract Analyst', 'You are a contract analyst.'],
    ['Tax & Transfer Pricing', 'You are a tax & transfer pricing analyst.'],
    ['HR & Workplace Analyst', 'You are an HR & workplace analyst.'],
    ['EU Legal Analyst', 'You are an EU legal analyst.'],
  ])('describes the %s agent in brief', (name, expected) => {
    expect(promptOf({ ...testAgent, name }, 'brief').startsWith(expected)).toBe(true);
  });
});
