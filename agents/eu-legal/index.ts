/** The agent for lawyers who work with Union law: acts, citations, periods, what is in force. */
import { readFileSync } from 'node:fs';
import type { Agent } from '../agent/agent.ts';
import type { Vocabulary } from '../agent/vocabulary.ts';
import { euCitations } from '../tools/eu-law/citations.ts';
import { euDeadlines } from '../tools/eu-law/find-deadlines.ts';
import { euHierarchy } from '../tools/eu-law/hierarchy.ts';
import { euInForce } from '../tools/eu-law/in-force.ts';
import facts from './facts.json' with { type: 'json' };
import { reportSchema } from './report-schema.ts';
import { toolFacts } from './tool-facts.ts';

export const euLegal: Agent = {
  slug: 'eu-legal',
  name: 'EU Legal Assistant',
  industry: 'Legal',
  version: '1.0.0',
  prompt: readFileSync(new URL('prompt.md', import.meta.url), 'utf8'),
  defaults: { temperature: 0.08, maxTokens: 4096 },
  // Periods come first, because a missed one cannot be repaired.
  tools: [euDeadlines, euInForce, euCitations, euHierarchy],
  reportSchema,
  facts: facts as Vocabulary,
  toolFacts,
};
