/** A pod as a Swarm is asked for it: a service of one task that is never restarted, on the machine that was rented. Pure. */
import { hostnameOf, publishedPorts } from '../check-spec.ts';
import { capabilities } from '../docker/container-body.ts';
import type { PodSpec } from '../engine.ts';
import { podLabels, podName } from '../pod-name.ts';

/** The start of a pod, as its private template keeps it. */
export interface StartSettings {
  /** With a digest where it came from a registry, so that every node fetches the same. */
  readonly image: string;
  readonly command: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export interface ServiceOptions {
  readonly instance: string;
  readonly processesMax: number;
  /** The kind under which nodes tell Swarm of their GPUs (`node-generic-resources`). */
  readonly gpuResource: string;
  /** Folder of the unpacked SSH kit on every node; left out, images must serve SSH themselves. */
  readonly kitFolder: string | undefined;
}

/** A Swarm config, by the id and the name that both must be told. */
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
      : // Which command the image has is known on the node alone, so with the kit only the tenant's own is run.
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
        // A hard stop: the tenant's programs are not asked.
        StopGracePeriod: stopGraceNs,
        CapabilityDrop: ['ALL'],
        CapabilityAdd: capabilities.map((name) => `CAP_${name}`),
        // Known from Docker 27 on; older nodes need "no-new-privileges" in their daemon.json.
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
      // On the node itself, at a free port of its choice; the mesh would answer on every node.
      Ports: publishedPorts(spec).map(({ port, protocol }) => ({
        Protocol: protocol,
        TargetPort: port,
        PublishMode: 'host',
      })),
    },
  };
}

/** The one host folder that a container sees: programs of ours, that it cannot change; its host keys are its own. */
function kitMounts(kitFolder: string): object[] {
  return [
    { Type: 'bind', Source: kitFolder, Target: '/.cloister', ReadOnly: true },
    { Type: 'tmpfs', Target: '/.cloister/host-keys', TmpfsOptions: { SizeBytes: 65_536, Mode: 0o700 } },
  ];
}
