/** An engine that records its events, for tests of the loop. */
import type { TextModel } from '../../../models/interface/model.ts';
import { Engine, type EngineOptions } from '../../../runtime/chat/engine.ts';
import type { ChatEvent, ChatRequest } from '../../../runtime/chat/request.ts';
import type { RequestEvent } from '../../../runtime/chat/worker-messages.ts';
import { FakeModel, type FakeModelOptions } from '../runtime/fake-model.ts';

/** Records the events of an engine by request. */
export class Recorder {
  readonly events: RequestEvent[] = [];
  #listeners: (() => void)[] = [];

  readonly emit: EngineOptions['emit'] = (events) => {
    this.events.push(...events);
    for (const listener of this.#listeners) listener();
  };

  of(id: number) {
    return this.events.filter((event) => event.id === id).map(({ event }) => event);
  }

  async until(isThere: () => boolean): Promise<void> {
    while (!isThere()) await new Promise<void>((resolve) => this.#listeners.push(resolve));
  }

  async ended(id: number): Promise<void> {
    await this.until(() => this.of(id).some(({ kind }) => kind === 'done' || kind === 'error'));
  }

  finish(id: number, choice = 0) {
    return this.of(id).find((event) => event.kind === 'finished' && event.choice === choice) as
      | Extract<ChatEvent, { kind: 'finished' }>
      | undefined;
  }

  /** Waits for a condition that no event reports, while the engine steps. */
  async idle(isThere: () => boolean): Promise<void> {
    while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
  }

  text(id: number, choice = 0): string {
    return this.of(id)
      .map((event) => (event.kind === 'delta' && event.choice === choice ? event.content : ''))
      .join('');
  }
}

/** An engine on any model. */
export function startOn<Model extends TextModel>(model: Model, options: Partial<EngineOptions> = {}) {
  const recorder = new Recorder();
  const engine = new Engine({
    model,
    queuedRequestsMax: 64,
    prefixCacheBytes: 0,
    promptLookup: 'off',
    emit: recorder.emit,
    now: () => 0,
    ...options,
  });
  return { model, recorder, engine };
}

/** An engine on a fake model. */
export function start(modelOptions: FakeModelOptions = {}, options: Partial<EngineOptions> = {}) {
  return startOn(new FakeModel(modelOptions), options);
}

/** The answer to one request on its own model, without speculative decoding. */
export async function alone(request: ChatRequest, modelOptions: FakeModelOptions): Promise<string> {
  const { recorder, engine } = start(modelOptions);
  await engine.submit(1, request);
  await recorder.ended(1);
  await engine.drain();
  return recorder.text(1);
}
