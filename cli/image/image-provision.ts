/** `cloister image provision`: brings secrets to a guest that has proven itself, sealed to a key that was born in it. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { parseCollateral } from '@cloister/attestation/collateral/collateral';
import { intelRootCa } from '@cloister/attestation/collateral/intel-root';
import { parseEvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { type Secrets, secretNames } from '@cloister/attestation/provision/provision';
import { parsePemChain } from '@cloister/attestation/x509/pem';
import { operatorKeyHex, provision } from '@cloister/image/provision-client';
import { ServerError } from '@cloister/server/http/errors';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { readGivenFile, readImageArguments } from './image-arguments.ts';

const help = `Usage: cloister image provision <https://host[:port]> --policy <file> --key <pem> --secrets <file> [options]

Asks the guest for a quote over a key that was born in it, verifies it by the policy, and brings the secrets sealed to that key
and signed by yours. The guest waits for them where its configuration disk was made with --operator-key.

  --policy <file>      of cloister measure --policy
  --key <pem>          your Ed25519 private key: openssl genpkey -algorithm ed25519 -out operator.pem
  --secrets <file>     JSON with databaseUrl, or tlsCert and tlsKey (PEM texts), as the configuration disk names them
  --collateral <file>  Intel's collateral [fetched from Intel]
  --root <pem>         the root that the quote must lead to instead of Intel's: for a simulation
`;

const timeoutMs = 120_000;

export async function run(args: string[], io: CommandIo): Promise<number> {
  const names = ['policy', 'key', 'secrets', 'collateral', 'root'];
  const { values, positionals } = readImageArguments(args, 'provision', names);
  if (values.help === true) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const [origin, ...more] = positionals;
  const { policy, key, secrets, collateral, root } = values;
  if (origin === undefined || more.length > 0 || policy === undefined || key === undefined || secrets === undefined) {
    throw usageError('name the guest, --policy, --key and --secrets', 'image provision');
  }
  const read = (name: 'policy' | 'key' | 'secrets' | 'root' | 'collateral') =>
    readGivenFile(values[name]!, { cwd: io.cwd, option: `--${name}`, command: 'image provision' }).toString('utf8');
  await provision({
    origin,
    secrets: parseSecrets(read('secrets')),
    operatorKey: parseOperatorKey(read('key')),
    trust: {
      policy: parseEvidencePolicy(read('policy')),
      roots: root === undefined ? [intelRootCa] : parsePemChain(read('root'), '--root'),
      collateral: collateral === undefined ? undefined : parseCollateral(read('collateral')),
      nowMs: Date.now(),
    },
    signal: AbortSignal.timeout(timeoutMs),
  });
  io.stdout.write('the guest has proven itself and taken the secrets\n');
  return exitCodes.ok;
}

/** The message names members only: what they hold is secret. */
function parseSecrets(text: string): Secrets {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ServerError('ERR_CONFIG', 'the secrets are not JSON');
  }
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  const isSecrets = members.every(
    ([name, value]) => secretNames.some((one) => one === name) && typeof value === 'string',
  );
  if (members.length > 0 && isSecrets) return json as Secrets;
  throw new ServerError('ERR_CONFIG', `the secrets must be an object of texts: ${secretNames.join(', ')}`);
}

function parseOperatorKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    operatorKeyHex(key);
    return key;
  } catch {
    throw new ServerError('ERR_CONFIG', '--key must be an Ed25519 private key, in PEM');
  }
}
