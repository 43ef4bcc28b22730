/** An in-memory engine: pods are entries of a map; tests control time and failures. It fulfils the contract of `Engine`. */
import type {
  CallOptions,
  Engine,
  EngineEvent,
  EnginePod,
  ImageSpec,
  LogOptions,
  MachineFacts,
  PodKind,
  PodLogs,
  PodSpec,
  PreparedImage,
  PrepareOptions,
  Protection,
} from '../../../compute/engines/engine.ts';
import { EngineError } from '../../../compute/engines/errors.ts';

/** The outcome of a call: `lost` takes effect without an answer, `refused` has no effect and an error. */
export type Fate = 'done' | 'lost' | 'lost-undone' | 'refused' | 'unreachable' | Error;

export interface MemoryPod extends EnginePod {
  readonly spec: PodSpec | undefined;
}

export class MemoryEngine implements Engine {
  readonly name: string;
  readonly type = 'docker' as const;
  readonly pods = new Map<string, MemoryPod>();
  readonly prepared: ImageSpec[] = [];
  /** Names of the calls, in order. */
  readonly calls: string[] = [];
  /** Decides the outcome of each call; by default all succeed. */
  fateOf: (call: string, podId: string) => Fate = () => 'done';
  /** Called while a call is under way. */
  onCall: (call: string, podId: string, signal?: AbortSignal) => Promise<void> = async () => undefined;
  /** Whether a pod has an address as soon as it is created. */
  startsAtOnce = true;
  /** Host key of every standard pod. */
  hostKeyFingerprint = `SHA256:${'A'.repeat(43)}`;
  /** What every standard pod has printed. */
  printed = 'started\nlistening on port 22';
  /** Dropped by `dropIdleTemplates`. */
  idleTemplates = 0;
  machines: { machine: string; offers: readonly PodKind[]; gpuCount?: number; cpus?: number }[] = [];
  protection: Protection = 'none';

  constructor(name = 'memory') {
    this.name = name;
  }

  async probe(_options: CallOptions): Promise<readonly MachineFacts[]> {
    await this.#meet('probe', '');
    return this.machines.map(({ machine, offers, gpuCount, cpus = 8 }) => ({
      machine,
      offers,
      protection: offers.includes('confidential') ? this.protection : 'none',
      refusals: [],
      engineVersion: '1',
      cpus,
      memoryBytes: 64e9,
      diskFreeBytes: 500e9,
      gpuCount,
      podCount: [...this.pods.values()].filter((pod) => pod.machine === machine).length,
    }));
  }

  async prepare(image: ImageSpec, { signal }: PrepareOptions): Promise<PreparedImage> {
    await this.#meet('prepare', '', { signal });
    this.prepared.push(image);
    return { reference: `prepared-${this.prepared.length}` };
  }

  async create(spec: PodSpec, { signal }: CallOptions): Promise<EnginePod> {
    await this.#meet('create', spec.podId, { signal, act: () => this.put(spec.podId, { spec }) });
    return this.pods.get(spec.podId)!;
  }

  async inspect(podId: string, _options: CallOptions): Promise<EnginePod | undefined> {
    await this.#meet('inspect', podId);
    return this.pods.get(podId);
  }

  async list(_options: CallOptions): Promise<readonly EnginePod[]> {
    await this.#meet('list', '');
    return [...this.pods.values()];
  }

  async hostKey(podId: string, _options: CallOptions): Promise<string | undefined> {
    await this.#meet('hostKey', podId);
    return this.pods.get(podId)?.kind === 'standard' ? this.hostKeyFingerprint : undefined;
  }

  async logs(podId: string, { linesMax }: LogOptions): Promise<PodLogs | undefined> {
    await this.#meet('logs', podId);
    const pod = this.pods.get(podId);
    if (pod?.kind !== 'standard' || pod.state !== 'running') return undefined;
    return { text: this.printed.split('\n').slice(-linesMax).join('\n'), isCut: false };
  }

  async destroy(podId: string, _options: CallOptions): Promise<void> {
    await this.#meet('destroy', podId, { act: () => this.pods.delete(podId) });
  }

  async *events(_options: CallOptions): AsyncIterable<EngineEvent> {
    yield { kind: 'connected' };
  }

  async dropIdleTemplates(_options: CallOptions): Promise<number> {
    const dropped = this.idleTemplates;
    this.idleTemplates = 0;
    return dropped;
  }

  /** Adds a pod that the service did not create. */
  put(
    podId: string,
    { spec, state = this.startsAtOnce ? 'running' : 'starting' }: { spec?: PodSpec; state?: EnginePod['state'] } = {},
  ): void {
    const kind = spec?.kind ?? 'standard';
    this.pods.set(podId, {
      podId,
      spec,
      machine: spec?.machine ?? 'elsewhere',
      kind,
      protection: kind === 'confidential' ? this.protection : 'none',
      state,
      ssh:
        state === 'running'
          ? { host: '192.0.2.7', port: 2222, user: kind === 'standard' ? 'root' : 'ubuntu' }
          : undefined,
      ports: (spec?.ports ?? []).map((port) => ({ ...port, host: '192.0.2.7', hostPort: 30_000 + port.port })),
      gpuCount: spec?.gpuCount ?? 0,
      createdAt: undefined,
      endedAt: undefined,
    });
  }

  /** Changes the state of a pod. */
  become(podId: string, state: EnginePod['state']): void {
    const { spec } = this.pods.get(podId)!;
    this.put(podId, { ...(spec === undefined ? {} : { spec }), state });
  }

  async #meet(
    call: string,
    podId: string,
    { signal, act = () => undefined }: { signal?: AbortSignal; act?: () => void } = {},
  ): Promise<void> {
    this.calls.push(call);
    const fate = this.fateOf(call, podId);
    if (fate === 'done' || fate === 'lost') act();
    await this.onCall(call, podId, signal);
    if (fate === 'done') return;
    if (fate instanceof Error) throw fate;
    if (fate === 'refused')
      throw new EngineError('ERR_ENGINE_REFUSED', 'the engine refused', { reason: 'engine_refused' });
    if (fate === 'unreachable') throw new EngineError('ERR_ENGINE_UNREACHABLE', 'the engine cannot be reached');
    throw new EngineError('ERR_OUTCOME_UNKNOWN', 'the engine did not answer');
  }
}
