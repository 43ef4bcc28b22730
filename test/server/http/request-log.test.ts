import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { describeFault, logRequests, NoFrameworkLines } from '../../../server/http/request-log.ts';

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('an error in the log', () => {
  it('contains the stack frames', () => {
    const { type, at } = describeFault(new TypeError('x')) as { type: string; at: string[] };
    expect(type).toBe('TypeError');
    expect(at[0]).toMatch(/^ {4}at .*request-log\.test\.ts:\d+:\d+/);
  });

  it('contains no line of a message that looks like a stack frame', () => {
    const canary = '[1,\n    at canary (of the caller)]';
    const fault = caught(() => JSON.parse(canary));
    expect((fault as Error).stack).toContain('\n    at can');
    expect(JSON.stringify(describeFault(fault))).not.toContain('at can');
  });

  it('has no stack frames if the message differs from the one in the stack', () => {
    const fault = new Error('first\n    at canary');
    expect(fault.stack).toContain('canary');
    fault.message = 'second';
    expect(describeFault(fault).at).toEqual([]);
  });
});

describe('health probes in the log', () => {
  async function linesOf(path: string): Promise<readonly string[]> {
    const lines: string[] = [];
    const stream = { write: (line: string) => lines.push(line) };
    const app = Fastify({ logger: { level: 'info', stream }, logController: new NoFrameworkLines() });
    logRequests(app);
    app.get('/health/live', async () => ({}));
    app.get('/health/ready', async (_request, reply) => reply.code(503).send({}));
    app.get('/v1/models', async () => ({}));
    await app.inject(path);
    await app.close();
    return lines;
  }

  it('are below the default level while they succeed', async () => {
    expect(await linesOf('/health/live')).toEqual([]);
    expect(await linesOf('/health/ready')).toEqual([expect.stringContaining('"route":"/health/ready","status":503')]);
    expect(await linesOf('/v1/models')).toEqual([expect.stringContaining('"route":"/v1/models","status":200')]);
  });
});
