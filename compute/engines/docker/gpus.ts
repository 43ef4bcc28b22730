/** GPUs of a container: how they are asked for on this engine, and whether they are really there. */
import type { Question } from '../question.ts';
import type { GpuRequest } from './container-body.ts';
import type { DockerApi } from './docker-api.ts';

/** What `GET /version` answers, as far as it is read. */
export interface EngineVersion {
  readonly Version: string;
  readonly Components?: readonly { readonly Name: string; readonly Version: string }[];
}

/** All GPUs of the machine, as NVIDIA's own CDI specification names them. */
export const gpuDeviceDefault = 'nvidia.com/gpu=all';

/**
 * Podman before 5.4 drops device requests of the Docker API without a word; its own API has had CDI for longer.
 * @see https://github.com/containers/podman/issues/22645
 */
export function chooseGpuRequest({ Components = [] }: EngineVersion): GpuRequest {
  const podman = Components.find(({ Name }) => Name === 'Podman Engine');
  if (podman === undefined) return 'nvidia';
  const [major = 0, minor = 0] = podman.Version.split('.').map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 4) ? 'cdi' : 'libpod';
}

/** @returns how many GPUs the container sees: its device nodes, counted inside; 0 where that cannot be found out */
export async function countGpus(
  api: DockerApi,
  containerId: string,
  hasKit: boolean,
  question: Question,
): Promise<number> {
  const list = hasKit ? ['/.cloister/bin/busybox', 'ls', '-1', '/dev'] : ['ls', '-1', '/dev'];
  const output = await api.run(question, containerId, list);
  return (output ?? '').split('\n').filter((name) => /^nvidia\d+$/.test(name.trim())).length;
}
