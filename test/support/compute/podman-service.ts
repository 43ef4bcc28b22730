/** The configuration file of a compute service that rents out this machine through a test podman. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DockerPods } from './docker-pods.ts';

/** The one machine, 60 cents an hour. */
export const podmanMachine = {
  id: 'm-1',
  provider: 'standard',
  engine: 'podman',
  name: 'This machine',
  gpu_type: 'none',
  gpu_count: 0,
  price_per_hour: '0.60',
  cpu_cores: 1,
  ram_gb: 0.25,
  disk_gb: 1,
};

/** The request fields that rent the machine. */
export const podmanPod = { provider: 'standard', name: 'pod', machine_id: 'm-1' };

/** Limits that no test reaches, and short leases, so that a new process soon takes over the work of a dead one. */
export const testService = {
  limits: { requests_per_10_s: 10_000, requests_per_hour: 1_000_000, creations_per_minute: 10_000 },
  lease_s: 3,
};

/** @param socketPath where the service looks for Podman, if not at its actual socket · `instance` at most 12 letters and digits */
export function podmanService(
  pods: DockerPods,
  folder: string,
  { instance, socketPath = pods.podman.socketPath }: { instance: string; socketPath?: string },
) {
  const kit = join(folder, 'kit.tar');
  writeFileSync(kit, pods.kit.archive);
  return {
    service: { ...testService, instance },
    engines: [
      {
        name: 'podman',
        type: 'docker',
        endpoint: { transport: 'unix', socket_path: socketPath },
        public_host: '127.0.0.1',
        ssh_kit: kit,
        registries: [pods.registry.host],
        change_timeout_s: 10,
      },
    ],
    machines: [podmanMachine],
    templates: {
      standard: [
        { id: 'busybox', name: 'Busybox', default: true, image: pods.baseImage },
        { id: 'jupyter', name: 'Jupyter', image: 'localhost/jupyter:1' },
      ],
    },
  };
}

/** @returns names of all containers, including stopped ones */
export function containersOf({ podman }: Pick<DockerPods, 'podman'>): string[] {
  return podman.run(['ps', '--all', '--format', '{{.Names}}']).split('\n').filter(Boolean);
}
