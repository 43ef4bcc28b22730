/** The worker thread's side of `engine-client.ts`: loads the model, then runs the engine and exchanges messages over a port. */
import type { MessagePort } from 'node:worker_threads';
import type { TextModel } from '@cloister/models/interface/model';
import { assertNever, toCodedMessage } from '../pool/coded-message.ts';
import { type RuntimeError, toLoadError } from '../pool/errors.ts';
import { DraftModel } from './draft-model.ts';
import { Engine } from './engine.ts';
import { measurePromptOverhead } from './prompt-overhead.ts';
import type { ModelFacts } from './request.ts';
import type { PromptLookupMode } from './speculation.ts';
import type { FromEngine, StepReport, ToEngine } from './worker-messages.ts';

export interface EngineWorkerOptions {
  readonly port: MessagePort;
  readonly queuedRequestsMax: number;
  readonly prefixCacheBytes: number;
  readonly promptLookup: PromptLookupMode;
  /** Loads the model. @param onProgress called with fractions 0…1 */
  readonly load: (onProgress: (fraction: number) => void) => Promise<TextModel>;
  /** Loads the draft model, after the model. */
  readonly loadDraft?: (() => Promise<TextModel>) | undefined;
}

/** Loads the model, then serves the port until it receives `drain` or `stop`. Resolves when the model is freed. */
export async function serveEngine({ port, load, loadDraft, ...limits }: EngineWorkerOptions): Promise<void> {
  const send = (message: FromEngine) => port.postMessage(message);
  const started = performance.now();
  const now = () => performance.now();
  let model: TextModel;
  let draftModel: DraftModel | undefined;
  try {
    model = await load((fraction) => send({ kind: 'loading', fraction }));
    draftModel = loadDraft && (await openDraft(loadDraft, model, now));
  } catch (error) {
    send({ kind: 'failed', error: toCodedMessage(toLoadError(error)) });
    port.close();
    return;
  }
  const promptOverhead = await measurePromptOverhead(model);
  const engine = new Engine({
    model,
    draft: draftModel && { model: draftModel, mode: 'auto' },
    ...limits,
    emit: (events, stats) => send({ kind: 'events', report: JSON.stringify({ events, stats } satisfies StepReport) }),
    now,
  });
  const closed = new Promise<void>((resolve, reject) => {
    port.on('message', (message: ToEngine) => {
      switch (message.kind) {
        case 'chat':
          void engine.submit(message.id, message.request);
          return;
        case 'cancel':
          engine.cancel(message.id);
          return;
        case 'pin':
          void pin(engine, message).then(send);
          return;
        case 'probe':
          engine.canary().then(
            () => send({ kind: 'alive' }),
            () => undefined,
          );
          return;
        case 'drain':
          engine.drain().then(resolve, reject);
          return;
        case 'stop':
          engine.stop().then(resolve, reject);
          return;
        default:
          assertNever(message);
      }
    });
  });
  send({
    kind: 'ready',
    model: { ...factsOf(model, performance.now() - started), draftModel: draftModel?.description, promptOverhead },
  });
  await closed;
  send({ kind: 'closed' });
  port.close();
}

async function openDraft(load: () => Promise<TextModel>, model: TextModel, now: () => number): Promise<DraftModel> {
  try {
    return await DraftModel.open(load, { target: model.info, now });
  } catch (error) {
    await model.close();
    throw error;
  }
}

async function pin(engine: Engine, { id, messages, options }: Extract<ToEngine, { kind: 'pin' }>): Promise<FromEngine> {
  try {
    return { kind: 'pinned', id, prefix: await engine.pinPrefix(messages, options), stats: engine.stats };
  } catch (error) {
    return { kind: 'notPinned', id, error: toCodedMessage(error as RuntimeError) };
  }
}

function factsOf({ info }: TextModel, loadMs: number): ModelFacts {
  const { description, device, architecture, contextPerSequence, sequences } = info;
  const { supportsTools, supportsReasoning, supportsInfill, imageTokensMax, promptBound } = info;
  const facts = { description, device, architecture, contextPerSequence, sequences };
  return { ...facts, supportsTools, supportsReasoning, supportsInfill, imageTokensMax, promptBound, loadMs };
}
