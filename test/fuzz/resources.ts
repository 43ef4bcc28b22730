/** Measures the CPU time and memory of inputs. Node must be started with `--expose-gc`. */
import type { Costs, FindingKind } from './messages.ts';
import type { FuzzTarget } from './target.ts';

const memoryEveryMs = 3_000;
const defaultCpuMsMax = 1_000;
const mebibyte = 1024 * 1024;
/** V8 and the C library keep tens of megabytes after the largest input; a leak grows beyond that. */
const defaultGrowth = { after: 160 * mebibyte, during: 256 * mebibyte };
const gc = globalThis.gc as unknown as () => void;

/** Collects twice, since the memory of buffers that the first collection finds dead is freed in the background. */
function collectGarbage(): void {
  gc();
  gc();
}

/** Measures the CPU time and memory of inputs and compares them with the target's limits. */
export class ResourceWatch {
  readonly #cpuMsMax: number;
  readonly #growthMax: { readonly after: number; readonly during: number };
  #cpuAtStart = process.cpuUsage();
  #peakBytes = 0;
  #baselineBytes: number | undefined;
  #costs: Costs = { cpuMsMax: 0, cpuMsMaxStep: 0, grownBytesMax: 0 };
  #checkedMs = Date.now();

  constructor(
    { cpuMsMax = defaultCpuMsMax, growthBytesMax = defaultGrowth }: FuzzTarget,
    { sanitized }: { readonly sanitized: boolean },
  ) {
    // Sanitized code needs several times the CPU time and, for its quarantine, much more memory.
    this.#cpuMsMax = sanitized ? 10 * cpuMsMax : cpuMsMax;
    this.#growthMax = sanitized ? { after: Infinity, during: Infinity } : growthBytesMax;
    this.#peakBytes = peakBytes();
  }

  get costs(): Costs {
    return this.#costs;
  }

  begin(): void {
    this.#cpuAtStart = process.cpuUsage();
  }

  /** @returns the exceeded limit, or undefined */
  end(step: number): { kind: FindingKind; what: string } | undefined {
    const { user, system } = process.cpuUsage(this.#cpuAtStart);
    const cpuMs = (user + system) / 1_000;
    if (cpuMs > this.#costs.cpuMsMax) this.#costs = { ...this.#costs, cpuMsMax: cpuMs, cpuMsMaxStep: step };
    const peak = peakBytes();
    const grown = peak - this.#peakBytes;
    this.#peakBytes = peak;
    // Memory first: an input that takes too much of it is often slow for that reason.
    if (grown > this.#growthMax.during) {
      return { kind: 'memory', what: `took ${inMebibytes(grown)}, at most ${inMebibytes(this.#growthMax.during)}` };
    }
    if (cpuMs <= this.#cpuMsMax) return undefined;
    return { kind: 'slow', what: `took ${Math.round(cpuMs)} ms of processor time, at most ${this.#cpuMsMax}` };
  }

  setBaseline(): void {
    collectGarbage();
    this.#baselineBytes = usedBytes();
  }

  /** Checks every few seconds. @returns a sentence if the process has grown beyond its limit */
  growth({ now = false } = {}): string | undefined {
    if (this.#baselineBytes === undefined || (!now && Date.now() - this.#checkedMs < memoryEveryMs)) return undefined;
    this.#checkedMs = Date.now();
    collectGarbage();
    const grown = usedBytes() - this.#baselineBytes;
    this.#costs = { ...this.#costs, grownBytesMax: Math.max(grown, this.#costs.grownBytesMax) };
    if (grown <= this.#growthMax.after) return undefined;
    return `the process has grown by ${inMebibytes(grown)}, at most ${inMebibytes(this.#growthMax.after)}`;
  }
}

/** Resident bytes without V8's free heap. */
function usedBytes(): number {
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return rss - heapTotal + heapUsed;
}

function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MiB`;
}
