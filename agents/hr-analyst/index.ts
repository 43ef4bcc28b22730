/** The agent for HR departments: working time, terms of employment, language, policies. */
import { readFileSync } from 'node:fs';
import type { Agent } from '../agent/agent.ts';
import type { Vocabulary } from '../agent/vocabulary.ts';
import { employmentTermsTool, languageTool, policyTool, workingTimeTool } from '../tools/hr/tools.ts';
import facts from './facts.json' with { type: 'json' };
import { reportSchema } from './report-schema.ts';
import { toolFacts } from './tool-facts.ts';

export const hrAnalyst: Agent = {
  slug: 'hr-analyst',
  name: 'HR & Workplace Analyst',
  industry: 'HR',
  version: '1.0.0',
  prompt: readFileSync(new URL('prompt.md', import.meta.url), 'utf8'),
  defaults: { temperature: 0.1, maxTokens: 4096 },
  tools: [workingTimeTool, employmentTermsTool, languageTool, policyTool],
  reportSchema,
  facts: facts as Vocabulary,
  toolFacts,
};
