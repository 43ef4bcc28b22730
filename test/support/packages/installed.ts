/** Packs a built package with npm and installs it into an empty project, as a user without the repository does. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. Never throws for an exit code. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Run> {
  return promisify(execFile)(file, args, { ...options, maxBuffer: 1 << 24 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Run) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
}

/** `npm pack` of a folder. @returns the path of the archive */
export function packFolder(folder: string, destination: string): string {
  const output = execFileSync('npm', ['pack', folder, '--json', '--pack-destination', destination], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(output) as [{ filename: string }];
  return join(destination, filename);
}

/** An empty project outside of the repository, in which the given archives are installed. @returns its folder */
export async function installInto(archives: readonly string[], flags: readonly string[] = []): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-project-'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "version": "1.0.0", "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...flags, ...archives];
  const { code, stderr } = await runProgram('npm', args, { cwd: folder });
  if (code !== 0) throw new Error(`npm install failed:\n${stderr}`);
  return folder;
}

/** The program of a release line of Node, from the npm package `node`; undefined if npm cannot fetch it. */
export function nodeOfRelease(major: number): string | undefined {
  if (Number.parseInt(process.versions.node, 10) === major) return process.execPath;
  try {
    const args = ['--yes', `node@${major}`, '--print', 'process.execPath'];
    const path = execFileSync('npx', args, { encoding: 'utf8', timeout: 60_000, stdio: ['ignore', 'pipe', 'ignore'] });
    return path.trim();
  } catch {
    return undefined;
  }
}
