/** `cloister image config-disk`: what the guest is told, on a disk whose SHA-256 is measured. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import type { SecretName } from '@cloister/attestation/provision/provision';
import { writeConfigDisk } from '@cloister/image/disks';
import { operatorKeyHex } from '@cloister/image/provision-client';
import { parseCatalogue } from '@cloister/models/catalogue/catalogue';
import { formatProvisionWish, parseProvisionWish } from '@cloister/server/guest/provision-wish';
import { ServerError } from '@cloister/server/http/errors';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { readConfig } from '@cloister/server/program/config';
import { readGivenFile, readImageArguments } from './image-arguments.ts';

const help = `Usage: cloister image config-disk <disk> --settings <file> [options]

Writes the disk that tells the guest its settings. Its SHA-256 stands on the measured command line, so a tenant sees that
they are these; a machine whose disk is another switches itself off. Nothing on it is secret: the host reads it.

  --settings <file>    JSON of cloister serve's settings, as --config takes it
  --catalogue <file>   the catalogue of models [the one of the image: the demo models]
  --network <file>     lines "address 10.0.2.15/24", "gateway 10.0.2.2", "nameserver 10.0.2.3" [these: QEMU's own]
  --operator-key <pem> Ed25519: before it serves, the guest waits for secrets that are signed by this key
  --secret <name>      databaseUrl, or tlsCert and tlsKey: what it waits for; repeat for more
`;

/** What the guest decides itself, and what no host may know. */
const refused = ['host', 'stateDir', 'catalogue', 'databaseUrl', 'tlsKey', 'tlsCert', 'tlsChain', 'simulateTdx'];

export async function run(args: string[], io: CommandIo): Promise<number> {
  const names = ['settings', 'catalogue', 'network', 'operator-key'];
  const { values, lists, positionals } = readImageArguments(args, 'config-disk', names, { repeated: ['secret'] });
  if (values.help === true) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const [disk] = positionals;
  if (disk === undefined || positionals.length > 1 || values.settings === undefined) {
    throw usageError('name one disk, and --settings', 'image config-disk');
  }
  const read = (name: string) => {
    const path = values[name];
    const given = { cwd: io.cwd, option: `--${name}`, command: 'image config-disk' };
    return path === undefined ? undefined : readGivenFile(path, given);
  };
  const settings = read('settings')!;
  requireGuestSettings(values.settings, io.cwd, settings.toString('utf8'));
  const catalogue = read('catalogue');
  if (catalogue !== undefined) parseCatalogue(catalogue.toString('utf8'), values.catalogue!);
  const provision = provisionOf(read('operator-key'), lists.secret!);
  const sha256 = writeConfigDisk(resolve(io.cwd, disk), {
    settings,
    catalogue,
    network: networkOf(read('network')),
    provision,
  });
  io.stdout.write(`cloister.config=${sha256}\n`);
  return exitCodes.ok;
}

/** The guest would refuse them at its start; here somebody is there to read why. */
function requireGuestSettings(path: string, cwd: string, text: string): void {
  readConfig({ args: ['--config', path], env: {}, cwd });
  const named = Object.keys(JSON.parse(text) as object).filter((name) => refused.includes(name));
  if (named.length === 0) return;
  throw new ServerError(
    'ERR_CONFIG',
    `${named.join(', ')}: not for this disk; the guest decides it, or it is a secret`,
  );
}

/** As image/init/network.cc reads it. */
function networkOf(text: Buffer | undefined): Buffer | undefined {
  const lines = text?.toString('utf8').split('\n') ?? [];
  for (const [index, line] of lines.entries()) {
    const [, name, address, prefix] = /^(address|gateway|nameserver) ([\d.]+)(?:\/(\d{1,2}))?$/.exec(line.trim()) ?? [];
    const isPrefixed = prefix !== undefined && Number(prefix) <= 32;
    const isWhole = isIPv4(address ?? '') && (name === 'address' ? isPrefixed : prefix === undefined);
    if (line.trim() !== '' && !isWhole) {
      throw new ServerError('ERR_CONFIG', `--network, line ${index + 1}: not an address/prefix, gateway or nameserver`);
    }
  }
  return text;
}

function provisionOf(pem: Buffer | undefined, names: readonly string[]): Uint8Array | undefined {
  if ((pem === undefined) !== (names.length === 0)) {
    throw new ServerError('ERR_USAGE', '--operator-key and --secret come together');
  }
  if (pem === undefined) return undefined;
  const wish = { operatorKey: Buffer.from(operatorKeyOf(pem), 'hex'), secrets: names as SecretName[] };
  const text = formatProvisionWish(wish);
  parseProvisionWish(text);
  return Buffer.from(text);
}

/** @param pem of the private or the public key · @returns hexadecimal digits */
function operatorKeyOf(pem: Buffer): string {
  try {
    return operatorKeyHex(pem.includes('PRIVATE') ? createPrivateKey(pem) : createPublicKey(pem));
  } catch {
    throw new ServerError('ERR_CONFIG', '--operator-key must be an Ed25519 key, in PEM');
  }
}
