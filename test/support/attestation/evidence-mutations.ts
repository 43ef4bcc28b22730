/** Random mutations of evidence: single bits, fields, and documents that are signed again after the change. */
import type { Collateral } from '../../../attestation/collateral/collateral.ts';
import { signBytes } from '../../../attestation/simulate/certificates.ts';
import type { Random } from '../random.ts';
import type { JudgedEvidence } from './oracle.ts';
import { buildEvidence, type EvidenceChange, evidenceNowMs } from './simulated-evidence.ts';

export interface Mutation {
  readonly what: string;
  readonly evidence: JudgedEvidence;
}

const flipBit = (bytes: Uint8Array, bit: number) =>
  bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7))) as Uint8Array;

/**
 * Flips one bit of the quote, or of one part of the collateral. Texts stay ASCII, so that both verifiers get the same text from
 * one JSON.
 */
export function flipOneBit(evidence: JudgedEvidence, random: Random): Mutation {
  const { quote, collateral } = evidence;
  if (random.below(3) > 0) {
    const bit = random.below(8 * quote.length);
    return { what: `quote bit ${bit}`, evidence: { ...evidence, quote: flipBit(quote, bit) } };
  }
  const name = random.pick(Object.keys(collateral) as (keyof Collateral)[]);
  const part = collateral[name];
  if (typeof part !== 'string') {
    const bit = random.below(8 * part.length);
    return {
      what: `${name} bit ${bit}`,
      evidence: { ...evidence, collateral: { ...collateral, [name]: flipBit(part, bit) } },
    };
  }
  const bytes = new TextEncoder().encode(part);
  const bit = 8 * random.below(bytes.length) + random.below(7);
  const text = new TextDecoder().decode(flipBit(bytes, bit));
  return { what: `${name} bit ${bit}`, evidence: { ...evidence, collateral: { ...collateral, [name]: text } } };
}

/** Offsets of lengths, types and fields in a version 4 quote. */
const seams = [
  0, 2, 4, 8, 12, 28, 48, 64, 112, 168, 176, 184, 520, 568, 632, 636, 700, 764, 766, 770, 1154, 1218, 1220, 1252, 1254,
  1258,
];

/** Changes a quote: sets, truncates, duplicates, moves or adds bytes, preferably at the boundaries of its fields. */
export function changeQuoteStructure(evidence: JudgedEvidence, random: Random): Mutation {
  const { quote } = evidence;
  const at = Math.min(
    random.below(4) > 0 ? random.pick(seams) + random.below(4) : random.below(quote.length),
    quote.length - 1,
  );
  const count = 1 + random.below(random.pick([4, 64]));
  const value = random.pick([0, 1, 0x7f, 0x80, 0xff, random.below(256)]);
  const bytes = [...quote];
  const kind = random.pick(['set', 'cut', 'drop', 'repeat', 'insert', 'append', 'swap'] as const);
  if (kind === 'set') bytes.fill(value, at, at + count);
  if (kind === 'cut') bytes.length = at;
  if (kind === 'drop') bytes.splice(at, count);
  if (kind === 'repeat') bytes.splice(at, 0, ...quote.subarray(at, at + count));
  if (kind === 'insert') bytes.splice(at, 0, ...new Array<number>(count).fill(value));
  if (kind === 'append') bytes.push(...new Array<number>(count).fill(value));
  if (kind === 'swap') {
    const other = random.below(quote.length - count);
    bytes.splice(at, count, ...quote.subarray(other, other + count));
  }
  return { what: `${kind} ${count} bytes at ${at}`, evidence: { ...evidence, quote: Uint8Array.from(bytes) } };
}

type Json = { [name: string]: Json } | Json[] | string | number | boolean | null;

/** Changes one member of a TCB info or QE identity and signs it again. */
export async function changeSignedDocument(random: Random): Promise<Mutation> {
  let what = '';
  const edit = (document: unknown) => {
    what = changeMember(document as Json, random);
  };
  const change: EvidenceChange = random.below(2) === 0 ? { tcbInfo: edit } : { qeIdentity: edit };
  const evidence = await buildJudged({ ...randomForm(random), ...change });
  return { what: `${'tcbInfo' in change ? 'TCB info' : 'QE identity'}: ${what}`, evidence };
}

/** Random versions of platform, module and quoting enclave with levels of every kind, all signed. */
export async function changeVersions(random: Random): Promise<Mutation> {
  const near = (svn: number) => Math.max(0, svn + (random.below(8) > 0 ? random.below(2) : -1));
  const lower = (svn: number) => Math.max(0, svn - (random.below(8) > 0 ? random.below(2) : -1));
  const teeTcbSvn = Uint8Array.from([6, random.pick([0, 1, 1, 1]), 3, random.below(2)], near);
  const teeTcbSvn2 = random.below(2) === 0 ? teeTcbSvn : Uint8Array.from(teeTcbSvn, near);
  const count = 1 + random.below(4);
  const isSorted = random.below(4) > 0;
  const change: EvidenceChange = {
    ...randomForm(random),
    td: { teeTcbSvn, teeTcbSvn2 },
    hardware: {
      sgxSvns: [3, 3, 2, 2, 4, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0].map((svn, index) => (index < 2 ? near(svn) : svn)),
      pceSvn: near(13),
    },
    qe: { isvSvn: near(4) },
    tcbInfo: (document) => {
      const [first] = document.tcbLevels;
      const levels = Array.from({ length: count }, () => {
        const level = structuredClone(first!);
        for (const part of [level.tcb.sgxtcbcomponents, level.tcb.tdxtcbcomponents]) {
          for (const component of part.slice(0, 4)) component.svn = lower(component.svn);
        }
        level.tcb.pcesvn = lower(level.tcb.pcesvn);
        level.tcbStatus = random.pick(['UpToDate', 'UpToDate', 'OutOfDate', 'SWHardeningNeeded', 'Revoked']);
        return level;
      });
      const digits = ({ tcb }: typeof first & object) =>
        [...tcb.sgxtcbcomponents.map(({ svn }) => svn), tcb.pcesvn, ...tcb.tdxtcbcomponents.map(({ svn }) => svn)]
          .map((svn) => String.fromCharCode(svn))
          .join('');
      if (isSorted) levels.sort((a, b) => (digits(a) < digits(b) ? 1 : -1));
      document.tcbLevels.splice(0, 1, ...levels);
      const [identity] = document.tdxModuleIdentities;
      identity!.tcbLevels[0]!.tcb.isvsvn = lower(5);
      identity!.tcbLevels[0]!.tcbStatus = random.pick(['UpToDate', 'UpToDate', 'OutOfDate', 'Revoked']);
    },
  };
  return { what: `versions ${teeTcbSvn} now ${teeTcbSvn2}`, evidence: await buildJudged(change) };
}

/** Generated evidence, with the key that the comparison needs to sign a TCB info again. */
export async function buildJudged(change: EvidenceChange = {}): Promise<JudgedEvidence> {
  let signTcbInfo: JudgedEvidence['signTcbInfo'];
  const built = await buildEvidence({
    ...change,
    collateral: (collateral, parts) => {
      signTcbInfo = (text) => signBytes(parts.signerKey, new TextEncoder().encode(text));
      return change.collateral?.(collateral, parts) ?? collateral;
    },
  });
  return { ...built, nowMs: evidenceNowMs, signTcbInfo: signTcbInfo! };
}

function randomForm(random: Random): EvidenceChange {
  const form = random.pick([
    { version: 4, body: '1.0' },
    { version: 5, body: '1.0' },
    { version: 5, body: '1.5' },
  ] as const);
  return { form };
}

/** Descends to a random member and changes it. @returns the path and the change */
function changeMember(document: Json, random: Random): string {
  const path: string[] = [];
  let parent = document as { [name: string]: Json };
  for (;;) {
    const names = Object.keys(parent);
    const name = random.pick(names);
    path.push(name);
    const value = parent[name]!;
    const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
    if (!isLeaf && random.below(8) > 0) {
      parent = value as { [name: string]: Json };
      continue;
    }
    const kind = random.pick(['other', 'other', 'drop', 'double', 'null'] as const);
    if (kind === 'drop') delete parent[name];
    if (kind === 'null') parent[name] = null;
    if (kind === 'double' && Array.isArray(parent)) parent.push(structuredClone(value));
    if (kind === 'other') parent[name] = otherValue(value, random);
    return `${kind} ${path.join('.')}`;
  }
}

function otherValue(value: Json, random: Random): Json {
  if (typeof value === 'number') return random.pick([value + 1, value - 1, -1, 0, 255, 65_536, 0.5, String(value)]);
  if (typeof value === 'string') {
    const at = random.below(value.length + 1);
    const letter = random.pick(['0', '1', 'F', 'f', ' ', 'x']);
    return random.pick<Json>([
      value.slice(0, at) + letter + value.slice(at + 1),
      value.slice(1),
      '',
      value.toLowerCase(),
      0,
    ]);
  }
  return random.pick<Json>([[], {}, '', 0, false]);
}
