/** `cloister image config-disk`: writes the guest's configuration to a disk whose SHA-256 is measured. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { parseEvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import type { SecretName } from '@cloister/attestation/provision/provision';
import { writeConfigDisk } from '@cloister/image/disks';
import { operatorKeyHex } from '@cloister/image/provision-client';
import { parseCatalogue } from '@cloister/models/catalogue/catalogue';
import { formatProvisionRequest, parseProvisionRequest } from '@cloister/server/guest/provision-request';
import { ServerError } from '@cloister/server/http/errors';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { readConfig } from '@cloister/server/program/config';
import { readGivenFile, readImageArguments } from './image-arguments.ts';

const help = `Usage: cloister image config-disk <disk> --settings <file> [options]

Writes the disk with the guest's settings. The measured kernel command line contains the disk's SHA-256, so a tenant can
verify the settings, and a guest powers off if the attached disk differs. The host can read the disk: do not put secrets
on it.

  --settings <file>    JSON file of settings, as for cloister serve --config
  --catalogue <file>   catalogue of models [the image's catalogue with the demo models]
  --network <file>     network settings, one per line: "address dhcp", or "address 10.0.2.15/24" and "gateway 10.0.2.2";
                       "nameserver 10.0.2.3" replaces the nameservers of DHCP ["address dhcp"]
  --fleet-policy <file>
                       the fleet's policy, for settings with fleetAddress: which nodes this one asks, joins and gives to
  --operator-key <pem> Ed25519 key; the guest waits for secrets signed with this key before it serves
  --secret <name>      a secret to wait for: databaseUrl, or tlsCert and tlsKey; repeatable
`;

/** Settings that the image fixes, and secrets, which the host must not read. */
const refused = [
  'host',
  'stateDir',
  'catalogue',
  'databaseUrl',
  'tlsKey',
  'tlsCert',
  'tlsChain',
  'simulateTdx',
  'fleetPolicy',
  'fleetTlsCert',
  'fleetTlsKey',
  'adminCa',
  'adminCert',
  'adminKey',
  'adminTokenFile',
];

export async function run(args: string[], io: CommandIo): Promise<number> {
  const names = ['settings', 'catalogue', 'network', 'operator-key', 'fleet-policy'];
  const { values, lists, positionals } = readImageArguments(args, 'config-disk', names, { repeated: ['secret'] });
  if (values.help === true) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const [disk] = positionals;
  if (disk === undefined || positionals.length > 1 || values.settings === undefined) {
    throw usageError('config-disk takes one disk and --settings', 'image config-disk');
  }
  const read = (name: string) => {
    const path = values[name];
    const given = { cwd: io.cwd, option: `--${name}`, command: 'image config-disk' };
    return path === undefined ? undefined : readGivenFile(path, given);
  };
  const settings = read('settings')!;
  const fleetPolicy = read('fleet-policy');
  if (fleetPolicy !== undefined) parseEvidencePolicy(fleetPolicy.toString('utf8'));
  requireGuestSettings(values, io.cwd, settings.toString('utf8'));
  const catalogue = read('catalogue');
  if (catalogue !== undefined) parseCatalogue(catalogue.toString('utf8'), values.catalogue!);
  const provision = provisionOf(read('operator-key'), lists.secret!);
  const sha256 = writeConfigDisk(resolve(io.cwd, disk), {
    settings,
    catalogue,
    network: networkOf(read('network')),
    provision,
    fleetPolicy,
  });
  io.stdout.write(`cloister.config=${sha256}\n`);
  return exitCodes.ok;
}

/** The guest would reject the same settings at its start; the operator can act on the error here. */
function requireGuestSettings(
  values: Readonly<Record<string, string | boolean | undefined>>,
  cwd: string,
  text: string,
): void {
  const policy = values['fleet-policy'];
  readConfig({
    args: ['--config', String(values.settings), ...(policy === undefined ? [] : ['--fleet-policy', String(policy)])],
    ...{ env: {}, cwd },
  });
  const named = Object.keys(JSON.parse(text) as object).filter((name) => refused.includes(name));
  if (named.length === 0) return;
  throw new ServerError(
    'ERR_CONFIG',
    `${named.join(', ')}: not allowed on the configuration disk; the image sets it, or it is a secret`,
  );
}

/** Validates the same format that image/init/network.cc parses. */
function networkOf(text: Buffer | undefined): Buffer | undefined {
  const lines = text?.toString('utf8').split('\n') ?? [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== '' && !isNetworkLine(line.trim())) {
      throw new ServerError(
        'ERR_CONFIG',
        `--network, line ${index + 1}: expected "address dhcp", "address <IPv4>/<prefix>", "gateway <IPv4>" or "nameserver <IPv4>"`,
      );
    }
  }
  const names = lines.map((line) => line.trim().split(' ')[0]);
  const isFixed = lines.some((line) => /^address \d/.test(line.trim()));
  if (names.includes('gateway') && !isFixed) {
    throw new ServerError(
      'ERR_CONFIG',
      '--network has a gateway but no fixed address. Action: remove it, DHCP sets it',
    );
  }
  return text;
}

function isNetworkLine(line: string): boolean {
  if (line === 'address dhcp') return true;
  const [, name, address, prefix] = /^(address|gateway|nameserver) ([\d.]+)(?:\/(\d{1,2}))?$/.exec(line) ?? [];
  const isPrefixed = prefix !== undefined && Number(prefix) <= 32;
  return isIPv4(address ?? '') && (name === 'address' ? isPrefixed : prefix === undefined);
}

function provisionOf(pem: Buffer | undefined, names: readonly string[]): Uint8Array | undefined {
  if ((pem === undefined) !== (names.length === 0)) {
    throw new ServerError('ERR_USAGE', '--operator-key and --secret must be given together');
  }
  if (pem === undefined) return undefined;
  const request = { operatorKey: Buffer.from(operatorKeyOf(pem), 'hex'), secrets: names as SecretName[] };
  const text = formatProvisionRequest(request);
  parseProvisionRequest(text);
  return Buffer.from(text);
}

/** @param pem the private or the public key · @returns the public key in hexadecimal */
function operatorKeyOf(pem: Buffer): string {
  try {
    return operatorKeyHex(pem.includes('PRIVATE') ? createPrivateKey(pem) : createPublicKey(pem));
  } catch {
    throw new ServerError('ERR_CONFIG', '--operator-key must be an Ed25519 key in PEM');
  }
}
