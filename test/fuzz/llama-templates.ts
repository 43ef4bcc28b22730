/** The chat templates of llama.cpp, extracted from the git bundle of the release that Cloister uses. Never committed. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const packageFolder = join(import.meta.dirname, '../../node_modules/node-llama-cpp');

export interface ChatTemplate {
  readonly name: string;
  readonly text: string;
}

/** Lists the templates in order of name. Extracts them once per machine and release into the temporary folder. */
export function llamaTemplates(): readonly ChatTemplate[] {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const folder = join(tmpdir(), `cloister-llama-templates-${process.getuid?.() ?? 0}-${version}`);
  if (!existsSync(folder)) extract(folder);
  return readdirSync(join(folder, 'models/templates'))
    .filter((name) => name.endsWith('.jinja'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, 'models/templates', name), 'utf8') }));
}

function extract(folder: string): void {
  const partial = `${folder}.${process.pid}`;
  const repository = `${partial}.git`;
  const run = (...parameters: string[]) => execFileSync('git', parameters, { stdio: ['ignore', 'ignore', 'inherit'] });
  run('clone', '--quiet', '--bare', join(packageFolder, 'llama/gitRelease.bundle'), repository);
  mkdirSync(partial, { recursive: true });
  run('--git-dir', repository, '--work-tree', partial, 'checkout', 'HEAD', '--', 'models/templates');
  rmSync(repository, { recursive: true });
  renameSync(partial, folder);
}
