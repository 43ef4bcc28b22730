/** Names and labels derived from a pod's id: a repeated create finds the existing pod, and objects of other services are ignored. */
import { EngineError } from './errors.ts';

/** Labels of containers and services; libvirt machines have the same values in their metadata. */
export const podLabel = 'cloister.pod';
export const instanceLabel = 'cloister.instance';

/** With the longest instance, the name reaches the length limit of Swarm. */
const podIdForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,35}$/;
/** Excludes underscores, which separate the parts of pod names. */
const instanceForm = /^[a-z0-9][a-z0-9-]{0,15}$/;

/** @throws {EngineError} ERR_SPEC_INVALID if the id is not usable in names and paths */
export function requirePodId(podId: string): string {
  if (!podIdForm.test(podId)) throw new EngineError('ERR_SPEC_INVALID', `podId must match ${podIdForm.source}`);
  return podId;
}

/** @throws {RangeError} if the configured instance is not usable in names of containers and machines */
export function requireInstance(instance: string): string {
  if (!instanceForm.test(instance))
    throw new RangeError(`instance must match ${instanceForm.source}, got "${instance}"`);
  return instance;
}

/** @returns the name of the pod on every engine: `cloister_<instance>_<podId>` */
export function podName(instance: string, podId: string): string {
  return `cloister_${instance}_${requirePodId(podId)}`;
}

/** @returns the pod's id, or undefined if the name does not belong to this instance */
export function parsePodName(instance: string, name: string): string | undefined {
  const prefix = `cloister_${instance}_`;
  const podId = name.slice(prefix.length);
  return name.startsWith(prefix) && podIdForm.test(podId) ? podId : undefined;
}

/** Labels of a pod's container or service. */
export function podLabels(instance: string, podId: string): Record<string, string> {
  return { [podLabel]: podId, [instanceLabel]: instance };
}
