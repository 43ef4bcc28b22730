/**
 * The last validation before tenants' values reach an engine. The routes validate earlier and with better messages; these checks
 * reject every value that an engine, a file in the pod or an XML document could misinterpret.
 */
import type { ContainerImage, PodKind, PodPort, PodSpec } from './engine.ts';
import { EngineError, refused } from './errors.ts';
import { requirePodId } from './pod-name.ts';

const hostnameForm = /^[a-z0-9][a-z0-9-]{0,39}$/;
const sshKeyForm =
  /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-(ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com) [A-Za-z0-9+/]{16,8192}={0,3}( [\x20-\x7e]{0,200})?$/;
/** crypt(3): SHA-256, SHA-512, bcrypt and yescrypt. */
const passwordHashForm = /^\$(5|6|2[aby]|y)\$[A-Za-z0-9./$=,]{8,200}$/;
const envNameForm = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const imageNameForm = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const referenceForm = /^[a-z0-9][a-z0-9./:@_-]{0,255}$/;

const sshKeysMax = 16;
const portsMax = 32;
const envMax = 40;
const envValueCharsMax = 32_768;
const argumentsMax = 64;
const argumentCharsMax = 8192;

/** Reserved prefix of environment variables, which tenants' variables must not have. */
export const ownEnvPrefix = 'CLOISTER_';
/** The first spare port inside a pod. */
export const sparePortsFrom = 20_001;

/** @throws {EngineError} ERR_ENGINE_REFUSED if the engine does not run this kind of pod */
export function requireKind<Requested extends { readonly kind: PodKind }, Kind extends PodKind>(
  requested: Requested,
  kind: Kind,
): asserts requested is Requested & { readonly kind: Kind } {
  if (requested.kind === kind) return;
  if (kind === 'confidential') throw refused('not_supported', 'this machine does not run containers');
  throw refused('not_confidential', 'this machine runs only containers, not confidential machines');
}

/** @throws {EngineError} ERR_SPEC_INVALID, which contains the name of the field but not its value */
export function requirePodSpec(spec: PodSpec): void {
  requirePodId(spec.podId);
  require(hostnameForm.test(spec.hostname), 'hostname must be 1 to 40 lower-case letters, digits and hyphens');
  require(referenceForm.test(spec.image.reference), 'image.reference must be a reference returned by prepare');
  require(spec.sshKeys.length >= 1 && spec.sshKeys.length <= sshKeysMax, `sshKeys must be 1 to ${sshKeysMax} keys`);
  require(spec.sshKeys.every((key) =>
    sshKeyForm.test(key),
  ), 'sshKeys must be one-line public keys in OpenSSH form, without options');
  requirePorts(spec);
  require(isCount(spec.gpuCount, 0, 64), 'gpuCount must be 0 to 64');
  require(spec.limits.cpus > 0 && spec.limits.cpus <= 4096, 'limits.cpus must be above 0');
  const { memoryBytes, diskBytes } = spec.limits;
  require(isCount(memoryBytes, 4 * 2 ** 20, 2 ** 50), 'limits.memoryBytes must be at least 4 MiB');
  require(diskBytes === undefined || isCount(diskBytes, 2 ** 20, 2 ** 52), 'limits.diskBytes must be at least 1 MiB');
  const hash = spec.sudoPasswordHash;
  require(hash === undefined || passwordHashForm.test(hash), 'sudoPasswordHash must be in crypt(3) form');
}

/** @throws {EngineError} ERR_ENGINE_REFUSED `settings_refused`, naming the field */
export function requireContainerSettings({ command, env }: ContainerImage): void {
  const refuse = (message: string): never => {
    throw refused('settings_refused', message);
  };
  if (command !== undefined) {
    if (command.length === 0 || command.length > argumentsMax)
      refuse(`start_command must have 1 to ${argumentsMax} words`);
    const long = command.some((word) => word.includes('\0') || word.length > argumentCharsMax);
    if (long || command[0] === '')
      refuse('start_command must not contain an empty program, a NUL or a word that is too long');
  }
  const entries = Object.entries(env ?? {});
  if (entries.length > envMax) refuse(`env must have at most ${envMax} entries`);
  for (const [name, value] of entries) {
    if (!envNameForm.test(name)) refuse('env must have names of letters, digits and underscores');
    if (name.startsWith(ownEnvPrefix)) refuse(`env must not have names that begin with ${ownEnvPrefix}`);
    if (value.includes('\0') || value.length > envValueCharsMax)
      refuse(`env must have values without NUL, of at most ${envValueCharsMax} characters`);
  }
}

/** @throws {EngineError} ERR_SPEC_INVALID */
export function requireImageName(name: string): string {
  require(imageNameForm.test(name), 'image must be the name of a configured machine image');
  return name;
}

/** @returns the hostname without trailing hyphens, which a pod name may have and a hostname may not */
export function hostnameOf({ hostname }: Pick<PodSpec, 'hostname'>): string {
  return hostname.replace(/-+$/, '');
}

/** @returns all published ports of a container: SSH, the requested ports, and spare ports that differ from them */
export function publishedPorts({ ports, sparePorts = 0 }: Pick<PodSpec, 'ports' | 'sparePorts'>): PodSpec['ports'] {
  const taken = new Set(ports.filter(({ protocol }) => protocol === 'tcp').map(({ port }) => port));
  const spare: PodPort[] = [];
  for (let port = sparePortsFrom; spare.length < sparePorts; port++) {
    if (!taken.has(port)) spare.push({ port, protocol: 'tcp' });
  }
  return [{ port: 22, protocol: 'tcp' }, ...ports, ...spare];
}

function requirePorts(spec: PodSpec): void {
  const { ports, sparePorts = 0 } = spec;
  require(isCount(sparePorts, 0, portsMax), `sparePorts must be 0 to ${portsMax}`);
  require(ports.length <= portsMax, `ports must be at most ${portsMax}`);
  for (const { port, protocol } of ports) {
    require(isCount(port, 1, 65_535) &&
      (protocol === 'tcp' || protocol === 'udp'), 'ports must be 1 to 65535, tcp or udp');
  }
  const all = publishedPorts(spec).map(({ port, protocol }) => `${port}/${protocol}`);
  require(new Set(all).size === all.length, 'ports must be unique and must not contain 22');
}

function isCount(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

function require(holds: boolean, message: string): asserts holds {
  if (!holds) throw new EngineError('ERR_SPEC_INVALID', message);
}
