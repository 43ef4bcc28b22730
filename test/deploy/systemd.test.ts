/** The systemd units: hardened as systemd judges it, and consistent with the command's settings. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VerifierIo } from '../../attestation/cli/command-line.ts';
import { runProxy } from '../../attestation/cli/proxy.ts';
import { settings, variableName } from '../../server/program/settings.ts';

const root = join(import.meta.dirname, '../..');
const services = ['cloister.service', 'cloister-compute.service'];
const proxy = 'cloister-proxy.service';
const unitPath = (name: string) => join(root, 'deploy/systemd', name);
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const note = hasSystemd ? '' : ' (skipped: systemd-analyze is not there)';

describe.each([...services, proxy])('deploy/systemd/%s', (name) => {
  it.skipIf(!hasSystemd)(`has an exposure of at most 3.0${note}`, () => {
    const args = ['security', '--offline=true', '--no-pager', unitPath(name)];
    const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const exposure = /Overall exposure level for .*: ([0-9.]+)/.exec(stdout)?.[1];
    expect(Number(exposure)).toBeLessThanOrEqual(3);
    // An unknown directive or system call is ignored, which would leave the unit open.
    expect(stderr.split('\n').filter((line) => /unknown|ignor/i.test(line))).toEqual([]);
  });
});

describe.each(services)('deploy/systemd/%s', (name) => {
  const text = readFileSync(unitPath(name), 'utf8');

  it('sets only variables that are settings of the server', () => {
    const variables = [...text.matchAll(/\b(CLOISTER_[A-Z_]+)=/g)].map(([, variable]) => variable!);
    const known = Object.keys(settings).map(variableName);
    expect(variables.filter((variable) => !known.includes(variable))).toEqual([]);
    expect(variables).toContain('CLOISTER_STATE_DIR');
  });

  it('runs files that the package cloister has', () => {
    const [, file] = /ExecStart=\S+\/node \/opt\/cloister\/node_modules\/cloister\/(\S+)/.exec(text)!;
    expect(existsSync(join(root, file!))).toBe(true);
  });
});

describe(`deploy/systemd/${proxy}`, () => {
  it('runs the command of the package @cloister/proxy with options that it has', async () => {
    const [, args] = /^ExecStart=\S+\/node \S+\/@cloister\/proxy\/cloister-proxy\.js (.*)$/m.exec(
      readFileSync(unitPath(proxy), 'utf8'),
    )!;
    let help = '';
    const stdout = { write: (text: string) => (help += text) };
    await runProxy(['--help'], { stdout, stderr: stdout, cwd: root } as unknown as VerifierIo);
    for (const [option] of args!.matchAll(/--[a-z-]+/g)) expect(help).toContain(`${option} <`);
  });
});
