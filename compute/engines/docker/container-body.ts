/** The request bodies that create containers. Pure. All restrictions on tenants' containers are in this file. */
import type Docker from 'dockerode';
import { hostnameOf, publishedPorts } from '../check-spec.ts';
import type { PodSpec } from '../engine.ts';
import { podLabels } from '../pod-name.ts';

/**
 * How GPUs are requested: `nvidia`: Docker's device requests; `cdi`: device requests with CDI names (Docker ≥ 28.2 or podman
 * ≥ 5.4); `libpod`: podman's own API, for versions that silently ignore device requests.
 */
export type GpuRequest = 'nvidia' | 'cdi' | 'libpod';

export interface ContainerOptions {
  readonly instance: string;
  readonly gpuRequest: GpuRequest;
  /** CDI name that stands for all GPUs of the machine. */
  readonly gpuDevice: string;
  /** Limit of processes and threads per pod. */
  readonly processesMax: number;
  /** An OCI runtime other than the engine's default, such as `runsc`. */
  readonly runtime?: string;
  /** Whether the engine's storage supports quotas, which enforce `limits.diskBytes`. */
  readonly diskQuota: boolean;
}

/**
 * The capabilities that root needs inside its container to install packages, change users and serve SSH. Omits from Docker's
 * default set NET_RAW, MKNOD, SETFCAP and SETPCAP.
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

/** The body of `POST /containers/create`. It names no seccomp profile, so the engine's default applies. */
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
      // Equal to `Memory`, which disables swap: tenants' data in swap would outlive the pod.
      MemorySwap: memoryBytes,
      NanoCpus: Math.round(cpus * 1e9),
      // Reaps zombie processes.
      Init: true,
      // The output of tenants' programs is not stored.
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      ...(options.runtime === undefined ? {} : { Runtime: options.runtime }),
      ...(diskBytes === undefined || !options.diskQuota ? {} : { StorageOpt: { size: String(diskBytes) } }),
      ...(spec.gpuCount === 0 ? {} : { DeviceRequests: [deviceRequest(options)] }),
    },
  };
}

/** The body for podman's own API, which attaches GPUs in versions whose Docker API does not. */
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
    : // A pod gets all GPUs, since the machine is rented as a whole.
      { Driver: 'nvidia', Count: -1, Capabilities: [['gpu']] };
}
