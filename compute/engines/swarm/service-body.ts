/** The request body of a pod's Swarm service: one task, never restarted, on the rented machine. Pure. */
import { hostnameOf, publishedPorts } from '../check-spec.ts';
import { capabilities } from '../docker/container-body.ts';
import type { PodSpec } from '../engine.ts';
import { podLabels, podName } from '../pod-name.ts';

/** The start settings of a pod, stored in its private template. */
export interface StartSettings {
  /** With a digest if it comes from a registry, so that every node fetches the same image. */
  readonly image: string;
  readonly command: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export interface ServiceOptions {
  readonly instance: string;
  readonly processesMax: number;
  /** Kind of generic resource by which nodes report their GPUs (`node-generic-resources`). */
  readonly gpuResource: string;
  /** Folder of the unpacked SSH kit on every node; if undefined, images must serve SSH themselves. */
  readonly kitFolder: string | undefined;
}

/** A reference to a Swarm config; the API requires both id and name. */
export interface ConfigReference {
  readonly id: string;
  readonly name: string;
}

const startProgram = '/.cloister/start';
const stopGraceNs = 1_000_000;

/** The body of `POST /services/create`. @param keys config with the authorised keys */
export function serviceBody(
  spec: PodSpec,
  start: StartSettings,
  keys: ConfigReference,
  { instance, processesMax, gpuResource, kitFolder }: ServiceOptions,
): object {
  const labels = podLabels(instance, spec.podId);
  const { cpus, memoryBytes } = spec.limits;
  const words = start.command ?? [];
  const run =
    kitFolder === undefined
      ? words.length > 0
        ? { Args: words }
        : {}
      : // Only the node knows the image's command, so with the kit only the tenant's command runs.
        { Command: [startProgram], Args: words };
  return {
    Name: podName(instance, spec.podId),
    Labels: labels,
    TaskTemplate: {
      ContainerSpec: {
        Image: start.image,
        Labels: labels,
        ...run,
        Env: Object.entries(start.env).map(([name, value]) => `${name}=${value}`),
        Hostname: hostnameOf(spec),
        User: '0:0',
        Init: true,
        // Kills the tenant's programs without a grace period.
        StopGracePeriod: stopGraceNs,
        CapabilityDrop: ['ALL'],
        CapabilityAdd: capabilities.map((name) => `CAP_${name}`),
        // Requires Docker 27; older nodes need "no-new-privileges" in their daemon.json.
        Privileges: { NoNewPrivileges: true },
        Configs: [
          {
            ConfigID: keys.id,
            ConfigName: keys.name,
            File: { Name: '/root/.ssh/authorized_keys', UID: '0', GID: '0', Mode: 0o400 },
          },
        ],
        ...(kitFolder === undefined ? {} : { Mounts: kitMounts(kitFolder) }),
      },
      Resources: {
        Limits: { NanoCPUs: Math.round(cpus * 1e9), MemoryBytes: memoryBytes, Pids: processesMax },
        ...(spec.gpuCount === 0
          ? {}
          : {
              Reservations: {
                GenericResources: [{ DiscreteResourceSpec: { Kind: gpuResource, Value: spec.gpuCount } }],
              },
            }),
      },
      RestartPolicy: { Condition: 'none' },
      Placement: { Constraints: [`node.hostname==${spec.machine}`] },
      LogDriver: { Name: 'none' },
    },
    Mode: { Replicated: { Replicas: 1 } },
    EndpointSpec: {
      Mode: 'dnsrr',
      // Publishes on a free port of the node itself; the ingress mesh would publish on every node.
      Ports: publishedPorts(spec).map(({ port, protocol }) => ({
        Protocol: protocol,
        TargetPort: port,
        PublishMode: 'host',
      })),
    },
  };
}

/** Mounts the kit read-only, the only host folder in a container, and a tmpfs for the container's own host keys. */
function kitMounts(kitFolder: string): object[] {
  return [
    { Type: 'bind', Source: kitFolder, Target: '/.cloister', ReadOnly: true },
    { Type: 'tmpfs', Target: '/.cloister/host-keys', TmpfsOptions: { SizeBytes: 65_536, Mode: 0o700 } },
  ];
}
