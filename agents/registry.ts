/** All agents, in the order in which they are listed. */
import type { Agent } from './agent/agent.ts';
import { complianceOfficer } from './compliance-officer/index.ts';
import { contractAnalyst } from './contract-analyst/index.ts';
import { cybersecurityAnalyst } from './cybersecurity-analyst/index.ts';
import { dueDiligence } from './due-diligence/index.ts';
import { euLegal } from './eu-legal/index.ts';
import { financialAnalyst } from './financial-analyst/index.ts';
import { hrAnalyst } from './hr-analyst/index.ts';
import { medicalAnalyst } from './medical-analyst/index.ts';
import { taxAnalyst } from './tax-analyst/index.ts';

export const agents: readonly Agent[] = [
  contractAnalyst,
  financialAnalyst,
  complianceOfficer,
  medicalAnalyst,
  dueDiligence,
  cybersecurityAnalyst,
  hrAnalyst,
  taxAnalyst,
  euLegal,
];

/** Each agent has a folder named after its slug. */
export const agentsFolder: string = import.meta.dirname;

/** Agents by slug. */
export type AgentDirectory = ReadonlyMap<string, Agent>;

export function agentDirectory(list: readonly Agent[] = agents): AgentDirectory {
  return new Map(list.map((agent) => [agent.slug, agent]));
}
