/**
 * What a new machine is told at its first boot: who may log in, and its name. Pure. Networks are left
 * to cloud-init, which asks DHCP on the first interface, whatever the image calls it.
 */
import { hostnameOf } from '../check-spec.ts';
import type { PodSpec } from '../engine.ts';
import { buildSeedIso } from './seed-iso.ts';

/** @returns the seed disk of a pod; holds public keys and a password's hash, never a password */
export function buildSeed(spec: PodSpec): Buffer {
  return buildSeedIso([
    {
      name: 'meta-data',
      content: `${JSON.stringify({ 'instance-id': spec.podId, 'local-hostname': hostnameOf(spec) })}\n`,
    },
    // YAML takes JSON as it is, so no value can end a string and begin a key.
    { name: 'user-data', content: `#cloud-config\n${JSON.stringify(userData(spec))}\n` },
  ]);
}

/** The form of cloud-init's own reference: users, and nothing that a tenant could not change later. */
export function userData(spec: PodSpec): Record<string, unknown> {
  const { sshKeys, sudoPasswordHash } = spec;
  return {
    hostname: hostnameOf(spec),
    ssh_pwauth: false,
    disable_root: true,
    // Host keys are made inside, so the host never has them.
    ssh_deletekeys: true,
    users: [
      {
        name: 'ubuntu',
        groups: ['sudo'],
        shell: '/bin/bash',
        // With a password, sudo asks for it; a key alone logs in.
        sudo: 'ALL=(ALL:ALL) ALL',
        lock_passwd: sudoPasswordHash === undefined,
        // Unlike `passwd`, this also holds where the image has the user already.
        ...(sudoPasswordHash === undefined ? {} : { hashed_passwd: sudoPasswordHash }),
        ssh_authorized_keys: sshKeys,
      },
    ],
  };
}
