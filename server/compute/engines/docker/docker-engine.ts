/**
 * Standard pods on one machine, through the Docker Engine API of Docker or podman. One endpoint is one machine.
 *
 * Duplicate names are answered 409 by Docker and 500 by older podman, so statuses are never trusted for that: a pod is
 * always looked for before it is made.
 */

import { requireContainerSettings, requirePodSpec } from '../check-spec.ts';
import type {
  CallOptions,
  ContainerImage,
  Engine,
  EngineEvent,
  EnginePod,
  ImageSpec,
  MachineFacts,
  PodSpec,
  PreparedImage,
  PrepareOptions,
} from '../engine.ts';
import { EngineError } from '../errors.ts';
import type { RegistryPolicy } from '../image-reference.ts';
import { instanceLabel, podLabel, podName, requireInstance } from '../pod-name.ts';
import { reconnecting } from '../waiting.ts';
import type { Question } from './ask.ts';
import { Refusal } from './ask.ts';
import type { ContainerOptions, GpuRequest } from './container-body.ts';
import { containerEvents } from './container-events.ts';
import { type ContainerDetails, isHalfMade, toEnginePod } from './container-pod.ts';
import { DockerApi } from './docker-api.ts';
import { type DockerEndpoint, dockerClient } from './endpoint.ts';
import { fetchImage } from './fetch-image.ts';
import { chooseGpuRequest, countGpus, type EngineVersion, gpuDeviceDefault } from './gpus.ts';
import { engineRefusal } from './refusals.ts';
import { removeContainer, unlessGone } from './remove-container.ts';
import { startContainer } from './start-container.ts';
import { type TemplateOptions, Templates } from './templates.ts';

export interface DockerEngineOptions {
  readonly name: string;
  readonly endpoint: DockerEndpoint;
  /** The one machine behind the endpoint, and where tenants reach it. */
  readonly machine: string;
  readonly publicHost: string;
  /** Sets this control plane's pods apart from others' on the same engine. */
  readonly instance: string;
  readonly templates: Omit<TemplateOptions, 'instance'>;
  readonly registries?: RegistryPolicy;
  /** As the operator counts them; verified in every pod. */
  readonly gpuCount?: number;
  /** Left out: by the engine's version. */
  readonly gpuRequest?: GpuRequest;
  readonly gpuDevice?: string;
  readonly processesMax?: number;
  readonly runtime?: string;
  readonly diskQuota?: boolean;
  readonly timeouts?: Partial<Timeouts>;
}

export interface Timeouts {
  readonly readMs: number;
  readonly changeMs: number;
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
  readonly #timeouts: Timeouts;

  constructor(options: DockerEngineOptions) {
    requireInstance(options.instance);
    this.name = options.name;
    this.#options = options;
    this.#timeouts = { ...timeoutsDefault, ...options.timeouts };
    this.#api = new DockerApi(dockerClient(options.endpoint));
    this.#templates = new Templates(this.#api, { ...options.templates, instance: options.instance });
  }

  async probe({ signal }: CallOptions): Promise<readonly MachineFacts[]> {
    const info = await this.#answered(
      this.#api.send<EngineInfo>(this.#reading(signal), { method: 'GET', path: '/info' }),
    );
    const pods = await this.list({ signal });
    const { machine, gpuCount } = this.#options;
    const facts: MachineFacts = {
      machine,
      offers: ['standard'],
      protection: 'none',
      refusals: this.#options.diskQuota ? [] : ['disk limits are not kept: the storage has no quotas configured'],
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
    if (image.kind !== 'standard') throw onlyStandard();
    requireContainerSettings(image);
    const fetching = { signal, timeoutMs: this.#timeouts.fetchMs, changes: false };
    const base = await fetchImage(this.#api, image as ContainerImage, this.#options.registries ?? {}, fetching);
    // Nothing here makes a pod, so an answer that got lost is as good as none.
    const changing = { ...this.#changing(signal), changes: false };
    return this.#answered(this.#templates.findOrBuild(image, base, changing));
  }

  async create(spec: PodSpec, { signal }: CallOptions): Promise<EnginePod> {
    if (spec.kind !== 'standard') throw onlyStandard();
    requirePodSpec(spec);
    const { instance, diskQuota = false, runtime, gpuDevice = gpuDeviceDefault } = this.#options;
    const existing = await this.#answered(this.#find(spec.podId, signal));
    if (existing !== undefined) {
      if (!isHalfMade(existing)) return this.#toPod(existing, spec.gpuCount)!;
      this.#requireAbandoned(existing);
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
      reading: this.#reading(signal),
      changing: this.#changing(signal),
      hasKit: this.#options.templates.kit !== undefined,
    });
    return this.#toPod(details, spec.gpuCount)!;
  }

  async inspect(podId: string, { signal }: CallOptions): Promise<EnginePod | undefined> {
    return this.#answered(
      this.#find(podId, signal).then(async (details) =>
        details === undefined ? undefined : this.#toPod(details, await this.#gpusOf(details, signal)),
      ),
    );
  }

  async list({ signal }: CallOptions): Promise<readonly EnginePod[]> {
    const found = await this.#answered(this.#summaries([`${instanceLabel}=${this.#options.instance}`], signal));
    const pods: EnginePod[] = [];
    for (const { Id } of found) {
      const details = await this.#answered(this.#details(Id, signal));
      // The count was verified when the pod was made; a list is asked for too often to run a program in each.
      const pod = details && this.#toPod(details, this.#options.gpuCount ?? 0);
      if (pod !== undefined) pods.push(pod);
    }
    return pods;
  }

  async destroy(podId: string, { signal }: CallOptions): Promise<void> {
    const details = await this.#answered(this.#find(podId, signal));
    if (details === undefined) return;
    await removeContainer(this.#api, details.Id, this.#changing(signal));
  }

  events({ signal }: CallOptions): AsyncIterable<EngineEvent> {
    const instance = this.#options.instance;
    return reconnecting((until) => containerEvents(this.#api, instance, this.#reading(until)), { signal });
  }

  async dropIdleTemplates({ signal }: CallOptions): Promise<number> {
    return this.#answered(this.#templates.dropIdle(this.#changing(signal)));
  }

  async #find(podId: string, signal: AbortSignal): Promise<ContainerDetails | undefined> {
    const { instance } = this.#options;
    podName(instance, podId);
    const [found] = await this.#summaries([`${instanceLabel}=${instance}`, `${podLabel}=${podId}`], signal);
    return found === undefined ? undefined : this.#details(found.Id, signal);
  }

  #summaries(labels: readonly string[], signal: AbortSignal): Promise<{ readonly Id: string }[]> {
    const query = { all: true, filters: JSON.stringify({ label: labels }) };
    return this.#api.send(this.#reading(signal), { method: 'GET', path: '/containers/json', query });
  }

  /** @returns undefined where it is gone */
  async #details(idOrName: string, signal: AbortSignal): Promise<ContainerDetails | undefined> {
    const request = { method: 'GET', path: `/containers/${idOrName}/json` } as const;
    return this.#api.send<ContainerDetails>(this.#reading(signal), request).catch(unlessGone);
  }

  /** An earlier call may still be at it, here or in another process; within its time limit it is left alone. */
  #requireAbandoned({ Created }: ContainerDetails): void {
    const ageMs = this.#options.templates.now() - Date.parse(Created);
    if (ageMs > 2 * this.#timeouts.changeMs) return;
    throw new EngineError('ERR_OUTCOME_UNKNOWN', 'the pod is being made by an earlier call');
  }

  async #requireNameIsFree(podId: string, signal: AbortSignal): Promise<void> {
    const taken = await this.#answered(this.#details(podName(this.#options.instance, podId), signal));
    if (taken === undefined) return;
    throw new EngineError('ERR_ENGINE_REFUSED', "the pod's name is taken by a container that is not ours", {
      reason: 'not_ours',
    });
  }

  async #chooseGpus(signal: AbortSignal): Promise<GpuRequest> {
    return this.#answered(
      this.#api.send<EngineVersion>(this.#reading(signal), { method: 'GET', path: '/version' }).then(chooseGpuRequest),
    );
  }

  #gpusOf({ Id, State }: ContainerDetails, signal: AbortSignal): Promise<number> {
    const none = !State.Running || (this.#options.gpuCount ?? 0) === 0;
    return none
      ? Promise.resolve(0)
      : countGpus(this.#api, Id, this.#options.templates.kit !== undefined, this.#reading(signal));
  }

  #toPod(details: ContainerDetails, gpuCount: number): EnginePod | undefined {
    const { instance, machine, publicHost } = this.#options;
    return toEnginePod(details, instance, { machine, publicHost, gpuCount });
  }

  #reading(signal: AbortSignal): Question {
    return { signal, timeoutMs: this.#timeouts.readMs, changes: false };
  }

  #changing(signal: AbortSignal): Question {
    return { signal, timeoutMs: this.#timeouts.changeMs, changes: true };
  }

  async #answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return answer.catch((error: unknown) => {
      throw error instanceof Refusal ? engineRefusal(error) : error;
    });
  }
}

function onlyStandard(): EngineError {
  return new EngineError('ERR_ENGINE_REFUSED', 'this machine runs containers only, no confidential machines', {
    reason: 'not_confidential',
  });
}

interface EngineInfo {
  readonly ServerVersion: string;
  readonly NCPU: number;
  readonly MemTotal: number;
}
