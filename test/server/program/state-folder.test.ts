/** Only one server can use a state folder, and a restart keeps the identity. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readNodeName } from '../../../server/program/node-name.ts';
import { lockStateFolder } from '../../../server/program/state-folder.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'cloister-state-'));

/** A process that locks `stateDir` and keeps running. */
async function lockElsewhere(stateDir: string) {
  const module = join(import.meta.dirname, '../../../server/program/state-folder.ts');
  const program = `
    const { lockStateFolder } = await import(${JSON.stringify(module)});
    globalThis.lock = lockStateFolder({ stateDir: ${JSON.stringify(stateDir)} }, 'serve'); // Else it could be collected.
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child;
}

describe('a state folder', () => {
  it('is locked by one server, and the error of a second one names the process', async () => {
    const stateDir = folder();
    const child = await lockElsewhere(stateDir);
    expect(() => lockStateFolder({ stateDir }, 'serve')).toThrow(
      expect.objectContaining({
        code: 'ERR_START',
        message:
          `another \`cloister serve\` (process ${child.pid}) uses the state folder ${stateDir}: stop it, or choose ` +
          'another folder with --state-dir',
      }),
    );
    // The compute service is another program, which may use the same folder.
    lockStateFolder({ stateDir }, 'compute serve').release();
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockStateFolder({ stateDir }, 'serve').release();
  });

  it('can be locked again once it is released', () => {
    const stateDir = folder();
    const lock = lockStateFolder({ stateDir }, 'serve');
    expect(() => lockStateFolder({ stateDir }, 'serve')).toThrow(/process \d+/);
    lock.release();
    lockStateFolder({ stateDir }, 'serve').release();
    expect(statSync(join(stateDir, 'serve.lock')).mode & 0o777).toBe(0o600);
  });

  it('has a node name that is stable across starts and unique to the folder', () => {
    const [one, other] = [join(folder(), 'node-id'), join(folder(), 'node-id')];
    const name = readNodeName(one);
    expect(readNodeName(one)).toBe(name);
    expect(readNodeName(other)).not.toBe(name);
    writeFileSync(one, '');
    expect(readNodeName(one)).not.toBe(name);
    expect(existsSync(one) && readFileSync(one, 'utf8')).toMatch(/^[\w-]{16}\n$/);
  });
});
