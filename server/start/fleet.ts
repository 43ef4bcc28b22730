/** Opens the fleet from the configuration. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Accounts } from '@cloister/accounts/store';
import type { FleetModel } from '@cloister/attestation/fleet/entry';
import { type EvidencePolicy, parseEvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import type { Enclave } from '../enclave/enclave.ts';
import { modelEventContent } from '../enclave/measured-start.ts';
import { Fleet, type FleetPolicy } from '../fleet/fleet.ts';
import type { SharedSecrets } from '../fleet/shared-secrets.ts';
import { ServerError } from '../http/errors.ts';
import { describeFault, type Logger } from '../http/request-log.ts';
import type { Config } from '../program/config.ts';
import type { ServedModel, ServedModels } from '../serving/served-model.ts';
import type { PlannedModel } from './model-plan.ts';
import { measuredModels } from './model-records.ts';

export interface FleetParts {
  readonly config: Config;
  readonly accounts: Pick<Accounts, 'fleet'>;
  readonly attestation: {
    readonly platformKind: string | undefined;
    readonly enclave: Enclave | undefined;
    /** PEM; undefined on a real machine. */
    readonly simulationRoot: string | undefined;
  };
  readonly lifecycle: { readonly plans: readonly PlannedModel[] };
  readonly models: ServedModels;
  /** Undefined if this server has none. */
  readonly secrets: SharedSecrets | undefined;
  readonly logger: Logger;
}

/** Models of an entry; a server with more announces the first. */
const modelsMax = 64;

/**
 * @returns undefined without `--fleet-address`
 * @throws {ServerError} ERR_START if the policy cannot be read, or the machine has no platform to be a node with
 */
export function openFleet({
  config,
  accounts,
  attestation,
  lifecycle,
  models,
  secrets,
  logger,
}: FleetParts): Fleet | undefined {
  const { fleetAddress } = config;
  if (fleetAddress === undefined) return undefined;
  if (attestation.platformKind === undefined) {
    throw new ServerError(
      'ERR_START',
      '--fleet-address needs a machine with TDX, since nodes prove what they are: use --simulate-tdx for development',
    );
  }
  if (config.fleetSecrets && secrets === undefined) {
    throw new ServerError('ERR_START', '--fleet-secrets has nothing to give: set --database-url or --fleet-tls-cert');
  }
  let announced: { readonly revision: number; readonly models: readonly FleetModel[] } | undefined;
  const facts = () => {
    const { revision } = models;
    // Nothing is announced before the start is measured.
    if (announced?.revision !== revision) {
      const plans = lifecycle.plans.filter(({ id }) => models.has(id));
      announced = { revision, models: fleetModels(plans, [...models.values()]) };
    }
    return { models: announced.models, load: usedShare([...models.values()], config) };
  };
  const giving = () =>
    secrets === undefined || !config.fleetSecrets
      ? undefined
      : {
          secrets,
          onGiven: (given: { node: string }) => logger.info(given, 'the secrets of the fleet were given to a node'),
          onRefused: (why: { reason: string }) => logger.warn(why, 'a node was refused the secrets of the fleet'),
        };
  return new Fleet({
    rows: accounts.fleet,
    enclave: () => attestation.enclave,
    address: new URL(fleetAddress).origin,
    policy: readFleetPolicy(config),
    giving: giving(),
    facts,
    simulationRoot: () => attestation.simulationRoot,
    onFailed: (error) => logger.warn({ fault: describeFault(error) }, 'this node cannot be announced to its fleet'),
    now: Date.now,
    clock: () => performance.now(),
  });
}

/** The policy for other nodes; undefined without `--fleet-policy`. @throws {ServerError} ERR_START */
export function readFleetPolicy({ fleetPolicy: path }: Pick<Config, 'fleetPolicy'>): FleetPolicy | undefined {
  if (path === undefined) return undefined;
  let text: string;
  let policy: EvidencePolicy;
  try {
    text = readFileSync(path, 'utf8');
    policy = parseEvidencePolicy(text);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new ServerError('ERR_START', `--fleet-policy: ${path} is not a readable policy: ${reason}`, { cause });
  }
  return { policy, digest: `sha256:${hash('sha256', text, 'hex')}` };
}

/** @returns whether the policy has changed · @throws {ServerError} ERR_START */
export function reloadFleetPolicy(fleet: Fleet | undefined, config: Pick<Config, 'fleetPolicy'>): boolean {
  const policy = fleet === undefined ? undefined : readFleetPolicy(config);
  return policy !== undefined && fleet!.usePolicy(policy);
}

function fleetModels(plans: readonly PlannedModel[], models: readonly ServedModel[]): readonly FleetModel[] {
  return measuredModels(plans, models)
    .slice(0, modelsMax)
    .map((model) => ({ id: model.id, digest: `sha256:${hash('sha256', modelEventContent(model), 'hex')}` }));
}

/** The used share of the capacity of the busiest model, 0 to 1. */
export function usedShare(models: readonly ServedModel[], limits: CapacityLimits): number {
  return Math.min(1, Math.max(0, ...models.map((model) => shareOf(model, limits))));
}

type CapacityLimits = Pick<Config, 'sequences' | 'embeddingQueue' | 'imageQueue'>;

function shareOf(model: ServedModel, { sequences, embeddingQueue, imageQueue }: CapacityLimits): number {
  if (model.kind === 'embedding' || model.kind === 'reranker') return model.engine.stats.waitingTexts / embeddingQueue;
  const { running, waiting } = model.engine.stats;
  if (model.kind === 'image') return (running + waiting) / (1 + imageQueue);
  return (model.engine.stats.preparing + running + waiting) / sequences;
}
