/** Makes a service and waits until its one task runs, or until it is certain that it never will. */
import { beingMade, Refusal } from '../answers.ts';
import type { DockerApi } from '../docker/docker-api.ts';
import { engineRefusal } from '../docker/refusals.ts';
import { unlessGone } from '../docker/remove-container.ts';
import type { PodSpec } from '../engine.ts';
import { type EngineError, refused } from '../errors.ts';
import { instanceLabel, podLabel, podName } from '../pod-name.ts';
import type { Question } from '../question.ts';
import { poll } from '../waiting.ts';
import { type ConfigReference, type ServiceOptions, serviceBody } from './service-body.ts';
import type { SwarmNode } from './swarm-nodes.ts';
import type { Template } from './swarm-templates.ts';
import { hasEnded, isToldEnded, newest, type Task } from './task-pod.ts';

const pollEveryMs = 250;

/** @throws {Refusal} · {EngineError} ERR_OUTCOME_UNKNOWN, also where an earlier call is still making the same pod */
export async function createService(
  api: DockerApi,
  {
    spec,
    template,
    options,
    question,
  }: { spec: PodSpec; template: Template; options: ServiceOptions; question: Question },
): Promise<void> {
  const { registryAuth, ...start } = template;
  try {
    const keys = await putKeys(api, spec, options.instance, question);
    await api.send(question, {
      method: 'POST',
      path: '/services/create',
      body: serviceBody(spec, start, keys, options),
      ...(registryAuth === undefined ? {} : { registryAuth }),
    });
  } catch (cause) {
    const isTaken = cause instanceof Refusal && /in use by|already exists|conflicts with/.test(cause.words);
    throw isTaken ? beingMade(cause) : cause;
  }
}

/** @returns the running task @throws {EngineError} */
export async function awaitRunning(
  api: DockerApi,
  { name, question, timeoutMs }: { name: string; question: Question; timeoutMs: number },
): Promise<Task> {
  const settled = async (): Promise<Task | undefined> => {
    const query = { filters: JSON.stringify({ service: [name] }) };
    const task = newest(await api.send<Task[]>(question, { method: 'GET', path: '/tasks', query }));
    if (task === undefined) return undefined;
    if (task.Status.State === 'running' || hasEnded(task) || isHopeless(task)) return task;
    return (await isAway(api, task, question)) ? task : undefined;
  };
  const task = await poll(settled, { everyMs: pollEveryMs, timeoutMs, signal: question.signal });
  if (task === undefined) throw refused('engine_refused', 'the machine did not start the pod in time');
  if (task.Status.State === 'running' && !hasEnded(task)) return task;
  throw taskRefusal(task);
}

/** Public keys; a config left by an earlier try is replaced, because configs cannot change. */
async function putKeys(api: DockerApi, spec: PodSpec, instance: string, asked: Question): Promise<ConfigReference> {
  const name = podName(instance, spec.podId);
  // No pod comes of this, so an answer that got lost is as good as none.
  const question = { ...asked, changes: false };
  await api.send(question, { method: 'DELETE', path: `/configs/${name}` }).catch(unlessGone);
  const { ID } = await api.send<{ ID: string }>(question, {
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

/** Told while it still waits: no machine fits, and none will, as every machine is rented whole. */
function isHopeless({ Status }: Task): boolean {
  return Status.State === 'pending' && /no suitable node/.test(Status.Err ?? '');
}

/** A task that was given to a node which then went away is neither started nor given up by Swarm. */
async function isAway(api: DockerApi, { NodeID }: Task, question: Question): Promise<boolean> {
  if (NodeID === undefined || NodeID === '') return false;
  const node = await api.send<SwarmNode>(question, { method: 'GET', path: `/nodes/${NodeID}` }).catch(unlessGone);
  return node === undefined || node.Status.State === 'down';
}

function taskRefusal(task: Task): EngineError {
  const { Status } = task;
  const cause = new Refusal('the node gave the task up', Status.Err ?? '');
  if (!isToldEnded(task) || /no suitable node|no longer meets constraints/.test(cause.words)) {
    return refused('resources_missing', 'the machine is away or has no room for the pod', cause);
  }
  return engineRefusal(cause);
}
