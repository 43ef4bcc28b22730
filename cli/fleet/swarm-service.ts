/** A service of a Docker Swarm whose tasks are the nodes of a fleet: finds it, reads its tasks, and changes its specification. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '@cloister/compute/engines/answers';
import { type ApiRequest, DockerApi } from '@cloister/compute/engines/docker/docker-api';
import { type DockerEndpoint, dockerClient } from '@cloister/compute/engines/docker/endpoint';
import { ServerError } from '@cloister/server/http/errors';

/** The parts of a service's specification that are read or changed; the others are sent back as they came. */
export interface ServiceSpec {
  readonly Name: string;
  readonly Labels?: Readonly<Record<string, string>> | null;
  readonly TaskTemplate: TaskSpec;
  readonly Mode: { readonly Replicated?: { readonly Replicas: number } };
  readonly UpdateConfig?: UpdateConfig;
}

export interface TaskSpec {
  readonly ContainerSpec: {
    readonly Image: string;
    readonly Args?: readonly string[] | null;
    readonly Env?: readonly string[] | null;
    readonly StopGracePeriod?: number;
  };
  /** Another number replaces every task, even if nothing else changes. */
  readonly ForceUpdate?: number;
}

/** Times in nanoseconds. */
export interface UpdateConfig {
  readonly Parallelism: number;
  readonly Delay: number;
  readonly Monitor: number;
  readonly Order: 'start-first' | 'stop-first';
  readonly FailureAction: 'pause' | 'continue' | 'rollback';
}

export interface SwarmTask {
  readonly ID: string;
  readonly CreatedAt: string;
  readonly Slot?: number;
  readonly NodeID?: string;
  readonly Spec: TaskSpec;
  readonly DesiredState: string;
  readonly Status: { readonly State: string; readonly Err?: string; readonly Message?: string };
}

interface Service {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: ServiceSpec;
  readonly UpdateStatus?: { readonly State?: string; readonly Message?: string };
}

const requestTimeoutMs = 30_000;
const addressVariable = 'CLOISTER_FLEET_ADDRESS';
const socketDefault = '/var/run/docker.sock';

export class SwarmService {
  readonly name: string;
  readonly #id: string;
  readonly #docker: Docker;

  private constructor(docker: Docker, { ID, Spec }: Service) {
    this.#docker = docker;
    this.#id = ID;
    this.name = Spec.Name;
  }

  /**
   * @param name of a service, or of a stack in which one service has the fleet's nodes
   * @param env with `DOCKER_HOST` and `DOCKER_CERT_PATH`, as for Docker's own client
   * @throws {ServerError} ERR_START
   */
  static async find(name: string, env: Readonly<Record<string, string | undefined>>): Promise<SwarmService> {
    const docker = new Docker(env);
    const services = await docker.send<Service[]>({ method: 'GET', path: '/services' });
    const isOfStack = ({ Spec }: Service) =>
      Spec.Labels?.['com.docker.stack.namespace'] === name && fleetAddressOf(Spec.TaskTemplate) !== undefined;
    const service = services.find(({ Spec }) => Spec.Name === name) ?? services.find(isOfStack);
    if (service === undefined)
      throw new ServerError('ERR_START', `the Swarm has no service ${name}, and no stack of this name with a fleet`);
    if (service.Spec.Mode.Replicated === undefined)
      throw new ServerError('ERR_START', `the service ${service.Spec.Name} must be replicated`);
    return new SwarmService(docker, service);
  }

  async spec(): Promise<ServiceSpec> {
    return (await this.#read()).Spec;
  }

  /** The message of a rolling update that Swarm has paused because a task failed. */
  async pausedUpdate(): Promise<string | undefined> {
    const { UpdateStatus } = await this.#read();
    return UpdateStatus?.State === 'paused' ? UpdateStatus.Message : undefined;
  }

  /** Replaces the specification. @param change gets the current one · @throws {ServerError} ERR_START if Docker refuses it */
  async update(change: (current: ServiceSpec) => ServiceSpec): Promise<void> {
    const { Version, Spec } = await this.#read();
    await this.#docker.send({
      ...{ method: 'POST', path: `/services/${this.#id}/update`, query: { version: Version.Index } },
      body: change(Spec),
    });
  }

  /** All tasks that Swarm remembers, the newest first. */
  async tasks(): Promise<readonly SwarmTask[]> {
    const query = { filters: JSON.stringify({ service: [this.#id] }) };
    const tasks = await this.#docker.send<SwarmTask[]>({ method: 'GET', path: '/tasks', query });
    return tasks.toSorted((a, b) => (a.CreatedAt < b.CreatedAt ? 1 : -1));
  }

  /** As the task's node announces it. @throws {ServerError} ERR_START */
  addressOf(task: SwarmTask): string {
    const template = fleetAddressOf(task.Spec);
    if (template === undefined)
      throw new ServerError('ERR_START', `the service ${this.name} has no variable ${addressVariable}`);
    const values: Readonly<Record<string, string | undefined>> = {
      'Service.Name': this.name,
      'Service.ID': this.#id,
      'Task.ID': task.ID,
      'Task.Slot': task.Slot?.toString(),
      'Task.Name': `${this.name}.${task.Slot}.${task.ID}`,
      'Node.ID': task.NodeID,
    };
    return template.replace(/\{\{\s*\.([\w.]+)\s*\}\}/g, (placeholder, name: string) => {
      const value = values[name];
      if (value !== undefined) return value;
      const known = Object.keys(values).map((one) => `{{.${one}}}`);
      throw new ServerError('ERR_START', `${addressVariable} may contain ${known.join(', ')}, got ${placeholder}`);
    });
  }

  #read(): Promise<Service> {
    return this.#docker.send<Service>({ method: 'GET', path: `/services/${this.#id}` });
  }
}

/** Requests to Docker, whose refusals are for the operator. */
class Docker {
  readonly #api: DockerApi;
  readonly #host: string;

  constructor({ DOCKER_HOST, DOCKER_CERT_PATH }: Readonly<Record<string, string | undefined>>) {
    this.#host = DOCKER_HOST || `unix://${socketDefault}`;
    this.#api = new DockerApi(dockerClient(endpointOf(this.#host, DOCKER_CERT_PATH)));
  }

  async send<Answer>(request: ApiRequest): Promise<Answer> {
    // Not the signal of the command, since an interrupted roll still restores the old release.
    const { signal } = new AbortController();
    const call = { signal, timeoutMs: requestTimeoutMs, changes: request.method !== 'GET' };
    try {
      return await this.#api.send<Answer>(call, request);
    } catch (cause) {
      const message =
        cause instanceof Refusal ? `Docker refuses: ${cause.words}` : `Docker does not answer at ${this.#host}`;
      throw new ServerError('ERR_START', message, { cause });
    }
  }
}

function endpointOf(address: string, certificates: string | undefined): DockerEndpoint {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'unix:') return { transport: 'unix', socketPath: url.pathname };
  if (url?.protocol !== 'tcp:' || certificates === undefined) {
    const message = 'DOCKER_HOST must be unix://<path>, or tcp://<host>:<port> with DOCKER_CERT_PATH';
    throw new ServerError('ERR_START', `${message}, got ${address}`);
  }
  const pem = (name: string) => readFileSync(join(certificates, name), 'utf8');
  const keys = { ca: pem('ca.pem'), cert: pem('cert.pem'), key: pem('key.pem') };
  return { transport: 'tls', host: url.hostname, port: Number(url.port || 2376), ...keys };
}

function fleetAddressOf({ ContainerSpec }: TaskSpec): string | undefined {
  const assignment = ContainerSpec.Env?.find((one) => one.startsWith(`${addressVariable}=`));
  return assignment?.slice(addressVariable.length + 1);
}
