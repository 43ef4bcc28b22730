/** The confidential surface repeats no text of a request in errors, logs or metrics, for agents and for bare models. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testAgent } from '../../../support/agents/test-agent.ts';
import { type ConfidentialApp, startConfidentialApp } from '../../../support/server/confidential-app.ts';
import { expectNoEcho, sendTo, tracesOf } from '../../../support/server/echo-probe.ts';
import { everyChatField } from '../../../support/server/every-field.ts';
import { modelId } from '../../../support/server/test-app.ts';

const fields = { ...everyChatField, provider: { aci_verified: true } };
let running: ConfidentialApp;
beforeAll(async () => {
  running = await startConfidentialApp({ script: (chat) => void chat.answer('fine') });
});
afterAll(() => running.close());

const send = (body: unknown) => sendTo(running, { method: 'POST', url: '/v1/confidential/chat/completions', body });

it.each([
  ['an agent', { ...fields, model: testAgent.slug }],
  ['a bare model', { ...fields, model: modelId }],
])('the error response for %s repeats no text of the body', async (_what, request) => {
  const { status, text } = await send(request);
  expect([status, text]).toEqual([200, expect.not.stringMatching(/^{"error"/)]);
  await expectNoEcho({ request, send, traces: () => tracesOf(running) });
});
