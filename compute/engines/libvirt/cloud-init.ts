/**
 * The cloud-init data of a new machine: its users and its hostname. Pure. Contains no network configuration, so cloud-init
 * uses DHCP on the first interface, which works with every interface name.
 */
import { hostnameOf } from '../check-spec.ts';
import type { PodSpec } from '../engine.ts';
import { buildSeedIso } from './seed-iso.ts';

/** @returns the seed disk of a pod; contains public keys and a password's hash, never a password */
export function buildSeed(spec: PodSpec): Buffer {
  return buildSeedIso([
    {
      name: 'meta-data',
      content: `${JSON.stringify({ 'instance-id': spec.podId, 'local-hostname': hostnameOf(spec) })}\n`,
    },
    // JSON is valid YAML and escapes every value, so no value can break out of its string.
    { name: 'user-data', content: `#cloud-config\n${JSON.stringify(userData(spec))}\n` },
  ]);
}

/** @returns the user data in the form of cloud-init's reference */
export function userData(spec: PodSpec): Record<string, unknown> {
  const { sshKeys, sudoPasswordHash } = spec;
  return {
    hostname: hostnameOf(spec),
    ssh_pwauth: false,
    disable_root: true,
    // Host keys are generated inside the machine, so the host never has them.
    ssh_deletekeys: true,
    users: [
      {
        name: 'ubuntu',
        groups: ['sudo'],
        shell: '/bin/bash',
        // Login requires a key; sudo requires the password.
        sudo: 'ALL=(ALL:ALL) ALL',
        lock_passwd: sudoPasswordHash === undefined,
        // Unlike `passwd`, this also applies if the image already has the user.
        ...(sudoPasswordHash === undefined ? {} : { hashed_passwd: sudoPasswordHash }),
        ssh_authorized_keys: sshKeys,
      },
    ],
  };
}
