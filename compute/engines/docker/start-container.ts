/** Creates and starts a container. After a failure the container is removed, or the outcome is reported as unknown. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterFailure, lostAnswer, Refusal } from '../answers.ts';
import type { PodSpec } from '../engine.ts';
import type { EngineCall } from '../engine-call.ts';
import { refused } from '../errors.ts';
import { podName } from '../pod-name.ts';
import { type ContainerOptions, containerBody, libpodBody } from './container-body.ts';
import type { ContainerDetails } from './container-pod.ts';
import type { DockerApi } from './docker-api.ts';
import { countGpus } from './gpus.ts';
import { hasJupyter } from './kit-programs.ts';
import { removeContainer } from './remove-container.ts';
import { buildTar } from './tar.ts';

export interface StartContext {
  readonly reading: EngineCall;
  readonly changing: EngineCall;
  /** Whether the template contains the SSH kit, whose programs work in every image. */
  readonly hasKit: boolean;
}

/** Time limit of the cleanup after a failure. */
const cleanUpMs = 20_000;

/** @throws {Refusal} · {EngineError} */
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
    if (!details.State.Running) throw refused('settings_refused', 'the pod ended right after its start');
    await requireInside(api, id, spec, context);
    return details;
  } catch (error) {
    const remove = (signal: AbortSignal) =>
      removeContainer(api, id, { ...context.changing, signal, timeoutMs: cleanUpMs });
    throw await afterFailure(error, remove, { timeoutMs: cleanUpMs });
  }
}

async function make(api: DockerApi, spec: PodSpec, options: ContainerOptions, call: EngineCall): Promise<string> {
  const name = podName(options.instance, spec.podId);
  const throughLibpod = spec.gpuCount > 0 && options.gpuRequest === 'libpod';
  try {
    const { Id } = await api.send<{ Id: string }>(
      call,
      throughLibpod
        ? { method: 'POST', path: '/v4.0.0/libpod/containers/create', body: { ...libpodBody(spec, options), name } }
        : { method: 'POST', path: '/containers/create', query: { name }, body: containerBody(spec, options) },
    );
    return Id;
  } catch (error) {
    // The name was free just before: an earlier call, whose answer was lost, is still creating this pod.
    if (error instanceof Refusal && /already in use|conflict/.test(error.words)) throw lostAnswer(true, error);
    throw error;
  }
}

async function lookAt(api: DockerApi, id: string, call: EngineCall): Promise<ContainerDetails> {
  const look = (): Promise<ContainerDetails> =>
    api.send<ContainerDetails>(call, { method: 'GET', path: `/containers/${id}/json` });
  const first = await look();
  if (!first.State.Running) return first;
  // Detects programs that fail right after the start, so that the tenant is not charged for them.
  await pause(300, undefined, { signal: call.signal });
  return look();
}

/**
 * Verifies the GPUs and JupyterLab inside a running container.
 * @throws {EngineError} ERR_ENGINE_REFUSED
 */
export async function requireInside(
  api: DockerApi,
  containerId: string,
  { gpuCount, jupyter = false }: Pick<PodSpec, 'gpuCount' | 'jupyter'>,
  { reading, hasKit }: Pick<StartContext, 'reading' | 'hasKit'>,
): Promise<void> {
  const present = gpuCount === 0 ? 0 : await countGpus(api, containerId, hasKit, reading);
  if (present !== gpuCount) {
    throw refused('devices_missing', `the pod must have ${gpuCount} GPUs, got ${present}`);
  }
  if (!jupyter || (hasKit && (await hasJupyter(api, containerId, reading)))) return;
  throw refused('settings_refused', 'jupyter cannot be started: the image does not contain it');
}

function authorizedKeys(keys: readonly string[]): Buffer {
  return buildTar([
    { path: 'root/.ssh/', mode: 0o700 },
    { path: 'root/.ssh/authorized_keys', mode: 0o600, content: `${keys.join('\n')}\n` },
  ]);
}
