/** What the registers of a verified quote prove besides themselves: the firmware's log, the start log, and what they back. */
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
import type { SourceWish } from '../policy/evidence-policy.ts';
import type { TdBody } from '../quote/td-body.ts';
import { refuse } from '../verify/checks.ts';
import type { Claim, Evidence } from './evidence.ts';
import { contentOf, memberOf, parsedContent } from './start-contents.ts';

/** @returns what was found, as a sentence, here and below · @throws {AttestationError} ERR_NOT_VERIFIED and others */
export async function requireBootLog(log: Uint8Array, { rtmrs }: TdBody): Promise<string> {
  const { events } = parseEventLog(log);
  await requireReplay(events, rtmrs, [0, 1, 2]);
  return `${events.length} events`;
}

/** An empty log says that RTMR3 is zeros. */
export async function requireStartLog(events: readonly StartEvent[], { rtmrs }: TdBody): Promise<string> {
  const replayed = await replayStartLog(events);
  if (!sameBytes(replayed, rtmrs[3])) {
    refuse(`the start log gives RTMR3 as ${toHex(replayed)}, the quote says ${toHex(rtmrs[3])}`);
  }
  return events.length === 0 ? 'nothing was measured at the start' : `${events.length} events`;
}

/**
 * That verifiers of ACI are shown the same log: two readers of one report must not see two starts.
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export async function requireSameLog({ eventLog, composition, startLog }: Evidence): Promise<void> {
  if (eventLog !== undefined && eventLog !== (await formatEventLog(startLog))) {
    refuse('event_log, which verifiers of ACI read, differs from the start log');
  }
  if (composition !== undefined && composition !== compositionOf(startLog)) {
    refuse('app_compose, which verifiers of ACI read, differs from what was measured');
  }
}

/** @param wishes from the policy: contents allowed, by the name of their event; a name may stand in the log repeatedly */
export async function requireStarted(
  events: readonly StartEvent[],
  wishes: Readonly<Record<string, readonly string[]>>,
): Promise<string> {
  const names = Object.keys(wishes);
  for (const name of names) {
    const found = events.filter((event) => event.name === name);
    if (found.length === 0) refuse(`the start log has no ${name}`);
    for (const { content } of found) {
      const digest = `sha256:${toHex(await sha256(content))}`;
      if (!wishes[name]!.some((wish) => wish === content || wish === digest)) {
        refuse(`${name} is none of the ${wishes[name]!.length} that the policy names; its digest is ${digest}`);
      }
    }
  }
  return names.length === 0 ? 'the policy names nothing' : names.join(', ');
}

/**
 * That the source named beside the quote is the one that was measured with the build, and wanted.
 * @param wishes undefined where any measured source will do
 */
export function requireSource(
  source: SourceProvenance,
  events: readonly StartEvent[],
  wishes: readonly SourceWish[] | undefined,
): string {
  const { repositoryUrl, commit, imageDigest } = source;
  const named = Object.entries({ repositoryUrl, commit, imageDigest }).filter(([, value]) => value !== undefined);
  if (commit === undefined && imageDigest === undefined) refuse('the report names neither a commit nor an image');
  const measured = memberOf(contentOf(events, startEventNames.build), 'source');
  for (const [member, value] of named) {
    if (memberOf(measured, member) !== value) refuse(`${value} was not measured: the server only says so`);
  }
  const fits = (wish: SourceWish) =>
    (wish.repoUrl ?? repositoryUrl) === repositoryUrl &&
    (wish.repoCommit ?? commit) === commit &&
    (wish.imageDigest ?? imageDigest) === imageDigest;
  const text = named.map(([, value]) => value).join(' ');
  if (wishes !== undefined && !wishes.some(fits)) refuse(`${text} is not among the policy's sources`);
  return text;
}

/**
 * That the GPUs were all confidential at the start, and developer tools off; and that there is one at least where it is
 * wanted. Which GPUs they are is `requireMeasuredDevices`'s to check.
 */
export function requireGpus(events: readonly StartEvent[], isWanted: boolean): string {
  const facts = contentOf(events, startEventNames.gpu);
  const measured = memberOf(facts, 'gpus');
  if (!Array.isArray(measured)) return refuse('the server does not know which GPUs it computes on');
  if (measured.length === 0) {
    if (!areGpusAbsent(events)) refuse('a model computes on a GPU that was not measured at the start');
    return isWanted ? refuse('there is none, and the policy wants one') : 'none is in use';
  }
  // Protected PCIe is a mode of its own beside the one that the driver calls confidential computing.
  const isProtected = memberOf(facts, 'multiGpu') === 'protected-pcie';
  if (!isProtected && memberOf(facts, 'confidentialCompute') !== true) {
    refuse('confidential computing was off at the start');
  }
  if (memberOf(facts, 'developerTools') !== false) refuse('developer tools were on at the start');
  return `${measured.length} in confidential mode`;
}

/** Whether the start log says that there is no GPU, and that every model computes on the CPU. */
export function areGpusAbsent(events: readonly StartEvent[]): boolean {
  const gpus = memberOf(contentOf(events, startEventNames.gpu), 'gpus');
  const models = events.filter(({ name }) => name === startEventNames.model);
  const devices = models.map(({ content }) => memberOf(parsedContent(content), 'device'));
  const isOnCpu = devices.every((device) => typeof device !== 'string' || device.startsWith('CPU'));
  return Array.isArray(gpus) && gpus.length === 0 && isOnCpu;
}

/**
 * Splits claims by what backs them: an event of the start log that has the claim's type as its name, and its value.
 * @throws {AttestationError} ERR_NOT_VERIFIED where an event of that name says otherwise
 */
export function judgeClaims(
  claims: readonly Claim[],
  events: readonly StartEvent[],
): { measured: readonly string[]; said: readonly string[] } {
  const measured: string[] = [];
  const said: string[] = [];
  for (const { type, value } of claims) {
    const found = events.filter(({ name }) => name === type);
    if (found.length === 0) said.push(type);
    else if (found.some(({ content }) => isSame(parsedContent(content), value))) measured.push(type);
    else refuse(`the claim ${type} differs from what was measured under that name`);
  }
  return { measured, said };
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
