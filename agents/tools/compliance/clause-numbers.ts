/** Numbers of controls and clauses, by the notation of each framework. */
import type { Range } from '../text/span.ts';
import type { FrameworkId } from './framework-names.ts';

export interface ClauseNumber extends Range {
  readonly framework: FrameworkId;
  /** As printed, without the framework's name: "8.2.1", "A.8.24", "164.312(a)(1)". */
  readonly number: string;
}

/** Notations that name their framework. Sources: AICPA TSP section 100; NIST CSF 2.0; BSI C5:2020; 45 CFR 164; ISO/IEC 27001 Annex A. */
const notations: readonly (readonly [FrameworkId, string])[] = [
  ['soc_2', '(?:CC[1-9]\\.\\d{1,2}|A1\\.[1-3]|C1\\.[12]|PI1\\.[1-5]|P[1-8]\\.\\d)(?:[.-]\\d{1,2})?'],
  ['iso_27001', 'A\\.(?:[5-8]|9|1[0-8])\\.\\d{1,2}(?:\\.\\d{1,2})?'],
  ['hipaa', '164\\.\\d{3}(?:\\([A-Za-z0-9]{1,4}\\)){0,5}'],
  ['nist_csf', '(?:GV|ID|PR|DE|RS|RC)\\.[A-Z]{2}-\\d{1,2}'],
  ['c5', '(?:OIS|SP|HR|AM|PS|OPS|IDM|CRY|COS|PI|DEV|SSO|SIM|BCM|COM|INQ|PSS)-\\d{2}'],
];

/** Numbers after a framework's name: "PCI 8.2.1", "NIS2 Art. 21(2)(i)", "GDPR Art. 32". */
const afterName: readonly (readonly [FrameworkId, string])[] = [
  [
    'pci_dss',
    '(?:PCI(?: DSS)?(?: v?\\d\\.\\d(?:\\.\\d)?)?,? ?(?:Req(?:uirements?|\\.)?|Anforderung|Exigence|Requisito|Eis)?|Req(?:uirement|\\.)|PCI DSS)\\s{0,2}((?:1[0-2]|[1-9])\\.\\d{1,2}(?:\\.\\d{1,2}){0,2})',
  ],
  [
    'nis2',
    '(?:NIS ?-?2)[,:]? ?(?:Art(?:icle|ikel|ículo|icolo|\\.)? ?)?(2[0-3]\\(\\d\\)(?:\\([a-j]\\))?|2[0-3])(?![\\d.])',
  ],
  [
    'dora',
    'DORA[,:]? ?(?:Art(?:icle|ikel|ículo|icolo|\\.)? ?)?(\\d{1,2}(?:\\(\\d{1,2}\\))?(?:\\([a-z]\\))?)(?![\\d.])',
  ],
  ['iso_27701', '27701[,:]? ?(?:clause |Kap\\. )?((?:[5-8]|A|B)\\.\\d{1,2}(?:\\.\\d{1,2}){0,2})'],
  ['iso_22301', '22301(?::\\d{4})?[,:]? ?(?:clause |Kap\\. )?((?:[4-9]|10)(?:\\.\\d{1,2}){1,2})'],
  [
    'gdpr',
    '(?:GDPR|DS-?GVO|RGPD|AVG)[,:]? ?(?:Art(?:icle|ikel|ículo|icolo|\\.)? ?)?(\\d{1,2}(?:\\(\\d\\))?(?:\\([a-z]\\))?)(?![\\d.])',
  ],
];

const ownNotation = new RegExp(
  `(?<![\\p{L}\\d.])(?:${notations.map(([, shape]) => `(${shape})`).join('|')})(?![\\d])`,
  'gu',
);
const named = new RegExp(`(?<![\\p{L}\\d])(?:${afterName.map(([, shape]) => shape).join('|')})`, 'gu');
const isoClause =
  /(?<!\p{L})(?:clause|klausel|kapitel|cláusula|clausola|requisito|requirement|norm(?:kapitel|abschnitt)|abschnitt|chapitre|punto|paragraaf|eis|§)\s{1,3}((?:[4-9]|10)\.\d(?:\.\d{1,2})?)(?![\d.])/giu;

/** All of a text that name their framework, in its order. @param isIso whether "Clause 9.3" is of ISO 27001 */
export function findClauseNumbers(text: string, isIso = false): ClauseNumber[] {
  const found: ClauseNumber[] = [];
  for (const match of text.matchAll(ownNotation)) {
    const nth = match.slice(1).findIndex((part) => part !== undefined);
    found.push({
      framework: notations[nth]![0],
      number: match[0],
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  for (const match of text.matchAll(named)) {
    const nth = match.slice(1).findIndex((part) => part !== undefined);
    const number = match[nth + 1]!;
    found.push({ framework: afterName[nth]![0], number, start: match.index, end: match.index + match[0].length });
  }
  if (isIso) {
    for (const match of text.matchAll(isoClause))
      found.push({ framework: 'iso_27001', number: match[1]!, start: match.index, end: match.index + match[0].length });
  }
  return found
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((each, index, all) => index === 0 || each.start >= all[index - 1]!.end);
}

/** The number at the beginning of a cell that its title follows: "A.5.24 Incident planning", "6.3.3 N/A for Linux hosts". */
export function clauseBeforeTitle(
  cell: string,
  bare: FrameworkId | undefined,
): { readonly framework: FrameworkId; readonly number: string; readonly rest: string } | undefined {
  const match = /^(\S{3,24})[ \u00a0]{1,3}(?=[\p{L}(])/u.exec(cell.trim());
  if (match === null || cell.length > titledCharactersMax) return undefined;
  const found = clauseOfCell(match[1]!, bare);
  return found === undefined ? undefined : { ...found, rest: cell.trim().slice(match[0].length) };
}

const titledCharactersMax = 80;

/** The management system for artificial intelligence has an annex A of its own, with A.2 to A.10. */
const annexOfAi =
  /^(?:clause |control )?(A\.(?:[2-9]|10)\.\d{1,2}(?:\.\d{1,2})?|(?:[4-9]|10)\.\d{1,2}(?:\.\d{1,2})?)$/iu;

/**
 * The number that a cell consists of.
 * @param bare the framework whose numbers stand alone in this document, such as "5.14" in a statement of applicability
 * @param isClauseColumn whether the cell is under the name of a column of requirements, where "6" is one
 */
export function clauseOfCell(
  cell: string,
  bare: FrameworkId | undefined,
  isClauseColumn = false,
): { readonly framework: FrameworkId; readonly number: string } | undefined {
  const shown = cell.trim().replace(/[.:]$/, '');
  if (shown.length > 40) return undefined;
  const annexed = bare === 'iso_42001' ? annexOfAi.exec(shown)?.[1] : undefined;
  if (annexed !== undefined) return { framework: 'iso_42001', number: annexed };
  const [only, ...more] = findClauseNumbers(shown, true);
  if (only !== undefined && more.length === 0 && only.start === 0 && only.end === shown.length) return only;
  if (bare === undefined) return undefined;
  const whole = /^(?:Req(?:uirement|\.)?|Anforderung|Exigence|Requisito|Eis)\s(1[0-2]|[1-9])$/iu.exec(shown)?.[1];
  if (whole !== undefined && bare === 'pci_dss') return { framework: bare, number: whole };
  if (bare === 'pci_dss' && isClauseColumn && /^(?:1[0-2]|[1-9]|A[1-3])$/.test(shown))
    return { framework: bare, number: shown };
  const number =
    /^(?:(?:Req(?:uirement)?|Control|Clause|Art(?:icle|\.)?|Maßnahme|Contrôle)\.?\s)?((?:[1-9]|1[0-2])(?:\.\d{1,2}){1,3}|\d{1,2}(?:\(\d{1,2}\)){1,2}(?:\([a-z]\))?)$/u.exec(
      shown,
    )?.[1];
  return number === undefined ? undefined : { framework: bare, number };
}
