/** The agent for finance teams, lenders and investors who read financial statements. */
import { readFileSync } from 'node:fs';
import type { Agent } from '../agent/agent.ts';
import type { Vocabulary } from '../agent/vocabulary.ts';
import { disclosuresTool, growthTool, ratiosTool, scoresTool, statementsTool } from '../tools/financial/tools.ts';
import { computedFacts } from './computed-facts.ts';
import facts from './facts.json' with { type: 'json' };
import { reportSchema } from './report-schema.ts';
import { toolFacts } from './tool-facts.ts';

export const financialAnalyst: Agent = {
  slug: 'financial-analyst',
  name: 'Financial Analyst',
  industry: 'Finance',
  version: '1.1.0',
  prompt: readFileSync(new URL('prompt.md', import.meta.url), 'utf8'),
  defaults: { temperature: 0.08, maxTokens: 4096 },
  // The figures come first: ratios and scores are only as reliable as the figures that they use.
  tools: [statementsTool, ratiosTool, growthTool, scoresTool, disclosuresTool],
  reportSchema,
  facts: facts as Vocabulary,
  toolFacts,
  computedFacts,
};
