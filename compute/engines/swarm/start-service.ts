/** Creates a service and waits until its one task runs or certainly cannot run. */
import { creationInProgress, Refusal } from '../answers.ts';
import type { DockerApi } from '../docker/docker-api.ts';
import { engineRefusal } from '../docker/refusals.ts';
import { ignoreNotFound } from '../docker/remove-container.ts';
import type { PodSpec } from '../engine.ts';
import type { EngineCall } from '../engine-call.ts';
import { type EngineError, refused } from '../errors.ts';
import { instanceLabel, podLabel, podName } from '../pod-name.ts';
import { poll } from '../waiting.ts';
import { type ConfigReference, type ServiceOptions, serviceBody } from './service-body.ts';
import type { SwarmNode } from './swarm-nodes.ts';
import type { Template } from './swarm-templates.ts';
import { hasEnded, hasReportedEnd, newest, type Task } from './task-pod.ts';

const pollEveryMs = 250;

/** @throws {Refusal} · {EngineError} ERR_OUTCOME_UNKNOWN, also if an earlier call is still creating the same pod */
export async function createService(
  api: DockerApi,
  { spec, template, options, call }: { spec: PodSpec; template: Template; options: ServiceOptions; call: EngineCall },
): Promise<void> {
  const { registryAuth, ...start } = template;
  try {
    const keys = await putKeys(api, spec, options.instance, call);
    await api.send(call, {
      method: 'POST',
      path: '/services/create',
      body: serviceBody(spec, start, keys, options),
      ...(registryAuth === undefined ? {} : { registryAuth }),
    });
  } catch (cause) {
    const isTaken = cause instanceof Refusal && /in use by|already exists|conflicts with/.test(cause.words);
    throw isTaken ? creationInProgress(cause) : cause;
  }
}

/** @returns the running task @throws {EngineError} */
export async function awaitRunning(
  api: DockerApi,
  { name, call, timeoutMs }: { name: string; call: EngineCall; timeoutMs: number },
): Promise<Task> {
  const settled = async (): Promise<Task | undefined> => {
    const query = { filters: JSON.stringify({ service: [name] }) };
    const task = newest(await api.send<Task[]>(call, { method: 'GET', path: '/tasks', query }));
    if (task === undefined) return undefined;
    if (task.Status.State === 'running' || hasEnded(task) || cannotBePlaced(task)) return task;
    return (await isNodeLost(api, task, call)) ? task : undefined;
  };
  const task = await poll(settled, { everyMs: pollEveryMs, timeoutMs, signal: call.signal });
  if (task === undefined) throw refused('engine_refused', 'the machine did not start the pod in time');
  if (task.Status.State === 'running' && !hasEnded(task)) return task;
  throw taskRefusal(task);
}

/** Stores the public keys in a config. Replaces the config of an earlier attempt, because configs are immutable. */
async function putKeys(api: DockerApi, spec: PodSpec, instance: string, asked: EngineCall): Promise<ConfigReference> {
  const name = podName(instance, spec.podId);
  // A config is not a pod, so a lost answer counts as a failure.
  const call = { ...asked, changes: false };
  await api.send(call, { method: 'DELETE', path: `/configs/${name}` }).catch(ignoreNotFound);
  const { ID } = await api.send<{ ID: string }>(call, {
    method: 'POST',
    path: '/configs/create',
    body: {
      Name: name,
      Labels: { [instanceLabel]: instance, [podLabel]: spec.podId },
      Data: Buffer.from(`${spec.sshKeys.join('\n')}\n`).toString('base64'),
    },
  });
  return { id: ID, name };
}

/** Whether a pending task can never run: no node fits, and the pod is bound to the rented one. */
function cannotBePlaced({ Status }: Task): boolean {
  return Status.State === 'pending' && /no suitable node/.test(Status.Err ?? '');
}

/** Whether the task's node is down or removed: Swarm neither starts nor fails such a task. */
async function isNodeLost(api: DockerApi, { NodeID }: Task, call: EngineCall): Promise<boolean> {
  if (NodeID === undefined || NodeID === '') return false;
  const node = await api.send<SwarmNode>(call, { method: 'GET', path: `/nodes/${NodeID}` }).catch(ignoreNotFound);
  return node === undefined || node.Status.State === 'down';
}

function taskRefusal(task: Task): EngineError {
  const { Status } = task;
  const cause = new Refusal('the node abandoned the task', Status.Err ?? '');
  if (!hasReportedEnd(task) || /no suitable node|no longer meets constraints/.test(cause.words)) {
    return refused('resources_missing', 'the machine is unreachable or lacks free resources for the pod', cause);
  }
  return engineRefusal(cause);
}
