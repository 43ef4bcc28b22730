/** The errors of a deploy that returns no pod. */
import { ComputeError, notCharged } from '../base/errors.ts';
import { EngineError } from '../engines/errors.ts';
import type { PodRow } from '../store/tables.ts';

/** Whether another machine may do what this one did not. */
export function isRetryableElsewhere({ code }: ComputeError): boolean {
  return code === 'MACHINE_UNAVAILABLE' || code === 'MACHINE_NOT_FOUND' || code === 'UPSTREAM_UNAVAILABLE';
}

/** @param error thrown by an engine that created no pod */
export function refusalOf(error: unknown): ComputeError {
  if (!(error instanceof EngineError)) return unavailable(error);
  const { code, reason } = error;
  if (code === 'ERR_IMAGE_UNAVAILABLE') {
    return notCharged(
      'IMAGE_UNAVAILABLE',
      '`image` cannot be prepared: name a public linux/amd64 image, or one that a stored credential may pull',
      { cause: error },
    );
  }
  if (code === 'ERR_SPEC_INVALID' || reason === 'settings_refused') {
    return notCharged('SETTINGS_REFUSED', `${error.message}: change the settings and deploy again`, {
      cause: error,
      fields: { reason: 'settings_refused' },
    });
  }
  if (code === 'ERR_ENGINE_UNREACHABLE' || code === 'ERR_OUTCOME_UNKNOWN') return unavailable(error);
  if (reason === 'resources_missing') {
    return notCharged(
      'MACHINE_UNAVAILABLE',
      'the machine has no room at the moment: list the machines and take another',
      { cause: error },
    );
  }
  return notCharged('ENGINE_REFUSED', 'the machine refused the pod: list the machines and take another', {
    cause: error,
  });
}

export function unavailable(cause: unknown): ComputeError {
  return notCharged(
    'UPSTREAM_UNAVAILABLE',
    'the machine cannot be reached: try again, or list the machines and take another',
    { cause },
  );
}

export function outcomeUnknown({ id }: PodRow): ComputeError {
  return new ComputeError(
    'OUTCOME_UNKNOWN',
    'the machine did not answer, so whether the pod exists cannot be told yet: list the pods in some minutes; if it does ' +
      'not appear, the hour is returned by itself within two hours. Do not repeat this without its Idempotency-Key',
    { fields: { charged: true, pod_id: id } },
  );
}

/** For the log: its reader is gone. */
export function callerLeft(): ComputeError {
  return notCharged('UNAVAILABLE', 'the connection closed before the pod was created: nothing was charged');
}
