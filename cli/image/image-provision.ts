/** `cloister image provision`: verifies a guest, then sends it secrets encrypted to a key that the guest generated. */
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

Requests a quote over a key that the guest generated, verifies the quote against the policy, and sends the secrets
encrypted to that key and signed with the operator's key. The guest waits for secrets if its configuration disk was made
with --operator-key.

  --policy <file>      policy written by cloister measure --policy
  --key <pem>          the operator's Ed25519 private key: openssl genpkey -algorithm ed25519 -out operator.pem
  --secrets <file>     JSON with databaseUrl, or tlsCert and tlsKey (PEM text): the secrets that the configuration disk names
  --collateral <file>  Intel's collateral [fetched from Intel]
  --root <pem>         root certificate to trust instead of Intel's, for simulated platforms
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
    throw usageError('provision takes the URL of one guest, --policy, --key and --secrets', 'image provision');
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
  io.stdout.write('the guest is verified and has accepted the secrets\n');
  return exitCodes.ok;
}

/** Error messages name the expected members only, since the values are secret. */
function parseSecrets(text: string): Secrets {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ServerError('ERR_CONFIG', '--secrets must be a JSON file');
  }
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  const isSecrets = members.every(
    ([name, value]) => secretNames.some((one) => one === name) && typeof value === 'string',
  );
  if (members.length > 0 && isSecrets) return json as Secrets;
  throw new ServerError(
    'ERR_CONFIG',
    `--secrets must be a JSON object of strings with the keys ${secretNames.join(', ')}`,
  );
}

function parseOperatorKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    operatorKeyHex(key);
    return key;
  } catch {
    throw new ServerError('ERR_CONFIG', '--key must be an Ed25519 private key in PEM');
  }
}
