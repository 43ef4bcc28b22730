/** The facts that a start records about its program, its host and its process. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { programFolder, readBuildFacts, readMappedLibraries } from '../../../server/enclave/build-facts.ts';
import { readHostFacts } from '../../../server/enclave/host-facts.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { guarded } from '../../support/server/process-guard.ts';

const run = promisify(execFile);
const guard = { ...guarded, lockLimitBytes: 8_388_608 };

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

const program = {
  'package.json': '{}',
  'package-lock.json': '{"lock":1}',
  'server/start/main.ts': 'serve();',
  'web/build/chat.html': '<p>',
  'runtime/chat/engine.ts': 'run();',
  'models/demo/catalogue.json': '{}',
  'attestation/index.ts': 'attest();',
  'accounts/store.ts': 'pay();',
  'agents/registry.ts': 'advise();',
  'cli/cli.ts': 'command();',
  'image/erofs.ts': 'lay();',
  'native/index.ts': 'call();',
  'native/build/cloister.node': 'machine code',
  'native/build/zeroing-heap.so': 'more machine code',
};

describe('the facts of the build', () => {
  it('contain the digests that sha256sum computes', async () => {
    await using folder = await scratchFolder();
    await write(folder.path, program);
    const { programSha256, programFiles, lockFileSha256 } = await readBuildFacts({}, folder.path);
    const paths = Object.keys(program).sort();
    const { stdout } = await run('sha256sum', paths, { cwd: folder.path });
    expect(programSha256).toBe(createHash('sha256').update(stdout).digest('hex'));
    expect(programFiles).toBe(paths.length);
    expect(lockFileSha256).toBe(createHash('sha256').update('{"lock":1}').digest('hex'));
  });

  it.each([
    ['a changed source', { 'server/start/main.ts': 'serve() ;' }, true],
    ['a changed addon', { 'native/build/cloister.node': 'other code' }, true],
    ['a changed heap', { 'native/build/zeroing-heap.so': 'other code' }, true],
    ['a new source', { 'runtime/more.ts': '' }, true],
    ['a changed page', { 'web/build/chat.html': '<b>' }, true],
    ['weights, which are measured as models', { 'models/demo/chat.gguf': 'w' }, false],
    ['what was made on the way to the addon', { 'native/build/llama.cpp/x.json': '' }, false],
    ['a test', { 'test/x.test.ts': '' }, false],
  ])('change only with files of the program: %s', async (_what, change, isSeen) => {
    await using folder = await scratchFolder();
    await write(folder.path, program);
    const before = await readBuildFacts({}, folder.path);
    await write(folder.path, change as Record<string, string>);
    const after = await readBuildFacts({}, folder.path);
    expect(after.programSha256 !== before.programSha256).toBe(isSeen);
  });

  it('name the source if the image provides it', async () => {
    await using folder = await scratchFolder();
    await write(folder.path, program);
    const { source } = await readBuildFacts({ commit: 'c0ffee' }, folder.path);
    expect(source).toEqual({ commit: 'c0ffee', repositoryUrl: null, imageDigest: null });
  });

  it('count the files of this program', async () => {
    expect((await readBuildFacts()).programFiles).toBeGreaterThan(100);
  });
});

describe('the libraries of the process', () => {
  it('are Node and all libraries that it loaded', async () => {
    const libraries = await readMappedLibraries();
    const node = libraries.find(({ path }) => path.endsWith('/bin/node'));
    expect(node?.sha256).toBe(
      createHash('sha256')
        .update(await readFile(process.execPath))
        .digest('hex'),
    );
    expect(libraries.some(({ path }) => /libc[.-]/.test(path))).toBe(true);
    expect(libraries.map(({ path }) => path)).toEqual(libraries.map(({ path }) => path).sort());
    expect(libraries.every(({ path }) => !path.startsWith(programFolder))).toBe(true);
  });

  it('are reported as changed if the file was replaced since', async () => {
    await using folder = await scratchFolder();
    const library = join(folder.path, 'a library.so');
    const maps = join(folder.path, 'maps');
    await write(folder.path, { 'a library.so': 'old', new: 'new' });
    const { ino } = await import('node:fs').then(({ statSync }) => statSync(library));
    await writeFile(
      maps,
      `7f00-7f01 r-xp 0000 fe:00 ${ino}    ${library}\n7f02-7f03 r--p 0000 fe:00 1  /not/code\n7f04-7f05 r-xp 0 00:00 0  [vdso]\n`,
    );
    expect(await readMappedLibraries('/elsewhere', maps)).toEqual([
      { path: library, sha256: createHash('sha256').update('old').digest('hex') },
    ]);
    await rename(join(folder.path, 'new'), library);
    expect(await readMappedLibraries('/elsewhere', maps)).toEqual([{ path: library, sha256: 'changed' }]);
  });
});

/** A table in the kernel's format. */
const devices = (...names: string[]) =>
  ['Inter-|   Receive', ' face |bytes', ...names.map((name) => `${name.padStart(6)}: 12 0 0`), ''].join('\n');
const routes = (...rows: string[]) => ['Iface\tDestination\tGateway \tFlags', ...rows, ''].join('\n');
const network = 'eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0';
const zeros = '0'.repeat(32);
const v6 = (name: string) =>
  `${zeros} 00 ${zeros} 00 ${zeros} 00000400 00000001 00000000 00000003 ${name.padStart(8)}\n`;

describe('the facts of the host', () => {
  const mounts = [
    'overlay / overlay ro,relatime 0 0',
    'proc /proc proc rw 0 0',
    'tmpfs /run tmpfs rw,nosuid 0 0',
    '/dev/vdb /data ext4 rw,relatime 0 0',
    '',
  ].join('\n');
  const files: Record<string, string> = {
    '/proc/swaps': 'Filename Type Size Used Priority\n',
    '/proc/sys/kernel/core_pattern': '|/usr/lib/systemd/systemd-coredump %P\n',
    '/proc/self/status': 'Name:\tnode\nTracerPid:\t0\nUid:\t0\n',
    '/proc/sys/kernel/yama/ptrace_scope': '2\n',
    '/proc/self/mounts': mounts,
    '/proc/net/dev': devices('lo', 'wg0', 'eth0'),
    '/proc/net/route': routes(network, 'eth0\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0'),
  };
  const readFrom = (source: Record<string, string>) =>
    readHostFacts(guard, { logLevel: 'info', modelThreads: 'fenced', read: async (path) => source[path] });

  it('contain the values that the kernel reports', async () => {
    expect(await readFrom(files)).toMatchObject({
      swapAreas: 0,
      corePattern: '|/usr/lib/systemd/systemd-coredump %P',
      coreLimitBytes: 0,
      dumpable: false,
      keysLocked: true,
      freedMemoryZeroed: true,
      lockLimitBytes: 8_388_608,
      traced: false,
      ptraceScope: 2,
      mounts: { count: 4, writable: ['/data ext4'], sha256: createHash('sha256').update(mounts).digest('hex') },
      logLevel: 'info',
      egress: { interfaces: ['eth0', 'wg0'], defaultRoute: true, modelThreads: 'fenced' },
    });
  });

  it.each<[string, Record<string, string>, object]>([
    ['no external network if only loopback exists', { '/proc/net/dev': devices('lo') }, { interfaces: [] }],
    ['no way beyond its own networks', { '/proc/net/route': routes(network) }, { defaultRoute: false }],
    [
      'a way out by IPv6 alone',
      { '/proc/net/route': routes(), '/proc/net/ipv6_route': v6('eth0') },
      { defaultRoute: true },
    ],
    [
      'no external network if IPv6 has no route',
      { '/proc/net/route': routes(), '/proc/net/ipv6_route': v6('lo') },
      { defaultRoute: false },
    ],
  ])('detect %s', async (_, changed, egress) => {
    expect((await readFrom({ ...files, ...changed })).egress).toMatchObject(egress);
  });

  it('count swap areas', async () => {
    const swaps = `${files['/proc/swaps']}/dev/vdc partition 1 0 -2\n/swap file 1 0 -3\n`;
    expect(await readFrom({ ...files, '/proc/swaps': swaps })).toMatchObject({ swapAreas: 2 });
  });

  it('detect a debugger', async () => {
    expect(await readFrom({ ...files, '/proc/self/status': 'TracerPid:\t12\n' })).toMatchObject({ traced: true });
  });

  it('are unknown if the kernel reports nothing', async () => {
    expect(await readFrom({})).toMatchObject({
      swapAreas: 'unknown',
      corePattern: 'unknown',
      traced: 'unknown',
      ptraceScope: 'unknown',
      mounts: 'unknown',
      egress: { interfaces: 'unknown', defaultRoute: 'unknown' },
    });
  });

  it('can be read on this machine', async () => {
    const {
      swapAreas,
      mounts: found,
      traced,
      egress,
    } = await readHostFacts(guard, {
      logLevel: 'info',
      modelThreads: 'none',
    });
    expect(egress).toMatchObject({ interfaces: expect.any(Array), defaultRoute: expect.any(Boolean) });
    expect(swapAreas).toBeTypeOf('number');
    expect(found).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(traced).toBe(false);
  });
});

describe('a hardened process', () => {
  const face = join(import.meta.dirname, '../../../server/enclave/process-guard.ts');
  const closeThen = (then: string) => [
    '--input-type=module',
    '--eval',
    `import { closeProcess } from ${JSON.stringify(face)}; import { readFileSync } from 'node:fs';
     const guard = closeProcess(); ${then}`,
  ];

  it('has no core dumps and cannot be traced, as the kernel reports', async () => {
    const then = `const limits = readFileSync('/proc/self/limits', 'utf8');
      console.log(JSON.stringify({ guard, core: /^Max core file size +(\\S+) +(\\S+)/m.exec(limits).slice(1) }));`;
    const { stdout } = await run(process.execPath, closeThen(then));
    // Only the library that `cloister serve` preloads zeroes freed memory.
    expect(JSON.parse(stdout)).toEqual({ guard: { ...guard, freedMemoryZeroed: false }, core: ['0', '0'] });
  });

  it('leaves no core dump when it crashes', async () => {
    await using folder = await scratchFolder();
    const shell = ['-c', 'ulimit -c unlimited 2>/dev/null; exec "$@"', 'sh', process.execPath];
    const crash = run('sh', [...shell, ...closeThen('process.abort();')], { cwd: folder.path });
    await expect(crash).rejects.toMatchObject({ signal: 'SIGABRT' });
    expect(await readdir(folder.path)).toEqual([]);
  });
});

it('a process with the preloaded heap reports that freed memory is zeroed', async () => {
  const program = `import { closeProcess } from ${JSON.stringify(join(programFolder, 'server/enclave/process-guard.ts'))};
    console.log(closeProcess().freedMemoryZeroed);`;
  const env = { ...process.env, LD_PRELOAD: join(programFolder, 'native/build/zeroing-heap.so') };
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { env });
  expect(stdout).toBe('true\n');
});
