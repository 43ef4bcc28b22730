/** Processes of the load, which leave the processors to whatever else wants them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** @param script a file of this folder · @returns a process that messages can be sent to and come from */
export function startLowPriority(script: string): ChildProcess {
  const path = new URL(script, import.meta.url).pathname;
  return spawn('nice', ['-n', '19', process.execPath, path], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** The next message of the process. @throws {Error} where it ends without one */
export async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController();
  const isOver = once(child, 'exit', { signal: ended.signal }).then(
    ([status]) => Promise.reject(new Error(`a process of the load ended with status ${status}`)),
    () => undefined,
  );
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal: ended.signal }), isOver])) as [Message];
    return message;
  } finally {
    ended.abort();
  }
}
