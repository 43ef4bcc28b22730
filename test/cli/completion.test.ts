import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { optionsOf, valueKind } from '../../cli/command-tree.ts';
import { flagName, settings } from '../../server/program/settings.ts';
import { version } from '../../server/program/version.ts';
import { runCloister } from '../support/cloister.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-completion-'));
const script = join(cwd, 'cloister.bash');

beforeAll(async () => {
  writeFileSync(script, (await runCloister('completion bash', { cwd })).stdout);
  writeFileSync(join(cwd, 'a file.pem'), '');
});

/** The suggestions of bash for the last word. */
function complete(...words: string[]): string[] {
  const program = `compopt() { :; }; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cloister; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', program, 'bash', script, 'cloister', ...words];
  return execFileSync('bash', args, { cwd }).toString().split('\n').filter(Boolean);
}

describe('completion in bash', () => {
  it('completes commands', () => {
    expect(complete('ver')).toEqual(['verify', 'verify-receipt']);
    expect(complete('')).toEqual(expect.arrayContaining(['serve', 'config', 'completion', '--version']));
  });

  it('completes subcommands', () => {
    expect(complete('config', '')).toEqual(expect.arrayContaining(['show', 'check']));
    expect(complete('accounts', 'cr')).toEqual(['create', 'credit']);
    expect(complete('models', 'a')).toEqual(['add', 'alias']);
    expect(complete('image', 'pro')).toEqual(['provision']);
    expect(complete('completion', 'z')).toEqual(['zsh']);
  });

  it('completes the flag of every setting, for serve and config', () => {
    const flags = Object.keys(settings).map((key) => `--${flagName(key)}`);
    for (const command of [['serve'], ['config', 'show']]) {
      expect(complete(...command, '--')).toEqual(expect.arrayContaining([...flags, '--config', '--json', '--help']));
    }
    expect(complete('serve', '--admin-c')).toEqual(['--admin-ca', '--admin-cert']);
    expect(complete('models', 'add', '--prompt')).toEqual(['--prompt-price']);
  });

  it('completes values: words, files and folders, and nothing for others', () => {
    expect(complete('serve', '--gpu', '')).toEqual(['auto', 'cuda', 'vulkan', 'off']);
    expect(complete('serve', '--tls-cert', 'a')).toEqual(['a file.pem']);
    expect(complete('serve', '--state-dir', 'a')).toEqual([]);
    expect(complete('serve', '--port', '')).toEqual([]);
    expect(complete('compute', 'check', 'a')).toEqual(['a file.pem']);
  });
});

describe('the scripts of other shells', () => {
  it.each(['zsh', 'fish'])('%s has every command and flag', async (shell) => {
    const { code, stdout, stderr } = await runCloister(`completion ${shell}`, { cwd });
    expect([code, stderr]).toEqual([0, '']);
    for (const key of Object.keys(settings)) {
      expect(stdout).toContain(shell === 'zsh' ? `--${flagName(key)}:` : `-l ${flagName(key)} `);
    }
    for (const command of ['serve', 'config', 'accounts', 'verify-receipt']) expect(stdout).toContain(command);
    expect(stdout).toContain('auto cuda vulkan off');
  });

  it('are refused for an unknown shell, with a suggestion', async () => {
    const { code, stderr } = await runCloister('completion bsh', { cwd });
    expect(code).toBe(64);
    expect(stderr).toContain('completion takes bash, zsh or fish, got bsh; did you mean bash?');
  });
});

describe('the manual page', () => {
  let page = '';
  beforeAll(async () => {
    page = (await runCloister('--man', { cwd })).stdout;
  });

  it('is accepted by groff without a warning, and contains every setting', () => {
    expect(page).toContain(`"cloister ${version}"`);
    const text = execFileSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou'], { input: page, stdio: 'pipe' }).toString();
    for (const key of Object.keys(settings)) expect(text).toMatch(new RegExp(`^ +--${flagName(key)} <`, 'm'));
    expect(text).toContain('CLOISTER MODELS ADD');
    expect(text).toContain('78 wrong');
  });

  it.skipIf(!existsSync('/usr/bin/mandoc'))('is accepted by mandoc, which only misses a date', () => {
    const { stdout } = spawnSync('mandoc', ['-Tlint', '-W', 'warning'], { input: page });
    expect(stdout.toString()).toMatch(/^mandoc: <stdin>:1:\d+: WARNING: missing date[^\n]*\n$/);
  });

  it('escapes what roff would interpret', () => {
    for (const line of page.split('\n')) expect(line).toMatch(/^([^.']|\.(TH|SH|TP|PP|B|I|RI|nf|fi)\b|$)/);
  });
});

it('options are read from help texts with one or several flags, and with wrapped descriptions', () => {
  const help = `Usage: cloister x

  -h, --help            print the help
  --starts, --ends <time> a period
  --policy <file>       acceptable servers;
                        any accepts all
  --a <xml>, --b <der,…>
                        manifests
Text with --other.
`;
  expect(optionsOf(help)).toEqual([
    { flag: '-h', value: undefined, help: 'print the help' },
    { flag: '--help', value: undefined, help: 'print the help' },
    { flag: '--starts', value: 'time', help: 'a period' },
    { flag: '--ends', value: 'time', help: 'a period' },
    { flag: '--policy', value: 'file', help: 'acceptable servers; any accepts all' },
    { flag: '--a', value: 'xml', help: 'manifests' },
    { flag: '--b', value: 'der,…', help: 'manifests' },
  ]);
  expect(['on|off', 'folder', 'pem', '0…65535|off', 'text'].map(valueKind)).toEqual([
    ['on', 'off'],
    'folder',
    'file',
    undefined,
    undefined,
  ]);
});
