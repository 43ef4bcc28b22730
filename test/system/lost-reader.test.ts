/** A server that outlives the reader of its output, such as a closed shell or a crashed supervisor. */
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../support/server/server.ts';

const secondsMax = 20;
let server: RunningServer | undefined;

afterEach(async () => {
  await server?.stop();
});

describe('a server whose output is no longer read', () => {
  it(
    'keeps answering, and exits with 0 on SIGTERM',
    async () => {
      server = await startServer();
      server.process.stdout!.destroy();
      server.process.stderr!.destroy();
      // Each writes a line to the broken pipe.
      const refused = await Promise.all(Array.from({ length: 40 }, () => server!.post('/chat/completions', '{}')));
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
      const body = { model: 'cloister-demo-TEE', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4 };
      expect((await server.post('/chat/completions', body)).status).toBe(200);
      expect(await server.signalAndWait('SIGTERM')).toBe(0);
    },
    secondsMax * 1000,
  );

  it(
    'exits with 0 on SIGTERM during a response',
    async () => {
      server = await startServer();
      const message = { role: 'user', content: 'Tell me about the service' };
      const body = { model: 'cloister-demo-TEE', messages: [message], max_tokens: 200, stream: true };
      const answer = await server.post('/chat/completions', body);
      server.process.stdout!.destroy();
      server.process.stderr!.destroy();
      const ended = server.signalAndWait('SIGTERM');
      expect(await answer.text()).toContain('data: [DONE]');
      expect(await ended).toBe(0);
    },
    secondsMax * 1000,
  );
});
