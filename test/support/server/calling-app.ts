/** The confidential surface with a model whose context fits the whole prompt and whose template supports functions. */
import type { ModelFacts } from '../../../runtime/chat/request.ts';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import { type FakeChat, FakeEngine, fakeFacts } from '../runtime/fake-engine.ts';
import { type ConfidentialApp, type ConfidentialAppOptions, startConfidentialApp } from './confidential-app.ts';
import { modelId, terms } from './test-app.ts';

export const callingContext = 32_768;

export interface CallingApp extends ConfidentialApp {
  readonly engine: FakeEngine;
  /** The requests to the model, without those that only count tokens. */
  readonly asked: () => readonly FakeChat[];
}

export interface CallingAppOptions extends Omit<ConfidentialAppOptions, 'script'> {
  /** The behaviour of the model in each round; the last one repeats in all later rounds. */
  readonly rounds: readonly ((chat: FakeChat) => void)[];
  readonly facts?: Partial<ModelFacts>;
  /** The token count of a prompt. */
  readonly count?: (chat: FakeChat) => number;
}

export async function startCallingApp({
  rounds,
  facts = {},
  count = () => 100,
  ...options
}: CallingAppOptions): Promise<CallingApp> {
  const asked: FakeChat[] = [];
  const engine = new FakeEngine({
    state: { kind: 'ready', model: { ...fakeFacts, contextPerSequence: callingContext, ...facts } },
    script: (chat) => {
      const counted = count(chat);
      const limit = chat.request.contextMax ?? callingContext;
      if (counted >= limit) {
        return chat.fail(new RuntimeError('ERR_CONTEXT_OVERFLOW', 'too long', { details: { limit, counted } }));
      }
      asked.push(chat);
      return rounds[Math.min(asked.length, rounds.length) - 1]!(chat);
    },
  });
  const own = { ...terms, contextLength: callingContext, maxOutputTokens: callingContext };
  const model = { kind: 'chat' as const, id: modelId, engine, created: 0, fingerprint: 'fp_test', terms: own };
  const running = await startConfidentialApp({ ...options, models: new Map([[modelId, model]]) });
  return { ...running, engine, asked: () => asked };
}

/** Emits optional text, then calls a tool of the parcel clerk. */
export function calls(
  text: string | Record<string, unknown>,
  { says = '', name = 'parcel_count', promptTokens = 100, cachedTokens = 90 } = {},
): (chat: FakeChat) => void {
  const written = typeof text === 'string' ? text : JSON.stringify(text);
  return (chat) => {
    chat.start({ promptTokens, cachedTokens });
    if (says !== '') chat.text(says);
    const half = Math.ceil(written.length / 2);
    chat.delta({ toolCalls: [{ index: 0, id: 'call_x', name, arguments: written.slice(0, half) }] });
    chat.delta({ toolCalls: [{ index: 0, arguments: written.slice(half) }] });
    chat.finish('tool_calls');
  };
}

export function says(text: string, { promptTokens = 150, cachedTokens = 120 } = {}): (chat: FakeChat) => void {
  return (chat) => void chat.start({ promptTokens, cachedTokens }).text(text).finish('stop');
}
