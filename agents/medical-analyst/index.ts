/** The agent for medical records: laboratory values, medicines, scores, timeline. Decision support, not a diagnosis. */
import { readFileSync } from 'node:fs';
import type { Agent } from '../agent/agent.ts';
import type { Vocabulary } from '../agent/vocabulary.ts';
import { medicalCodes } from '../tools/medical/codes.ts';
import { laboratoryValues } from '../tools/medical/lab-review.ts';
import { medicationReview } from '../tools/medical/medication-review.ts';
import { clinicalScores } from '../tools/medical/scores.ts';
import { medicalTimeline } from '../tools/medical/timeline.ts';
import { patientFacts } from '../tools/medical/vital-signs.ts';
import facts from './facts.json' with { type: 'json' };
import { reportSchema } from './report-schema.ts';
import { toolFacts } from './tool-facts.ts';

export const medicalAnalyst: Agent = {
  slug: 'medical-analyst',
  name: 'Medical Records Analyst',
  industry: 'Healthcare',
  version: '1.0.0',
  prompt: readFileSync(new URL('prompt.md', import.meta.url), 'utf8'),
  defaults: { temperature: 0.08, maxTokens: 4096 },
  // The notice that this is not a diagnosis is in the first lines of the findings.
  tools: [patientFacts, laboratoryValues, medicationReview, clinicalScores, medicalTimeline, medicalCodes],
  reportSchema,
  facts: facts as Vocabulary,
  toolFacts,
};
