/**
 * OpenAI's Responses API: `POST /v1/responses`, `/v1/responses/input_tokens` and `/v1/responses/{id}/cancel`, on the engine of the
 * chat route. Nothing is stored: the state of a conversation is sealed and handed to its client.
 */
import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { callerOf } from '../../http/authentication.ts';
import { ServerError } from '../../http/errors.ts';
import { nodeOfId } from '../../http/node-ids.ts';
import { requireCallerScope, unknownModel } from '../../serving/admission.ts';
import type { ModelDirectory } from '../../serving/served-model.ts';
import { answerChat, type ChatDependencies } from '../chat/answer-chat.ts';
import { boundedModels } from '../chat/bounded-models.ts';
import { countPrompt } from '../chat/count-prompt.ts';
import { inputTokensCallReader, responseCallReader } from './call-reader.ts';
import { cancellable } from './cancellable.ts';
import { continueFrom, sealedReasoning, withOpenedThoughts } from './conversation.ts';
import { type FleetStateOptions, FleetStates } from './fleet-states.ts';
import { responseForm } from './form.ts';
import { RunningAnswers } from './running-answers.ts';
import type { SealedConversation } from './state.ts';
import { withoutOldest } from './truncation.ts';

const noHistory: SealedConversation = { messages: [], images: [] };

export function responseRoutes(app: FastifyInstance, dependencies: ChatDependencies & FleetStateOptions): void {
  const { models, randomSeed, forwarder } = dependencies;
  const largeTerms = () => ({ models: boundedModels(models) });
  const states = new FleetStates(app, dependencies);
  const running = new RunningAnswers();
  const served = digestOf(models);

  app.post('/responses', async (request, reply) => {
    const read = await callOf(responseCallReader, { request, reply }, { seed: randomSeed() }, largeTerms);
    const { accountId: account } = callerOf(request);
    const owner = { account, models: served };
    const model = models.get(read.model);
    if (model?.kind !== 'chat') throw await unknownModel(request, { surface: 'chat', kind: 'chat' }, dependencies);
    const { previous, keepsState, sealsReasoning, customTools } = read;
    const open = (token: string) => states.open(token, owner, { request, reply });
    const history = previous === undefined ? noHistory : await open(previous);
    const conversation = await withOpenedThoughts(read.conversation, open);
    const { input, images } = continueFrom(history, read.work.input, conversation);
    const call = { ...read, images, work: { ...read.work, input } };
    const cancel = new AbortController();
    let id = '';
    const form = responseForm(call.echo, {
      previous,
      customTools,
      sealReasoning: sealsReasoning ? (text) => states.seal(sealedReasoning(text), owner) : undefined,
      isCancelled: () => cancel.signal.aborted,
      seal: (answer) => {
        if (!keepsState) return undefined;
        const messages = [...history.messages, ...conversation.messages, ...answer];
        return states.seal({ messages, images: images.map(({ url }) => url) }, owner);
      },
      onHead: (head, describe) => {
        id = head.id;
        running.add(id, { account, cancel, describe });
      },
    });
    // Images would have to be kept for the second attempt.
    const isShortened = call.echo.truncation === 'auto' && images.length === 0;
    const run: NonNullable<Parameters<typeof answerChat>[1]['run']> = (work, { signal }) => {
      const options = { signal: AbortSignal.any([signal, cancel.signal]) };
      // Before this function returns: pixels of images are zeroed afterwards.
      const events = isShortened
        ? withoutOldest(work, { engine: model.engine, options })
        : model.engine.chat(work, options);
      return untilEnd(
        cancellable(() => events, { signal, cancelled: cancel.signal }),
        () => running.remove(id),
      );
    };
    const turn = { surface: 'chat', call, model, form, run, isShortened } as const;
    return await answerChat({ request, reply }, turn, dependencies);
  });

  app.post<{ Params: { id: string } }>('/responses/:id/cancel', async (request, reply) => {
    const { accountId } = requireCallerScope(request, 'inference');
    const { id } = request.params;
    const answer = running.find(id, accountId);
    if (answer === undefined) {
      const answered = await forwarder?.ask(nodeOfId(id), { request, reply });
      if (answered !== undefined) return answered;
      const message = 'no answer of this account is running under this id: it has ended, or the id is wrong';
      throw new ServerError('ERR_RESPONSE_UNKNOWN', message);
    }
    answer.cancel.abort();
    return answer.describe();
  });

  app.post('/responses/input_tokens', async (request, reply) => {
    const call = await callOf(inputTokensCallReader, { request, reply }, {}, largeTerms);
    const owner = { account: callerOf(request).accountId, models: served };
    const open = (token: string) => states.open(token, owner, { request, reply });
    const history = call.previous === undefined ? noHistory : await open(call.previous);
    const conversation = await withOpenedThoughts(call.conversation, open);
    const prompt = { model: call.model, ...continueFrom(history, call.input, conversation) };
    const { result } = await countPrompt({ request, reply }, prompt, dependencies);
    return { object: 'response.input_tokens', input_tokens: result };
  });
}

async function* untilEnd<Event>(events: AsyncIterable<Event>, onEnd: () => void): AsyncGenerator<Event> {
  try {
    yield* events;
  } finally {
    onEnd();
  }
}

/** Changes with the weights and the program of any model. */
function digestOf(models: ModelDirectory): string {
  const prints = [...models.values()].map(({ id, fingerprint }) => [id, fingerprint]);
  return hash('sha256', JSON.stringify(prints.sort()));
}
