import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '../../server/program/settings.ts';
import { makeIdentity } from '../../server/tls/tls.ts';
import { runCloister } from '../support/cloister.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-config-'));
const file = join(cwd, 'cloister.json');
writeFileSync(file, JSON.stringify({ queue: 9, poll: 1 }));
const now = Date.now();
for (const name of ['a', 'b']) {
  const { certificate, key } = makeIdentity({ host: name, now });
  writeFileSync(join(cwd, `${name}.pem`), certificate);
  writeFileSync(join(cwd, `${name}-key.pem`), key);
}

const cloister = (line: string, env: Record<string, string> = {}) => runCloister(line, { cwd, env });

describe('cloister config show', () => {
  const env = {
    CLOISTER_CONFIG: 'cloister.json',
    CLOISTER_POLL: '2',
    CLOISTER_DATABASE_URL: 'postgres://u:hidden@db/x',
  };

  it('prints every setting, its value and where it was given', async () => {
    const { code, stdout, stderr } = await cloister('config show --port 1', env);
    expect([code, stderr]).toEqual([0, '']);
    const rows = new Map(stdout.split('\n').map((line) => [line.split(' ')[0], line.split(/ {2,}/).slice(1)]));
    expect([...rows.keys()]).toEqual(['SETTING', ...Object.keys(settings), '']);
    expect(rows.get('port')).toEqual(['1', 'flag --port']);
    expect(rows.get('poll')).toEqual(['2', 'environment CLOISTER_POLL']);
    expect(rows.get('queue')).toEqual(['9', `file ${file}`]);
    expect(rows.get('sequences')).toEqual(['16', 'default']);
    expect(rows.get('region')).toEqual(['-', 'default']);
    expect(rows.get('databaseUrl')).toEqual(['set', 'environment CLOISTER_DATABASE_URL']);
    expect(stdout).not.toContain('hidden');
  });

  it('prints JSON', async () => {
    const { stdout } = await cloister('config show --port 1 --json', env);
    const shown = JSON.parse(stdout);
    expect(shown.file).toBe(file);
    expect(Object.keys(shown.settings)).toEqual(Object.keys(settings));
    expect(shown.settings).toMatchObject({
      port: { value: 1, from: 'flag' },
      poll: { value: 2, from: 'environment' },
      queue: { value: 9, from: 'file' },
      region: { value: null, from: 'default' },
      databaseUrl: { value: 'set', from: 'environment' },
    });
    expect(stdout).not.toContain('hidden');
  });

  it('prints addresses without credentials', async () => {
    const { stdout } = await cloister('config show --hub https://u:hidden@hub.example/path?token=hidden');
    expect(stdout).toMatch(/^hub +https:\/\/hub\.example\/path +flag --hub$/m);
    expect(stdout).not.toContain('hidden');
  });

  it('prints the values also if there are problems, and exits with 78', async () => {
    const { code, stdout, stderr } = await cloister('config show', { CLOISTER_POLL: 'x', CLOISTER_QUEUE: '7' });
    expect(code).toBe(78);
    expect(stdout).toMatch(/^queue +7 +environment CLOISTER_QUEUE$/m);
    expect(stderr).toBe('cloister: CLOISTER_POLL must be 0…100, got "x"\n');
  });
});

describe('cloister config check', () => {
  it('accepts a valid configuration', async () => {
    const { code, stdout, stderr } = await cloister(
      'config check --config cloister.json --tls-cert a.pem --tls-key a-key.pem',
    );
    expect([code, stdout, stderr]).toEqual([0, 'the configuration is valid\n', '']);
  });

  it('reports every problem of settings and files, and exits with 78', async () => {
    const { code, stdout, stderr } = await cloister('config check --tls-key none.pem --compute-ca none.pem', {
      CLOISTER_POLL: 'x',
      CLOISTER_QUEUE: '-1',
      CLOISTER_SERVICE_HOST: '10.0.0.1',
    });
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining('warning: ignored variables that Kubernetes sets for a Service: CLOISTER_SERVICE_HOST'),
      'cloister: CLOISTER_POLL must be 0…100, got "x"',
      'cloister: CLOISTER_QUEUE must be 0…100000, got "-1"',
      'cloister: --tls-cert is missing: set a certificate and its key together',
      'cloister: --compute-url is missing: --compute-ca applies to its certificate',
      `cloister: --tls-key: ${join(cwd, 'none.pem')} cannot be read (ENOENT)`,
      `cloister: --compute-ca: ${join(cwd, 'none.pem')} cannot be read (ENOENT)`,
    ]);
  });

  it.each([
    ['--tls-cert a.pem --tls-key b-key.pem', '--tls-key is not the key of the certificate of --tls-cert'],
    ['--tls-cert cloister.json --tls-key a-key.pem', '--tls-cert must be a certificate in PEM'],
    ['--tls-cert a.pem --tls-key a.pem', '--tls-key must be a private key in PEM, without a passphrase'],
    ['--model missing-model', 'missing-model'],
    ['--model missing.gguf', 'missing.gguf does not exist: correct --model'],
    ['--catalogue cloister.json', 'cloister.json'],
  ])('reports %s', async (options, problem) => {
    const { code, stderr } = await cloister(`config check ${options}`);
    expect(code).toBe(78);
    expect(stderr).toContain(problem);
  });

  it('prints JSON for programs', async () => {
    const { code, stdout } = await cloister('config check --json --poll x');
    expect([code, JSON.parse(stdout)]).toEqual([78, { problems: ['--poll must be 0…100, got "x"'], warnings: [] }]);
  });

  it.each(['config', 'config fly', 'config check now', 'config show --prot 1'])('rejects %j with 64', async (line) => {
    const { code, stderr } = await cloister(line);
    expect([code, stderr.endsWith('See: cloister config --help\n')]).toEqual([64, true]);
  });
});
