import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfidentialCall } from '../../../../server/features/agents/schema.ts';
import { ServerError } from '../../../../server/http/errors.ts';
import { testAgent } from '../../../support/agents/test-agent.ts';

const findAgent = (slug: string) => (slug === testAgent.slug ? testAgent : undefined);
const read = (fields: Record<string, unknown>) =>
  readConfidentialCall(
    { model: testAgent.slug, messages: [{ role: 'user', content: 'a' }], ...fields },
    { findAgent, randomSeed: () => 42 },
  );

describe('a call of the confidential routes', () => {
  it('has the agent’s own defaults (I-045, I-046)', () => {
    const { work } = read({});
    expect([work.sampling.temperature, work.maxTokens]).toEqual([0.1, 64]);
  });

  it('uses the caller’s values instead of the defaults', () => {
    const { work } = read({ temperature: 0.7, max_tokens: 9000 });
    expect([work.sampling.temperature, work.maxTokens]).toEqual([0.7, 9000]);
    expect(read({ max_completion_tokens: 5 }).work.maxTokens).toBe(5);
  });

  it('to a bare model has the defaults of the direct route', () => {
    const { work } = read({ model: 'x-TEE' });
    expect([work.sampling.temperature, work.maxTokens]).toEqual([1, undefined]);
  });

  it('records whether the caller disables function calls', () => {
    expect(read({ tool_choice: 'none' }).refusesCalls).toBe(true);
    expect([read({}).refusesCalls, read({ tool_choice: 'auto' }).refusesCalls]).toEqual([false, false]);
  });

  it('counts code points, without the separators between parts', () => {
    const parts = Array.from({ length: 200 }, () => ({ type: 'text', text: '👋'.repeat(1000) }));
    expect(() => read({ messages: [{ role: 'user', content: parts }] })).not.toThrow();
    const more = [...parts, { type: 'text', text: 'a' }];
    expect(() => read({ messages: [{ role: 'user', content: more }] })).toThrow('at most 200000 characters');
  });

  it('counts the messages of every role', () => {
    const roles = ['system', 'user', 'assistant'].map((role) => ({ role, content: 'a'.repeat(70_000) }));
    expect(() => read({ messages: roles })).toThrow('at most 200000 characters');
  });

  it('is parsed, or rejected with the coded error, for random JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('messages', 'temperature', 'response_format', 'n'), fc.jsonValue()),
        (fields) => {
          try {
            read(fields as Record<string, unknown>);
          } catch (error) {
            expect(error).toBeInstanceOf(ServerError);
          }
        },
      ),
    );
  });
});
