/** Checksums of a release, and their signature by OpenSSH, which every system that has SSH can check. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name under which `allowed_signers` lists the key of releases. */
export const signer = 'releases@cloister';
/** Keeps the signature of a release from being one of something else, such as a commit. */
const namespace = 'cloister-release';

/** Adds files of the folder to its `SHA256SUMS`, or replaces their lines. */
export function addChecksums(folder: string, names: readonly string[]): void {
  const path = join(folder, 'SHA256SUMS');
  const others = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !names.includes(line.slice(line.indexOf('  ') + 2)));
  const added = names.map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${digest}  ${name}`;
  });
  writeFileSync(path, `${[...others, ...added].join('\n')}\n`);
}

/**
 * Writes `SHA256SUMS.sig` and `allowed_signers`, with the public key.
 * @param keyPath a private key of OpenSSH, or the public one of a key that an agent holds
 */
export function signChecksums(folder: string, keyPath: string): void {
  const sums = join(folder, 'SHA256SUMS');
  rmSync(`${sums}.sig`, { force: true });
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', keyPath, '-n', namespace, sums], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const publicPath = keyPath.endsWith('.pub') ? keyPath : `${keyPath}.pub`;
  const [type, key] = readFileSync(publicPath, 'utf8').trim().split(' ');
  writeFileSync(join(folder, 'allowed_signers'), `${signer} namespaces="${namespace}" ${type} ${key}\n`);
}

/** @param signersPath of the key that the caller trusts · @throws Error if the signature is not by it */
export function verifyChecksums(folder: string, signersPath: string): void {
  execFileSync(
    'ssh-keygen',
    ['-Y', 'verify', '-f', signersPath, '-I', signer, '-n', namespace, '-s', join(folder, 'SHA256SUMS.sig')],
    { input: readFileSync(join(folder, 'SHA256SUMS')), stdio: ['pipe', 'ignore', 'pipe'] },
  );
}
