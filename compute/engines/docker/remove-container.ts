/** Kills and removes containers with their disks, and verifies the removal. */
import { Refusal } from '../answers.ts';
import type { EngineCall } from '../engine-call.ts';
import { EngineError } from '../errors.ts';
import { poll } from '../waiting.ts';
import type { DockerApi } from './docker-api.ts';

/** @returns undefined for 404 · @throws every other error */
export function ignoreNotFound(error: unknown): undefined {
  if (error instanceof Refusal && error.status === 404) return undefined;
  throw error;
}

/**
 * Kills and removes a container with its volumes, and waits until it no longer exists: if a removal is already in progress, the
 * engine answers with a conflict and the container exists for a moment longer.
 * @throws {EngineError} ERR_OUTCOME_UNKNOWN if it still exists after the time limit
 */
export async function removeContainer(api: DockerApi, id: string, call: EngineCall): Promise<void> {
  const query = { force: true, v: true };
  const gone = await poll(
    async () => {
      const asked = await api
        .send(call, { method: 'DELETE', path: `/containers/${id}`, query })
        .catch((error) => error);
      if (asked instanceof EngineError) throw asked;
      const known = await api
        .send({ ...call, changes: false }, { method: 'GET', path: `/containers/${id}/json` })
        .catch(ignoreNotFound);
      return known === undefined ? true : undefined;
    },
    { everyMs: 250, timeoutMs: call.timeoutMs, signal: call.signal },
  );
  if (gone === undefined) throw new EngineError('ERR_OUTCOME_UNKNOWN', 'the engine did not remove the pod in time');
}
