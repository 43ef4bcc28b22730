import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '../../server/program/version.ts';
import { runCloister } from '../support/cloister.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-cli-'));

const cloister = (line: string, env: Record<string, string> = {}) => runCloister(line, { cwd, env });

describe('cloister', () => {
  it('prints version and help', async () => {
    expect(await cloister('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect((await cloister('-v')).stdout).toBe(`${version}\n`);
    expect((await cloister('--help')).stdout).toContain('serve           serve the API');
  });

  it.each(['serve', 'keys', 'models'])('%s has --help', async (command) => {
    const { code, stdout } = await cloister(`${command} --help`);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: cloister ${command}`));
  });

  it.each([
    ['', 64, 'Usage: cloister <command>'],
    ['fly', 64, 'unknown command fly\nSee: cloister --help\n'],
    ['sevre', 64, 'unknown command sevre; did you mean serve?'],
    ['accounts lst', 64, 'got lst; did you mean list?'],
    ['models pul', 64, 'got "pul"; did you mean pull?'],
    ['image biuld', 64, 'unknown command image biuld; did you mean build?'],
    ['keys list --jsno', 64, '--jsno is not an option; did you mean --json?\nSee: cloister keys --help'],
    ['keys list --json=yes', 64, '--json takes no value'],
    ['keys create --name', 64, '--name needs a value'],
    ['keys create --name --json', 64, '--name needs a value; write --name=--json if this is the value'],
    ['serve now', 64, 'serve takes no argument, got now'],
    ['serve --prot 1', 64, '--prot is not a setting; did you mean --port?'],
    ['serve --port 70000', 78, '--port must be 0…65535, got "70000"'],
    ['keys', 64, 'keys takes create, list or revoke, got nothing'],
    ['keys fly', 64, 'keys takes create, list or revoke, got fly'],
    ['keys create --wings', 64, 'wings'],
    ['keys revoke', 64, 'revoke takes one key ID'],
    ['keys revoke nothing', 1, 'no live key has this id'],
  ])('exits %j with code %i and prints %j', async (line, code, message) => {
    const result = await cloister(line);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });

  it('ignores an unknown CLOISTER_ variable in any command, with a warning', async () => {
    const { code, stderr } = await cloister('keys list', { CLOISTER_STATEDIR: 'x' });
    expect(code).toBe(0);
    expect(stderr).toContain(
      'cloister: warning: ignored variables that are not settings: CLOISTER_STATEDIR (did you mean CLOISTER_STATE_DIR?)\n',
    );
  });
});

describe('cloister keys', () => {
  it('creates, lists and revokes keys', async () => {
    const env = { CLOISTER_STATE_DIR: 'keys-1' };
    await cloister('accounts create acme', env);
    const created = await cloister('keys create --name laptop --account acme', env);
    expect(created.stdout).toMatch(/^clst_[\w-]{43}\n$/);
    const [, id = ''] = /ID is (\S+)\./.exec(created.stderr) ?? [];
    const listed = await cloister('keys list', env);
    expect(listed.stdout).toContain(`${id}  acme     laptop  clst_`);
    expect(listed.stdout).not.toContain(created.stdout.trim());
    expect((await cloister(`keys revoke ${id}`, env)).stdout).toMatch(/^revoked clst_…?.*\(laptop\)\n$/);
    expect((await cloister('keys list', env)).stdout).toBe('');
    expect((await cloister('keys list --all', env)).stdout).toContain('revoked 20');
  });

  it('prints JSON', async () => {
    const flags = '--state-dir keys-2 --json';
    await cloister('accounts create default --state-dir keys-2');
    const created = JSON.parse((await cloister(`keys create ${flags}`)).stdout);
    expect(created).toMatchObject({ account: 'default', name: 'key', secret: expect.stringMatching(/^clst_/) });
    const [listed] = JSON.parse((await cloister(`keys list ${flags}`)).stdout);
    expect(listed).not.toHaveProperty('secret');
    const revoked = JSON.parse((await cloister(`keys revoke ${created.id} ${flags}`)).stdout);
    expect(revoked.revokedAt).toMatch(/^20/);
  });

  it('rejects a key for an unknown account, creates neither, and prints the remedy', async () => {
    const flags = '--state-dir keys-4';
    const { code, stdout, stderr } = await cloister(`keys create --account nobody ${flags}`);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'cloister: no account has this name: create it with `cloister accounts create`, or list the accounts with `cloister accounts list`\n',
    );
    expect((await cloister(`accounts list ${flags}`)).stderr).toContain('No accounts');
    expect((await cloister(`keys list ${flags}`)).stderr).toContain('No keys');
  });

  it('rejects the eleventh key and prints the remedy', async () => {
    const flags = '--state-dir keys-3';
    await cloister(`accounts create default ${flags}`);
    for (let count = 0; count < 10; count++) await cloister(`keys create ${flags}`);
    const { code, stderr } = await cloister(`keys create ${flags}`);
    expect([code, stderr]).toEqual([
      1,
      'cloister: the account has 10 live keys, which is the maximum: revoke one first\n',
    ]);
  });
});
