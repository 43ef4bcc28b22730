/**
 * Builds the package that tenants install: `node attestation/build.ts [folder]`, default `attestation/build/package`. The output is
 * JavaScript, because Node does not strip types below node_modules: one file for `import`, one for `require`, one for browsers and
 * one for the command. The guest code and the simulation are excluded.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';

const here = import.meta.dirname;

/** Limit of the browser file's size after gzip. */
export const browserGzipBytesMax = 150 * 1000;

export interface BuiltPackage {
  readonly folder: string;
  readonly browserBytes: number;
  readonly browserGzipBytes: number;
}

/**
 * @param folder emptied first
 * @param options.repository the git address that the package names; without it, the package names none
 * @throws if the browser file exceeds its limit or imports Node modules
 */
export async function buildPackage(
  folder: string,
  { repository }: { repository?: string } = {},
): Promise<BuiltPackage> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle({ entry: 'browser.ts', file: join(folder, 'browser.js'), platform: 'browser' });
  await bundle({ entry: 'node.ts', file: join(folder, 'node.js'), platform: 'node' });
  await bundle({ entry: 'node.ts', file: join(folder, 'node.cjs'), platform: 'node', format: 'cjs' });
  await bundle({ entry: 'cli/main.ts', file: join(folder, 'cli.js'), platform: 'node' });
  writeFileSync(join(folder, 'cloister-verify.js'), command);
  chmodSync(join(folder, 'cloister-verify.js'), 0o755);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(repository), null, 2)}\n`);
  copyFileSync(join(here, 'PACKAGE.md'), join(folder, 'README.md'));
  for (const file of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(here, '..', file), join(folder, file));
  writeTypes(join(folder, 'types'));
  writeCommonJsTypes(folder);
  return measureBrowser(folder);
}

const command = `#!/usr/bin/env node
import { main } from './cli.js';

process.exitCode = await main();
`;

interface Bundle {
  readonly entry: string;
  readonly file: string;
  readonly platform: 'browser' | 'node';
  readonly format?: 'esm' | 'cjs';
}

async function bundle({ entry, file, platform, format = 'esm' }: Bundle): Promise<void> {
  await build({
    input: join(here, entry),
    platform,
    treeshake: true,
    // An import of a Node module in the browser file must fail the build.
    external: platform === 'node' ? [/^node:/] : [],
    output: { file, format, minify: platform === 'browser', codeSplitting: false },
    logLevel: 'warn',
    onLog: (_level, log) => {
      throw new Error(`${entry}: ${log.message}`);
    },
  });
}

function packageJson(repository: string | undefined) {
  const { name, version, description, license, engines } = JSON.parse(
    readFileSync(join(here, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const types = (file: string, folder = 'types') => `./${folder}/${file}.d.ts`;
  const source = { type: 'git', url: repository, directory: 'attestation' };
  return {
    ...{ name, version, description, license, type: 'module', engines },
    ...(repository === undefined ? {} : { repository: source }),
    keywords: ['attestation', 'confidential-computing', 'intel-tdx', 'nvidia-confidential-computing', 'llm'],
    main: './node.cjs',
    types: types('node', 'types-cjs'),
    bin: { 'cloister-verify': './cloister-verify.js' },
    exports: {
      '.': {
        browser: { types: types('browser'), default: './browser.js' },
        require: { types: types('node', 'types-cjs'), default: './node.cjs' },
        default: { types: types('node'), default: './node.js' },
      },
      './browser': { types: types('browser'), default: './browser.js' },
      './package.json': './package.json',
    },
    sideEffects: false,
  };
}

/** Uses the TypeScript of this checkout. */
function writeTypes(outDir: string): void {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const { bin } = JSON.parse(readFileSync(join(typescript, 'package.json'), 'utf8')) as { bin: { tsc: string } };
  const flags = [
    ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions'],
    ...['--outDir', outDir, '--rootDir', here, '--target', 'es2024', '--lib', 'es2024,esnext.disposable'],
    ...['--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node', '--skipLibCheck'],
    ...['--strict', '--erasableSyntaxOnly', '--verbatimModuleSyntax', '--exactOptionalPropertyTypes'],
  ];
  const entries = [join(here, 'node.ts'), join(here, 'browser.ts')];
  execFileSync(process.execPath, [join(typescript, bin.tsc), ...flags, ...entries], { stdio: 'inherit' });
}

/** The declarations again, in a folder whose package.json makes TypeScript read them as those of a CommonJS module. */
function writeCommonJsTypes(folder: string): void {
  cpSync(join(folder, 'types'), join(folder, 'types-cjs'), { recursive: true });
  writeFileSync(join(folder, 'types-cjs/package.json'), '{ "type": "commonjs" }\n');
}

function measureBrowser(folder: string): BuiltPackage {
  const code = readFileSync(join(folder, 'browser.js'));
  const browserGzipBytes = gzipSync(code, { level: 9 }).length;
  if (browserGzipBytes > browserGzipBytesMax) {
    throw new Error(`browser.js must have at most ${browserGzipBytesMax} bytes after gzip, got ${browserGzipBytes}`);
  }
  return { folder, browserBytes: code.length, browserGzipBytes };
}

if (process.argv[1] === import.meta.filename) {
  const { folder, browserBytes, browserGzipBytes } = await buildPackage(
    resolve(process.argv[2] ?? join(here, 'build/package')),
  );
  console.log(`${folder}: browser.js has ${browserBytes} bytes, ${browserGzipBytes} gzipped`);
}
