/** GPUs of a container: how to request them from an engine, and how many are present. */
import type { EngineCall } from '../engine-call.ts';
import type { GpuRequest } from './container-body.ts';
import type { DockerApi } from './docker-api.ts';

/** The parts of `GET /version` that are read. */
export interface EngineVersion {
  readonly Version: string;
  readonly Components?: readonly { readonly Name: string; readonly Version: string }[];
}

/** CDI name of all GPUs of the machine in NVIDIA's specification. */
export const gpuDeviceDefault = 'nvidia.com/gpu=all';

/**
 * Podman before 5.4 silently ignores device requests of the Docker API; its own API already supports CDI.
 * @see https://github.com/containers/podman/issues/22645
 */
export function chooseGpuRequest({ Components = [] }: EngineVersion): GpuRequest {
  const podman = Components.find(({ Name }) => Name === 'Podman Engine');
  if (podman === undefined) return 'nvidia';
  const [major = 0, minor = 0] = podman.Version.split('.').map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 4) ? 'cdi' : 'libpod';
}

/** @returns the number of GPU device nodes inside the container; 0 if they cannot be listed */
export async function countGpus(
  api: DockerApi,
  containerId: string,
  hasKit: boolean,
  call: EngineCall,
): Promise<number> {
  const list = hasKit ? ['/.cloister/bin/busybox', 'ls', '-1', '/dev'] : ['ls', '-1', '/dev'];
  const output = await api.run(call, containerId, list);
  return (output ?? '').split('\n').filter((name) => /^nvidia\d+$/.test(name.trim())).length;
}
