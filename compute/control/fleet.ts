/** The mapping of machines to engines. A machine is rented to one tenant as a whole and belongs to one engine. */
import type { Engine } from '../engines/engine.ts';

export interface FleetMachine {
  /** Id under which the machine is rented. */
  readonly id: string;
  readonly engine: Engine;
  /** The engine's name of the machine. */
  readonly machine: string;
}

export class Fleet {
  readonly #machines: ReadonlyMap<string, FleetMachine>;
  readonly engines: readonly Engine[];

  constructor(machines: readonly FleetMachine[]) {
    this.#machines = new Map(machines.map((machine) => [machine.id, machine]));
    this.engines = [...new Set(machines.map(({ engine }) => engine))];
  }

  /** @returns undefined if the machine is no longer configured */
  find(machineId: string): FleetMachine | undefined {
    return this.#machines.get(machineId);
  }

  /** Ids of the machines that an engine runs. */
  machinesOf(engine: Engine): string[] {
    return [...this.#machines.values()].filter((one) => one.engine === engine).map(({ id }) => id);
  }
}
