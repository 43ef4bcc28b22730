/** The confidential surface of a running server: the agents there are, what is measured of them, and their tools' threads. */
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

/** Models compute on the other cores. */
const coresPerToolThread = 4;

/** Its `tools` have to be closed. @param isProvable whether this machine can prove what it runs, which agents need */
export function openConfidentialSurface({ isProvable }: { isProvable: boolean }): ConfidentialSurface {
  const agents = agentDirectory();
  const prints = readAgentPrints(agents.keys());
  const threads = Math.max(1, Math.floor(availableParallelism() / coresPerToolThread));
  const tools = openAgentTools({ threads, startsAtOnce: isProvable });
  return { agents, prints, measured: [...prints.values()], tools };
}
