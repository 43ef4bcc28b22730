/** Makes a container and starts it; whatever goes wrong on the way, nothing is left or the outcome is said to be unknown. */
import { setTimeout as pause } from 'node:timers/promises';
import type { PodSpec } from '../engine.ts';
import { EngineError } from '../errors.ts';
import { podName } from '../pod-name.ts';
import { lostAnswer, type Question, Refusal } from './ask.ts';
import { type ContainerOptions, containerBody, libpodBody } from './container-body.ts';
import type { ContainerDetails } from './container-pod.ts';
import type { DockerApi } from './docker-api.ts';
import { countGpus } from './gpus.ts';
import { engineRefusal, refused } from './refusals.ts';
import { removeContainer } from './remove-container.ts';
import { buildTar } from './tar.ts';

export interface StartContext {
  readonly reading: Question;
  readonly changing: Question;
  /** Whether the template brings its own programs, for images that have none. */
  readonly hasKit: boolean;
}

/** Longest that cleaning up may take after the caller gave up. */
const cleanUpMs = 20_000;

/** @throws {EngineError} */
export async function startContainer(
  api: DockerApi,
  spec: PodSpec,
  options: ContainerOptions,
  context: StartContext,
): Promise<ContainerDetails> {
  const id = await make(api, spec, options, context.changing);
  try {
    await api.send(context.changing, {
      method: 'PUT',
      path: `/containers/${id}/archive`,
      query: { path: '/' },
      archive: authorizedKeys(spec.sshKeys),
    });
    await api.send(context.changing, { method: 'POST', path: `/containers/${id}/start` });
    const details = await lookAt(api, id, context.reading);
    if (!details.State.Running) throw refused('settings_refused', 'the pod ended as soon as it was started');
    if (spec.gpuCount > 0) await requireGpus(api, id, spec.gpuCount, context);
    return details;
  } catch (error) {
    throw await cleanUp(api, id, error, context.changing);
  }
}

async function make(api: DockerApi, spec: PodSpec, options: ContainerOptions, question: Question): Promise<string> {
  const name = podName(options.instance, spec.podId);
  const throughLibpod = spec.gpuCount > 0 && options.gpuRequest === 'libpod';
  try {
    const { Id } = await api.send<{ Id: string }>(
      question,
      throughLibpod
        ? { method: 'POST', path: '/v4.0.0/libpod/containers/create', body: { ...libpodBody(spec, options), name } }
        : { method: 'POST', path: '/containers/create', query: { name }, body: containerBody(spec, options) },
    );
    return Id;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // It was free a moment ago: an earlier call, whose answer got lost, is still making this pod.
    if (/already in use|conflict/.test(error.words)) throw lostAnswer(true, error);
    throw engineRefusal(error);
  }
}

async function lookAt(api: DockerApi, id: string, question: Question): Promise<ContainerDetails> {
  const look = (): Promise<ContainerDetails> =>
    api.send<ContainerDetails>(question, { method: 'GET', path: `/containers/${id}/json` });
  const first = await look();
  if (!first.State.Running) return first;
  // A program that cannot work usually ends within its first moments; then there is no pod to be paid for.
  await pause(300, undefined, { signal: question.signal });
  return look();
}

async function requireGpus(api: DockerApi, id: string, expected: number, context: StartContext): Promise<void> {
  const present = await countGpus(api, id, context.hasKit, context.reading);
  if (present !== expected) {
    throw refused('devices_missing', `the pod must have ${expected} GPUs, ${present} appeared in it`);
  }
}

/** @returns what the caller of `create` is told: the failure itself if nothing is left, else that the outcome is unknown */
async function cleanUp(api: DockerApi, id: string, failure: unknown, question: Question): Promise<EngineError> {
  try {
    // The caller's own signal may be what ended it.
    const signal = AbortSignal.timeout(cleanUpMs);
    await removeContainer(api, id, { ...question, signal, timeoutMs: cleanUpMs });
  } catch (cause) {
    return lostAnswer(true, new AggregateError([failure, cause], 'a started pod could not be removed'));
  }
  if (failure instanceof Refusal) return engineRefusal(failure);
  if (failure instanceof EngineError && failure.code !== 'ERR_OUTCOME_UNKNOWN') return failure;
  return refused('engine_refused', 'the engine did not finish starting the pod; it was removed again', failure);
}

function authorizedKeys(keys: readonly string[]): Buffer {
  return buildTar([
    { path: 'root/.ssh/', mode: 0o700 },
    { path: 'root/.ssh/authorized_keys', mode: 0o600, content: `${keys.join('\n')}\n` },
  ]);
}
