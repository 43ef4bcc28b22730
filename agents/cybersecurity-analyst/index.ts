/** The agent for security teams: advisories, incident reports, logs and configurations. */
import { readFileSync } from 'node:fs';
import type { Agent } from '../agent/agent.ts';
import type { Vocabulary } from '../agent/vocabulary.ts';
import { cvssScores } from '../tools/security/find-cvss.ts';
import { vulnerabilityIdentifiers } from '../tools/security/identifiers.ts';
import { incidentReport } from '../tools/security/incident-report.ts';
import { indicators } from '../tools/security/iocs.ts';
import { logSummary } from '../tools/security/log-lines.ts';
import { secretDetection } from '../tools/security/secrets.ts';
import { computedFacts } from './computed-facts.ts';
import facts from './facts.json' with { type: 'json' };
import { reportSchema } from './report-schema.ts';
import { toolFacts } from './tool-facts.ts';

export const cybersecurityAnalyst: Agent = {
  slug: 'cybersecurity-analyst',
  name: 'Cybersecurity Analyst',
  industry: 'Security',
  version: '1.0.0',
  prompt: readFileSync(new URL('prompt.md', import.meta.url), 'utf8'),
  defaults: { temperature: 0.1, maxTokens: 4096 },
  // Leaked credentials come first, because they need immediate action.
  tools: [secretDetection, cvssScores, vulnerabilityIdentifiers, logSummary, incidentReport, indicators],
  reportSchema,
  facts: facts as Vocabulary,
  toolFacts,
  computedFacts,
};
