/** Names and labels that derive from a pod's id: a repeat finds what it made before, and a stranger's things are left alone. */
import { EngineError } from './errors.ts';

/** Labels on containers and services; libvirt has the same in its metadata. */
export const podLabel = 'cloister.pod';
export const instanceLabel = 'cloister.instance';

/** Together with the longest instance, as long as a Swarm takes names. */
const podIdForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,35}$/;
/** Without the underscore that ends it in names. */
const instanceForm = /^[a-z0-9][a-z0-9-]{0,15}$/;

/** @throws {EngineError} ERR_SPEC_INVALID where an id could not stand in a name or a path */
export function requirePodId(podId: string): string {
  if (!podIdForm.test(podId)) throw new EngineError('ERR_SPEC_INVALID', `podId must match ${podIdForm.source}`);
  return podId;
}

/** @throws {RangeError} where the configured name of this control plane is unfit for names of containers and machines */
export function requireInstance(instance: string): string {
  if (!instanceForm.test(instance))
    throw new RangeError(`instance must match ${instanceForm.source}, got "${instance}"`);
  return instance;
}

/** @returns the one name of this pod, on every engine: `cloister_<instance>_<podId>` */
export function podName(instance: string, podId: string): string {
  return `cloister_${instance}_${requirePodId(podId)}`;
}

/** @returns the pod's id, or undefined where the name is not one of this control plane's */
export function parsePodName(instance: string, name: string): string | undefined {
  const prefix = `cloister_${instance}_`;
  const podId = name.slice(prefix.length);
  return name.startsWith(prefix) && podIdForm.test(podId) ? podId : undefined;
}

/** Labels of a pod's container or service. */
export function podLabels(instance: string, podId: string): Record<string, string> {
  return { [podLabel]: podId, [instanceLabel]: instance };
}
