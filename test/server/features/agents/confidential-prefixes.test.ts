import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { promptOf } from '../../../../agents/agent/brief.ts';
import { offeredFunctions } from '../../../../agents/agent/tool-offer.ts';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import { prefillAgents } from '../../../../server/features/agents/prefixes.ts';
import { buildLogger } from '../../../../server/http/request-log.ts';
import type { ServedChatModel } from '../../../../server/serving/served-model.ts';
import { testAgent } from '../../../support/agents/test-agent.ts';
import { FakeEngine, fakeFacts } from '../../../support/runtime/fake-engine.ts';
import { terms } from '../../../support/server/test-app.ts';

const other = { ...testAgent, slug: 'letter-clerk', name: 'Letter Officer' };

function served(contextLength: number): ServedChatModel & { engine: FakeEngine } {
  const engine = new FakeEngine({
    state: { kind: 'ready', model: { ...fakeFacts, contextPerSequence: contextLength } },
  });
  return { kind: 'chat', id: 'm-TEE', engine, created: 0, fingerprint: 'fp', terms: { ...terms, contextLength } };
}

async function prefill(model: ServedChatModel) {
  let log = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log += chunk;
      done();
    },
  });
  const logger = buildLogger({ level: 'info', destination });
  const done = await prefillAgents(new Map([[model.id, model]]), { agents: [testAgent, other], logger });
  return { done, log };
}

describe('before the first request', () => {
  it('the server computes every agent’s prompt exactly as requests will render it', async () => {
    const model = served(32_768);
    const { done } = await prefill(model);
    const prompts = [testAgent, other].map((agent) => [{ role: 'system', content: promptOf(agent, 'full') }]);
    expect(model.engine.pins).toEqual([...prompts, ...prompts]);
    expect(done).toEqual([{ model: 'm-TEE', prompts: 2, tokens: 400, ms: 4 }]);
  });

  it('the server computes the prompt with the callable functions, then without them as a prefix for callers’ additions', async () => {
    const model = served(32_768);
    await prefill(model);
    const [first, second, ...alone] = model.engine.pinOptions;
    expect([first!.tools, second!.tools]).toEqual([offeredFunctions(testAgent), offeredFunctions(other)]);
    expect(alone).toEqual([{ extendsLastMessage: true }, { extendsLastMessage: true }]);
  });

  it('the server computes the prompt without functions if the model’s template does not support them', async () => {
    const model = served(32_768);
    model.engine.state = { kind: 'ready', model: { ...fakeFacts, contextPerSequence: 32_768, supportsTools: false } };
    await prefill(model);
    expect(model.engine.pinOptions).toEqual([{ extendsLastMessage: true }, { extendsLastMessage: true }]);
  });

  it('the server computes the brief prompt for a small context window', async () => {
    const model = served(4096);
    await prefill(model);
    expect(model.engine.pins[0]).toEqual([{ role: 'system', content: promptOf(testAgent, 'brief') }]);
    expect(model.engine.pinOptions).toEqual([{ extendsLastMessage: false }, { extendsLastMessage: false }]);
  });

  it('the server reports a prompt that does not fit and starts nevertheless', async () => {
    const model = served(32_768);
    model.engine.pinPrefix = async () => {
      throw new RuntimeError('ERR_MEMORY_BUDGET', 'no room');
    };
    const { done, log } = await prefill(model);
    expect(done).toEqual([{ model: 'm-TEE', prompts: 0, tokens: 0, ms: 0 }]);
    expect(log).toContain('ERR_MEMORY_BUDGET');
    expect(log).not.toContain('parcel that');
  });
});
