/**
 * Standard pods on the nodes of a Docker Swarm, through one manager. A node that misses its heartbeats loses its pods:
 * Swarm ends their tasks, and their containers once the node is back.
 */
import { afterFailure, answered, type Refusal } from '../answers.ts';
import { requireContainerSettings, requireKind, requirePodSpec } from '../check-spec.ts';
import { DockerApi } from '../docker/docker-api.ts';
import { type DockerEndpoint, dockerClient } from '../docker/endpoint.ts';
import { readHostKey } from '../docker/kit-programs.ts';
import { engineRefusal } from '../docker/refusals.ts';
import { ignoreNotFound } from '../docker/remove-container.ts';
import { requireInside } from '../docker/start-container.ts';
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
import { EngineError, refused } from '../errors.ts';
import type { RegistryPolicy } from '../image-reference.ts';
import { instanceLabel, podName, requireInstance } from '../pod-name.ts';
import { reconnecting } from '../waiting.ts';
import type { ServiceOptions } from './service-body.ts';
import { serviceEvents } from './service-events.ts';
import { awaitRunning, createService } from './start-service.ts';
import { findImage } from './swarm-image.ts';
import { nodeFacts, type SwarmNode } from './swarm-nodes.ts';
import { type SwarmTemplateOptions, SwarmTemplates } from './swarm-templates.ts';
import { machineOf, newest, type Service, type Task, toEnginePod } from './task-pod.ts';

export interface SwarmEngineOptions {
  readonly name: string;
  /** Endpoint of a manager. */
  readonly endpoint: DockerEndpoint;
  readonly instance: string;
  /** The machines for rent, by their hostname in the Swarm. */
  readonly nodes: Readonly<Record<string, SwarmMachine>>;
  readonly templates: Omit<SwarmTemplateOptions, 'instance'>;
  readonly registries?: RegistryPolicy;
  readonly gpuResource?: string;
  readonly kitFolder?: string;
  readonly processesMax?: number;
  readonly timeouts?: Partial<EngineCallTimes & { readonly startMs: number }>;
}

export interface SwarmMachine {
  /** Address under which tenants reach the machine. */
  readonly publicHost: string;
  /** The node's own engine, through which GPUs are verified; without it, deploys with GPUs are refused. */
  readonly endpoint?: DockerEndpoint;
}

const defaults = { readMs: 15_000, changeMs: 30_000, startMs: 900_000, processesMax: 4096, gpuResource: 'gpu' };
/** Time limit of the cleanup after a failure. */
const cleanUpMs = 30_000;

export class SwarmEngine implements Engine {
  readonly type = 'swarm';
  readonly name: string;
  readonly #options: SwarmEngineOptions;
  readonly #api: DockerApi;
  readonly #templates: SwarmTemplates;
  readonly #publicHosts: Readonly<Record<string, string>>;
  readonly #calls: EngineCalls;

  constructor(options: SwarmEngineOptions) {
    requireInstance(options.instance);
    this.name = options.name;
    this.#options = options;
    this.#calls = new EngineCalls({ ...defaults, ...options.timeouts });
    this.#api = new DockerApi(dockerClient(options.endpoint));
    this.#templates = new SwarmTemplates(this.#api, { ...options.templates, instance: options.instance });
    this.#publicHosts = Object.fromEntries(
      Object.entries(options.nodes).map(([name, { publicHost }]) => [name, publicHost]),
    );
  }

  async probe({ signal }: CallOptions): Promise<readonly MachineFacts[]> {
    return this.#answered(async () => {
      const request = { method: 'GET', path: '/nodes' } as const;
      const nodes = await this.#api.send<SwarmNode[]>(this.#calls.reading(signal), request);
      const pods = await this.list({ signal });
      const { nodes: rented, gpuResource = defaults.gpuResource } = this.#options;
      return nodes
        .filter(({ Description }) => Object.hasOwn(rented, Description.Hostname))
        .map((node) => nodeFacts(node, pods, gpuResource));
    });
  }

  async prepare(image: ImageSpec, { signal }: PrepareOptions): Promise<PreparedImage> {
    requireKind(image, 'standard');
    requireContainerSettings(image);
    return this.#answered(async () => {
      const found = await findImage(this.#api, image, this.#options.registries ?? {}, this.#calls.reading(signal));
      const env = { ...image.env, ...(image.jupyter ? { CLOISTER_JUPYTER: '1' } : {}) };
      const template = { ...found, command: image.command, env };
      const call = this.#calls.preparing(signal);
      return { reference: await this.#templates.findOrCreate(template, image.owner, call) };
    });
  }

  async create(spec: PodSpec, { signal }: CallOptions): Promise<EnginePod> {
    requireKind(spec, 'standard');
    requirePodSpec(spec);
    const machine = Object.hasOwn(this.#options.nodes, spec.machine) ? this.#options.nodes[spec.machine] : undefined;
    if (machine === undefined) throw refused('resources_missing', 'the machine is not a node of this Swarm');
    if (spec.gpuCount > 0 && machine.endpoint === undefined) {
      throw refused('not_supported', 'the GPUs of this machine cannot be verified');
    }
    if (spec.jupyter === true && (machine.endpoint === undefined || this.#options.kitFolder === undefined)) {
      throw refused('settings_refused', 'jupyter cannot be started on this machine');
    }
    return this.#answered(async () => {
      const existing = await this.inspect(spec.podId, { signal });
      if (existing !== undefined && existing.state !== 'dead') return existing;
      if (existing !== undefined) await this.destroy(spec.podId, { signal });
      const template = await this.#templates.read(spec.image.reference, this.#calls.reading(signal));
      const service = this.#serviceOptions();
      await createService(this.#api, { spec, template, options: service, call: this.#calls.changing(signal) });
      try {
        await this.#requireRunning(spec, machine, signal);
        const pod = await this.inspect(spec.podId, { signal });
        if (pod?.state !== 'running') throw refused('settings_refused', 'the pod ended right after its start');
        return pod;
      } catch (failure) {
        const remove = (signal: AbortSignal) => this.destroy(spec.podId, { signal });
        throw await afterFailure(failure, remove, { timeoutMs: cleanUpMs });
      }
    });
  }

  async inspect(podId: string, { signal }: CallOptions): Promise<EnginePod | undefined> {
    return this.#answered(async () => {
      const service = await this.#service(podId, signal);
      if (service === undefined) return undefined;
      return this.#toPod(service, newest(await this.#tasks({ service: [service.ID] }, signal)));
    });
  }

  async list({ signal }: CallOptions): Promise<readonly EnginePod[]> {
    return this.#answered(async () => {
      const label = [`${instanceLabel}=${this.#options.instance}`];
      const query = { filters: JSON.stringify({ label }) };
      const services = await this.#api.send<Service[]>(this.#calls.reading(signal), {
        method: 'GET',
        path: '/services',
        query,
      });
      const tasks = Map.groupBy(await this.#tasks({ label }, signal), ({ ServiceID }) => ServiceID);
      return services.flatMap((service) => this.#toPod(service, newest(tasks.get(service.ID) ?? [])) ?? []);
    });
  }

  async hostKey(podId: string, { signal }: CallOptions): Promise<string | undefined> {
    return this.#answered(async () => {
      if (this.#options.kitFolder === undefined) return undefined;
      const place = await this.#container(podId, signal);
      return place && readHostKey(place.node, place.id, this.#calls.reading(signal));
    });
  }

  async logs(podId: string, { signal, linesMax }: LogOptions): Promise<PodLogs | undefined> {
    return this.#answered(async () => {
      const place = await this.#container(podId, signal);
      return place && (await place.node.logs(this.#calls.reading(signal), place.id, { linesMax }));
    });
  }

  async destroy(podId: string, { signal }: CallOptions): Promise<void> {
    const name = podName(this.#options.instance, podId);
    await this.#answered(async () => {
      const remove = (path: string) =>
        this.#api.send(this.#calls.changing(signal), { method: 'DELETE', path }).catch(ignoreNotFound);
      const service = await this.#service(podId, signal);
      if (service !== undefined) await remove(`/services/${service.ID}`);
      await remove(`/configs/${name}`);
    });
  }

  events({ signal }: CallOptions): AsyncIterable<EngineEvent> {
    const { instance } = this.#options;
    return reconnecting((until) => serviceEvents(this.#api, instance, this.#calls.reading(until)), { signal });
  }

  async dropIdleTemplates({ signal }: CallOptions): Promise<number> {
    return this.#answered(() => this.#templates.dropIdle(this.#calls.changing(signal)));
  }

  async #requireRunning(spec: PodSpec, machine: SwarmMachine, signal: AbortSignal): Promise<void> {
    const call = this.#calls.reading(signal);
    const timeoutMs = this.#options.timeouts?.startMs ?? defaults.startMs;
    const task = await awaitRunning(this.#api, {
      name: podName(this.#options.instance, spec.podId),
      call,
      timeoutMs,
    });
    if (spec.gpuCount === 0 && spec.jupyter !== true) return;
    const hasKit = this.#options.kitFolder !== undefined;
    await requireInside(nodeOf(machine), containerOf(task), spec, { reading: call, hasKit });
  }

  #answered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    return answered(work, swarmRefusal);
  }

  #serviceOptions(): ServiceOptions {
    const { instance, kitFolder, gpuResource, processesMax } = this.#options;
    return {
      instance,
      kitFolder,
      gpuResource: gpuResource ?? defaults.gpuResource,
      processesMax: processesMax ?? defaults.processesMax,
    };
  }

  /** The container of a running pod on its node; undefined also if the node's own engine is not configured. */
  async #container(podId: string, signal: AbortSignal): Promise<{ node: DockerApi; id: string } | undefined> {
    const service = await this.#service(podId, signal);
    if (service === undefined) return undefined;
    const task = newest(await this.#tasks({ service: [service.ID] }, signal));
    const machine = this.#options.nodes[machineOf(service) ?? ''];
    if (machine?.endpoint === undefined || task?.Status.State !== 'running') return undefined;
    return { node: nodeOf(machine), id: containerOf(task) };
  }

  async #service(podId: string, signal: AbortSignal): Promise<Service | undefined> {
    const path = `/services/${podName(this.#options.instance, podId)}`;
    return this.#api.send<Service>(this.#calls.reading(signal), { method: 'GET', path }).catch(ignoreNotFound);
  }

  #tasks(filters: Readonly<Record<string, readonly string[]>>, signal: AbortSignal): Promise<Task[]> {
    const query = { filters: JSON.stringify(filters) };
    return this.#api.send(this.#calls.reading(signal), { method: 'GET', path: '/tasks', query });
  }

  #toPod(service: Service, task: Task | undefined): EnginePod | undefined {
    return toEnginePod(service, task, this.#options.instance, this.#publicHosts);
  }
}

/** The node's own engine. */
function nodeOf({ endpoint }: SwarmMachine): DockerApi {
  return new DockerApi(dockerClient(endpoint!));
}

function containerOf({ Status }: Task): string {
  return Status.ContainerStatus?.ContainerID ?? '';
}

/** A manager without quorum answers but cannot know the outcome, so its error is not a refusal. */
function swarmRefusal(refusal: Refusal): EngineError {
  const lacksQuorum = /does not have a leader|deadline exceeded|not a swarm manager/.test(refusal.words);
  if (!lacksQuorum) return engineRefusal(refusal);
  return new EngineError('ERR_OUTCOME_UNKNOWN', 'the Swarm has no leader', { cause: refusal });
}
