/** Pods: deploy, list, read, release. */
import { Type } from '@cloister/server/schema/type';
import { ComputeError, notFound } from '../base/errors.ts';
import type { ReadonlyStatic } from '../base/schemas.ts';
import { releasePod } from '../control/release.ts';
import { confidentialBody } from '../deploy/confidential.ts';
import { standardBody } from '../deploy/standard.ts';
import { startPod, vmRepeatedMessage } from '../http/deploys.ts';
import { type Call, type Operation, ok, operation } from '../http/operation.ts';
import * as shape from '../schemas/pods.ts';
import { findPod, listPods } from '../store/pods.ts';
import { readableMs } from '../store/sweep.ts';
import type { PodRow } from '../store/tables.ts';
import { listEntry, podDetails } from '../views/pods.ts';

export function podOperations(base: string): Operation[] {
  const id = `${base}/pods/:id`;
  return [
    operation({
      method: 'GET',
      path: `${base}/pods`,
      id: 'listPods',
      summary: 'Pods of the account: confidential pods first, then newest first',
      access: 'pods',
      answers: { 200: shape.podList },
      handle: async ({ service, accountId }) =>
        ok((await listPods(service.control.store.db, accountId)).map(listEntry)),
    }),
    operation({
      method: 'POST',
      path: `${base}/pods`,
      id: 'createPod',
      summary: 'Deploys a confidential VM of a tier, or a standard pod on one machine',
      access: 'pods',
      createsPods: true,
      body: Type.Object({}),
      alternatives: [confidentialBody, standardBody],
      answers: { 200: shape.confidentialDeploy, 201: shape.standardDeploy },
      errors: [400, 402, 404, 409, 502, 503],
      secrets: ['sudoPassword'],
      repeatedMessage: vmRepeatedMessage,
      handle: startPod,
    }),
    operation({
      method: 'GET',
      path: id,
      id: 'getPod',
      summary: 'One pod, by either of its identifiers; readable for 30 days after it ends',
      access: 'pods',
      answers: { 200: shape.podDetails },
      errors: [404],
      handle: async (call) => ok(podDetails(await requirePod(call))),
    }),
    operation({
      method: 'GET',
      path: `${id}/logs`,
      id: 'getPodLogs',
      summary: 'The end of what a running standard pod has printed; confidential pods show it to nobody outside',
      access: 'pods',
      query: { lines: Type.String({ pattern: '^[1-9]\\d{0,2}$', description: '1 to 999; 200 by default' }) },
      answers: { 200: shape.podLogs },
      errors: [400, 404, 501, 502, 503],
      handle: async (call) => ok(await readLogs(call, await requirePod(call))),
    }),
    operation({
      method: 'DELETE',
      path: id,
      id: 'deletePod',
      summary: 'Destroys the pod and its disk, ends billing and refunds the unused part of the first hour',
      access: 'pods',
      answers: { 200: shape.released },
      errors: [404, 409],
      handle: async (call) => ok(await release(call, await requirePod(call))),
    }),
    operation({
      method: 'POST',
      path: `${id}/stop`,
      id: 'stopPod',
      summary: 'Destroys a confidential VM; use DELETE for standard pods',
      access: 'pods',
      answers: { 200: shape.released },
      errors: [404, 409, 501],
      async handle(call) {
        const pod = await requirePod(call);
        if (pod.provider === 'standard') {
          throw new ComputeError('NOT_SUPPORTED', 'a standard pod cannot be stopped: delete it with DELETE');
        }
        return ok(await release(call, pod));
      },
    }),
    operation({
      method: 'POST',
      path: `${id}/start`,
      id: 'startPod',
      summary: 'Not supported: a stopped pod cannot be started again',
      access: 'pods',
      answers: {},
      errors: [404, 501],
      async handle(call) {
        await requirePod(call);
        throw new ComputeError('NOT_SUPPORTED', 'pods cannot be started again: deploy a new one with POST pods');
      },
    }),
  ];
}

async function requirePod({
  service,
  accountId,
  parameters,
}: Pick<Call, 'service' | 'accountId' | 'parameters'>): Promise<PodRow> {
  const { store } = service.control;
  const pod = await findPod(store.db, { id: parameters.id ?? '', accountId });
  const isReadable = pod?.ended_at == null || (await store.now()) - pod.ended_at < readableMs;
  if (pod !== undefined && isReadable) return pod;
  throw notFound('pod', 'list the pods');
}

async function readLogs(
  { service: { control }, query: { lines = '200' } }: Call<unknown, { readonly lines?: string }>,
  { id, provider, machine_id, state }: PodRow,
): Promise<ReadonlyStatic<typeof shape.podLogs>> {
  if (provider === 'confidential') {
    throw new ComputeError('NOT_SUPPORTED', 'nobody outside can read a confidential pod: read its logs through SSH');
  }
  if (state !== 'running') throw new ComputeError('NOT_FOUND', 'the pod does not run, so it has no logs: get the pod');
  const signal = AbortSignal.timeout(control.times.callTimeoutMs);
  const engine = control.fleet.find(machine_id)?.engine;
  const logs = await engine?.logs(id, { signal, linesMax: Number(lines) }).catch((cause: unknown) => {
    throw new ComputeError('UPSTREAM_UNAVAILABLE', 'the machine did not answer: try again', { cause });
  });
  if (logs === undefined) throw new ComputeError('NOT_FOUND', 'the machine has no logs of this pod: get the pod');
  return { text: logs.text, truncated: logs.isCut };
}

async function release(
  { service, accountId }: Pick<Call, 'service' | 'accountId'>,
  { id }: PodRow,
): Promise<ReadonlyStatic<typeof shape.released>> {
  const { refund } = await releasePod(service.control, { id, accountId });
  service.wake();
  return { success: true, prepaidRefund: refund / 1e6 };
}
