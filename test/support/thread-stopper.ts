/** Stops threads of another process, as a hanging device driver would. `worker.terminate()` does not end a stopped thread. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCE = `
#include <cstdio>
#include <cstdlib>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char** threads) {
  for (int index = 1; index < count; ++index) {
    const pid_t thread = std::atoi(threads[index]);
    if (ptrace(PTRACE_SEIZE, thread, 0, 0) != 0 || ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0) return 1;
    waitpid(thread, nullptr, __WALL);
  }
  std::puts("stopped");
  std::fflush(stdout);
  // Reap the threads when they end: until then their process cannot be reaped by its parent.
  while (waitpid(-1, nullptr, __WALL) > 0) {
  }
}`;

export interface ThreadStopper {
  /** @param named of the threads to stop · @returns what lets them go on */
  stop(processId: number, options: { named: RegExp }): Promise<() => void>;
  remove(): void;
}

/** @returns a stopper, or why threads cannot be stopped here */
export function buildThreadStopper(): ThreadStopper | { readonly missing: string } {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-stopper-'));
  const program = join(folder, 'stopper');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  writeFileSync(`${program}.cc`, SOURCE);
  execFileSync('g++', ['-o', program, `${program}.cc`]);
  const tried = spawn('sleep', ['60'], { stdio: 'ignore' });
  const { stdout } = spawnSync(program, [String(tried.pid)], { encoding: 'utf8', timeout: 1_000 });
  tried.kill('SIGKILL');
  if (stdout !== 'stopped\n') {
    remove();
    return { missing: 'this user may not trace processes' };
  }
  return {
    async stop(processId, { named }) {
      const tasks = `/proc/${processId}/task`;
      const threads = readdirSync(tasks).filter((id) => named.test(readFileSync(join(tasks, id, 'comm'), 'utf8')));
      const stopper = spawn(program, threads, { stdio: ['ignore', 'pipe', 'ignore'] });
      await Promise.race([
        once(stopper.stdout, 'data'),
        once(stopper, 'exit').then(() => Promise.reject(new Error('the threads could not be stopped'))),
      ]);
      return () => void stopper.kill('SIGKILL');
    },
    remove,
  };
}
