/** Memory and load of the GPUs, read from the driver at each scrape. Machines without a GPU have no values. */
import { Gauge, type Registry } from 'prom-client';

/** What a GPU does at the moment; members that the driver does not report are absent. */
export interface GpuLoad {
  readonly memoryTotalBytes?: number;
  readonly memoryUsedBytes?: number;
  /** 0…100 of the driver's last sampling period. */
  readonly computePercent?: number;
  readonly memoryPercent?: number;
}

/** A scrape waits this long for the driver, which may hang. */
const readMsMax = 1_000;
/** The gauges of one scrape share one read. */
const keptMs = 500;

/** @param read in the driver's order; its error means that there is no GPU or that the driver fails */
export function registerGpuLoads(registry: Registry, read: () => Promise<readonly GpuLoad[]>): void {
  const reader = new LoadReader(read);
  const gauge = (name: string, help: string, of: (load: GpuLoad) => number | undefined) =>
    new Gauge({
      name: `cloister_gpu_${name}`,
      help,
      labelNames: ['gpu'],
      registers: [registry],
      async collect() {
        const loads = await reader.loads();
        this.reset();
        for (const [gpu, load] of loads.entries()) {
          const value = of(load);
          if (value !== undefined) this.set({ gpu: String(gpu) }, value);
        }
      },
    });
  const share = (percent: number | undefined) => (percent === undefined ? undefined : percent / 100);
  gauge('memory_total_bytes', 'Memory of each GPU.', ({ memoryTotalBytes }) => memoryTotalBytes);
  gauge('memory_used_bytes', 'Memory in use of each GPU.', ({ memoryUsedBytes }) => memoryUsedBytes);
  const compute = 'Share of the last sampling period of the driver in which the GPU computed.';
  gauge('utilization_ratio', compute, ({ computePercent }) => share(computePercent));
  const memory = 'Share of the same period in which memory of the GPU was read or written.';
  gauge('memory_utilization_ratio', memory, ({ memoryPercent }) => share(memoryPercent));
}

/** Reads one time at a time, and never again if the library is missing. */
class LoadReader {
  readonly #read: () => Promise<readonly GpuLoad[]>;
  #running: Promise<readonly GpuLoad[]> | undefined;
  #isAbsent = false;

  constructor(read: () => Promise<readonly GpuLoad[]>) {
    this.#read = read;
  }

  /** @returns an empty list if the driver fails or does not answer in time */
  async loads(): Promise<readonly GpuLoad[]> {
    if (this.#isAbsent) return [];
    this.#running ??= this.#start();
    const late = Promise.withResolvers<readonly GpuLoad[]>();
    const timer = setTimeout(late.resolve, readMsMax, []);
    try {
      return await Promise.race([this.#running, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #start(): Promise<readonly GpuLoad[]> {
    const loads = await this.#read().catch((error: { code?: string }) => {
      this.#isAbsent = error.code === 'ERR_NVML_MISSING';
      return [];
    });
    setTimeout(() => {
      this.#running = undefined;
    }, keptMs).unref();
    return loads;
  }
}
