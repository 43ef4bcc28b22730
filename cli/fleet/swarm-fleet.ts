/**
 * A fleet whose nodes are the tasks of one service of a Docker Swarm. Swarm starts and stops the nodes; this file lets it replace
 * one at a time, and verifies each new one before the next. docs/decisions/2026-12-01-fleets-in-a-swarm.md says why it is done so.
 */
import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchReport } from '@cloister/attestation/client/fetch-report';
import { randomNonce } from '@cloister/attestation/client/report-request';
import type { EvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { rootsFor } from '@cloister/server/fleet/evidence-roots';
import { ServerError } from '@cloister/server/http/errors';
import {
  backTimeoutMs,
  type FleetNode,
  type FleetOptions,
  type FleetPlatform,
  type Rollout,
  secondsSince,
} from './platform.ts';
import { nodeProven } from './prove-node.ts';
import type { ServiceSpec, SwarmService, SwarmTask, UpdateConfig } from './swarm-service.ts';

/** What a new node runs; undefined as before. */
export interface SwarmRelease {
  readonly image: string | undefined;
  /** Options of `cloister serve`. */
  readonly options: readonly string[] | undefined;
}

export interface SwarmFleetOptions extends FleetOptions {
  readonly policy: EvidencePolicy;
  /** Whether simulated machines are accepted, which prove nothing. */
  readonly isSimulated: boolean;
  readonly metricsPort: number;
}

const pollMs = 500;
const nanosecondsPerMs = 1e6;
/** Docker's own, without `stop_grace_period`. */
const stopGraceDefaultMs = 10_000;
const stopMarginMs = 10_000;
/** Marks a service whose nodes are being replaced. A changed value makes Swarm replace one more. */
const rollLabel = 'cloister.fleet.roll';
/** With it, `docker stack deploy` recognises the image that the service runs. */
const stackImageLabel = 'com.docker.stack.image';

/** Swarm replaces one task and then waits for a day: the next change of the service ends the wait. */
const oneTask: UpdateConfig = {
  ...{ Parallelism: 1, Delay: 86_400_000 * nanosecondsPerMs, Monitor: 5_000 * nanosecondsPerMs },
  ...{ Order: 'start-first', FailureAction: 'pause' },
};
const allTasks: UpdateConfig = { ...oneTask, Parallelism: 0, Delay: 0, FailureAction: 'continue' };

export class SwarmFleet implements FleetPlatform<SwarmRelease> {
  readonly #service: SwarmService;
  readonly #options: SwarmFleetOptions;

  constructor(service: SwarmService, options: SwarmFleetOptions) {
    this.#service = service;
    this.#options = options;
  }

  async nodes(): Promise<readonly FleetNode[]> {
    return await Promise.all((await this.#running()).map((task) => this.#nodeOf(task)));
  }

  async scale(count: number): Promise<void> {
    const before = await this.#running();
    const replicas = replicasOf(requireNoRoll(await this.#service.spec()));
    await this.#setReplicas(count);
    if (count <= replicas) return await this.#drained();
    const known = new Set(before.map(({ ID }) => ID));
    const deadline = this.#deadline();
    try {
      for (let missing = count - before.length; missing > 0; missing--) {
        const task = await this.#newTask(({ ID }) => !known.has(ID), deadline);
        await this.#prove(task, before, deadline);
        known.add(task.ID);
      }
    } catch (error) {
      await this.#setReplicas(replicas);
      throw error;
    }
  }

  /** Swarm starts each new node before it stops an old one, of its choice. */
  async rollout(release: SwarmRelease): Promise<Rollout> {
    const old = requireNoRoll(await this.#service.spec());
    let step = 0;
    const isNew = ({ Spec }: SwarmTask) => Spec.ForceUpdate === forceUpdateOf(old) + 1;
    return {
      replaceNext: async () => {
        const running = await this.#running();
        if (running.every(isNew)) return false;
        step += 1;
        await this.#service.update((current) => ({
          ...{ ...current, TaskTemplate: templateOf(old, release), UpdateConfig: oneTask },
          Labels: { ...old.Labels, [rollLabel]: String(step) },
        }));
        try {
          const known = new Set(running.map(({ ID }) => ID));
          const deadline = this.#deadline();
          const task = await this.#newTask((one) => isNew(one) && !known.has(one.ID), deadline);
          await this.#prove(task, running.length > 1 ? running : [], deadline);
          await this.#drained();
        } catch (error) {
          if (this.#options.signal.aborted) await this.#service.update(withSettingsOf(old));
          throw error;
        }
        return true;
      },
      rollBack: async () => {
        await this.#service.update((current) => ({
          ...{ ...current, TaskTemplate: old.TaskTemplate, UpdateConfig: allTasks },
          Labels: { ...old.Labels, [rollLabel]: 'back' },
        }));
        const isBack = async () => {
          const running = await this.#running();
          return running.length >= replicasOf(old) && !running.some(isNew) ? true : undefined;
        };
        if ((await this.#until(isBack, performance.now() + backTimeoutMs)) === undefined)
          throw new ServerError('ERR_START', `the old release did not come back: docker service ps ${old.Name}`);
        await this.#service.update(withSettingsOf(old));
      },
      finish: async () => {
        const isOfStack = old.Labels?.[stackImageLabel] !== undefined && release.image !== undefined;
        const Labels = { ...old.Labels, ...(isOfStack ? { [stackImageLabel]: release.image } : {}) };
        const TaskTemplate = templateOf(old, release);
        await this.#service.update(withSettingsOf({ ...old, Labels, TaskTemplate }));
      },
    };
  }

  async #setReplicas(Replicas: number): Promise<void> {
    await this.#service.update((current) => ({ ...current, Mode: { Replicated: { Replicas } } }));
  }

  async #running(): Promise<readonly SwarmTask[]> {
    const tasks = await this.#service.tasks();
    return tasks.filter(({ DesiredState, Status }) => DesiredState === 'running' && Status.State === 'running');
  }

  /** Waits for a task that Swarm counts as healthy. @throws {ServerError} ERR_START if the task fails or is late */
  async #newTask(isWanted: (task: SwarmTask) => boolean, deadline: number): Promise<SwarmTask> {
    const found = await this.#until(async () => {
      const task = (await this.#running()).find(isWanted);
      const paused = task === undefined ? await this.#service.pausedUpdate() : undefined;
      return task ?? paused;
    }, deadline);
    if (typeof found === 'object') return found;
    const newest = (await this.#service.tasks())[0]?.Status;
    const state = `${newest?.State ?? 'no task'}${newest?.Err ? `: ${newest.Err}` : ''}`;
    const what = found ?? 'the new node is not healthy in time (to wait longer: --evidence-timeout-s)';
    throw new ServerError('ERR_START', `${what}; the newest task of ${this.#service.name} is ${state}`);
  }

  async #prove(task: SwarmTask, others: readonly SwarmTask[], deadline: number): Promise<void> {
    const { policy, isSimulated, signal, onStep } = this.#options;
    const startedAt = performance.now();
    const [name, address] = [this.#nameOf(task), this.#service.addressOf(task)];
    onStep(`${name}: started`);
    const roots = async () => {
      if (!isSimulated) return undefined;
      const { report } = await fetchReport(address, { nonce: randomNonce(), isProofRequired: false, signal });
      return rootsFor(report, { isSimulated });
    };
    const proof = { policy, roots, deadline, signal, others: others.map((one) => this.#service.addressOf(one)) };
    await nodeProven(address, proof).catch((error: unknown) => {
      throw error instanceof ServerError ? new ServerError('ERR_START', `${name}: ${error.message}`) : error;
    });
    onStep(`${name}: its evidence satisfies the policy after ${secondsSince(startedAt)}`);
  }

  /** Waits until the tasks that Swarm stops have ended. */
  async #drained(): Promise<void> {
    const { StopGracePeriod = stopGraceDefaultMs * nanosecondsPerMs } = (await this.#service.spec()).TaskTemplate
      .ContainerSpec;
    const hasDrained = async () => {
      const tasks = await this.#service.tasks();
      return tasks.some(({ DesiredState, Status }) => DesiredState !== 'running' && Status.State === 'running')
        ? undefined
        : true;
    };
    await this.#until(hasDrained, performance.now() + StopGracePeriod / nanosecondsPerMs + stopMarginMs);
  }

  async #until<Answer>(ask: () => Promise<Answer | undefined>, deadline: number): Promise<Answer | undefined> {
    const { signal } = this.#options;
    for (;;) {
      const answer = await ask();
      if (answer !== undefined || performance.now() >= deadline) return answer;
      await sleep(pollMs, undefined, { signal });
    }
  }

  #deadline(): number {
    return performance.now() + this.#options.evidenceTimeoutMs;
  }

  async #nodeOf(task: SwarmTask): Promise<FleetNode> {
    const address = this.#service.addressOf(task);
    // The port of the metrics refuses names that the node does not know.
    const host = await lookup(new URL(address).hostname).catch(() => undefined);
    const port = this.#options.metricsPort;
    return {
      ...{ name: this.#nameOf(task), address },
      metricsUrl: host && `http://${host.family === 6 ? `[${host.address}]` : host.address}:${port}/metrics`,
    };
  }

  #nameOf({ Slot, ID }: SwarmTask): string {
    return `${this.#service.name}.${Slot}.${ID}`;
  }
}

const replicasOf = ({ Mode }: ServiceSpec) => Mode.Replicated?.Replicas ?? 0;
const forceUpdateOf = ({ TaskTemplate }: ServiceSpec) => TaskTemplate.ForceUpdate ?? 0;

function templateOf(from: ServiceSpec, { image, options }: SwarmRelease): ServiceSpec['TaskTemplate'] {
  const { ContainerSpec } = from.TaskTemplate;
  return {
    ...from.TaskTemplate,
    ContainerSpec: {
      ...ContainerSpec,
      ...(image === undefined ? {} : { Image: image }),
      ...(options === undefined ? {} : { Args: ['serve', ...options] }),
    },
    ForceUpdate: forceUpdateOf(from) + 1,
  };
}

/** All but the number of nodes, which may have changed meanwhile. */
function withSettingsOf(spec: ServiceSpec): (current: ServiceSpec) => ServiceSpec {
  return ({ Mode }) => ({ ...spec, Mode });
}

/** @throws {ServerError} ERR_START if the nodes are being replaced, or the command that did so was killed */
function requireNoRoll(spec: ServiceSpec): ServiceSpec {
  if (spec.Labels?.[rollLabel] === undefined) return spec;
  const repair = `deploy the stack again, or set the update options of the service and remove its label ${rollLabel}`;
  throw new ServerError('ERR_START', `a roll of ${spec.Name} is running: wait for it. If it was killed, ${repair}`);
}
