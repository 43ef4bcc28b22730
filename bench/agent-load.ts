/**
 * Every request goes to a random agent: its prompt has about 1,000 tokens, the question about 100 and the answer 64. Requests
 * to Cloister name the agent; the peer receives the same messages that Cloister builds.
 */
import { Agent as HttpAgent } from 'node:http';
import type { Agent } from '../agents/agent/agent.ts';
import { promptOf } from '../agents/agent/brief.ts';
import { reportsOf } from '../agents/agent/reports.ts';
import { Random } from '../test/support/random.ts';
import { questionWords } from './agent-model.ts';
import { type Answer, type ChatTarget, type Message, request, streamChat } from './client.ts';
import { answerFigures, requireLength, sum } from './closed-loop.ts';
import type { Sample } from './results.ts';
import type { Scenario, ScenarioOptions } from './scenario.ts';
import type { Server } from './servers.ts';
import { benchWord } from './words.ts';

const concurrentClients = 32;
const waves = 4;
/** Words of about five tokens, fewer than the tools need to detect the language of a text. */
const questionLength = 20;
const answerTokensDefault = 64;
/** Reduced sizes of a quick run. */
const quickLoad = { clients: 2, requests: 3, answerTokens: 4 };
/** A context length for which agents use the full prompt; see `agents/agent/brief.ts`. */
const context = 6_144;

export function agentScenario(agents: readonly Agent[]): Scenario {
  return {
    name: 'agents',
    shape: ({ quick }) => ({ sequences: quick ? quickLoad.clients : concurrentClients, context: context }),
    cases: (options) => [
      {
        label: `${agents.length} agents, ${options.quick ? quickLoad.clients : concurrentClients} clients`,
        run: (server, repeat) => measure(server, { agents, repeat, options }),
      },
    ],
  };
}

interface Measurement {
  readonly agents: readonly Agent[];
  readonly repeat: number;
  readonly options: ScenarioOptions;
}

async function measure(
  server: Server,
  { agents, repeat, options: { quick, endTokens } }: Measurement,
): Promise<Sample> {
  const clients = quick ? quickLoad.clients : concurrentClients;
  const requests = quick ? quickLoad.requests : concurrentClients * waves;
  const answerTokens = quick ? quickLoad.answerTokens : answerTokensDefault;
  const http = server.agent();
  const random = new Random(1_000 + repeat);
  const plan = Array.from({ length: requests }, () => {
    const agent = random.pick(agents);
    return { agent, question: question(agent, random) };
  });
  const ask = async ({ agent, question: content }: (typeof plan)[number], maxTokens = answerTokens) => {
    const { target, messages } = addressed(server, agent, content);
    const answer = await streamChat(target, { agent: http, messages, maxTokens, endTokens });
    requireLength(server, answer, maxTokens);
    return answer;
  };
  // Both servers process every prompt once before the measurement.
  if (repeat === 0) for (const agent of agents) await ask({ agent, question: question(agent, random) }, 1);
  const before = await sharedTokens(server);
  const answers: Answer[] = [];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let next = plan.shift(); next !== undefined; next = plan.shift()) answers.push(await ask(next));
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await sharedTokens(server);
  http.destroy();
  const promptTokens = sum(answers.map((answer) => answer.promptTokens));
  const computed = promptTokens - sum(answers.map((answer) => answer.cachedTokens));
  return {
    ...answerFigures(answers, seconds),
    computedPromptTokens: computed / answers.length,
    ...(before !== undefined && after !== undefined && { sharedPromptShare: (after - before) / promptTokens }),
  };
}

function addressed(
  server: Server,
  agent: Agent,
  content: string,
): { target: ChatTarget; messages: readonly Message[] } {
  const asked: Message = { role: 'user', content };
  if (server.name !== 'cloister') {
    return { target: server, messages: [{ role: 'system', content: promptOf(agent, 'full') }, asked] };
  }
  const target = { ...server, modelId: agent.slug, chatPath: '/v1/confidential/chat/completions' };
  return { target, messages: [asked] };
}

/** Words in which no tool finds anything (`dora` is a regulation), so that both servers see exactly the same tokens. */
function question(agent: Agent, random: Random): string {
  while (true) {
    const word = () => benchWord(random.below(questionWords)) + benchWord(random.below(questionWords));
    const words = Array.from({ length: questionLength }, word);
    const text = `${words.join(' ')}?`;
    if (reportsOf(agent, [{ message: 0, text }]).every(({ isTelling }) => !isTelling)) return text;
  }
}

/** Prompt tokens from prefixes that all accounts share, since the start; undefined if the server has none. */
async function sharedTokens(server: Server): Promise<number | undefined> {
  const agent = new HttpAgent();
  const { body } = await request(server.metricsUrl, { agent });
  agent.destroy();
  const found = [...body.matchAll(/^cloister_prefix_cache_shared_hits_total\{[^}]*\} (\S+)/gm)];
  return found.length === 0 ? undefined : sum(found.map(([, value]) => Number(value)));
}
