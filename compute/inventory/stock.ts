/**
 * What can be let right now: the configuration, what the engines say of their machines, and who rents what. Engines are
 * asked at most once a minute, however often anybody wants to know (C-064).
 */
import { ComputeError } from '../base/errors.ts';
import type { Control } from '../control/control.ts';
import type { Engine, MachineFacts } from '../engines/engine.ts';
import { listClaims } from '../store/pods.ts';
import type { ConfidentialMachine, Evidence, Inventory, StandardMachine, Tier } from './configuration.ts';
import { priceAt } from './price-curve.ts';

const probeMsMin = 60_000;
/** A list that cannot be had is asked for again soon, but not at every request. */
const failedMs = 5_000;
const probeTimeoutMs = 120_000;

export interface TierStock {
  readonly tier: Tier;
  /** Micro-dollars per hour. */
  readonly price: number;
  /** 0…1 */
  readonly rentalRate: number;
  readonly totalGpuCount: number;
  /** Machines that are free now. */
  readonly freeIds: readonly string[];
  /** Machines that could be let if they were free; none where no host of it can run a trust domain. */
  readonly capableCount: number;
  readonly protection: 'tdx' | 'plain-vm-test';
  readonly evidence: Evidence | undefined;
}

interface Probe {
  readonly at: number;
  /** By machine id; a machine whose engine did not answer is not in it. */
  readonly facts: ReadonlyMap<string, MachineFacts>;
  readonly reached: ReadonlySet<Engine>;
}

type Provider = 'standard' | 'confidential';

export class Stock {
  readonly inventory: Inventory;
  readonly #control: Control;
  readonly #now: () => number;
  #probe: Promise<Probe> | undefined;
  #probed: Probe | undefined;
  readonly #asked = new Map<Engine, Promise<readonly MachineFacts[]>>();
  #standard: { at: number; list: readonly StandardMachine[] } | undefined;

  /** @param now milliseconds that only go forward */
  constructor(inventory: Inventory, { control, now }: { control: Control; now: () => number }) {
    this.inventory = inventory;
    this.#control = control;
    this.#now = now;
  }

  /** Standard machines of which every GPU is free; the same list for a minute. @throws {ComputeError} UNAVAILABLE */
  async standardMachines(): Promise<readonly StandardMachine[]> {
    const now = this.#now();
    if (this.#standard !== undefined && now - this.#standard.at < probeMsMin) return this.#standard.list;
    const { facts } = await this.#ask('standard');
    const claimed = await this.#claimed();
    const list = this.inventory.machines.filter(
      (machine) =>
        machine.provider === 'standard' && !claimed.has(machine.id) && hasRoom(machine, facts.get(machine.id)),
    ) as StandardMachine[];
    this.#standard = { at: now, list };
    return list;
  }

  /** Those of the list that nobody has rented since it was made. @throws {ComputeError} UNAVAILABLE */
  async freeMachines(): Promise<readonly StandardMachine[]> {
    const list = await this.standardMachines();
    const claimed = await this.#claimed();
    return list.filter(({ id }) => !claimed.has(id));
  }

  /** Every tier, with what of it is free. @throws {ComputeError} UNAVAILABLE */
  async tiers(): Promise<readonly TierStock[]> {
    const { facts } = await this.#ask('confidential');
    const claimed = await this.#claimed();
    return this.inventory.tiers.map((tier) => this.#stockOf(tier, { facts, claimed }));
  }

  /** Undefined for a machine that is not on offer. */
  findMachine(id: string): StandardMachine | undefined {
    const machine = this.inventory.machines.find((one) => one.id === id);
    return machine?.provider === 'standard' ? machine : undefined;
  }

  /**
   * Whether nothing that is known speaks against a deploy on this machine; the claim and the engine decide.
   * @throws {ComputeError} MACHINE_UNAVAILABLE, UPSTREAM_UNAVAILABLE
   */
  async requireFree(machine: StandardMachine): Promise<void> {
    const claimed = await this.#claimed();
    if (claimed.has(machine.id)) throw taken('someone else has this machine');
    const known = (await this.#current(machine.provider)).facts.get(machine.id);
    // A pod that was there a minute ago may be gone, and an engine that was busy a moment ago may answer: who wants the machine
    // is not turned away for it.
    const found = known?.podCount === 0 ? known : (await this.#askAgain()).facts.get(machine.id);
    if (found === undefined) {
      throw new ComputeError(
        'UPSTREAM_UNAVAILABLE',
        'whether this machine is free cannot be checked: try again, or list the machines and take another',
        { fields: { charged: false } },
      );
    }
    if (!hasRoom(machine, found)) throw taken('this machine has no room at the moment');
  }

  evidenceOf(sku: string): Evidence | undefined {
    return this.inventory.evidence.find((one) => one.sku === sku);
  }

  #stockOf(tier: Tier, { facts, claimed }: { facts: Probe['facts']; claimed: ReadonlySet<string> }): TierStock {
    const machines = this.inventory.machines.filter(
      (machine): machine is ConfidentialMachine =>
        machine.provider === 'confidential' && machine.resourceName === tier.resourceName,
    );
    // A host that cannot run a trust domain offers no confidential machine, ever.
    const capable = machines.filter(({ id }) => facts.get(id)?.offers.includes('confidential') === true);
    const isPlain = capable.some(({ id }) => facts.get(id)?.protection === 'plain-vm-test');
    const rented = machines.filter(({ id }) => claimed.has(id)).length;
    const rentalRate = machines.length === 0 ? 0 : rented / machines.length;
    return {
      tier,
      price: priceAt(tier.curve, rentalRate),
      rentalRate,
      totalGpuCount: machines.length * tier.gpuCount,
      freeIds: capable.filter(({ id }) => !claimed.has(id)).map(({ id }) => id),
      capableCount: capable.length,
      protection: isPlain ? 'plain-vm-test' : 'tdx',
      // What was proven of trust domains says nothing of plain machines.
      evidence: isPlain ? undefined : this.evidenceOf(tier.resourceName),
    };
  }

  async #claimed(): Promise<ReadonlySet<string>> {
    return new Set((await listClaims(this.#control.store.db)).map(({ machine_id }) => machine_id));
  }

  /** An empty list says that there is nothing; before any engine of these machines has answered, nobody knows that. */
  async #ask(provider: Provider): Promise<Probe> {
    const probe = await this.#current(provider);
    if (this.#knows(probe, provider)) return probe;
    throw new ComputeError('UNAVAILABLE', 'the machine list is unavailable for the moment: try again', {
      retryAfterSeconds: Math.ceil(failedMs / 1000),
      fields: { charged: false },
    });
  }

  async #current(provider: Provider): Promise<Probe> {
    const probed = this.#probed;
    if (probed === undefined) return await this.#askAgain();
    const keptMs = this.#knows(probed, provider) ? probeMsMin : failedMs;
    return this.#now() - probed.at < keptMs ? probed : await this.#askAgain();
  }

  /** Whether an engine that has machines of this kind answered, or there are none. */
  #knows({ reached }: Probe, provider: Provider): boolean {
    const { fleet } = this.#control;
    const engines = this.inventory.machines
      .filter((machine) => machine.provider === provider)
      .map(({ id }) => fleet.find(id)?.engine);
    return engines.length === 0 || engines.some((engine) => engine !== undefined && reached.has(engine));
  }

  async #askAgain(): Promise<Probe> {
    this.#probe ??= this.#askEngines().finally(() => {
      this.#probe = undefined;
    });
    this.#probed = await this.#probe;
    return this.#probed;
  }

  async #askEngines(): Promise<Probe> {
    const { fleet } = this.#control;
    const facts = new Map<string, MachineFacts>();
    const answers = await Promise.all(fleet.engines.map((engine) => this.#askInTime(engine)));
    for (const [index, engine] of fleet.engines.entries()) {
      for (const id of fleet.machinesOf(engine)) {
        const its = answers[index]?.find(({ machine }) => machine === fleet.find(id)?.machine);
        if (its !== undefined) facts.set(id, its);
      }
    }
    const reached = new Set(fleet.engines.filter((_, index) => answers[index] !== undefined));
    return { at: this.#now(), facts, reached };
  }

  /** A host may take a minute to answer for the first time: it is asked once, and seen when it has. */
  async #askInTime(engine: Engine): Promise<readonly MachineFacts[] | undefined> {
    const { times, note } = this.#control;
    const asked = this.#asked.get(engine) ?? this.#askEngine(engine);
    this.#asked.set(engine, asked);
    const timer = Promise.withResolvers<undefined>();
    const timeout = setTimeout(timer.resolve, times.probeWaitMs, undefined);
    try {
      return await Promise.race([asked, timer.promise]);
    } catch (error) {
      note('engine cannot be probed', { engine: engine.name }, error);
      return undefined;
    } finally {
      clearTimeout(timeout);
    }
  }

  #askEngine(engine: Engine): Promise<readonly MachineFacts[]> {
    const asked = engine.probe({ signal: AbortSignal.timeout(probeTimeoutMs) });
    const forget = () => void this.#asked.delete(engine);
    asked.then(forget, forget);
    return asked;
  }
}

/** As far as the engine tells. */
function hasRoom(machine: StandardMachine | ConfidentialMachine, facts: MachineFacts | undefined): boolean {
  if (facts === undefined || machine.provider !== 'standard') return false;
  return (
    facts.offers.includes('standard') &&
    facts.podCount === 0 &&
    (facts.gpuCount ?? machine.gpuCount) >= machine.gpuCount &&
    (facts.diskFreeBytes ?? Number.POSITIVE_INFINITY) >= machine.diskGb * 1e9
  );
}

function taken(what: string): ComputeError {
  return new ComputeError('MACHINE_UNAVAILABLE', `${what}: list the machines and take another`, {
    fields: { charged: false },
  });
}
