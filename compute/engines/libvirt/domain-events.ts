/** Lifecycle events of machines, from a continuous `virsh event`. */
import type { EngineEvent } from '../engine.ts';
import type { EngineCall } from '../engine-call.ts';
import { parsePodName } from '../pod-name.ts';
import { type Virsh, virshLines } from './virsh.ts';

const line = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d+)([+-]\d\d)(\d\d): event 'lifecycle' for domain '([^']+)': (\w+)/;

/** @returns undefined once connected, then every event until virsh ends or the signal aborts */
export async function* domainEvents(
  virsh: Virsh,
  { uri, instance, call, program }: { uri: string; instance: string; call: EngineCall; program?: string | undefined },
): AsyncGenerator<EngineEvent | undefined> {
  const args = ['event', '--event', 'lifecycle', '--loop', '--timestamp'];
  // Stops `virsh event`, even before its first line and if the host does not answer.
  const over = new AbortController();
  const lines = virshLines(uri, args, AbortSignal.any([call.signal, over.signal]), program);
  const first = lines.next();
  first.catch(() => undefined);
  try {
    // `virsh event` does not report when it is connected. A later virsh call that succeeds is the best available sign.
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

/** @returns undefined for other machines and for events that do not change a pod's state */
export function parseEvent(text: string, instance: string): EngineEvent | undefined {
  const [, date, time, hours, minutes, name = '', what = ''] = line.exec(text) ?? [];
  const podId = parsePodName(instance, name);
  if (podId === undefined) return undefined;
  const at = new Date(`${date}T${time}${hours}:${minutes}`);
  if (what === 'Started') return { kind: 'started', podId, at };
  // Machines are transient: a stopped one no longer exists, and only its disks remain.
  if (what === 'Stopped' || what === 'Crashed') return { kind: 'died', podId, at };
  return undefined;
}
