/** Maps a Swarm's description of a service and its task to a pod. Pure. */
import type { EnginePod, PublishedPort } from '../engine.ts';
import { instanceLabel, podLabel } from '../pod-name.ts';

/** The parts of `GET /tasks` that are read. */
export interface Task {
  readonly ServiceID: string;
  readonly NodeID?: string;
  readonly CreatedAt: string;
  readonly DesiredState: string;
  readonly Status: {
    readonly Timestamp: string;
    readonly State: string;
    readonly Err?: string;
    readonly ContainerStatus?: { readonly ContainerID?: string };
    readonly PortStatus?: { readonly Ports?: readonly TaskPort[] };
  };
}

interface TaskPort {
  readonly Protocol: string;
  readonly TargetPort: number;
  readonly PublishedPort: number;
}

/** The parts of `GET /services` that are read. */
export interface Service {
  readonly ID: string;
  readonly CreatedAt: string;
  readonly Spec: {
    readonly Name: string;
    readonly Labels?: Readonly<Record<string, string>> | null;
    readonly TaskTemplate: {
      readonly Placement?: { readonly Constraints?: readonly string[] | null };
      readonly Resources?: {
        readonly Reservations?: {
          readonly GenericResources?: readonly { readonly DiscreteResourceSpec?: { readonly Value: number } }[];
        };
      };
    };
  };
}

const ended = new Set(['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned']);

/**
 * @returns whether the task will never run again, by its reported or its desired state: a lost node reports nothing and
 * ends its container when it is back
 */
export function hasEnded(task: Task): boolean {
  return hasReportedEnd(task) || ended.has(task.DesiredState);
}

/** @returns whether the node itself reported the end; otherwise Swarm abandoned the task because the node is lost */
export function hasReportedEnd({ Status }: Task): boolean {
  return ended.has(Status.State);
}

/** @param publicHosts address of each node, by its hostname · @returns undefined if the service is not a pod of this instance */
export function toEnginePod(
  service: Service,
  task: Task | undefined,
  instance: string,
  publicHosts: Readonly<Record<string, string>>,
): EnginePod | undefined {
  const labels = service.Spec.Labels ?? {};
  const podId = labels[podLabel];
  if (podId === undefined || labels[instanceLabel] !== instance) return undefined;
  const machine = machineOf(service) ?? '';
  const dead = task !== undefined && hasEnded(task);
  const running = task?.Status.State === 'running' && !dead;
  const published = running ? publishedOn(task, publicHosts[machine] ?? machine) : [];
  const ssh = published.find(({ port, protocol }) => port === 22 && protocol === 'tcp');
  const { Reservations } = service.Spec.TaskTemplate.Resources ?? {};
  return {
    podId,
    machine,
    kind: 'standard',
    protection: 'none',
    state: dead ? 'dead' : ssh === undefined ? 'starting' : 'running',
    ssh: ssh && { host: ssh.host, port: ssh.hostPort, user: 'root' },
    ports: published.filter((port) => port !== ssh),
    gpuCount: running ? (Reservations?.GenericResources?.[0]?.DiscreteResourceSpec?.Value ?? 0) : 0,
    createdAt: new Date(service.CreatedAt),
    endedAt: dead ? new Date(task.Status.Timestamp) : undefined,
  };
}

/** @returns the newest of a service's tasks */
export function newest(tasks: readonly Task[]): Task | undefined {
  return [...tasks].sort((a, b) => (a.CreatedAt < b.CreatedAt ? 1 : -1))[0];
}

/** @returns the hostname of the rented node */
export function machineOf({ Spec }: Service): string | undefined {
  const [constraint] = Spec.TaskTemplate.Placement?.Constraints ?? [];
  return /^node\.hostname==(.+)$/.exec(constraint ?? '')?.[1];
}

/** Removes duplicates: some versions report every port twice. */
function publishedOn(task: Task, host: string): PublishedPort[] {
  const all = (task.Status.PortStatus?.Ports ?? []).map(({ Protocol, TargetPort, PublishedPort }) => ({
    port: TargetPort,
    protocol: Protocol === 'udp' ? ('udp' as const) : ('tcp' as const),
    host,
    hostPort: PublishedPort,
  }));
  return [...new Map(all.map((port) => [`${port.port}/${port.protocol}`, port])).values()];
}
