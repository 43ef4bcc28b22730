import { describe, expect, it } from 'vitest';
import { describeFault } from '../../../server/http/request-log.ts';

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('a fault in the log', () => {
  it('states where it happened', () => {
    const { type, at } = describeFault(new TypeError('x')) as { type: string; at: string[] };
    expect(type).toBe('TypeError');
    expect(at[0]).toMatch(/^ {4}at .*request-log\.test\.ts:\d+:\d+/);
  });

  it('quotes no line of a message that resembles a place', () => {
    const canary = '[1,\n    at canary (of the caller)]';
    const fault = caught(() => JSON.parse(canary));
    expect((fault as Error).stack).toContain('\n    at can');
    expect(JSON.stringify(describeFault(fault))).not.toContain('at can');
  });

  it('states no place if the message differs from the one in the stack', () => {
    const fault = new Error('first\n    at canary');
    expect(fault.stack).toContain('canary');
    fault.message = 'second';
    expect(describeFault(fault).at).toEqual([]);
  });
});
