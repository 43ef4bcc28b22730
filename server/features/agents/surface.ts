/** The confidential surface of a running server: the agents, their measured facts, and the threads of their tools. */
import { availableParallelism } from 'node:os';
import { agentDirectory } from '@cloister/agents/registry';
import type { MeasuredAgent } from '../../enclave/measured-start.ts';
import { readAgentPrints } from './records.ts';
import type { ConfidentialOptions } from './route.ts';
import { openAgentTools } from './tools.ts';

export interface ConfidentialSurface extends ConfidentialOptions {
  /** For the start log. */
  readonly measured: readonly MeasuredAgent[];
}

/** The remaining cores are for models. */
const coresPerToolThread = 4;

/** The caller must close its `tools`. @param isProvable whether the machine supports attestation, which agents need */
export function openConfidentialSurface({ isProvable }: { isProvable: boolean }): ConfidentialSurface {
  const agents = agentDirectory();
  const prints = readAgentPrints(agents.keys());
  const threads = Math.max(1, Math.floor(availableParallelism() / coresPerToolThread));
  const tools = openAgentTools({ threads, startsAtOnce: isProvable });
  return { agents, prints, measured: [...prints.values()], tools };
}
