/** Runs agents' tools over callers' documents, away from the thread that serves people. */
import type { Ranking, RankingTask } from '@cloister/agents/agent/passages';
import type { ToolReport } from '@cloister/agents/agent/reports';
import { cancelled, draining, RuntimeError } from '@cloister/runtime/pool/errors';
import { Preparations } from '@cloister/runtime/pool/preparations';
import { WorkerPool } from '@cloister/runtime/pool/worker-pool';
import type { ToolCallTask, ToolTask, ToolThreadResult, ToolThreadTask } from './tool-tasks.ts';

export type { ToolCallTask, ToolTask } from './tool-tasks.ts';

export interface ToolOptions {
  readonly signal: AbortSignal;
  /** Whose work it is: an account has one thread at a time, and accounts take turns. */
  readonly account: string;
}

/** Everything that takes time in proportion to a document. */
export interface AgentTools {
  /**
   * @returns a report per tool of the agent, in its order
   * @throws {RuntimeError} ERR_CANCELLED once the signal aborts, ERR_QUEUE_FULL, ERR_DRAINING, ERR_ENGINE_LOST
   */
  run(task: ToolTask, options: ToolOptions): Promise<readonly ToolReport[]>;
  /** One tool over a text that the model gave it. @throws {RuntimeError} as `run` */
  call(task: ToolCallTask, options: ToolOptions): Promise<ToolReport>;
  /** @throws {RuntimeError} as `run` */
  rank(task: RankingTask, options: ToolOptions): Promise<Ranking>;
  close(): Promise<void>;
}

/** Documents that may wait for a thread: the largest takes a third of a second. */
const waitingTasksMax = 256;
/** Far more than a tool takes: past it the tool's thread is replaced. */
const toolTimeoutMs = 60_000;

export interface AgentToolsOptions {
  /** One for each core that may be spent on tools while models compute. */
  readonly threads: number;
  /** Where callers are expected, so that the first need not wait for a thread; else threads begin with the first task. */
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
    const work = task.documents.reduce((sum, { text }) => sum + text.length, 0);
    const turn = { account, signal, work, priority: 0, isSlow: true };
    try {
      return await turns.run(turn, () => started.run(task, { signal }));
    } catch (error) {
      throw signal.aborted ? cancelled() : error;
    }
  };
  return {
    run: async (task, options) => (await run({ kind: 'run', ...task }, options)) as readonly ToolReport[],
    call: async (task, options) => (await run({ kind: 'call', ...task }, options)) as ToolReport,
    rank: async (task, options) => (await run({ kind: 'rank', ...task }, options)) as Ranking,
    async close() {
      isClosed = true;
      await pool?.close();
    },
  };
}

/** An account that has nothing waiting finds room also where others have filled the queue. */
function requireRoom(turns: Preparations, account: string): void {
  if (turns.length < waitingTasksMax) return;
  if (turns.lengthOf(account) === 0 && turns.length < 2 * waitingTasksMax) return;
  throw new RuntimeError('ERR_QUEUE_FULL', `${turns.length} tasks wait already; try again later`);
}

/** A thread takes 14 MB, for V8 alone. */
function startThreads(threads: number): ToolPool {
  const workerUrl = new URL('./tools-worker.ts', import.meta.url);
  // The tools are JavaScript, which can always be ended.
  const watch = { stepTimeoutMs: toolTimeoutMs, onStuck: () => undefined };
  return new WorkerPool({ workerUrl, workerData: undefined, threads, waitingTasksMax, watch });
}

/** For the wait of one turn: well above what the largest documents take in a full queue. */
const toolsTimeoutMs = 60_000;

/**
 * @param work begins what a thread does
 * @param timeoutMs what is left of the turn, where that is less
 * @throws {RuntimeError} ERR_DEADLINE where that did not come to an end in time, and as `AgentTools.run`
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
