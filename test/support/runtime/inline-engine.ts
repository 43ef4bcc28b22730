/** A `ChatEngine` on a real model in the test's own thread: the loop of `runtime/chat/engine.ts` without messages between threads. */
import type { PromptInput, TextModel } from '../../../models/interface/model.ts';
import { Engine } from '../../../runtime/chat/engine.ts';
import type { ChatEngine, ChatEvent } from '../../../runtime/chat/request.ts';
import type { RequestEvent } from '../../../runtime/chat/worker-messages.ts';
import { toRuntimeError } from '../../../runtime/pool/coded-message.ts';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import { EventChannel } from '../../../runtime/pool/event-channel.ts';
import { healthy } from '../../../runtime/pool/watchdog.ts';

/** `drain` frees the model. */
export function startInlineEngine(model: TextModel): ChatEngine {
  const channels = new Map<number, EventChannel<ChatEvent>>();
  const deliver = ({ id, event }: RequestEvent) => {
    const channel = channels.get(id);
    if (event.kind === 'done') channel?.close();
    else if (event.kind === 'error') channel?.fail(toRuntimeError(event.error));
    else channel?.push(event);
  };
  const engine = new Engine({
    model,
    queuedRequestsMax: 16,
    prefixCacheBytes: 256 * 1024 ** 2,
    promptLookup: 'off',
    emit: (events) => events.forEach(deliver),
    now: () => performance.now(),
  });
  const { description, device, architecture, contextPerSequence, sequences } = model.info;
  const { supportsTools, supportsReasoning, supportsInfill, imageTokensMax } = model.info;
  const shape = { description, device, architecture, contextPerSequence, sequences };
  const facts = { ...shape, supportsTools, supportsReasoning, supportsInfill, imageTokensMax };
  const prepare = (input: PromptInput) => ('messages' in input ? model.prepareChat(input) : model.preparePrompt(input));
  let ids = 0;
  return {
    state: { kind: 'ready', model: { ...facts, loadMs: 1 } },
    health: healthy,
    get stats() {
      return engine.stats;
    },
    chat(request, { signal }) {
      const id = ++ids;
      const channel = new EventChannel<ChatEvent>({ onLeave: () => engine.cancel(id) });
      channels.set(id, channel);
      signal.addEventListener('abort', () => {
        engine.cancel(id);
        channel.fail(new RuntimeError('ERR_CANCELLED', 'the caller disconnected'));
      });
      void engine.submit(id, request);
      return channel;
    },
    async countPrompt({ input }) {
      return (await prepare(input)).tokens.length;
    },
    async tokenize({ input }) {
      return [...(await prepare(input)).tokens];
    },
    async detokenize({ input }) {
      const { bytes, offsets } = model.info.vocabulary;
      return Buffer.concat(input.tokens.map((token) => bytes.subarray(offsets[token], offsets[token + 1]))).toString();
    },
    pinPrefix: (messages, options) => engine.pinPrefix(messages, options),
    drain: () => engine.drain(),
  };
}
