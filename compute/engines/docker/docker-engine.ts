/**
 * Standard pods on one machine, through the Docker Engine API of Docker or podman. One endpoint is one machine.
 *
 * Docker answers duplicate names with 409, older podman with 500, so the status is not evaluated: `create` looks for an existing
 * pod first.
 */
import { answered, creationInProgress } from '../answers.ts';
import { requireContainerSettings, requireKind, requirePodSpec } from '../check-spec.ts';
import type {
  CallOptions,
  Engine,
  EngineEvent,
  EnginePod,
  ImageSpec,
  LogOptions,
  MachineFacts,
  PodLogs,
  PodSpec,
  PreparedImage,
  PrepareOptions,
} from '../engine.ts';
import { EngineCalls, type EngineCallTimes } from '../engine-call.ts';
import { refused } from '../errors.ts';
import type { RegistryPolicy } from '../image-reference.ts';
import { instanceLabel, podLabel, podName, requireInstance } from '../pod-name.ts';
import { reconnecting } from '../waiting.ts';
import type { ContainerOptions, GpuRequest } from './container-body.ts';
import { containerEvents } from './container-events.ts';
import { type ContainerDetails, isNotStarted, toEnginePod } from './container-pod.ts';
import { DockerApi } from './docker-api.ts';
import { type DockerEndpoint, dockerClient } from './endpoint.ts';
import { fetchImage } from './fetch-image.ts';
import { chooseGpuRequest, countGpus, type EngineVersion, gpuDeviceDefault } from './gpus.ts';
import { readHostKey } from './kit-programs.ts';
import { engineRefusal } from './refusals.ts';
import { ignoreNotFound, removeContainer } from './remove-container.ts';
import { startContainer } from './start-container.ts';
import { type TemplateOptions, Templates } from './templates.ts';

export interface DockerEngineOptions {
  readonly name: string;
  readonly endpoint: DockerEndpoint;
  /** Name of the machine. */
  readonly machine: string;
  /** Address under which tenants reach the machine. */
  readonly publicHost: string;
  /** Distinguishes this instance's pods from those of others on the same engine. */
  readonly instance: string;
  readonly templates: Omit<TemplateOptions, 'instance'>;
  readonly registries?: RegistryPolicy;
  /** Number of GPUs, as configured; verified in every pod. */
  readonly gpuCount?: number;
  /** By default chosen by the engine's version. */
  readonly gpuRequest?: GpuRequest;
  readonly gpuDevice?: string;
  readonly processesMax?: number;
  readonly runtime?: string;
  readonly diskQuota?: boolean;
  readonly timeouts?: Partial<Timeouts>;
}

export interface Timeouts extends EngineCallTimes {
  readonly fetchMs: number;
}

const timeoutsDefault: Timeouts = { readMs: 15_000, changeMs: 120_000, fetchMs: 900_000 };
const processesMaxDefault = 4096;

export class DockerEngine implements Engine {
  readonly type = 'docker';
  readonly name: string;
  readonly #options: DockerEngineOptions;
  readonly #api: DockerApi;
  readonly #templates: Templates;
  readonly #calls: EngineCalls;
  readonly #fetchMs: number;

  constructor(options: DockerEngineOptions) {
    requireInstance(options.instance);
    this.name = options.name;
    this.#options = options;
    const times = { ...timeoutsDefault, ...options.timeouts };
    this.#calls = new EngineCalls(times);
    this.#fetchMs = times.fetchMs;
    this.#api = new DockerApi(dockerClient(options.endpoint));
    this.#templates = new Templates(this.#api, { ...options.templates, instance: options.instance });
  }

  async probe({ signal }: CallOptions): Promise<readonly MachineFacts[]> {
    const call = this.#calls.reading(signal);
    const ask = () => this.#api.send<EngineInfo>(call, { method: 'GET', path: '/info' });
    const info = await answered(ask, engineRefusal);
    const pods = await this.list({ signal });
    const { machine, gpuCount } = this.#options;
    const facts: MachineFacts = {
      machine,
      offers: ['standard'],
      protection: 'none',
      refusals: this.#options.diskQuota
        ? []
        : ['disk limits are not enforced: no quotas are configured for the storage'],
      engineVersion: info.ServerVersion,
      cpus: info.NCPU,
      memoryBytes: info.MemTotal,
      diskFreeBytes: undefined,
      gpuCount,
      podCount: pods.filter(({ state }) => state !== 'dead').length,
    };
    return [facts];
  }

  async prepare(image: ImageSpec, { signal }: PrepareOptions): Promise<PreparedImage> {
    requireKind(image, 'standard');
    requireContainerSettings(image);
    if (image.jupyter === true && !this.#hasKit) {
      throw refused('settings_refused', 'jupyter cannot be started on this machine');
    }
    const base = await fetchImage(this.#api, image, this.#options.registries ?? {}, {
      reading: this.#calls.reading(signal),
      fetching: { signal, timeoutMs: this.#fetchMs, changes: false },
    });
    const call = this.#calls.preparing(signal);
    return answered(() => this.#templates.findOrBuild(image, base, call), engineRefusal);
  }

  async create(spec: PodSpec, { signal }: CallOptions): Promise<EnginePod> {
    requireKind(spec, 'standard');
    requirePodSpec(spec);
    const { instance, diskQuota = false, runtime, gpuDevice = gpuDeviceDefault } = this.#options;
    return answered(async () => {
      const existing = await this.#find(spec.podId, signal);
      if (existing !== undefined) {
        if (!isNotStarted(existing)) return this.#toPod(existing, spec.gpuCount)!;
        // An earlier call, here or in another process, may still be creating the pod within its time limit.
        if (!this.#isOld(existing)) throw creationInProgress();
        await this.destroy(spec.podId, { signal });
      }
      await this.#requireNameIsFree(spec.podId, signal);
      const gpuRequest = this.#options.gpuRequest ?? (spec.gpuCount === 0 ? 'nvidia' : await this.#chooseGpus(signal));
      const options: ContainerOptions = {
        instance,
        gpuRequest,
        gpuDevice,
        processesMax: this.#options.processesMax ?? processesMaxDefault,
        diskQuota,
        ...(runtime === undefined ? {} : { runtime }),
      };
      const details = await startContainer(this.#api, spec, options, {
        reading: this.#calls.reading(signal),
        changing: this.#calls.changing(signal),
        hasKit: this.#hasKit,
      });
      return this.#toPod(details, spec.gpuCount)!;
    }, engineRefusal);
  }

  async inspect(podId: string, { signal }: CallOptions): Promise<EnginePod | undefined> {
    return answered(async () => {
      const details = await this.#find(podId, signal);
      return details === undefined ? undefined : this.#toPod(details, await this.#gpusOf(details, signal));
    }, engineRefusal);
  }

  async list({ signal }: CallOptions): Promise<readonly EnginePod[]> {
    return answered(async () => {
      const pods: EnginePod[] = [];
      for (const { Id } of await this.#summaries([`${instanceLabel}=${this.#options.instance}`], signal)) {
        const details = await this.#details(Id, signal);
        // The GPU count was verified at creation; counting inside every container would make frequent lists too slow.
        const pod = details && this.#toPod(details, this.#options.gpuCount ?? 0);
        if (pod !== undefined) pods.push(pod);
      }
      return pods;
    }, engineRefusal);
  }

  async hostKey(podId: string, { signal }: CallOptions): Promise<string | undefined> {
    return answered(async () => {
      const details = this.#hasKit ? await this.#find(podId, signal) : undefined;
      if (details?.State.Running !== true) return undefined;
      return readHostKey(this.#api, details.Id, this.#calls.reading(signal));
    }, engineRefusal);
  }

  async logs(podId: string, { signal, linesMax }: LogOptions): Promise<PodLogs | undefined> {
    return answered(async () => {
      const details = await this.#find(podId, signal);
      if (details?.State.Running !== true) return undefined;
      return await this.#api.logs(this.#calls.reading(signal), details.Id, { linesMax });
    }, engineRefusal);
  }

  async destroy(podId: string, { signal }: CallOptions): Promise<void> {
    await answered(async () => {
      const details = await this.#find(podId, signal);
      if (details !== undefined) await removeContainer(this.#api, details.Id, this.#calls.changing(signal));
    }, engineRefusal);
  }

  events({ signal }: CallOptions): AsyncIterable<EngineEvent> {
    const instance = this.#options.instance;
    return reconnecting((until) => containerEvents(this.#api, instance, this.#calls.reading(until)), { signal });
  }

  async dropIdleTemplates({ signal }: CallOptions): Promise<number> {
    return answered(() => this.#templates.dropIdle(this.#calls.changing(signal)), engineRefusal);
  }

  get #hasKit(): boolean {
    return this.#options.templates.kit !== undefined;
  }

  async #find(podId: string, signal: AbortSignal): Promise<ContainerDetails | undefined> {
    const { instance } = this.#options;
    podName(instance, podId);
    const [found] = await this.#summaries([`${instanceLabel}=${instance}`, `${podLabel}=${podId}`], signal);
    return found === undefined ? undefined : this.#details(found.Id, signal);
  }

  #summaries(labels: readonly string[], signal: AbortSignal): Promise<{ readonly Id: string }[]> {
    const query = { all: true, filters: JSON.stringify({ label: labels }) };
    return this.#api.send(this.#calls.reading(signal), { method: 'GET', path: '/containers/json', query });
  }

  /** @returns undefined if the container does not exist */
  async #details(idOrName: string, signal: AbortSignal): Promise<ContainerDetails | undefined> {
    const request = { method: 'GET', path: `/containers/${idOrName}/json` } as const;
    return this.#api.send<ContainerDetails>(this.#calls.reading(signal), request).catch(ignoreNotFound);
  }

  #isOld({ Created }: ContainerDetails): boolean {
    return this.#options.templates.now() - Date.parse(Created) > 2 * this.#calls.times.changeMs;
  }

  async #requireNameIsFree(podId: string, signal: AbortSignal): Promise<void> {
    const taken = await this.#details(podName(this.#options.instance, podId), signal);
    if (taken !== undefined) throw refused('not_ours', "the pod's name is in use by a container of another service");
  }

  async #chooseGpus(signal: AbortSignal): Promise<GpuRequest> {
    const request = { method: 'GET', path: '/version' } as const;
    return chooseGpuRequest(await this.#api.send<EngineVersion>(this.#calls.reading(signal), request));
  }

  async #gpusOf({ Id, State }: ContainerDetails, signal: AbortSignal): Promise<number> {
    if (!State.Running || (this.#options.gpuCount ?? 0) === 0) return 0;
    return countGpus(this.#api, Id, this.#hasKit, this.#calls.reading(signal));
  }

  #toPod(details: ContainerDetails, gpuCount: number): EnginePod | undefined {
    const { instance, machine, publicHost } = this.#options;
    return toEnginePod(details, instance, { machine, publicHost, gpuCount, isOld: this.#isOld(details) });
  }
}

interface EngineInfo {
  readonly ServerVersion: string;
  readonly NCPU: number;
  readonly MemTotal: number;
}
