/** The confidential surface repeats no word of a caller's outside of an answer, whether an agent or a bare model is asked. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConfidentialApp, startConfidentialApp } from '../support/confidential-app.ts';
import { expectNoEcho } from '../support/echo-probe.ts';
import { everyChatField } from '../support/every-field.ts';
import { testAgent } from '../support/test-agent.ts';
import { modelId } from '../support/test-app.ts';

const fields = { ...everyChatField, provider: { aci_verified: true } };
let running: ConfidentialApp;
beforeAll(async () => {
  running = await startConfidentialApp({ script: (chat) => void chat.answer('fine') });
});
afterAll(() => running.close());

async function send(body: unknown) {
  const headers = { authorization: `Bearer ${running.secret}`, 'content-type': 'application/json' };
  const url = '/v1/confidential/chat/completions';
  const { statusCode, body: text } = await running.app.inject({
    method: 'POST',
    url,
    headers,
    payload: JSON.stringify(body),
  });
  return { status: statusCode, text };
}

const traces = async () => running.log() + (await running.metrics.registry.metrics());

it.each([
  ['an agent', { ...fields, model: testAgent.slug }],
  ['a bare model', { ...fields, model: modelId }],
])('a refusal of %s repeats no word of the body', async (_what, request) => {
  const { status, text } = await send(request);
  expect([status, text]).toEqual([200, expect.not.stringMatching(/^{"error"/)]);
  await expectNoEcho({ request, send, traces });
});
