/** Runs agents' tools over callers' documents in their own threads. */

import type { Ranking, RankingTask } from '@cloister/agents/agent/passages';
import type { ToolReport } from '@cloister/agents/agent/reports';
import type { FactsReport } from '@cloister/agents/facts/report';
import type { FileText, UnreadFile } from '@cloister/agents/files/file-text';
import { cancelled, draining, RuntimeError } from '@cloister/runtime/pool/errors';
import { Preparations } from '@cloister/runtime/pool/preparations';
import { WorkerPool } from '@cloister/runtime/pool/worker-pool';
import type { FactsTask, FilesTask, ToolCallTask, ToolTask, ToolThreadResult, ToolThreadTask } from './tool-tasks.ts';

export type { ToolCallTask, ToolTask } from './tool-tasks.ts';

export interface ToolOptions {
  readonly signal: AbortSignal;
  /** The account of the work. Each account has one thread at a time, and accounts take turns. */
  readonly account: string;
}

/** Work whose time is proportional to the length of a document. */
export interface AgentTools {
  /**
   * @returns a report per tool of the agent, in its order
   * @throws {RuntimeError} ERR_CANCELLED once the signal aborts, ERR_QUEUE_FULL, ERR_DRAINING, ERR_ENGINE_LOST
   */
  run(task: ToolTask, options: ToolOptions): Promise<readonly ToolReport[]>;
  /** Runs one tool over a text of the model. @throws {RuntimeError} as `run` */
  call(task: ToolCallTask, options: ToolOptions): Promise<ToolReport>;
  /** Confirms a model's facts in the documents. @throws {RuntimeError} as `run` */
  confirm(task: FactsTask, options: ToolOptions): Promise<FactsReport>;
  /** @throws {RuntimeError} as `run` */
  rank(task: RankingTask, options: ToolOptions): Promise<Ranking>;
  /** @returns the texts of all files, or why one was not read · @throws {RuntimeError} as `run` */
  read(task: FilesTask, options: ToolOptions): Promise<readonly FileText[] | UnreadFile>;
  close(): Promise<void>;
}

/** Maximum queued tasks. The largest document takes a third of a second. */
const waitingTasksMax = 256;
/** Time limit of a tool, far above its normal time. A thread that exceeds it is replaced. */
const toolTimeoutMs = 60_000;
/** Heap of a thread, MiB. A file that needs more loses the thread, which is replaced. */
const threadHeapMb = 1_024;

export interface AgentToolsOptions {
  /** Maximum number of threads. */
  readonly threads: number;
  /** Whether to start a thread immediately, so that the first task does not wait for one. */
  readonly startsAtOnce: boolean;
}

type ToolPool = WorkerPool<ToolThreadTask, ToolThreadResult, undefined>;

export function openAgentTools({ threads, startsAtOnce }: AgentToolsOptions): AgentTools {
  let pool: ToolPool | undefined = startsAtOnce ? startThreads(threads) : undefined;
  let isClosed = false;
  const turns = new Preparations({ slowMax: threads, onLeft: () => undefined });
  const run = async (task: ToolThreadTask, { account, signal }: ToolOptions): Promise<ToolThreadResult> => {
    if (isClosed) throw draining();
    requireRoom(turns, account);
    pool ??= startThreads(threads);
    const started = pool;
    const turn = { account, signal, work: workOf(task), priority: 0, isSlow: true };
    try {
      return await turns.run(turn, () => started.run(task, { signal }));
    } catch (error) {
      throw signal.aborted ? cancelled() : error;
    }
  };
  return {
    run: async (task, options) => (await run({ kind: 'run', ...task }, options)) as readonly ToolReport[],
    call: async (task, options) => (await run({ kind: 'call', ...task }, options)) as ToolReport,
    confirm: async (task, options) => (await run({ kind: 'confirm', ...task }, options)) as FactsReport,
    rank: async (task, options) => (await run({ kind: 'rank', ...task }, options)) as Ranking,
    read: async (task, options) => (await run({ kind: 'read', ...task }, options)) as readonly FileText[] | UnreadFile,
    async close() {
      isClosed = true;
      await pool?.close();
    },
  };
}

/** The size of what a task reads; a byte of a file takes as long as about ten characters of text. */
function workOf(task: ToolThreadTask): number {
  if (task.kind === 'read') return task.files.reduce((sum, { bytes }) => sum + 10 * bytes.length, 0);
  return task.documents.reduce((sum, { text }) => sum + text.length, 0);
}

/** An account without queued tasks is admitted even if other accounts have filled the queue. */
function requireRoom(turns: Preparations, account: string): void {
  if (turns.length < waitingTasksMax) return;
  if (turns.lengthOf(account) === 0 && turns.length < 2 * waitingTasksMax) return;
  throw new RuntimeError('ERR_QUEUE_FULL', `${turns.length} tasks are queued: try again later`);
}

/** V8 alone needs 14 MB per thread. */
function startThreads(threads: number): ToolPool {
  const workerUrl = new URL('./tools-worker.ts', import.meta.url);
  // The tools are JavaScript, so their threads can always be terminated.
  const watch = { stepTimeoutMs: toolTimeoutMs, onStuck: () => undefined };
  return new WorkerPool({ workerUrl, workerData: undefined, threads, waitingTasksMax, watch, heapMb: threadHeapMb });
}

/** Time limit of one wait, well above the time of the largest documents in a full queue. */
const toolsTimeoutMs = 60_000;

/**
 * @param work starts the work of a thread
 * @param timeoutMs remaining time of the turn, if it is less
 * @throws {RuntimeError} ERR_DEADLINE if the work does not end in time, and as `AgentTools.run`
 */
export async function withinTime<Result>(
  signal: AbortSignal,
  work: (options: { signal: AbortSignal }) => Promise<Result>,
  timeoutMs: number = toolsTimeoutMs,
): Promise<Result> {
  const deadline = AbortSignal.timeout(Math.ceil(Math.min(timeoutMs, toolsTimeoutMs)));
  try {
    return await work({ signal: AbortSignal.any([signal, deadline]) });
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    throw new RuntimeError('ERR_DEADLINE', "the agent's tools ran out of time: send less text", { cause: error });
  }
}
