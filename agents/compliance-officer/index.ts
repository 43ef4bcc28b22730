/** The agent for compliance, privacy and security officers: policies, assessments, supplier answers, incident plans. */
import { readFileSync } from 'node:fs';
import type { Agent } from '../agent/agent.ts';
import type { Vocabulary } from '../agent/vocabulary.ts';
import {
  complianceGaps,
  complianceProfile,
  controlRegister,
  incidentRecord,
  periodicControls,
  processingParties,
  riskRegister,
  securityMeasures,
  timeLimits,
} from '../tools/compliance/compliance-tools.ts';
import { controlMapping } from '../tools/compliance/control-mapping.ts';
import { notificationClocks } from '../tools/compliance/notification-clocks.ts';
import { personalData } from '../tools/compliance/personal-data.ts';
import facts from './facts.json' with { type: 'json' };
import { reportSchema } from './report-schema.ts';
import { toolFacts } from './tool-facts.ts';

export const complianceOfficer: Agent = {
  slug: 'compliance-officer',
  name: 'Compliance Officer',
  industry: 'GRC',
  version: '1.2.0',
  prompt: readFileSync(new URL('prompt.md', import.meta.url), 'utf8'),
  defaults: { temperature: 0.1, maxTokens: 4096 },
  // In the order of the prompt: type and gaps of the document, its statements, the comparison with frameworks.
  tools: [
    complianceProfile,
    complianceGaps,
    timeLimits,
    periodicControls,
    processingParties,
    securityMeasures,
    controlRegister,
    riskRegister,
    incidentRecord,
    controlMapping,
    notificationClocks,
    personalData,
  ],
  reportSchema,
  facts: facts as Vocabulary,
  toolFacts,
};
