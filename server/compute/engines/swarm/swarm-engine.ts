/**
 * Standard pods on a Docker Swarm: one manager is asked, many machines run pods. A node that is away for longer than its
 * heartbeats has lost its pods: Swarm ends their tasks, and their containers as soon as it sees the node again.
 */
import { requireContainerSettings, requirePodSpec } from '../check-spec.ts';
import { lostAnswer, type Question, Refusal } from '../docker/ask.ts';
import { DockerApi } from '../docker/docker-api.ts';
import { type DockerEndpoint, dockerClient } from '../docker/endpoint.ts';
import { countGpus } from '../docker/gpus.ts';
import { engineRefusal, refused } from '../docker/refusals.ts';
import { unlessGone } from '../docker/remove-container.ts';
import type {
  CallOptions,
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
import { instanceLabel, podName, requireInstance } from '../pod-name.ts';
import { reconnecting } from '../waiting.ts';
import type { ServiceOptions } from './service-body.ts';
import { serviceEvents } from './service-events.ts';
import { afterCleanUp, awaitRunning, createService } from './start-service.ts';
import { findImage } from './swarm-image.ts';
import { nodeFacts, type SwarmNode } from './swarm-nodes.ts';
import { type SwarmTemplateOptions, SwarmTemplates } from './swarm-templates.ts';
import { newest, type Service, type Task, toEnginePod } from './task-pod.ts';

export interface SwarmEngineOptions {
  readonly name: string;
  /** Of a manager. */
  readonly endpoint: DockerEndpoint;
  readonly instance: string;
  /** The machines that may be rented, by their hostname in the Swarm. */
  readonly nodes: Readonly<Record<string, SwarmMachine>>;
  readonly templates: Omit<SwarmTemplateOptions, 'instance'>;
  readonly registries?: RegistryPolicy;
  readonly gpuResource?: string;
  readonly kitFolder?: string;
  readonly processesMax?: number;
  readonly timeouts?: { readonly readMs?: number; readonly changeMs?: number; readonly startMs?: number };
}

export interface SwarmMachine {
  /** Where tenants reach it. */
  readonly publicHost: string;
  /** The node's own engine. GPUs are looked for through it; without it, none are let. */
  readonly endpoint?: DockerEndpoint;
}

const defaults = { readMs: 15_000, changeMs: 30_000, startMs: 900_000, processesMax: 4096, gpuResource: 'gpu' };
/** Longest that cleaning up may take after the caller gave up. */
const cleanUpMs = 30_000;

export class SwarmEngine implements Engine {
  readonly type = 'swarm';
  readonly name: string;
  readonly #options: SwarmEngineOptions;
  readonly #api: DockerApi;
  readonly #templates: SwarmTemplates;
  readonly #publicHosts: Readonly<Record<string, string>>;

  constructor(options: SwarmEngineOptions) {
    requireInstance(options.instance);
    this.name = options.name;
    this.#options = options;
    this.#api = new DockerApi(dockerClient(options.endpoint));
    this.#templates = new SwarmTemplates(this.#api, { ...options.templates, instance: options.instance });
    this.#publicHosts = Object.fromEntries(
      Object.entries(options.nodes).map(([name, { publicHost }]) => [name, publicHost]),
    );
  }

  async probe({ signal }: CallOptions): Promise<readonly MachineFacts[]> {
    return answered(async () => {
      const nodes = await this.#api.send<SwarmNode[]>(this.#reading(signal), { method: 'GET', path: '/nodes' });
      const pods = await this.list({ signal });
      const { nodes: rented, gpuResource = defaults.gpuResource } = this.#options;
      return nodes
        .filter(({ Description }) => Object.hasOwn(rented, Description.Hostname))
        .map((node) => nodeFacts(node, pods, gpuResource));
    });
  }

  async prepare(image: ImageSpec, { signal }: PrepareOptions): Promise<PreparedImage> {
    if (image.kind !== 'standard') throw onlyStandard();
    requireContainerSettings(image);
    return answered(async () => {
      const found = await findImage(this.#api, image, this.#options.registries ?? {}, this.#reading(signal));
      const env = { ...image.env, ...(image.jupyter ? { CLOISTER_JUPYTER: '1' } : {}) };
      const template = { ...found, command: image.command, env };
      // Nothing here makes a pod, so an answer that got lost is as good as none.
      const question = { ...this.#changing(signal), changes: false };
      return { reference: await this.#templates.findOrMake(template, image.owner, question) };
    });
  }

  async create(spec: PodSpec, { signal }: CallOptions): Promise<EnginePod> {
    if (spec.kind !== 'standard') throw onlyStandard();
    requirePodSpec(spec);
    const machine = Object.hasOwn(this.#options.nodes, spec.machine) ? this.#options.nodes[spec.machine] : undefined;
    if (machine === undefined) throw refused('resources_missing', 'the machine is not one of this Swarm');
    if (spec.gpuCount > 0 && machine.endpoint === undefined) {
      throw refused('not_supported', 'the GPUs of this machine cannot be verified');
    }
    return answered(async () => {
      const existing = await this.inspect(spec.podId, { signal });
      if (existing !== undefined && existing.state !== 'dead') return existing;
      if (existing !== undefined) await this.destroy(spec.podId, { signal });
      const template = await this.#templates.read(spec.image.reference, this.#reading(signal));
      const service = this.#serviceOptions();
      await createService(this.#api, { spec, template, options: service, question: this.#changing(signal) });
      try {
        await this.#requireRunning(spec, machine, signal);
        const pod = await this.inspect(spec.podId, { signal });
        if (pod?.state !== 'running') throw refused('settings_refused', 'the pod ended as soon as it was started');
        return pod;
      } catch (failure) {
        const signal = AbortSignal.timeout(cleanUpMs);
        throw await this.destroy(spec.podId, { signal }).then(
          () => afterCleanUp(failure),
          (cause: unknown) => lostAnswer(true, new AggregateError([failure, cause])),
        );
      }
    });
  }

  async inspect(podId: string, { signal }: CallOptions): Promise<EnginePod | undefined> {
    return answered(async () => {
      const service = await this.#service(podId, signal);
      if (service === undefined) return undefined;
      return this.#toPod(service, newest(await this.#tasks({ service: [service.ID] }, signal)));
    });
  }

  async list({ signal }: CallOptions): Promise<readonly EnginePod[]> {
    return answered(async () => {
      const label = [`${instanceLabel}=${this.#options.instance}`];
      const query = { filters: JSON.stringify({ label }) };
      const services = await this.#api.send<Service[]>(this.#reading(signal), {
        method: 'GET',
        path: '/services',
        query,
      });
      const tasks = Map.groupBy(await this.#tasks({ label }, signal), ({ ServiceID }) => ServiceID);
      return services.flatMap((service) => this.#toPod(service, newest(tasks.get(service.ID) ?? [])) ?? []);
    });
  }

  async destroy(podId: string, { signal }: CallOptions): Promise<void> {
    const name = podName(this.#options.instance, podId);
    await answered(async () => {
      const service = await this.#service(podId, signal);
      if (service !== undefined) {
        const remove = { method: 'DELETE', path: `/services/${service.ID}` } as const;
        await this.#api.send(this.#changing(signal), remove).catch(unlessGone);
      }
      await this.#api.send(this.#changing(signal), { method: 'DELETE', path: `/configs/${name}` }).catch(unlessGone);
    });
  }

  events({ signal }: CallOptions): AsyncIterable<EngineEvent> {
    const { instance } = this.#options;
    return reconnecting((until) => serviceEvents(this.#api, instance, this.#reading(until)), { signal });
  }

  async dropIdleTemplates({ signal }: CallOptions): Promise<number> {
    return answered(() => this.#templates.dropIdle(this.#changing(signal)));
  }

  async #requireRunning(spec: PodSpec, machine: SwarmMachine, signal: AbortSignal): Promise<void> {
    const question = this.#reading(signal);
    const timeoutMs = this.#options.timeouts?.startMs ?? defaults.startMs;
    const task = await awaitRunning(this.#api, {
      name: podName(this.#options.instance, spec.podId),
      question,
      timeoutMs,
    });
    if (spec.gpuCount === 0) return;
    const node = new DockerApi(dockerClient(machine.endpoint!));
    const hasKit = this.#options.kitFolder !== undefined;
    const present = await countGpus(node, task.Status.ContainerStatus?.ContainerID ?? '', hasKit, question);
    if (present === spec.gpuCount) return;
    throw refused('devices_missing', `the pod must have ${spec.gpuCount} GPUs, ${present} appeared in it`);
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

  async #service(podId: string, signal: AbortSignal): Promise<Service | undefined> {
    const path = `/services/${podName(this.#options.instance, podId)}`;
    return this.#api.send<Service>(this.#reading(signal), { method: 'GET', path }).catch(unlessGone);
  }

  #tasks(filters: Readonly<Record<string, readonly string[]>>, signal: AbortSignal): Promise<Task[]> {
    const query = { filters: JSON.stringify(filters) };
    return this.#api.send(this.#reading(signal), { method: 'GET', path: '/tasks', query });
  }

  #toPod(service: Service, task: Task | undefined): EnginePod | undefined {
    return toEnginePod(service, task, this.#options.instance, this.#publicHosts);
  }

  #reading(signal: AbortSignal): Question {
    return { signal, timeoutMs: this.#options.timeouts?.readMs ?? defaults.readMs, changes: false };
  }

  #changing(signal: AbortSignal): Question {
    return { signal, timeoutMs: this.#options.timeouts?.changeMs ?? defaults.changeMs, changes: true };
  }
}

/** A manager without a majority answers, but knows nothing: that is no refusal. */
async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (/does not have a leader|deadline exceeded|not a swarm manager/.test(error.words)) {
      throw new EngineError('ERR_OUTCOME_UNKNOWN', 'the Swarm has no leader that could answer', { cause: error });
    }
    throw engineRefusal(error);
  }
}

function onlyStandard(): EngineError {
  return refused('not_confidential', 'these machines run containers only, no confidential machines');
}
