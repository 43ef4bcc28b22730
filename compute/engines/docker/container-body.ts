/** A pod as the engine is asked for it. Pure; what every container of a tenant is denied is written here and nowhere else. */
import type Docker from 'dockerode';
import { hostnameOf, publishedPorts } from '../check-spec.ts';
import type { PodSpec } from '../engine.ts';
import { podLabels } from '../pod-name.ts';

/**
 * How GPUs are asked for: `nvidia`: Docker's device requests; `cdi`: the same with CDI names (Docker ≥ 28.2 or podman
 * ≥ 5.4); `libpod`: podman's own API, for versions that drop device requests without a word.
 */
export type GpuRequest = 'nvidia' | 'cdi' | 'libpod';

export interface ContainerOptions {
  readonly instance: string;
  readonly gpuRequest: GpuRequest;
  /** CDI name of all GPUs of the machine. */
  readonly gpuDevice: string;
  /** Processes and threads in one pod. */
  readonly processesMax: number;
  /** An OCI runtime other than the engine's own, such as `runsc`. */
  readonly runtime?: string;
  /** Whether the engine's storage keeps quotas, so that `limits.diskBytes` can be asked for. */
  readonly diskQuota: boolean;
}

/**
 * What root needs inside its own container to install packages, change users and serve SSH. Of Docker's usual set these
 * are missing: raw packets, device nodes, file capabilities and passing capabilities on.
 */
export const capabilities = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'NET_BIND_SERVICE',
  'SETGID',
  'SETUID',
  'SYS_CHROOT',
];
const cpuPeriodUs = 100_000;

/** The body of `POST /containers/create`. The seccomp profile is the engine's default, because none is named. */
export function containerBody(spec: PodSpec, options: ContainerOptions): Docker.ContainerCreateOptions {
  const ports = publishedPorts(spec).map(({ port, protocol }) => `${port}/${protocol}`);
  const { cpus, memoryBytes, diskBytes } = spec.limits;
  return {
    Image: spec.image.reference,
    Hostname: hostnameOf(spec),
    User: '0:0',
    Labels: podLabels(options.instance, spec.podId),
    ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])),
    HostConfig: {
      // An empty port lets the engine choose a free one.
      PortBindings: Object.fromEntries(ports.map((port) => [port, [{ HostPort: '' }]])),
      Privileged: false,
      Binds: [],
      CapDrop: ['ALL'],
      CapAdd: capabilities,
      SecurityOpt: ['no-new-privileges'],
      PidsLimit: options.processesMax,
      Memory: memoryBytes,
      // As much as memory alone: no swap, where a tenant's data would outlive the pod.
      MemorySwap: memoryBytes,
      NanoCpus: Math.round(cpus * 1e9),
      // Reaps the children that a tenant's program leaves behind.
      Init: true,
      // What a tenant's program prints is kept nowhere.
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      ...(options.runtime === undefined ? {} : { Runtime: options.runtime }),
      ...(diskBytes === undefined || !options.diskQuota ? {} : { StorageOpt: { size: String(diskBytes) } }),
      ...(spec.gpuCount === 0 ? {} : { DeviceRequests: [deviceRequest(options)] }),
    },
  };
}

/** The same pod for podman's own API, which hands out GPUs on versions whose Docker API does not. */
export function libpodBody(spec: PodSpec, options: ContainerOptions): Record<string, unknown> {
  const { cpus, memoryBytes } = spec.limits;
  return {
    name: undefined,
    image: spec.image.reference,
    hostname: hostnameOf(spec),
    user: '0:0',
    labels: podLabels(options.instance, spec.podId),
    portmappings: publishedPorts(spec).map(({ port, protocol }) => ({ container_port: port, protocol })),
    cap_drop: ['ALL'],
    cap_add: capabilities.map((name) => `CAP_${name}`),
    no_new_privileges: true,
    resource_limits: {
      memory: { limit: memoryBytes, swap: memoryBytes },
      cpu: { period: cpuPeriodUs, quota: Math.round(cpus * cpuPeriodUs) },
      pids: { limit: options.processesMax },
    },
    init: true,
    log_configuration: { driver: 'none' },
    restart_policy: 'no',
    ...(spec.gpuCount === 0 ? {} : { devices: [{ path: options.gpuDevice }] }),
  };
}

function deviceRequest({ gpuRequest, gpuDevice }: ContainerOptions): Docker.DeviceRequest {
  return gpuRequest === 'cdi'
    ? { Driver: 'cdi', DeviceIDs: [gpuDevice] }
    : // The machine is rented whole: all of its GPUs.
      { Driver: 'nvidia', Count: -1, Capabilities: [['gpu']] };
}
