/**
 * `npm run release -- VERSION`: dates the version's section of CHANGELOG.md, writes the version into every package, commits and
 * tags, packs the sources and the npm packages into `release/`, and prints the notes. It publishes nothing.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addChecksums, signChecksums } from './pack/signature.ts';
import { originOf, packAll } from './pack.ts';

const help = `npm run release -- VERSION [options]

Releases the working tree, which must be clean and pass \`.ci/run\`. CHANGELOG.md needs a section "## [VERSION] - unreleased".

  --signing-key <file>   OpenSSH key that signs the checksums of the release; a public key if an agent holds the private one
  --unsigned             release without a signature
  --dry-run              print the notes and what would be done, change nothing`;

interface Step {
  readonly description: string;
  run(): void | Promise<void>;
}

/** @throws Error if the changelog has no unreleased section for this version */
export function dateSection(changelog: string, version: string, date: string): string {
  const heading = `## [${version}] - unreleased\n`;
  if (!changelog.includes(heading)) {
    throw new Error(`CHANGELOG.md has no section "${heading.trim()}"; write one, with what has changed for users`);
  }
  return changelog.replace(heading, `## [${version}] - ${date}\n`);
}

/** @returns the changelog's section for this version, without its heading; empty if there is none */
export function notesOf(changelog: string, version: string): string {
  const start = changelog.indexOf(`## [${version}]`);
  if (start === -1) return '';
  const section = changelog.slice(changelog.indexOf('\n', start) + 1);
  const end = section.search(/^## |^\[[^\]]+\]: /m);
  return (end === -1 ? section : section.slice(0, end)).trim();
}

/** @throws Error if the version is not of the form 1.2.3 or not higher than the current one */
export function requireHigher(version: string, current: string): void {
  const parts = (text: string) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);
  const wanted = parts(version);
  if (wanted === undefined) throw new Error(`${version} is not a version of the form 1.2.3`);
  const difference = wanted.map((part, index) => part - parts(current)![index]!).find((part) => part !== 0);
  if (difference === undefined || difference < 0) throw new Error(`${version} is not higher than ${current}`);
}

interface ReleaseOptions {
  readonly version: string;
  readonly date: string;
  /** Path of the key; undefined: without a signature. */
  readonly signingKey: string | undefined;
}

/** The steps of a release of the repository in `root`, in order. */
function releaseSteps(root: string, { version, date, signingKey }: ReleaseOptions): Step[] {
  const changelogPath = join(root, 'CHANGELOG.md');
  const outputFolder = join(root, 'release');
  const changelog = dateSection(readFileSync(changelogPath, 'utf8'), version, date);
  const notesPath = join(outputFolder, `notes-${version}.md`);
  const verifier = `cloister-verifier-${version}.html`;
  const run = (program: string, ...args: string[]) =>
    void execFileSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return [
    { description: `date ${version} in CHANGELOG.md: ${date}`, run: () => writeFileSync(changelogPath, changelog) },
    {
      description: `write ${version} into every package.json and package-lock.json`,
      run: () => writeVersions(root, version),
    },
    { description: `commit "release: ${version}"`, run: () => run('git', 'commit', '-qam', `release: ${version}`) },
    {
      description: `write the notes to release/notes-${version}.md`,
      run: () => {
        mkdirSync(outputFolder, { recursive: true });
        writeFileSync(notesPath, `${notesOf(changelog, version)}\n`);
      },
    },
    {
      description: `tag v${version}`,
      // The default clean-up would remove the notes' headings as comments.
      run: () => run('git', 'tag', '--annotate', '--cleanup=whitespace', '--file', notesPath, `v${version}`),
    },
    {
      description: `pack the sources into release/cloister-${version}.tar.gz`,
      run: () =>
        run(
          'git',
          ...['archive', `--prefix=cloister-${version}/`, `--output=release/cloister-${version}.tar.gz`, `v${version}`],
        ),
    },
    {
      description: `pack the npm packages into release/, with bills of materials, SHA256SUMS and provenance.json`,
      run: async () => void (await packAll(outputFolder, { root, repository: originOf(root) })),
    },
    {
      description: `write the verifier for browsers to release/${verifier}`,
      run: () => run('node', 'web/build.ts', '--verifier', `release/${verifier}`),
    },
    {
      description: 'add the verifier and the sources to release/SHA256SUMS',
      run: () => addChecksums(outputFolder, [verifier, `cloister-${version}.tar.gz`]),
    },
    ...(signingKey === undefined
      ? []
      : [
          {
            description: `sign release/SHA256SUMS with ${signingKey}`,
            run: () => signChecksums(outputFolder, signingKey),
          },
        ]),
  ];
}

/** `npm version` would also rewrite the lock file, without the packages of other platforms. */
function writeVersions(root: string, version: string): void {
  const lockPath = join(root, 'package-lock.json');
  const lock = readJson(lockPath) as { version: string; packages: Record<string, { version?: string }> };
  lock.version = version;
  const { workspaces } = readJson(join(root, 'package.json')) as { workspaces: string[] };
  for (const folder of ['', ...workspaces]) {
    const path = join(root, folder, 'package.json');
    writeJson(path, { ...(readJson(path) as object), version });
    const locked = lock.packages[folder];
    if (locked !== undefined) locked.version = version;
  }
  writeJson(lockPath, lock);
  const pythonPath = join(root, 'clients/python/pyproject.toml');
  const python = readFileSync(pythonPath, 'utf8');
  writeFileSync(pythonPath, python.replace(/^version = ".*"$/m, `version = "${version}"`));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(path: string, content: unknown): void {
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      'dry-run': { type: 'boolean' },
      'signing-key': { type: 'string' },
      unsigned: { type: 'boolean' },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const [version] = positionals;
  if (values.help || version === undefined) return void console.log(help);
  const root = join(import.meta.dirname, '..');
  const { version: current } = readJson(join(root, 'package.json')) as { version: string };
  requireHigher(version, current);
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changes !== '' && !values['dry-run']) throw new Error(`the working tree is not clean:\n${changes}`);
  const { 'signing-key': signingKey } = values;
  if (signingKey === undefined && !values.unsigned && !values['dry-run']) {
    throw new Error('name the key that signs the release with --signing-key, or use --unsigned');
  }
  for (const step of releaseSteps(root, { version, date: new Date().toISOString().slice(0, 10), signingKey })) {
    console.error(`${values['dry-run'] ? 'would ' : ''}${step.description}`);
    if (!values['dry-run']) await step.run();
  }
  console.log(notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version));
  const archives = ['cloister-attestation', 'cloister-native-linux-x64', 'cloister'];
  const files = archives.map((name) => `release/${name}-${version}.tgz`);
  console.error(`\nto publish: git push --follow-tags, then, in CI, npm publish --provenance of ${files.join(', ')}`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(`release: ${(error as Error).message}`);
    process.exitCode = 1;
  });
}
