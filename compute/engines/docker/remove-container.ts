/** The end of a container: at once, with its disk, and certain. */
import { Refusal } from '../answers.ts';
import { EngineError } from '../errors.ts';
import type { Question } from '../question.ts';
import { poll } from '../waiting.ts';
import type { DockerApi } from './docker-api.ts';

/** @returns undefined for 404, which is an answer too @throws everything else */
export function unlessGone(error: unknown): undefined {
  if (error instanceof Refusal && error.status === 404) return undefined;
  throw error;
}

/**
 * Kills and removes it with its volumes, and waits until the engine no longer knows it: one that is being removed
 * already is answered with a conflict and goes on existing for a moment.
 * @throws {EngineError} ERR_OUTCOME_UNKNOWN where it still exists in the end
 */
export async function removeContainer(api: DockerApi, id: string, question: Question): Promise<void> {
  const query = { force: true, v: true };
  const gone = await poll(
    async () => {
      const asked = await api
        .send(question, { method: 'DELETE', path: `/containers/${id}`, query })
        .catch((error) => error);
      if (asked instanceof EngineError) throw asked;
      const known = await api
        .send({ ...question, changes: false }, { method: 'GET', path: `/containers/${id}/json` })
        .catch(unlessGone);
      return known === undefined ? true : undefined;
    },
    { everyMs: 250, timeoutMs: question.timeoutMs, signal: question.signal },
  );
  if (gone === undefined) throw new EngineError('ERR_OUTCOME_UNKNOWN', 'the engine does not remove the pod');
}
