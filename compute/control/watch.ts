/** Listens to engines, so that what happens to pods is looked at when it happens and not half a minute later. */
import type { Engine } from '../engines/engine.ts';
import { schedule } from '../store/jobs.ts';
import type { Control } from './control.ts';

/** Until the signal aborts. @param wake called when there is work */
export async function watchEngines(
  control: Control,
  { signal, wake }: { signal: AbortSignal; wake: () => void },
): Promise<void> {
  await Promise.all(control.fleet.engines.map((engine) => watchEngine(control, engine, { signal, wake })));
}

async function watchEngine(
  { store, note }: Control,
  engine: Engine,
  { signal, wake }: { signal: AbortSignal; wake: () => void },
): Promise<void> {
  for await (const event of engine.events({ signal })) {
    if (event.kind === 'disconnected') {
      note('events of an engine are interrupted', { engine: engine.name }, event.error);
      continue;
    }
    try {
      const runAt = await store.now();
      // Whatever it is, the pod is looked up: an event may be late, or about a pod that has long ended.
      const job =
        event.kind === 'connected'
          ? ({ kind: 'reconcile', subject: '', runAt } as const)
          : ({ kind: 'follow', subject: event.podId, runAt } as const);
      await schedule(store.db, [job]);
    } catch (error) {
      // The reconciler finds out what the event would have told.
      note('event cannot be written down', { engine: engine.name }, error);
    }
    wake();
  }
}
