/** Watches the engines' events, so that changes of pods are followed at once and not at the next reconciliation. */
import type { Engine } from '../engines/engine.ts';
import { schedule } from '../store/jobs.ts';
import type { Control } from './control.ts';

/** Runs until the signal aborts. @param wake called when a job was scheduled */
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
      note('event stream of an engine is interrupted', { engine: engine.name }, event.error);
      continue;
    }
    try {
      const runAt = await store.now();
      // Events are only hints, since they may be late or concern an ended pod: the job inspects the pod.
      const job =
        event.kind === 'connected'
          ? ({ kind: 'reconcile', subject: '', runAt } as const)
          : ({ kind: 'follow', subject: event.podId, runAt } as const);
      await schedule(store.db, [job]);
    } catch (error) {
      // The reconciler detects the change later.
      note('event cannot be recorded', { engine: engine.name }, error);
    }
    wake();
  }
}
