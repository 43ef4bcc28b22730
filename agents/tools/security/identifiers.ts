/** Finds identifiers of the public catalogues: CVE, CWE, CAPEC, GHSA and MITRE ATT&CK. */
import type { AgentTool } from '../../agent/agent.ts';
import { countOnce, place, sharedBytes, toFindings } from '../findings.ts';
import { spanOf } from '../text/span.ts';
import { nameOfAttack, nameOfCwe } from './catalogue-names.ts';
import { isSetAside, isWeakMention } from './mention.ts';

export type IdentifierKind = 'cve' | 'cwe' | 'capec' | 'ghsa' | 'attack';

export interface Identifier {
  readonly kind: IdentifierKind;
  /** In the catalogue's spelling. */
  readonly id: string;
  /** Present for the weaknesses, tactics and techniques that reports cite most often. */
  readonly name?: string;
  /** Whether the text names it only to deny it: "not affected by CVE-…", "T1486: not observed". */
  readonly isDenied?: true;
  /** Whether the text only quotes or supposes it there. */
  readonly isWeak?: true;
  readonly start: number;
  readonly end: number;
}

/** Each identifier once, with the number of occurrences and the first position. */
export const vulnerabilityIdentifiers: AgentTool = {
  name: 'vulnerability_identifiers',
  version: '2',
  purpose: 'Recognises CVE, CWE and ATT&CK ids. Text: the ids.',
  run(documents) {
    const found = documents.flatMap(({ message, text }) =>
      withoutWeak(findIdentifiers(text)).map(({ start, end, ...identifier }) => ({
        ...identifier,
        span: spanOf(message, { start, end }),
      })),
    );
    const places = new Map(
      found
        .filter(({ isDenied }) => isDenied !== true)
        .toReversed()
        .map(({ id, span }) => [id, span] as const),
    );
    const all = countOnce(found, ({ id }) => id).map((identifier) => {
      // One affirming mention outweighs the denials, and its position is reported.
      const { isDenied: _, ...affirmed } = identifier;
      return places.get(identifier.id) === undefined ? identifier : { ...affirmed, span: places.get(identifier.id)! };
    });
    const of = (kind: IdentifierKind) => all.filter((identifier) => identifier.kind === kind);
    const result = sharedBytes({
      cve: of('cve'),
      cwe: of('cwe'),
      attack: of('attack'),
      capec: of('capec'),
      ghsa: of('ghsa'),
    });
    const digest = all.map(
      ({ id, name, isDenied, count, span }) =>
        `${id}${name === undefined ? '' : ` ${name}`}${isDenied === true ? ' (DENIED by the text)' : ''}, ${count}× ${place(span)}`,
    );
    return toFindings(result, digest, 30);
  },
};

/**
 * Ordered by position in the text. CVE: year from 1999, 4 to 19 digits (CVE record format). ATT&CK: tactics TA, techniques T1…
 * (enterprise and mobile) and T08… (ICS) with their sub-techniques; groups G, software S and mitigations M only if the text
 * names ATT&CK or MITRE, because part numbers look the same.
 */
export function findIdentifiers(text: string): Identifier[] {
  const namesAttack = /att&ck|\bmitre\b/i.test(text);
  const found: Identifier[] = [];
  for (const match of text.matchAll(identifierShape)) {
    const range = { start: match.index, end: match.index + match[0].length };
    const identifier = classify(match[0], namesAttack);
    if (identifier === undefined) continue;
    const isDenied = isSetAside(text, range.start, range.end);
    const isWeak = !isDenied && isWeakMention(text, range.start);
    found.push({
      ...identifier,
      ...(isDenied ? { isDenied: true as const } : {}),
      ...(isWeak ? { isWeak: true as const } : {}),
      ...range,
    });
  }
  return found;
}

/** A denial outweighs the mentions that only quote or suppose the identifier. */
function withoutWeak(found: readonly Identifier[]): Omit<Identifier, 'isWeak'>[] {
  const denied = new Set(found.flatMap(({ id, isDenied }) => (isDenied === true ? [id] : [])));
  return found
    .filter(({ id, isWeak }) => isWeak !== true || !denied.has(id))
    .map(({ isWeak: _, ...identifier }) => identifier);
}

const identifierShape =
  /(?<![\w-])(?:CVE-\d{4}-\d{4,19}|CWE-\d{1,5}|CAPEC-\d{1,4}|GHSA(?:-[2-9cfghjmpqrvwx]{4}){3}|TA\d{4}|T\d{4}(?:\.\d{3})?|[GSM]\d{4})(?!\w|\.\d)/gi;

function classify(written: string, namesAttack: boolean): Omit<Identifier, 'start' | 'end'> | undefined {
  const id = written.toUpperCase();
  if (id.startsWith('CVE')) return Number(id.slice(4, 8)) >= 1999 ? { kind: 'cve', id } : undefined;
  if (id.startsWith('CWE')) {
    const number = Number(id.slice(4));
    const name = nameOfCwe(number);
    return { kind: 'cwe', id: `CWE-${number}`, ...(name === undefined ? {} : { name }) };
  }
  if (id.startsWith('CAPEC')) return { kind: 'capec', id };
  if (id.startsWith('GHSA')) return { kind: 'ghsa', id: `GHSA${written.slice(4).toLowerCase()}` };
  // Identifiers of ATT&CK are written in capitals; "t1234" is something else.
  if (written !== id) return undefined;
  if (/^[GSM]/.test(id) && !namesAttack) return undefined;
  if (/^T(?!A)/.test(id) && !/^T(?:1|08)/.test(id)) return undefined;
  const name = nameOfAttack(id);
  return { kind: 'attack', id, ...(name === undefined ? {} : { name }) };
}
