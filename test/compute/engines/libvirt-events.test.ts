import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { domainEvents } from '../../../compute/engines/libvirt/domain-events.ts';
import { virshAt } from '../../../compute/engines/libvirt/virsh.ts';

const uri = 'qemu:///system';
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A virsh whose event stream stays silent; other commands run the shell command `answer`. */
function silentVirsh(answer: string) {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-virsh-'));
  folders.push(folder);
  const program = join(folder, 'virsh');
  const pidFile = join(folder, 'pid');
  writeFileSync(
    program,
    `#!/bin/sh
shift 3
case "$1" in
  event) echo $$ > ${pidFile}; exec sleep 1000;;
  *) while [ ! -s ${pidFile} ]; do :; done; ${answer};;
esac
`,
  );
  chmodSync(program, 0o755);
  const call = { signal: new AbortController().signal, timeoutMs: 10_000, changes: false };
  const events = domainEvents(virshAt(uri, program), { uri, instance: 'test', call, program });
  const isRunning = () => existsSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}`);
  return { events, isRunning };
}

describe('the stream of events of a libvirt host', () => {
  it('leaves no virsh behind when the host does not answer', async () => {
    const { events, isRunning } = silentVirsh('echo "error: failed to connect" >&2; exit 1');
    await expect(events.next()).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
    await expect.poll(isRunning).toBe(false);
  });

  it('leaves no virsh process behind after the last listener ends', async () => {
    const { events, isRunning } = silentVirsh('exit 0');
    expect(await events.next()).toEqual({ done: false, value: undefined });
    expect(isRunning()).toBe(true);
    await events.return(undefined);
    await expect.poll(isRunning).toBe(false);
  });
});
