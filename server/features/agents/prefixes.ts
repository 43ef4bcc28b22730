/** Prefills the agents' prompts at the start, once per model for all accounts, since they contain no data of an account. */
import type { Agent } from '@cloister/agents/agent/agent';
import { promptForm, promptOf } from '@cloister/agents/agent/brief';
import type { ChatMessage } from '@cloister/models/interface/model';
import type { PrefixOptions } from '@cloister/runtime/chat/request';
import type { Logger } from '../../http/request-log.ts';
import type { ModelDirectory, ServedChatModel } from '../../serving/served-model.ts';
import { functionsOf } from './functions.ts';
import { chatModels, contextOf } from './models.ts';

export interface Prefilled {
  readonly model: string;
  /** Number of agents with a prefilled prompt. */
  readonly prompts: number;
  readonly tokens: number;
  readonly ms: number;
}

/**
 * For loaded models. A prompt that cannot be prefilled is computed with each request instead, and a warning is logged.
 * @returns the result per model
 */
export async function prefillAgents(
  models: ModelDirectory,
  { agents, logger }: { agents: Iterable<Agent>; logger: Logger },
): Promise<readonly Prefilled[]> {
  const list = [...agents];
  if (list.length === 0) return [];
  return await Promise.all(chatModels(models).map((model) => prefillModel(model, list, logger)));
}

async function prefillModel(model: ServedChatModel, agents: readonly Agent[], logger: Logger): Promise<Prefilled> {
  const { id, engine } = model;
  const kept = new Set<string>();
  let tokens = 0;
  let ms = 0;
  for (const { slug, messages, options } of prefixesOf(model, agents)) {
    try {
      const pinned = await engine.pinPrefix(messages, options);
      kept.add(slug);
      tokens += pinned.computedTokens;
      ms += pinned.ms;
    } catch (error) {
      const { code } = error as { code?: string };
      // The cache is full. It keeps the prompts so far, and the next one is not smaller.
      logger.warn({ model: id, agent: slug, code }, "agents' prompts are not cached: raise --prefix-cache-mb");
      break;
    }
  }
  return { model: id, prompts: kept.size, tokens, ms };
}

interface WantedPrefix {
  readonly slug: string;
  readonly messages: readonly ChatMessage[];
  readonly options: PrefixOptions;
}

/**
 * The most frequent prompt first: the one with the agent's tools. Then the prompt alone, for callers with functions, formats or
 * their own system messages, which follow it in the same message (`messages.ts`).
 */
function prefixesOf(model: ServedChatModel, agents: readonly Agent[]): readonly WantedPrefix[] {
  const form = promptForm(contextOf(model));
  const messagesOf = (agent: Agent): ChatMessage[] => [{ role: 'system', content: promptOf(agent, form) }];
  const calling = agents.flatMap((agent) => {
    const tools = functionsOf(agent, model, form);
    return tools.length === 0 ? [] : [{ slug: agent.slug, messages: messagesOf(agent), options: { tools } }];
  });
  const extendsLastMessage = form === 'full';
  const alone = agents.map((agent) => ({
    slug: agent.slug,
    messages: messagesOf(agent),
    options: { extendsLastMessage },
  }));
  return [...calling, ...alone];
}
