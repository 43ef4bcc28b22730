/** Which engine runs which machine. Machines are let whole, and each belongs to one engine. */
import type { Engine } from '../engines/engine.ts';

export interface FleetMachine {
  /** As rented. */
  readonly id: string;
  readonly engine: Engine;
  /** What the engine calls it. */
  readonly machine: string;
}

export class Fleet {
  readonly #machines: ReadonlyMap<string, FleetMachine>;
  readonly engines: readonly Engine[];

  constructor(machines: readonly FleetMachine[]) {
    this.#machines = new Map(machines.map((machine) => [machine.id, machine]));
    this.engines = [...new Set(machines.map(({ engine }) => engine))];
  }

  /** Undefined for a machine that is in the configuration no more. */
  find(machineId: string): FleetMachine | undefined {
    return this.#machines.get(machineId);
  }

  /** Ids of the machines that an engine runs. */
  machinesOf(engine: Engine): string[] {
    return [...this.#machines.values()].filter((one) => one.engine === engine).map(({ id }) => id);
  }
}
