/** Fifty free accounts send the chats that take longest to prepare, while a legitimate caller must still be served. */
import { Agent } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts } from '../../accounts/store.ts';
import { request } from '../../bench/client.ts';
import { buildAttack } from '../../bench/hostile/attacks.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const attackerCount = 50;

let server: RunningServer;
let model: string;
const attackers: string[] = [];
/** All callers share a connection pool, because the server distinguishes them by key. */
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

beforeAll(async () => {
  server = await startServer(['--log-level', 'error']);
  model = server.listening.models.find((id) => !/embedding|image/.test(id))!;
  const path = join(server.stateDir, 'accounts.sqlite');
  const accounts = await openAccounts({ kind: 'sqlite', path }, { role: 'command' });
  const now = Date.now();
  for (let index = 0; index < attackerCount; index++) {
    const account = `attacker-${index}`;
    await accounts.createAccount({ name: account, plan: 'free', now });
    attackers.push((await accounts.createKey({ account, name: 'key', now })).secret);
  }
  await accounts.close();
}, 120_000);
afterAll(async () => {
  agent.destroy();
  await server.stop();
});

function send(secret: string, { path, body }: { path: string; body: string }, signal?: AbortSignal) {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const url = `${new URL(server.listening.baseUrl).origin}${path}`;
  return request(url, { agent, headers, body, ...(signal && { signal }) });
}

const smallChat = () => ({
  path: '/v1/chat/completions',
  body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 }),
});

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(server.listening.metricsUrl)).text();
  return Number(new RegExp(`^cloister_${name}\\{.*\\} (\\d+)`, 'm').exec(text)?.[1]);
}

describe('with fifty hostile accounts, the server', () => {
  it('rejects chats that can never fit with 400, the limit and a lower bound of their tokens, before rendering them', async () => {
    for (const name of ['messages-60000', 'messages-10000', 'combining-marks', 'control-look-alikes'] as const) {
      const { status, body } = await send(attackers[0]!, buildAttack(name, { model, agent: '' })[0]!);
      const { error, details } = JSON.parse(body);
      expect([name, status, details.code]).toEqual([name, 400, 'ERR_CONTEXT_OVERFLOW']);
      expect(error).toMatch(/^the prompt has at least \d+ tokens; the limit is 4095/);
      expect(details).toMatchObject({ limit: 4096, counted: expect.any(Number) });
      expect(details.attempts).toBeUndefined();
    }
  }, 60_000);

  it('answers a victim’s chats while the hostile accounts send theirs concurrently', async () => {
    const names = ['messages-60000', 'messages-10000', 'combining-marks', 'control-look-alikes'];
    const all = names.flatMap((name) => buildAttack(name as 'messages-60000', { model, agent: '' }));
    let open = attackers.length;
    const attacking = attackers.map(async (secret, index) => {
      const { status } = await send(secret, all[index % all.length]!);
      open -= 1;
      return status;
    });
    // The victim's chats overtake the hostile ones: they finish before the last hostile one is answered.
    for (let chats = 0; chats < 5; chats++) expect((await send(server.listening.apiKey, smallChat())).status).toBe(200);
    expect(open).toBeGreaterThan(0);
    expect(new Set(await Promise.all(attacking))).toEqual(new Set([400]));
  }, 120_000);

  it('discards the requests of clients that disconnect immediately', async () => {
    const fitting = buildAttack('fitting-messages', { model, agent: '' })[0]!;
    await Promise.all(attackers.map((secret) => send(secret, fitting, AbortSignal.timeout(50)).catch(() => undefined)));
    expect((await send(server.listening.apiKey, smallChat())).status).toBe(200);
    while ((await gauge('num_requests_preparing')) + (await gauge('num_requests_running')) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }, 60_000);
});
