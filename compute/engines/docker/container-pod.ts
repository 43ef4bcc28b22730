/** Maps the engine's description of a container to a pod. Pure. */
import type { EnginePod, PublishedPort } from '../engine.ts';
import { instanceLabel, podLabel } from '../pod-name.ts';

/** The parts of `GET /containers/{id}/json` that are read. */
export interface ContainerDetails {
  readonly Id: string;
  readonly Name: string;
  readonly Created: string;
  readonly State: {
    readonly Status: string;
    readonly Running: boolean;
    readonly StartedAt?: string;
    readonly FinishedAt?: string;
  };
  readonly Config: { readonly Labels?: Readonly<Record<string, string>> | null };
  readonly NetworkSettings: {
    readonly Ports?: Readonly<Record<string, readonly { readonly HostPort: string }[] | null>> | null;
  };
}

export interface PodContext {
  readonly machine: string;
  /** Address under which tenants reach the machine. */
  readonly publicHost: string;
  readonly gpuCount: number;
  /** Whether the container is older than any create takes, so that one not started by now is abandoned. */
  readonly isOld: boolean;
}

/** Whether a container was created but never started, as an interrupted create leaves it. */
export function isNotStarted({ State }: ContainerDetails): boolean {
  return State.Status === 'created' || State.Status === 'configured' || State.Status === 'initialized';
}

/** @returns undefined if the container is not a pod of this instance */
export function toEnginePod(
  details: ContainerDetails,
  instance: string,
  { machine, publicHost, gpuCount, isOld }: PodContext,
): EnginePod | undefined {
  const labels = details.Config.Labels ?? {};
  const podId = labels[podLabel];
  if (podId === undefined || labels[instanceLabel] !== instance) return undefined;
  const published = publishedOn(details, publicHost);
  const ssh = published.find(({ port, protocol }) => port === 22 && protocol === 'tcp');
  const running = details.State.Running;
  const isBeingCreated = isNotStarted(details) && !isOld;
  return {
    podId,
    machine,
    kind: 'standard',
    protection: 'none',
    state: running && ssh !== undefined ? 'running' : running || isBeingCreated ? 'starting' : 'dead',
    ssh: running && ssh !== undefined ? { host: publicHost, port: ssh.hostPort, user: 'root' } : undefined,
    ports: running ? published.filter((port) => port !== ssh) : [],
    gpuCount: running ? gpuCount : 0,
    createdAt: parseDate(details.Created),
    endedAt: running || isNotStarted(details) ? undefined : parseDate(details.State.FinishedAt),
  };
}

function publishedOn(details: ContainerDetails, publicHost: string): PublishedPort[] {
  return Object.entries(details.NetworkSettings.Ports ?? {}).flatMap(([name, bindings]) => {
    const [port, protocol] = name.split('/');
    const hostPort = Number(bindings?.[0]?.HostPort);
    if (!Number.isInteger(hostPort) || hostPort < 1 || (protocol !== 'tcp' && protocol !== 'udp')) return [];
    return [{ port: Number(port), protocol, host: publicHost, hostPort } as const];
  });
}

/** Engines report the year 1 for "never". */
function parseDate(text: string | undefined): Date | undefined {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1971 ? undefined : date;
}
