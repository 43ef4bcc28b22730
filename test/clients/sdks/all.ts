/** Every client of the suite, in the order of the table. */
import type { TestedClient } from '../client.ts';
import { aiSdkClients } from './ai-sdk.ts';
import { anthropicClient } from './anthropic.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { langchainAnthropic, langchainOpenAi } from './langchain.ts';
import { llamaIndex } from './llamaindex.ts';
import { openaiClient } from './openai.ts';
import { openAiAgents } from './openai-agents.ts';
import { pythonClients } from './python.ts';

export const clients: readonly TestedClient[] = [
  openaiClient,
  anthropicClient,
  ...aiSdkClients,
  langchainOpenAi,
  langchainAnthropic,
  llamaIndex,
  openAiAgents,
  codex,
  claudeCode,
  ...pythonClients,
];
