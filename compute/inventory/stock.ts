/**
 * The machines that can be rented now: the configuration, combined with the engines' reports and the current claims. Engines are
 * probed at most once a minute, however often the lists are requested (C-064).
 */
import { ComputeError } from '../base/errors.ts';
import type { Control } from '../control/control.ts';
import type { Engine, MachineFacts } from '../engines/engine.ts';
import { listClaims } from '../store/pods.ts';
import type { ConfidentialMachine, Evidence, Inventory, StandardMachine, Tier } from './configuration.ts';
import { priceAt } from './price-curve.ts';

const probeMsMin = 60_000;
/** After a failed probe, the engines are probed again after this time rather than at every request. */
const failedMs = 5_000;
const probeTimeoutMs = 120_000;

export interface TierStock {
  readonly tier: Tier;
  /** Micro-dollars per hour. */
  readonly price: number;
  /** 0…1 */
  readonly rentalRate: number;
  readonly totalGpuCount: number;
  /** Ids of the machines that are free now. */
  readonly freeIds: readonly string[];
  /** Machines whose host can run the tier's VMs, free or rented. 0 if no host can run a trust domain. */
  readonly capableCount: number;
  readonly protection: 'tdx' | 'plain-vm-test';
  readonly evidence: Evidence | undefined;
}

interface Probe {
  readonly at: number;
  /** Facts by machine id; machines whose engine did not answer are absent. */
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

  /** @param now monotonic milliseconds */
  constructor(inventory: Inventory, { control, now }: { control: Control; now: () => number }) {
    this.inventory = inventory;
    this.#control = control;
    this.#now = now;
  }

  /** Standard machines whose GPUs are all free; cached for a minute. @throws {ComputeError} UNAVAILABLE */
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

  /** The cached list without the machines that were rented since. @throws {ComputeError} UNAVAILABLE */
  async freeMachines(): Promise<readonly StandardMachine[]> {
    const list = await this.standardMachines();
    const claimed = await this.#claimed();
    return list.filter(({ id }) => !claimed.has(id));
  }

  /** Every tier with its free machines. @throws {ComputeError} UNAVAILABLE */
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
   * Checks that the machine appears free. The check is advisory: the claim and the engine decide.
   * @throws {ComputeError} MACHINE_UNAVAILABLE, UPSTREAM_UNAVAILABLE
   */
  async requireFree(machine: StandardMachine): Promise<void> {
    const claimed = await this.#claimed();
    if (claimed.has(machine.id)) throw machineUnavailable('another tenant has this machine');
    const known = (await this.#current(machine.provider)).facts.get(machine.id);
    // The cached report may be outdated: probe again before the deploy is refused.
    const found = known?.podCount === 0 ? known : (await this.#askAgain()).facts.get(machine.id);
    if (found === undefined) {
      throw new ComputeError(
        'UPSTREAM_UNAVAILABLE',
        'whether this machine is free cannot be checked: try again, or list the machines and choose another',
        { fields: { charged: false } },
      );
    }
    if (!hasRoom(machine, found)) throw machineUnavailable('this machine lacks free resources at the moment');
  }

  evidenceOf(sku: string): Evidence | undefined {
    return this.inventory.evidence.find((one) => one.sku === sku);
  }

  #stockOf(tier: Tier, { facts, claimed }: { facts: Probe['facts']; claimed: ReadonlySet<string> }): TierStock {
    const machines = this.inventory.machines.filter(
      (machine): machine is ConfidentialMachine =>
        machine.provider === 'confidential' && machine.resourceName === tier.resourceName,
    );
    // Hosts that cannot run a trust domain are never offered for confidential machines.
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
      // Evidence about trust domains does not apply to plain machines.
      evidence: isPlain ? undefined : this.evidenceOf(tier.resourceName),
    };
  }

  async #claimed(): Promise<ReadonlySet<string>> {
    return new Set((await listClaims(this.#control.store.db)).map(({ machine_id }) => machine_id));
  }

  /** Fails until an engine of this kind has answered, since an empty list would mean that no machine exists. */
  async #ask(provider: Provider): Promise<Probe> {
    const probe = await this.#current(provider);
    if (this.#knows(probe, provider)) return probe;
    throw new ComputeError('UNAVAILABLE', 'the machine list is temporarily unavailable: try again', {
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

  /** Whether an engine with machines of this kind answered, or no such engine is configured. */
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

  /** Waits `probeWaitMs`. A host may take a minute for its first answer; its probe then continues and serves later requests. */
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

/** Values that the engine does not report count as sufficient. */
function hasRoom(machine: StandardMachine | ConfidentialMachine, facts: MachineFacts | undefined): boolean {
  if (facts === undefined || machine.provider !== 'standard') return false;
  return (
    facts.offers.includes('standard') &&
    facts.podCount === 0 &&
    (facts.gpuCount ?? machine.gpuCount) >= machine.gpuCount &&
    (facts.diskFreeBytes ?? Number.POSITIVE_INFINITY) >= machine.diskGb * 1e9
  );
}

function machineUnavailable(reason: string): ComputeError {
  return new ComputeError('MACHINE_UNAVAILABLE', `${reason}: list the machines and choose another`, {
    fields: { charged: false },
  });
}
