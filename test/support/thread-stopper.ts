/**
 * Stops threads of another process, like a device driver that hangs. `worker.terminate()` does not end a stopped thread.
 * A driver hangs in its own code, whereas a thread stopped at an arbitrary point may hold a lock of the whole process (of
 * malloc, of a message port), which would block every other thread. Therefore a thread is resumed until it computes or waits.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const source = `
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// Whether an address lies in a library that computes: such code takes no lock that other threads of the process want.
bool computes(pid_t thread, unsigned long address) {
  std::ifstream maps("/proc/" + std::to_string(thread) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2 || address < begin || address >= end) continue;
    return line.find("libggml") != std::string::npos || line.find("cloister.node") != std::string::npos;
  }
  return false;
}

// How often a thread has gone to sleep so far.
long sleeps(pid_t thread) {
  std::ifstream status("/proc/" + std::to_string(thread) + "/status");
  long count = -1;
  for (std::string line; std::getline(status, line);) {
    if (std::sscanf(line.c_str(), "voluntary_ctxt_switches: %ld", &count) == 1) break;
  }
  return count;
}

bool interrupt(pid_t thread, user_regs_struct& registers) {
  if (ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0) return false;
  waitpid(thread, nullptr, __WALL);
  return ptrace(PTRACE_GETREGS, thread, 0, &registers) == 0;
}

bool stop(pid_t thread) {
  if (ptrace(PTRACE_SEIZE, thread, 0, 0) != 0) return false;
  for (int attempt = 0; attempt < 10'000; ++attempt) {
    user_regs_struct registers;
    const long before = sleeps(thread);
    // One that waits for a lock soon has it; one that waits for work sleeps on.
    usleep(50'000);
    const bool is_idle = sleeps(thread) == before;
    if (!interrupt(thread, registers)) return false;
    const long call = static_cast<long>(registers.orig_rax);
    if (call == SYS_epoll_wait || call == SYS_epoll_pwait || call == SYS_clock_nanosleep) return true;
    if ((call == SYS_futex && is_idle) || computes(thread, registers.rip)) return true;
    ptrace(PTRACE_CONT, thread, 0, 0);
    usleep(5'000);
  }
  return false;
}

int main(int count, char** threads) {
  for (int index = 1; index < count; ++index) {
    if (!stop(std::atoi(threads[index]))) return 1;
  }
  std::puts("stopped");
  std::fflush(stdout);
  // Reap the threads when they end: until then their process cannot be reaped by its parent.
  while (waitpid(-1, nullptr, __WALL) > 0) {
  }
}`;

export interface ThreadStopper {
  /** @param named names of the threads to stop · @returns a function that resumes them */
  stop(processId: number, options: { named: RegExp }): Promise<() => void>;
  remove(): void;
}

/** @returns a stopper, or why threads cannot be stopped here */
export function buildThreadStopper(): ThreadStopper | { readonly missing: string } {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-stopper-'));
  const program = join(folder, 'stopper');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  writeFileSync(`${program}.cc`, source);
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
