/** The memory of private keys in a hardened process, as the kernel reports it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const heapBytes = 4 * 1024 * 1024;

/** Runs a program of `statements` in a separate process. @returns the value that it passes to `tell` */
async function inProcess(
  statements: string,
  { shell = 'exec "$@"', flags = [] }: { shell?: string; flags?: readonly string[] } = {},
) {
  const program = `
    import { closeProcess } from ${JSON.stringify(join(root, 'server/enclave/process-guard.ts'))};
    import { OwnTlsKey, tlsOptions } from ${JSON.stringify(join(root, 'server/tls/tls.ts'))};
    import { spawn } from 'node:child_process';
    import { createPrivateKey, generateKeyPairSync, secureHeapUsed } from 'node:crypto';
    import { once } from 'node:events';
    import { readFileSync } from 'node:fs';
    import tls from 'node:tls';
    const tell = (facts) => console.log(JSON.stringify(facts));
    const used = () => secureHeapUsed().used;
    const lockedKilobytes = () => Number(/^VmLck:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
    ${statements}`;
  const command = [process.execPath, ...flags, '--input-type=module', '--eval', program];
  const { stdout } = await run('sh', ['-c', shell, 'sh', ...command]);
  return JSON.parse(stdout);
}

describe('the memory of private keys', () => {
  it('is locked and excluded from core dumps', async () => {
    const facts = await inProcess(`
      const before = lockedKilobytes();
      const { keysLocked } = closeProcess();
      const areas = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
      const locked = areas.filter((area) => /^VmFlags:.* lo\\b/m.test(area));
      tell({ keysLocked, kilobytes: lockedKilobytes() - before, areas: locked.map((area) => / dd\\b/.test(area)) });`);
    expect(facts).toEqual({ keysLocked: true, kilobytes: heapBytes / 1024, areas: [true] });
  });

  it.each([
    ['ec', '{ namedCurve: "prime256v1" }'],
    ['ed25519', 'undefined'],
    ['x25519', 'undefined'],
  ])('contains %s keys that are generated or read', async (kind, options) => {
    const { made, read } = await inProcess(`
      closeProcess();
      const start = used();
      const { privateKey } = generateKeyPairSync(${JSON.stringify(kind)}, ${options});
      const made = used() - start;
      const copy = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
      tell({ made, read: used() - start - made, kept: copy.type });`);
    expect(made).toBeGreaterThanOrEqual(32);
    expect(read).toBeGreaterThanOrEqual(32);
  });

  it('is released when a key is garbage collected', async () => {
    const { before, after } = await inProcess(
      `closeProcess();
      const keys = Array.from({ length: 1000 }, () => generateKeyPairSync('x25519'));
      const before = used();
      keys.length = 0;
      await new Promise((resolve) => setImmediate(resolve));
      gc();
      tell({ before, after: used() });`,
      { flags: ['--expose-gc'] },
    );
    expect(before).toBeGreaterThan(16_000);
    expect(after).toBeLessThan(2_000);
  });

  it('uses at most 128 bytes per open connection', async () => {
    // P-521 has the longest keys that TLS negotiates. The clients run in a separate process and so have separate keys.
    const clients = `const tls = require('node:tls');
      const connect = (left) => left === 0
        ? console.log('connected')
        : tls.connect({ port: Number(process.argv[1]), rejectUnauthorized: false, ecdhCurve: 'P-521' }, () => connect(left - 1));
      connect(64);`;
    const { bytes } = await inProcess(`
      closeProcess();
      const server = tls.createServer(tlsOptions(new OwnTlsKey({ host: 'localhost' }).identity({ now: Date.now() })));
      server.on('tlsClientError', () => undefined).on('secureConnection', (socket) => socket.on('error', () => undefined));
      await once(server.listen(0), 'listening');
      const before = used();
      const clients = spawn(process.execPath, ['-e', ${JSON.stringify(clients)}, server.address().port]);
      await once(clients.stdout, 'data');
      tell({ bytes: used() - before });
      clients.kill('SIGKILL');
      process.exit();`);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(64 * 128);
  });

  it('is reported as not locked if the limit is too low, and keys are still generated', async () => {
    const facts = await inProcess(
      `if (process.getuid() === 0) process.setuid(65534);
      const { keysLocked, lockLimitBytes } = closeProcess();
      generateKeyPairSync('ed25519');
      tell({ keysLocked, lockLimitBytes, kilobytes: lockedKilobytes() });`,
      { shell: 'ulimit -l 64; exec "$@"' },
    );
    expect(facts).toEqual({ keysLocked: false, lockLimitBytes: 65_536, kilobytes: 0 });
  });
});
