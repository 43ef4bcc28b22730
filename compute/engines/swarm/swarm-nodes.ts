/** Maps a Swarm's description of a node to machine facts. Pure. */
import type { EnginePod, MachineFacts } from '../engine.ts';

/** The parts of `GET /nodes` that are read. */
export interface SwarmNode {
  readonly Spec: { readonly Availability: string };
  readonly Description: {
    readonly Hostname: string;
    readonly Resources: {
      readonly NanoCPUs?: number;
      readonly MemoryBytes?: number;
      readonly GenericResources?: readonly GenericResource[];
    };
    readonly Engine: { readonly EngineVersion: string };
  };
  readonly Status: { readonly State: string };
}

interface GenericResource {
  readonly NamedResourceSpec?: { readonly Kind: string };
  readonly DiscreteResourceSpec?: { readonly Kind: string; readonly Value: number };
}

export function nodeFacts(
  { Spec, Description, Status }: SwarmNode,
  pods: readonly EnginePod[],
  gpuKind: string,
): MachineFacts {
  const { Hostname, Resources, Engine } = Description;
  const refusals = [
    ...(Status.State === 'ready' ? [] : [`the node is ${Status.State}`]),
    ...(Spec.Availability === 'active' ? [] : [`the node is set to ${Spec.Availability}`]),
  ];
  return {
    machine: Hostname,
    offers: refusals.length === 0 ? ['standard'] : [],
    protection: 'none',
    refusals,
    engineVersion: Engine.EngineVersion,
    cpus: (Resources.NanoCPUs ?? 0) / 1e9,
    memoryBytes: Resources.MemoryBytes ?? 0,
    diskFreeBytes: undefined,
    gpuCount: countGpus(Resources.GenericResources ?? [], gpuKind),
    podCount: pods.filter(({ machine, state }) => machine === Hostname && state !== 'dead').length,
  };
}

/** Nodes report GPUs by name (`gpu=GPU-…`) or as a number. */
function countGpus(resources: readonly GenericResource[], kind: string): number {
  return resources.reduce((count, { NamedResourceSpec, DiscreteResourceSpec }) => {
    if (NamedResourceSpec?.Kind === kind) return count + 1;
    return DiscreteResourceSpec?.Kind === kind ? count + DiscreteResourceSpec.Value : count;
  }, 0);
}
