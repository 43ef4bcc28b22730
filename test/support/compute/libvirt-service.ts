/** The file of a compute service that rents out a test libvirt host, and a virsh that pauses where a test needs it. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Libvirt } from './libvirt.ts';
import { testService } from './podman-service.ts';

/** The body that rents the one machine. */
export const libvirtVm = { provider: 'confidential', name: 'my-vm', resource_name: 'vm-small' };

/** @param program path of virsh · `instance` at most 12 letters and digits */
export function libvirtService(
  { host }: Pick<Libvirt, 'host'>,
  { instance, program }: { instance: string; program: string },
) {
  const { profile, network } = host;
  if (profile.kind !== 'plain-vm-for-tests' || profile.kernel === undefined || network.kind !== 'routed') {
    throw new TypeError('the test host runs plain machines from a kernel, on a network of its own');
  }
  const { path, initrd, commandLine } = profile.kernel;
  return {
    service: { ...testService, instance },
    engines: [
      {
        name: 'host',
        type: 'libvirt',
        program,
        uri: host.uri,
        profile: {
          kind: profile.kind,
          domain_type: profile.domainType,
          kernel: { path, initrd, command_line: commandLine },
        },
        pool: host.pool,
        images: host.images,
        network,
        change_timeout_s: 30,
      },
    ],
    tiers: [
      {
        resource_name: 'vm-small',
        gpu_type: 'none',
        gpu_count: 0,
        vcpu: 1,
        memory_gb: 0.27,
        disk_gb: 0.07,
        image: 'ubuntu-24.04',
        base_price: '0.60',
      },
    ],
    machines: [{ id: 'vm-1', provider: 'confidential', engine: 'host', resource_name: 'vm-small' }],
  };
}

export interface StoppingVirsh {
  readonly program: string;
  /** The next call of this command pauses, before or after its effect, until its caller is dead. */
  stopAt(when: 'before' | 'after', command: string): void;
  /** @returns once a call has stopped there */
  stopped(): Promise<void>;
  /** Ends the paused call without further effect. */
  end(): void;
}

const script = `#!/bin/sh
here=$(dirname "$0")
[ -e "$here/stop" ] && read -r when command < "$here/stop"
case " $* " in *" \${command:-nothing} "*) ;; *) exec /usr/bin/virsh "$@";; esac
rm "$here/stop"
[ "$when" = after ] && { /usr/bin/virsh "$@" || exit; }
echo $$ > "$here/stopped.new" && mv "$here/stopped.new" "$here/stopped"
exec sleep 600
`;

/** @param folder that contains it */
export function writeStoppingVirsh(folder: string): StoppingVirsh {
  const program = join(folder, 'stopping-virsh');
  const stopped = join(folder, 'stopped');
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  return {
    program,
    stopAt: (when, command) => writeFileSync(join(folder, 'stop'), `${when} ${command}\n`),
    async stopped() {
      while (!existsSync(stopped)) await pause(20);
    },
    end() {
      process.kill(Number(readFileSync(stopped, 'utf8')), 'SIGKILL');
      rmSync(stopped);
    },
  };
}
