/** Processes that generate load at the lowest priority, so that they yield the processors to the server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** @param script a file of this folder · @returns a process with a channel for messages */
export function startLowPriority(script: string): ChildProcess {
  const path = new URL(script, import.meta.url).pathname;
  return spawn('nice', ['-n', '19', process.execPath, path], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** Waits for the next message of the process. @throws {Error} if the process exits without sending one */
export async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController();
  // The channel closes after its last message was delivered; the process may exit before.
  const isOver = once(child, 'disconnect', { signal: ended.signal }).then(
    () => Promise.reject(new Error('a process of the load ended without a message')),
    () => undefined,
  );
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal: ended.signal }), isOver])) as [Message];
    return message;
  } finally {
    ended.abort();
  }
}
