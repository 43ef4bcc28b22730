/** I-004 on the confidential surface: a canary in documents, findings and answers appears only in its own answer. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../../../agents/agent/agent.ts';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import { inlineTools, testAgent, testPrompt } from '../../../support/agents/test-agent.ts';
import type { FakeChat } from '../../../support/runtime/fake-engine.ts';
import { calls, says, startCallingApp } from '../../../support/server/calling-app.ts';
import { type ConfidentialApp, startConfidentialApp } from '../../../support/server/confidential-app.ts';

const canary = 'canary-7f3a9d21';
const messages = [{ role: 'user', content: `${canary} names parcel 12` }];

/** A tool that repeats what it reads, as excerpts do. */
const echo: Agent = {
  ...testAgent,
  tools: [
    {
      name: 'echo',
      version: '1',
      purpose: 'Repeats a text.',
      run: (documents) => ({ result: documents[0]?.text ?? '', digest: [documents[0]?.text ?? ''] }),
    },
  ],
};

let running: ConfidentialApp;
let folder: string;
let script: (chat: FakeChat) => void;
let before: (() => Promise<void>) | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-retention-'));
  script = (chat) => void chat.answer(canary);
  before = undefined;
  const tools = inlineTools([echo], { before: async () => before?.() });
  running = await startConfidentialApp({
    tools,
    statePath: join(folder, 'accounts.sqlite'),
    script: (chat) => script(chat),
  });
});
afterEach(() => running.close());

async function expectForgotten(): Promise<void> {
  const places = [
    running.log(),
    await running.metrics.registry.metrics(),
    ...readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1')),
  ];
  expect(running.log()).toContain('"msg":"request"');
  for (const place of places) {
    expect(place).not.toContain(canary);
    expect(place).not.toContain('parcel that a letter names');
    expect(place).not.toContain('Findings:');
  }
}

describe('the server retains nothing of', () => {
  it('a whole answer and its findings', async () => {
    const { headers, json } = await running.ask({ messages });
    expect(json()).toMatchObject({ agent: { tools: [{ result: messages[0]!.content }] } });
    expect(JSON.stringify(await running.receiptOf(headers))).not.toContain(canary);
    await expectForgotten();
  });

  it('a stream', async () => {
    expect((await running.ask({ messages, stream: true })).text).toContain(canary);
    await expectForgotten();
  });

  it.each([
    ['an unknown agent', { model: canary }],
    ['a temperature', { temperature: canary }],
    ['too many characters', { messages: [{ role: 'user', content: canary.repeat(20_000) }] }],
    ['a wrong format', { response_format: { type: canary } }],
  ])('%s, and the error does not repeat the text', async (_what, fields) => {
    const { status, text } = await running.ask({ messages, ...fields });
    expect([status, text.includes(canary)]).toEqual([400, false]);
    await expectForgotten();
  });

  it('tools that fail', async () => {
    before = () => Promise.reject(new TypeError(`cannot read ${canary}`));
    const { status, text } = await running.ask({ messages });
    expect([status, text.includes(canary)]).toEqual([500, false]);
    await expectForgotten();
  });

  it.each(['ERR_CONTEXT_OVERFLOW', 'ERR_INTERNAL', 'ERR_GRAMMAR_INVALID'] as const)(
    'an engine that fails with %s',
    async (code) => {
      script = (chat) => chat.fail(new RuntimeError(code, 'refused'));
      const { text } = await running.ask({ messages });
      expect(text).not.toContain(canary);
      await expectForgotten();
    },
  );
});

describe('the server retains nothing of tool calls', () => {
  const [repeat] = echo.tools;
  const callable = { ...testAgent, tools: [{ ...repeat!, name: testAgent.tools[0]!.name }] };

  it.each([
    ['a call', calls({ text: `again ${canary}` })],
    ['a call that fails', calls(`{"text": "${canary}`)],
    ['a call of nothing', calls({ text: canary }, { name: canary })],
  ])('%s', async (_what, round) => {
    await running.close();
    const tools = inlineTools([callable]);
    const statePath = join(folder, 'calls.sqlite');
    const app = await startCallingApp({ rounds: [round, says(canary)], tools, statePath });
    running = app;
    const { headers, status } = await app.ask({ messages, stream: true });
    expect([status, app.asked().length]).toEqual([200, 2]);
    expect(JSON.stringify(await app.receiptOf(headers))).not.toContain(canary);
    await expectForgotten();
  });
});

describe('the prompt does not appear in', () => {
  const showsNothing = (text: string) => {
    for (const line of testPrompt.split('\n').filter(({ length }) => length > 40)) expect(text).not.toContain(line);
    expect(text).not.toContain('Use only the findings given');
  };

  it.each([
    ['an error of the schema', { temperature: 'high' }],
    ['an error of the model', { model: 'parcel' }],
    ['a report', { response_format: { type: 'agent_report' } }],
    ['a list of facts', { response_format: { type: 'agent_facts' } }],
    ['a stream', { stream: true }],
  ])('%s', async (_what, fields) => showsNothing((await running.ask({ messages, ...fields })).text));

  it('the list of models', async () => {
    showsNothing((await running.get('/v1/confidential/models', running.secret)).text);
  });

  it('a template that rejects the messages', async () => {
    script = (chat) => chat.fail(new RuntimeError('ERR_CHAT_TEMPLATE', 'roles must alternate'));
    showsNothing((await running.ask({ messages })).text);
  });
});
