/** Checks that compare the registers of a verified quote with the boot log and the start log, and the logs with the policy. */
import type { SourceProvenance } from '../aci/report.ts';
import { sameBytes, toHex } from '../base/bytes.ts';
import { parseEventLog } from '../eventlog/event-log.ts';
import { requireReplay } from '../eventlog/replay.ts';
import {
  compositionOf,
  formatEventLog,
  replayStartLog,
  type StartEvent,
  startEventNames,
} from '../eventlog/start-log.ts';
import type { SourceRequirement } from '../policy/evidence-policy.ts';
import type { TdBody } from '../quote/td-body.ts';
import { refuse } from '../verify/checks.ts';
import type { Claim, Evidence } from './evidence.ts';
import { contentOf, memberOf, parsedContent } from './start-contents.ts';

/** Like the functions below, returns the finding for the check table. @throws {AttestationError} ERR_NOT_VERIFIED and others */
export async function requireBootLog(log: Uint8Array, { rtmrs }: TdBody): Promise<string> {
  const { events } = parseEventLog(log);
  await requireReplay(events, rtmrs, [0, 1, 2]);
  return `${events.length} events`;
}

/** An empty log corresponds to an RTMR3 of zeros. */
export async function requireStartLog(events: readonly StartEvent[], { rtmrs }: TdBody): Promise<string> {
  const replayed = await replayStartLog(events);
  if (!sameBytes(replayed, rtmrs[3])) {
    refuse(`the start log replays to RTMR3 ${toHex(replayed)}, but the quote has ${toHex(rtmrs[3])}`);
  }
  return events.length === 0 ? 'nothing was measured at the start' : `${events.length} events`;
}

/**
 * Requires that the copies of the log for ACI verifiers equal the start log: two readers of one report must see the same start.
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export async function requireSameLog({ eventLog, composition, startLog }: Evidence): Promise<void> {
  if (eventLog !== undefined && eventLog !== (await formatEventLog(startLog))) {
    refuse('event_log, the copy for ACI verifiers, differs from the start log');
  }
  if (composition !== undefined && composition !== compositionOf(startLog)) {
    refuse('app_compose, the copy for ACI verifiers, differs from the measured content');
  }
}

/** @param allowed the policy's allowed contents by event name; each event of that name must match */
export async function requireStarted(
  events: readonly StartEvent[],
  allowed: Readonly<Record<string, readonly string[]>>,
): Promise<string> {
  const names = Object.keys(allowed);
  for (const name of names) {
    const found = events.filter((event) => event.name === name);
    if (found.length === 0) refuse(`the start log has no ${name}`);
    for (const { content } of found) {
      const digest = `sha256:${toHex(await sha256(content))}`;
      if (!allowed[name]!.some((one) => one === content || one === digest)) {
        refuse(`${name} with digest ${digest} is not among the ${allowed[name]!.length} that the policy allows`);
      }
    }
  }
  return names.length === 0 ? 'the policy has no requirements' : names.join(', ');
}

/**
 * Requires that the report's source was measured with the build, and that the policy allows it.
 * @param allowed undefined if the policy allows any measured source
 */
export function requireSource(
  source: SourceProvenance,
  events: readonly StartEvent[],
  allowed: readonly SourceRequirement[] | undefined,
): string {
  const { repositoryUrl, commit, imageDigest } = source;
  const named = Object.entries({ repositoryUrl, commit, imageDigest }).filter(([, value]) => value !== undefined);
  if (commit === undefined && imageDigest === undefined) refuse('the report names neither a commit nor an image');
  const measured = memberOf(contentOf(events, startEventNames.build), 'source');
  for (const [member, value] of named) {
    if (memberOf(measured, member) !== value) refuse(`${value} was not measured: it is in the report only`);
  }
  const matches = (required: SourceRequirement) =>
    (required.repoUrl ?? repositoryUrl) === repositoryUrl &&
    (required.repoCommit ?? commit) === commit &&
    (required.imageDigest ?? imageDigest) === imageDigest;
  const text = named.map(([, value]) => value).join(' ');
  if (allowed !== undefined && !allowed.some(matches)) refuse(`${text} is not among the policy's sources`);
  return text;
}

/**
 * Requires that all GPUs were in confidential mode at the start, with developer tools off, and that there is at least one if
 * the policy requires it. `requireMeasuredDevices` checks which GPUs they are.
 */
export function requireGpus(events: readonly StartEvent[], isRequired: boolean): string {
  const facts = contentOf(events, startEventNames.gpu);
  const measured = memberOf(facts, 'gpus');
  if (!Array.isArray(measured)) return refuse('the start log has no list of GPUs');
  if (measured.length === 0) {
    if (!areGpusAbsent(events)) refuse('a model computes on a GPU that was not measured at the start');
    return isRequired ? refuse('the server has no GPU, but the policy requires one') : 'no GPU is in use';
  }
  // The driver reports confidential computing as off in protected PCIe mode, which is a separate mode.
  const isProtected = memberOf(facts, 'multiGpu') === 'protected-pcie';
  if (!isProtected && memberOf(facts, 'confidentialCompute') !== true) {
    refuse('confidential computing was off at the start');
  }
  if (memberOf(facts, 'developerTools') !== false) refuse('developer tools were on at the start');
  return `${measured.length} in confidential mode`;
}

/** Whether the start log lists no GPU and every model computes on the CPU. */
export function areGpusAbsent(events: readonly StartEvent[]): boolean {
  const gpus = memberOf(contentOf(events, startEventNames.gpu), 'gpus');
  const models = events.filter(({ name }) => name === startEventNames.model);
  const devices = models.map(({ content }) => memberOf(parsedContent(content), 'device'));
  const isOnCpu = devices.every((device) => typeof device !== 'string' || device.startsWith('CPU'));
  return Array.isArray(gpus) && gpus.length === 0 && isOnCpu;
}

/**
 * Splits claims into those that an event of the start log backs, by the claim's type and value, and the unmeasured rest.
 * @throws {AttestationError} ERR_NOT_VERIFIED if the events of that name have other values
 */
export function classifyClaims(
  claims: readonly Claim[],
  events: readonly StartEvent[],
): { measured: readonly string[]; unmeasured: readonly string[] } {
  const measured: string[] = [];
  const unmeasured: string[] = [];
  for (const { type, value } of claims) {
    const found = events.filter(({ name }) => name === type);
    if (found.length === 0) unmeasured.push(type);
    else if (found.some(({ content }) => isSame(parsedContent(content), value))) measured.push(type);
    else refuse(`the claim ${type} differs from the measured event of that name`);
  }
  return { measured, unmeasured };
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const names = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || names.length !== Object.keys(b).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(b, name) && isSame((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]),
  );
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
