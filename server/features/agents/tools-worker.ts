/** A thread of agents' tools: without a model, without network, and without state between tasks. */
import '../../enclave/follow-memory-clearing.ts';
import type { Agent, AgentTool } from '@cloister/agents/agent/agent';
import { rankPassages } from '@cloister/agents/agent/passages';
import { reportOfCall, reportsOf } from '@cloister/agents/agent/reports';
import { reportFacts } from '@cloister/agents/facts/report';
import { readFiles } from '@cloister/agents/files/read-file';
import { agentDirectory } from '@cloister/agents/registry';
import { cancelled } from '@cloister/runtime/pool/errors';
import { servePool } from '@cloister/runtime/pool/pool-worker';
import type { ToolThreadResult, ToolThreadTask } from './tool-tasks.ts';

const agents = agentDirectory();

export default servePool<ToolThreadTask, ToolThreadResult, undefined>(async () => ({
  facts: undefined,
  run: async (task, { isCancelled }) => ({ result: await resultOf(task, isCancelled) }),
  close: async () => undefined,
}));

async function resultOf(task: ToolThreadTask, isCancelled: () => boolean): Promise<ToolThreadResult> {
  const stopIfCancelled = () => {
    if (isCancelled()) throw cancelled();
  };
  if (task.kind === 'rank') return rankPassages(task);
  if (task.kind === 'read') return await readFiles(task.files, stopIfCancelled);
  const agent = findAgent(task.slug);
  if (task.kind === 'confirm') return reportFacts(agent, task, stopIfCancelled);
  if (task.kind === 'run') return reportsOf(agent, task.documents, stopIfCancelled);
  stopIfCancelled();
  return reportOfCall(findTool(agent, task.tool), task.documents);
}

function findAgent(slug: string): Agent {
  const agent = agents.get(slug);
  if (agent === undefined) throw new TypeError(`no agent has the slug ${slug}`);
  return agent;
}

function findTool({ slug, tools }: Agent, name: string): AgentTool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new TypeError(`agent ${slug} has no such tool`);
  return tool;
}
