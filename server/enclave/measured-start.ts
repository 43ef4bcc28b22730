/**
 * The measured start: before a server says "ready", RTMR3 is extended with what decides what it does. Which events, in which
 * order and with which members is in docs/reference/start-log.md; change both together.
 */
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '@cloister/attestation/aci/jcs';
import type { Json } from '@cloister/attestation/aci/strict-json';
import { AttestationError } from '@cloister/attestation/base/errors';
import {
  compositionEventName,
  provisionEventName,
  type StartEvent,
  startContentMax,
  startEventNames,
  startLogTextMax,
} from '@cloister/attestation/eventlog/start-log';
import type { AttestedPlatform } from '@cloister/attestation/guest/platform';
import { ServerError } from '../http/errors.ts';
import type { Config } from '../program/config.ts';
import type { SettingName } from '../program/settings.ts';
import { shownValue } from '../program/shown-config.ts';
import {
  type BuildFacts,
  type MappedLibrary,
  readBuildFacts,
  readMappedLibraries,
  type SourceFacts,
} from './build-facts.ts';
import type { MeasuredGpus } from './gpu-admission.ts';
import { type HostFacts, readHostFacts } from './host-facts.ts';
import { type ProcessGuard, readModelThreads } from './process-guard.ts';

/** A loaded model. */
export interface MeasuredModel {
  readonly id: string;
  readonly kind: string;
  /** The compute device from the engine; starts with `CPU` if no other device computes. */
  readonly device: string;
  /** Every file with its verified digest, in the order of the catalogue. */
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

/** An agent: digests of its prompt and of the code of its tools. */
export interface MeasuredAgent {
  readonly id: string;
  readonly promptSha256: string;
  readonly toolsSha256: string;
}

/** From where a node of a fleet takes its secrets; digests only. */
export interface ProvisionFacts {
  /** `sha256:…` of the keysets of the nodes that were verified before the start was measured: one of them gives the secrets. */
  readonly givers: readonly string[];
  /** `sha256:…` of the policy that they satisfied. */
  readonly policy: string;
}

/** The measured facts. */
export interface StartFacts {
  readonly build: BuildFacts;
  readonly libraries: readonly MappedLibrary[];
  readonly config: Config;
  readonly models: readonly MeasuredModel[];
  readonly agents: readonly MeasuredAgent[];
  /** Measured before the models were loaded. */
  readonly gpu: MeasuredGpus;
  readonly host: HostFacts;
  /** Undefined unless the node joins a fleet. */
  readonly provision?: ProvisionFacts | undefined;
}

export interface StartSources {
  readonly config: Config;
  /** Measured after the models are loaded, so that code mapped while loading is included. */
  readonly models: readonly MeasuredModel[];
  readonly agents?: readonly MeasuredAgent[];
  readonly guard: ProcessGuard;
  /** Commit, repository and image, if the builder of the image recorded them. */
  readonly source?: SourceFacts;
  /** The GPUs as `admitGpus` measured them. */
  readonly gpu: MeasuredGpus;
  readonly provision?: ProvisionFacts | undefined;
}

/**
 * Gathers and measures the facts, after the GPUs. Call it once, before the server gives evidence.
 * @returns the measured facts
 * @throws {AttestationError} ERR_GPU_NOT_CONFIDENTIAL on a real platform whose models compute on a GPU that was not measured,
 *   and as `AttestedPlatform.measure` · @throws {ServerError} ERR_START if a model has no verified digests
 */
export async function measureStart(platform: AttestedPlatform, sources: StartSources): Promise<StartFacts> {
  const { config, models, agents = [], guard, gpu, provision } = sources;
  requireDigests(models);
  if (platform.kind === 'tdx' && gpu === 'none') requireProcessors(models);
  const facts: StartFacts = {
    build: await readBuildFacts(sources.source),
    libraries: await readMappedLibraries(),
    config,
    models: models.toSorted(byId),
    agents: agents.toSorted(byId),
    gpu,
    host: await readHostFacts(guard, { logLevel: config.logLevel, modelThreads: readModelThreads() }),
    provision,
  };
  await measureFacts(platform, facts);
  return facts;
}

/** Extends RTMR3 with the facts except the GPUs, in the documented order. @throws {AttestationError} as `AttestedPlatform.measure` */
export async function measureFacts(platform: Pick<AttestedPlatform, 'measure'>, facts: StartFacts): Promise<void> {
  const measure = (name: string, content: object) =>
    platform.measure({ name, content: canonicalJson(content as unknown as Json) });
  await measure(startEventNames.build, facts.build);
  await measure(startEventNames.libraries, { files: facts.libraries });
  await measure(startEventNames.configuration, measuredConfig(facts.config));
  for (const model of facts.models) await measure(startEventNames.model, modelFacts(model));
  await measure(startEventNames.agents, {
    agents: facts.agents.map(({ id, promptSha256, toolsSha256 }) => ({ id, promptSha256, toolsSha256 })),
  });
  await measure(startEventNames.host, facts.host);
  if (facts.provision !== undefined) {
    const { givers, policy } = facts.provision;
    await measure(provisionEventName, { givers: givers.toSorted(), policy });
  }
  await measure(compositionEventName, compositionOf(facts));
  await measure(startEventNames.ready, { models: facts.models.length, agents: facts.agents.length });
}

/** Groups of events that models loaded after the start may append: reports repeat the log, and each group names all models. */
const laterModelsMax = 64;
/** Of all contents of a log; half of what a log may have, whose text also contains names and escapes. */
const logTextMax = startLogTextMax / 2;

/** Whether the start log has the event of this model, with the same files and the same device. */
export function isMeasured({ models }: Pick<StartFacts, 'models'>, model: MeasuredModel): boolean {
  const content = modelEventContent(model);
  return models.some((other) => modelEventContent(other) === content);
}

/**
 * Checks that a model may be measured after the start.
 * @param laterModels models that were measured after the start so far
 * @throws {AttestationError} ERR_GPU_NOT_CONFIDENTIAL · @throws {ServerError} ERR_START
 */
export function requireMeasurable(
  platform: Pick<AttestedPlatform, 'kind'>,
  { facts, model, laterModels }: { facts: StartFacts; model: MeasuredModel; laterModels: number },
): void {
  requireDigests([model]);
  if (platform.kind === 'tdx' && facts.gpu === 'none') requireProcessors([model]);
  if (laterModels < laterModelsMax) return;
  const limit = `${laterModels} models were measured after the start, at most ${laterModelsMax}`;
  throw new ServerError('ERR_START', `${limit}: restart the server with the models that it shall serve`);
}

/** The events of one model that was loaded after the start, and all facts with it. */
export interface LaterModel {
  readonly events: readonly StartEvent[];
  readonly facts: StartFacts;
}

/**
 * What to measure for a model that was loaded after the start: see "Models that are loaded later" in docs/reference/start-log.md.
 * @param facts all that was measured so far · @param log the start log so far
 * @throws {ServerError} ERR_START if a log with these events is too long for verifiers
 */
export function laterModel(
  { facts, log }: { facts: StartFacts; log: readonly StartEvent[] },
  { model, libraries }: { model: MeasuredModel; libraries: readonly MappedLibrary[] },
): LaterModel {
  const next: StartFacts = { ...facts, libraries, models: [...facts.models, model].toSorted(byId) };
  const event = (name: string, content: object) => ({ name, content: canonicalJson(content as unknown as Json) });
  const events = [
    event(startEventNames.model, modelFacts(model)),
    ...(isDeepStrictEqual(libraries, facts.libraries) ? [] : [event(startEventNames.libraries, { files: libraries })]),
    event(compositionEventName, compositionOf(next)),
  ];
  const text = [...log, ...events].reduce((sum, { content }) => sum + content.length, 0);
  if (text <= logTextMax && events.every(({ content }) => content.length <= startContentMax))
    return { events, facts: next };
  throw new ServerError('ERR_START', 'the start log has no room for this model: restart the server with its models');
}

/** The content of a model's start log event, whose digest policies pin. */
export function modelEventContent(model: MeasuredModel): string {
  return canonicalJson(modelFacts(model) as unknown as Json);
}

function modelFacts({ id, kind, device, files }: MeasuredModel): object {
  return { id, kind, device, files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })) };
}

/** Program and weights, the text whose digest verifiers of ACI compare. */
function compositionOf({ build, models }: StartFacts): object {
  const weights = models.map(({ id, files }) => ({ id, files: files.map(({ path, sha256 }) => ({ path, sha256 })) }));
  return { format: 'cloister.composition.v1', build, models: weights };
}

/** Every setting by name: null if it is not set, `"set"` instead of a secret, URLs without credentials. */
export function measuredConfig(config: Config): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, shownValue(name as SettingName, value)]),
  );
}

/** Every device that computes prompts must be verified. */
function requireProcessors(models: readonly MeasuredModel[]): void {
  const other = models.find(({ device }) => !device.startsWith('CPU'));
  if (other === undefined) return;
  const message = `model ${other.id} computes on a GPU that was not verified: start with --gpu off`;
  throw new AttestationError('ERR_GPU_NOT_CONFIDENTIAL', message);
}

function requireDigests(models: readonly MeasuredModel[]): void {
  const bare = models.find(
    ({ files }) => files.length === 0 || files.some(({ sha256 }) => !/^[0-9a-f]{64}$/.test(sha256)),
  );
  if (bare === undefined) return;
  const message = `model ${bare.id} is named by its file and has no digest to measure`;
  throw new ServerError('ERR_START', `${message}: add it with \`cloister models add\``);
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
