/** The handlers of each kind of job. */
import { after, type Control } from '../control/control.ts';
import { followPod } from '../control/follow.ts';
import { reconcile } from '../control/reconcile.ts';
import { destroyPod, hardStop } from '../control/release.ts';
import type { JobHandlers } from '../control/worker.ts';
import { Books } from '../store/books.ts';
import { meterAccount } from '../store/metering.ts';
import { sweep } from '../store/sweep.ts';
import { type DeliverOptions, deliverEvents } from '../webhooks/deliver.ts';

const hourMs = 3_600_000;

export interface HandlerOptions {
  readonly webhooks: DeliverOptions;
  /** Called after every audit of the books; deploys must be refused while there are faults. */
  readonly onAudit: (faults: readonly string[]) => void;
}

export function buildHandlers(control: Control, { webhooks, onAudit }: HandlerOptions): JobHandlers {
  const { store, fleet, times, note } = control;
  const books = new Books(store);
  return {
    follow: ({ subject, attempts }) => followPod(control, subject, { attempt: attempts }),
    'hard-stop': ({ subject }) => hardStop(control, subject),
    destroy: ({ subject, attempts }) => destroyPod(control, subject, { attempt: attempts }),
    async meter({ subject }) {
      const at = await meterAccount(store, subject);
      return at === undefined ? undefined : after(at - (await store.now()));
    },
    webhook: ({ subject, attempts }) => deliverEvents(control, subject, { ...webhooks, attempt: attempts }),
    async reconcile() {
      await reconcile(control);
      return after(times.reconcileMs);
    },
    async sweep() {
      await sweep(store);
      return after(hourMs);
    },
    async templates() {
      for (const engine of fleet.engines) {
        await engine
          .dropIdleTemplates({ signal: AbortSignal.timeout(times.callTimeoutMs) })
          .catch((error) => note('idle templates cannot be removed', { engine: engine.name }, error));
      }
      return after(hourMs);
    },
    async audit() {
      const faults = await books.audit();
      for (const fault of faults) note(`audit found a fault: ${fault}`, {});
      onAudit(faults);
      return after(times.auditMs);
    },
  };
}
