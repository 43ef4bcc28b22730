/**
 * The confidential surface: agents and models that answer only inside an enclave (I-005, I-042…I-055). Without an enclave, or before
 * its start is measured, every chat is refused.
 */
import type { Agent } from '@cloister/agents/agent/agent';
import { promptForm, promptOf } from '@cloister/agents/agent/brief';
import { factsContextMin, factsQuestion } from '@cloister/agents/facts/question';
import type { AgentDirectory } from '@cloister/agents/registry';
import { requireReady } from '@cloister/runtime/pool/engine-state';
import type { FastifyInstance } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { watchMethods } from '../../http/allowed-methods.ts';
import { callerOf } from '../../http/authentication.ts';
import { refusePlace } from '../../http/body-reader.ts';
import { ServerError } from '../../http/errors.ts';
import { planOfCaller } from '../../serving/admission.ts';
import type { ServedChatModel } from '../../serving/served-model.ts';
import { modelsOfPlan } from '../../serving/visible-models.ts';
import { answerChat, type ChatDependencies, type ChatTurn } from '../chat/answer-chat.ts';
import type { ChatCall } from '../chat/call.ts';
import { confidentialCallReader } from './call-reader.ts';
import { functionsFor, type OfferTerms } from './functions.ts';
import { PromptShape } from './guard.ts';
import { describeAgent, describeTeeModel, findTeeModel, modelOfAgents } from './models.ts';
import type { AgentPrints } from './records.ts';
import type { AgentTools } from './tools.ts';
import { AgentTurn } from './turn.ts';

export interface ConfidentialOptions {
  readonly agents: AgentDirectory;
  readonly tools: AgentTools;
  /** Measured agents by slug. */
  readonly prints: AgentPrints;
}

export interface ConfidentialDependencies extends ChatDependencies {
  /** Whether this process has evidence that it runs in an enclave. */
  readonly isProven: () => boolean;
}

const retryAfterSeconds = 30;

/** For an app behind `requireKey`. Paths are relative to the app's prefix. */
export function confidentialRoutes(
  app: FastifyInstance,
  { agents, tools, prints }: ConfidentialOptions,
  dependencies: ConfidentialDependencies,
): void {
  const { models, accounts, randomSeed, now, isProven } = dependencies;
  const methods = watchMethods(app);
  const shapes = new Map([...agents].map(([slug, agent]) => [slug, new PromptShape(allFormsOf(agent))]));
  const rules = new Map([...agents].map(([slug, { defaults, reportSchema }]) => [slug, { defaults, reportSchema }]));
  const modelFor = (accountId: string) => modelOfAgents(models, { accounts, accountId, now });

  // Refused before the body is read, if no enclave could answer it.
  app.addHook('onRequest', async ({ method }) => {
    if (method === 'POST' && !isProven()) throw notProven();
  });

  app.get('/models', async (request) => {
    const plan = await planOfCaller(request, dependencies);
    const answering = modelsOfPlan(plan, { models, surface: 'confidential' });
    const model = answering.length === 0 ? undefined : await modelFor(callerOf(request).accountId);
    const listed = [...answering, ...modelsOfPlan(plan, { models }).filter(({ kind }) => kind !== 'chat')];
    const data = [
      ...[...agents.values()].map((agent) => describeAgent(agent, { model, plan })),
      ...listed.map((one) => describeTeeModel(one, plan)),
    ];
    return { object: 'list', data };
  });

  app.post('/chat/completions', async (request, reply) => {
    const sent = await callOf(confidentialCallReader, { request, reply }, { seed: randomSeed(), agents: rules });
    const agent = agents.get(sent.model);
    if (agent === undefined) {
      const plan = () => planOfCaller(request, dependencies);
      const model = await findTeeModel(models, { id: sent.model, agents, plan });
      readyContext(model);
      return await answerChat({ request, reply }, { surface: 'confidential', call: sent, model }, dependencies);
    }
    const model = await modelFor(callerOf(request).accountId);
    const contextLength = readyContext(model);
    const { listsFacts = false } = sent;
    const call = listsFacts ? asListOfFacts(sent, agent, contextLength) : sent;
    const listedLines = listsFacts ? linesOf(call) : undefined;
    const functions = functionsFor(agent, model, { form: promptForm(contextLength), ...offerTerms(call) });
    const shape = shapes.get(agent.slug)!;
    const turn = new AgentTurn({
      agent,
      shape,
      model,
      tools,
      contextLength,
      functions,
      files: call.files,
      listedLines,
      now,
    });
    request.receipt?.asAgent({ slug: agent.slug, promptSha256: prints.get(agent.slug)!.promptSha256 });
    return await answerChat({ request, reply }, chatTurnOf(turn, { call, model, slug: agent.slug }), dependencies);
  });
  methods.refuse();
}

/** Both forms of the prompt, since an answer must repeat neither. */
function allFormsOf(agent: Agent): string {
  return `${promptOf(agent, 'brief')}\n\n${promptOf(agent, 'full')}`;
}

function linesOf({ work }: ChatCall): number {
  return work.input.messages.reduce((sum, { content }) => sum + content.split(/\r\n?|\n/).length, 0);
}

/** @throws {ServerError} ERR_REQUEST_INVALID for a model whose context is too small */
function asListOfFacts(call: ChatCall, { facts }: Agent, contextLength: number): ChatCall {
  if (contextLength < factsContextMin) {
    const expected = `of \`agent_facts\` needs a model with a context of at least ${factsContextMin} tokens; here it has ${contextLength}`;
    refusePlace('response_format', expected);
  }
  const { input } = call.work;
  return { ...call, work: { ...call.work, input: { ...input, jsonSchema: factsQuestion(facts).schema } } };
}

function offerTerms({ work, refusesCalls }: ChatCall): Omit<OfferTerms, 'form'> {
  const { choices, input, stop } = work;
  const hasSchema = input.jsonSchema !== undefined;
  return { choices, ownFunctions: input.tools.length, hasSchema, hasStops: stop.length > 0, refusesCalls };
}

function chatTurnOf(
  turn: AgentTurn,
  { call, model, slug }: { call: ChatCall; model: ServedChatModel; slug: string },
): ChatTurn {
  return {
    surface: 'confidential',
    call,
    model,
    agent: slug,
    addedBytesMax: turn.addedBytesMax,
    isShortened: true,
    promptsMax: turn.promptsMax,
    headers: () => ({ 'x-agent': slug }),
    parameters: { agent_prompt: turn.form },
    run: (work, options) => turn.run(work, options),
    extension: () => turn.extension,
  };
}

/** @returns tokens per sequence · @throws {RuntimeError} as `requireReady`, before anything is computed for a model that loads */
function readyContext({ engine, terms }: ServedChatModel): number {
  return Math.min(requireReady(engine.state).contextPerSequence, terms.contextLength);
}

function notProven(): ServerError {
  return new ServerError(
    'ERR_NOT_ATTESTED',
    'this surface needs an enclave with evidence: it is still starting, or the machine has no TDX',
    { details: { retryAfterSeconds } },
  );
}
