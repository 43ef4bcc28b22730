/** The errors of deploys that do not return a pod. */
import { ComputeError, notCharged } from '../base/errors.ts';
import { EngineError } from '../engines/errors.ts';
import type { PodRow } from '../store/tables.ts';

/** Whether the deploy may succeed on another machine. */
export function isRetryableElsewhere({ code }: ComputeError): boolean {
  return code === 'MACHINE_UNAVAILABLE' || code === 'MACHINE_NOT_FOUND' || code === 'UPSTREAM_UNAVAILABLE';
}

/** @param error of an engine that did not create a pod */
export function refusalOf(error: unknown): ComputeError {
  if (!(error instanceof EngineError)) return unavailable(error);
  const { code, reason } = error;
  if (code === 'ERR_IMAGE_UNAVAILABLE') {
    return notCharged(
      'IMAGE_UNAVAILABLE',
      '`image` cannot be prepared: use a public linux/amd64 image, or one that a stored credential can pull',
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
      'the machine lacks free resources at the moment: list the machines and choose another',
      { cause: error },
    );
  }
  return notCharged('ENGINE_REFUSED', 'the machine refused the pod: list the machines and choose another', {
    cause: error,
  });
}

export function unavailable(cause: unknown): ComputeError {
  return notCharged(
    'UPSTREAM_UNAVAILABLE',
    'the machine cannot be reached: try again, or list the machines and choose another',
    { cause },
  );
}

export function outcomeUnknown({ id }: PodRow): ComputeError {
  return new ComputeError(
    'OUTCOME_UNKNOWN',
    'the machine did not answer, so it is not known yet whether the pod exists: list the pods in a few minutes. If the pod does ' +
      'not appear, the first hour is refunded within two hours. Repeat this request only with the same Idempotency-Key',
    { fields: { charged: true, pod_id: id } },
  );
}

/** Appears only in the log: the caller has disconnected. */
export function callerLeft(): ComputeError {
  return notCharged('UNAVAILABLE', 'the connection closed before the pod was created: nothing was charged');
}
