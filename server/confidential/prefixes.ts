/** Has the agents' prompts computed before anybody asks: once per model, for every account, since they are nobody's secret. */
import type { Agent } from '../../models/agents/agent.ts';
import { promptForm, promptOf } from '../../models/agents/brief.ts';
import type { Logger } from '../plugins/request-log.ts';
import type { ModelDirectory, ServedChatModel } from '../start/served-model.ts';
import { chatModels } from './models.ts';

export interface Prefilled {
  readonly model: string;
  readonly prompts: number;
  readonly tokens: number;
  readonly ms: number;
}

/**
 * For models that are loaded. A prompt that cannot be kept is computed with each request instead, and the log says so.
 * @returns what was done, per model
 */
export async function prefillAgents(
  models: ModelDirectory,
  { agents, logger }: { agents: Iterable<Agent>; logger: Logger },
): Promise<readonly Prefilled[]> {
  const list = [...agents];
  if (list.length === 0) return [];
  return await Promise.all(chatModels(models).map((model) => prefillModel(model, list, logger)));
}

async function prefillModel(
  { id, engine, terms }: ServedChatModel,
  agents: readonly Agent[],
  logger: Logger,
): Promise<Prefilled> {
  const { state } = engine;
  const held = state.kind === 'ready' ? state.model.contextPerSequence : terms.contextLength;
  const form = promptForm(Math.min(held, terms.contextLength));
  const prefilled = { model: id, prompts: 0, tokens: 0, ms: 0 };
  for (const agent of agents) {
    try {
      const { computedTokens, ms } = await engine.pinPrefix([{ role: 'system', content: promptOf(agent, form) }]);
      prefilled.prompts += 1;
      prefilled.tokens += computedTokens;
      prefilled.ms += ms;
    } catch (error) {
      const { code } = error as { code?: string };
      // A prompt that has no room leaves the ones before it where they are; the next is no smaller.
      logger.warn({ model: id, agent: agent.slug, code }, "agents' prompts are not kept: raise --prefix-cache-mb");
      break;
    }
  }
  return prefilled;
}
