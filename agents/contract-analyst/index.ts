/** The agent for lawyers and buyers who review commercial contracts. */
import { readFileSync } from 'node:fs';
import type { Agent } from '../agent/agent.ts';
import type { Vocabulary } from '../agent/vocabulary.ts';
import { clauseChecklist } from '../tools/contract/clause-checklist.ts';
import { contractFacts } from '../tools/contract/contract-facts.ts';
import facts from './facts.json' with { type: 'json' };
import { reportSchema } from './report-schema.ts';
import { toolFacts } from './tool-facts.ts';

export const contractAnalyst: Agent = {
  slug: 'contract-analyst',
  name: 'Contract Analyst',
  industry: 'Legal',
  version: '1.0.0',
  prompt: readFileSync(new URL('prompt.md', import.meta.url), 'utf8'),
  defaults: { temperature: 0.1, maxTokens: 4096 },
  tools: [clauseChecklist, contractFacts],
  reportSchema,
  facts: facts as Vocabulary,
  toolFacts,
};
