/** The agent for buyers, investors and their counsel: data rooms, reports, cap tables, term sheets. */
import { readFileSync } from 'node:fs';
import type { Agent } from '../agent/agent.ts';
import type { Vocabulary } from '../agent/vocabulary.ts';
import { capTable } from '../tools/due-diligence/cap-table.ts';
import { dataRoom } from '../tools/due-diligence/data-room.ts';
import { legalMentions } from '../tools/due-diligence/mentions.ts';
import { redFlags } from '../tools/due-diligence/red-flags.ts';
import { dealTerms } from '../tools/due-diligence/terms.ts';
import facts from './facts.json' with { type: 'json' };
import { reportSchema } from './report-schema.ts';
import { toolFacts } from './tool-facts.ts';

export const dueDiligence: Agent = {
  slug: 'due-diligence',
  name: 'Due Diligence Analyst',
  industry: 'M&A',
  version: '1.0.1',
  prompt: readFileSync(new URL('prompt.md', import.meta.url), 'utf8'),
  defaults: { temperature: 0.1, maxTokens: 4096 },
  tools: [redFlags, capTable, legalMentions, dataRoom, dealTerms],
  reportSchema,
  facts: facts as Vocabulary,
  toolFacts,
};
