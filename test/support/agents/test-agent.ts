/** A minimal agent for tests, whose tools run in the thread of the test. */

import type { Agent } from '../../../agents/agent/agent.ts';
import { rankPassages } from '../../../agents/agent/passages.ts';
import { reportOfCall, reportsOf } from '../../../agents/agent/reports.ts';
import { reportFacts } from '../../../agents/facts/report.ts';
import { readFiles } from '../../../agents/files/read-file.ts';
import { agentDirectory } from '../../../agents/registry.ts';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import type { ConfidentialOptions } from '../../../server/features/agents/route.ts';
import type { AgentTools, ToolCallTask, ToolTask } from '../../../server/features/agents/tools.ts';

/** Every line differs from all others, so that a run of it occurs nowhere else. */
export const testPrompt = `You are the parcel clerk of this house. Count every parcel that a letter names before you speak of any.
Never guess what a sealed parcel holds, and never open one on your own account.
When a parcel is missing, say "The parcel is missing, ask at the front desk" and nothing more about it.
State weights in kilograms with one decimal, as the scales in the cellar show them each morning.
`;

export const promptSha256 = 'cd'.repeat(32);

/** Counts parcels. */
export const testAgent: Agent = {
  slug: 'parcel-clerk',
  name: 'Parcel Officer',
  industry: 'Post',
  version: '3',
  prompt: testPrompt,
  defaults: { temperature: 0.1, maxTokens: 64 },
  tools: [
    {
      name: 'parcel_count',
      version: '2',
      purpose: 'Counts parcels. Text: names them.',
      run(documents) {
        const parcels = documents.flatMap(({ message, text }) =>
          [...text.matchAll(/parcel \d{1,4}/g)].map(({ 0: name, index }) => ({ name, message, start: index })),
        );
        return {
          result: { parcels },
          digest: [`parcels: ${parcels.length}`, ...parcels.map(({ name }) => `${name}: found`)],
        };
      },
    },
  ],
  reportSchema: {
    type: 'object',
    properties: { parcels: { type: 'integer' } },
    required: ['parcels'],
    additionalProperties: false,
  },
  facts: {
    parcel: {
      means: 'A parcel that the document names.',
      fields: {
        number: { type: 'number', means: 'its number' },
        sent: { type: 'date', means: 'the day on which it was sent' },
        state: { type: 'code', means: 'where it is', values: ['lost', 'found'] },
      },
    },
    count: {
      means: 'How many parcels the documents name.',
      by: 'code',
      fields: { parcels: { type: 'number', means: 'all' } },
    },
  },
  toolFacts({ parcel_count: result }) {
    const { parcels } = result as { readonly parcels: readonly { readonly name: string }[] };
    return {
      facts: [
        { kind: 'count', value: { parcels: parcels.length } },
        ...parcels.map(({ name }) => ({ kind: 'parcel', value: { number: Number(name.slice('parcel '.length)) } })),
      ],
    };
  },
};

export interface InlineTools extends AgentTools {
  /** Every task so far. */
  readonly tasks: ToolTask[];
  /** Every call of a model's. */
  readonly calls: ToolCallTask[];
}

/** @param options.before awaited before each task, like a busy thread */
export function inlineTools(
  agents: readonly Agent[] = [testAgent],
  { before }: { before?: (signal: AbortSignal) => Promise<void> } = {},
): InlineTools {
  const tasks: ToolTask[] = [];
  const calls: ToolCallTask[] = [];
  const findAgent = (slug: string) => agents.find((agent) => agent.slug === slug)!;
  return {
    tasks,
    calls,
    async run(task, { signal }) {
      tasks.push(task);
      await before?.(signal);
      if (signal.aborted) throw new RuntimeError('ERR_CANCELLED', 'the caller went away');
      return reportsOf(findAgent(task.slug), task.documents);
    },
    async call(task, { signal }) {
      calls.push(task);
      await before?.(signal);
      if (signal.aborted) throw new RuntimeError('ERR_CANCELLED', 'the caller went away');
      return reportOfCall(findAgent(task.slug).tools.find(({ name }) => name === task.tool)!, task.documents);
    },
    confirm: async ({ slug, ...sources }) => reportFacts(findAgent(slug), sources),
    rank: async (task) => rankPassages(task),
    read: async ({ files }) => await readFiles(files, () => undefined),
    close: async () => undefined,
  };
}

/** The confidential surface with the parcel clerk alone. */
export function testSurface(tools: AgentTools = inlineTools()): ConfidentialOptions {
  const print = { id: testAgent.slug, promptSha256, toolsSha256: 'ef'.repeat(32) };
  return { agents: agentDirectory([testAgent]), tools, prints: new Map([[testAgent.slug, print]]) };
}
