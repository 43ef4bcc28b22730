/** Lifecycle events of machines, as one `virsh event` that does not end tells them. */
import type { EngineEvent } from '../engine.ts';
import { parsePodName } from '../pod-name.ts';
import type { Question } from '../question.ts';
import { type Virsh, virshLines } from './virsh.ts';

const line = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d+)([+-]\d\d)(\d\d): event 'lifecycle' for domain '([^']+)': (\w+)/;

/** @returns undefined once connected, then every event until virsh ends or the signal aborts */
export async function* domainEvents(
  virsh: Virsh,
  { uri, instance, call, program }: { uri: string; instance: string; call: Question; program?: string | undefined },
): AsyncGenerator<EngineEvent | undefined> {
  const args = ['event', '--event', 'lifecycle', '--loop', '--timestamp'];
  // Ends the one that does not end, also before its first line and where the host does not answer.
  const over = new AbortController();
  const lines = virshLines(uri, args, AbortSignal.any([call.signal, over.signal]), program);
  const first = lines.next();
  first.catch(() => undefined);
  try {
    // It says nothing when it is ready. Another virsh that is started after it and answers is the best sign there is.
    await virsh(call, ['uri']);
    yield undefined;
    for (let next = await first; !next.done; next = await lines.next()) {
      const event = parseEvent(next.value, instance);
      if (event !== undefined) yield event;
    }
  } finally {
    over.abort();
    await lines.return(undefined).catch(() => undefined);
  }
}

/** @returns undefined for other machines and for what changes nothing */
export function parseEvent(text: string, instance: string): EngineEvent | undefined {
  const [, date, time, hours, minutes, name = '', what = ''] = line.exec(text) ?? [];
  const podId = parsePodName(instance, name);
  if (podId === undefined) return undefined;
  const at = new Date(`${date}T${time}${hours}:${minutes}`);
  if (what === 'Started') return { kind: 'started', podId, at };
  // Machines here are transient: one that stopped is gone, and only its disks are left.
  if (what === 'Stopped' || what === 'Crashed') return { kind: 'died', podId, at };
  return undefined;
}
