/** The signature of a release, made and checked by OpenSSH. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addChecksums, signChecksums, verifyChecksums } from '../../.ci/pack/signature.ts';

function release() {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-signature-'));
  const key = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
  writeFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  cloister-1.2.3.tgz\n`);
  writeFileSync(join(folder, 'cloister-verifier-1.2.3.html'), '<!doctype html>');
  addChecksums(folder, ['cloister-verifier-1.2.3.html']);
  signChecksums(folder, key);
  return { folder, key, signers: join(folder, 'allowed_signers') };
}

describe('the signature of a release', () => {
  it('covers the verifier and the packages, and is accepted by the commands of the documentation', () => {
    const { folder, signers } = release();
    expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8').split('\n')).toHaveLength(3);
    expect(() => verifyChecksums(folder, signers)).not.toThrow();
    const guide = readFileSync(join(import.meta.dirname, '../../docs/how-to/verify-a-server.md'), 'utf8');
    const commands = /```sh\n(ssh-keygen -Y verify[\s\S]*?)```/.exec(guide)![1]!.replaceAll('VERSION', '1.2.3');
    const output = execFileSync('bash', ['-euc', commands], { cwd: folder, encoding: 'utf8' });
    expect(output).toContain('Good "cloister-release" signature for releases@cloister');
    expect(output).toContain('cloister-verifier-1.2.3.html: OK');
  });

  it('is rejected after a change of the checksums, and with another key', () => {
    const { folder, signers } = release();
    expect(() => verifyChecksums(folder, release().signers)).toThrow();
    writeFileSync(join(folder, 'cloister-verifier-1.2.3.html'), '<!doctype html><script>');
    addChecksums(folder, ['cloister-verifier-1.2.3.html']);
    expect(() => verifyChecksums(folder, signers)).toThrow();
  });
});
