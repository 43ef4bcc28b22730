/** Inspects a running container with programs of the SSH kit. The tenant is root there and can replace them. */
import type { EngineCall } from '../engine-call.ts';
import type { DockerApi } from './docker-api.ts';
import { fingerprintOf } from './endpoint.ts';

const keyFile = '/.cloister/host-keys/ed25519';
const keyForm = /^ssh-ed25519 ([A-Za-z0-9+/]{60,80}={0,2})(\s|$)/m;

/** @returns the fingerprint (`SHA256:…`) of the container's SSH host key; undefined if it cannot be read */
export async function readHostKey(api: DockerApi, containerId: string, call: EngineCall): Promise<string | undefined> {
  const output = await api.run(call, containerId, ['/.cloister/bin/dropbearkey', '-y', '-f', keyFile]);
  const [, key] = keyForm.exec(output ?? '') ?? [];
  return key === undefined ? undefined : fingerprintOf(Buffer.from(key, 'base64'));
}

/** @returns whether `jupyter` is on the image's PATH */
export async function hasJupyter(api: DockerApi, containerId: string, call: EngineCall): Promise<boolean> {
  const look = ['/.cloister/bin/busybox', 'sh', '-c', 'command -v jupyter'];
  return (await api.run(call, containerId, look)) !== undefined;
}
