/** Clinical scores that a record states in points: by a table of their names, and by the form "… score 5". */
import type { Document } from '../../document/document.ts';
import { fullRows } from '../../document/table.ts';
import type { Range, Span } from '../text/span.ts';
import { isAboutPatient } from './clinical-status.ts';
import { sectionAt } from './sections.ts';

export interface StatedScore {
  readonly score: string;
  readonly value: number;
  readonly span: Span;
}

/** Names with their most points; `=` before another spelling. */
const table = `
CHA2DS2-VASc=CHA₂DS₂-VASc=CHA2DS2VASc=CHADS-VASc=CHA2DS2-VA | 9
CHADS2 | 6
HAS-BLED=HASBLED | 9
GCS=Glasgow Coma Scale=Glasgow Coma Score=Glasgow | 15
NEWS2=NEWS 2 | 20
NEWS | 20
MEWS | 14
PEWS | 13
qSOFA | 3
SOFA | 24
APACHE II=APACHE | 71
SAPS II=IGS II | 163
CURB-65=CURB65 | 5
CRB-65=CRB65 | 4
PSI | 250
Wells PE=Wells DVT=Wells | 12.5
Geneva | 22
PERC | 8
PESI | 300
sPESI | 6
HEART | 10
TIMI | 7
GRACE | 372
EuroSCORE | 40
SYNTAX | 100
ABCD2 | 7
NIHSS | 42
mRS=modified Rankin=mRankin=Rankin | 6
ICH score | 6
Hunt and Hess=Hunt-Hess | 5
Fazekas | 3
EDSS | 10
MMSE=MMST=Mini-Mental=mini mental | 30
MoCA | 30
AMTS=AMT | 10
4AT | 12
DemTect | 18
GDS | 30
CAM-ICU | 4
PHQ-9=PHQ9 | 27
PHQ-2 | 6
GAD-7=GAD7 | 21
HADS | 42
BDI | 63
AUDIT-C=AUDIT | 40
CAGE | 4
CIWA-Ar=CIWA | 67
COWS | 48
EPDS=Edinburgh | 30
Epworth=ESS | 24
STOP-BANG | 8
ACT | 25
CAT | 40
mMRC | 4
BODE | 10
Child-Pugh=Child Pugh=Child-Turcotte-Pugh | 15
MELD-Na | 40
MELD 3.0 | 40
MELD | 40
Maddrey | 200
Lille | 1
Glasgow-Blatchford=Blatchford | 23
Rockall | 11
Ranson | 11
BISAP | 5
Alvarado | 10
AIR score | 12
Mayo | 12
CDAI | 600
IPSS | 35
Bishop | 13
Apgar | 10
Braden | 23
Norton | 20
Waterlow | 64
Morse=Morse Fall Scale | 125
Tinetti | 28
Barthel | 100
Karnofsky | 100
ECOG | 5
Clinical Frailty Scale=CFS=Rockwood | 9
MUST | 6
NRS-2002=NRS 2002 | 7
Caprini | 40
Padua | 20
Khorana | 7
4Ts=4T | 8
ISTH DIC=ISTH | 8
ASA=ASA grade=ASA class | 6
Aldrete=PADSS | 14
RASS | 5
Ramsay | 6
Gleason | 10
BI-RADS=BIRADS=ACR BI-RADS | 6
PI-RADS=PIRADS | 5
TI-RADS=TIRADS=EU-TIRADS | 5
LI-RADS | 5
Lung-RADS | 4
O-RADS | 5
DAS28=DAS-28 | 10
BASDAI | 10
HAQ | 3
PASI | 72
DLQI | 30
SCORAD | 103
Centor=McIsaac | 5
Duke | 15
LACE | 19
SYNTAX score | 100
Shanghai | 10
Schwartz | 9
ORBIT | 7
H2FPEF | 9
Lund-Mackay | 24
SNOT-22 | 110
Oswestry=ODI | 100
Harris hip score | 100
WOMAC | 96
Constant | 100
Oxford hip score=Oxford knee score | 48
IIEF-5=IIEF | 25
Mini-Cog | 5
FOUR score | 16
ISS | 75
`;

interface Score {
  readonly name: string;
  readonly max: number;
}

const byName = new Map<string, Score>();
for (const line of table.trim().split('\n')) {
  const [names = '', max = '0'] = line.split('|').map((cell) => cell.trim());
  for (const name of names.split('=')) byName.set(plainName(name), { name: names.split('=')[0]!, max: Number(max) });
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/₂/g, '2')
    .replace(/[\s-]+/g, ' ')
    .trim();
}

const escaped = (name: string) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '[ -]');
const allNames = [...byName.keys()]
  .sort((one, other) => other.length - one.length)
  .map(escaped)
  .join('|');

const roman: Readonly<Record<string, number>> = { I: 1, II: 2, III: 3, IV: 4, V: 5, VI: 6 };

/** What may stand between a name and its points. */
const link = String.raw`(?:[ \t\u00a0-]?(?:score|index|scale|stade|stage|grad|grade|class|classification|punkte|points|stage|total|[-–]score|calculé|klasse|risk|rating|\([^()\n]{0,30}\))){0,3}[ \t\u00a0]{0,2}(?:[:=]|(?<!\p{L})(?:is|was|of|at|à|de|est|von|war|beträgt|ist|:|remains|currently|today|now|for \p{L}{3,12} \p{L}{3,12})(?!\p{L})){0,2}[ \t\u00a0]{0,3}`;
const statedShape = new RegExp(
  String.raw`(?<![\p{L}\d₂-])(${allNames})(?![\p{L}\d])${link}(?:([A-D] ?)?\(?(\d{1,3}(?:[.,]\d{1,2})?)(?![\d]|[.,]\d|[ ]?(?:%|mg|g|mcg|µg|ml|years?|days?|months?|weeks?|h|min)(?!\p{L})|[/.]\d{1,2}[/.]\d)|(I{1,3}|IV|VI?)(?![\p{L}\d]))`,
  'giu',
);
const genericShape =
  /(?<![\p{L}\d-])(\p{Lu}[\p{L}\d-]{2,20}(?: \p{Lu}[\p{L}\d-]{1,16}){0,2})[ -](?:score|index)(?!\p{L})[ ]?(?:\([^()\n]{0,24}\))?[ ]?(?:[:=]|was|is|of|à|von)?[ ]?(\d{1,3}(?:[.,]\d)?)(?![\d]|[.,]\d|[ ]?(?:%|mg|points? or|or (?:more|above|higher)|kg\/)|[/.]\d{1,2}[/.]\d)/gu;
const childPugh = /(?<!\p{L})child[- ]pugh[^.;\n]{0,20}?[ ]\(?(\d{1,2}) ?(?:points?|punkte|pts)/giu;
const coma = /(?<!\p{L})GCS[^.;\n]{0,12}?E ?(\d)[ ,]{0,2}V ?(\d)[ ,]{0,2}M ?(\d)/giu;

/** In the order of the text; one per score and value. */
export function findStatedScores(document: Document): StatedScore[] {
  const { text } = document;
  const found: (Range & { readonly score: string; readonly value: number })[] = [];
  const add = (score: string, value: number, range: Range) => {
    const max = byName.get(plainName(score))?.max ?? 200;
    if (Number.isFinite(value) && value <= max && isStated(document, range)) found.push({ score, value, ...range });
  };
  const rangeOf = (match: RegExpExecArray) => ({ start: match.index, end: match.index + match[0].length });
  for (const match of text.matchAll(coma))
    add('GCS', Number(match[1]) + Number(match[2]) + Number(match[3]), rangeOf(match));
  for (const match of text.matchAll(childPugh)) add('Child-Pugh', Number(match[1]), rangeOf(match));
  for (const match of text.matchAll(statedShape)) {
    const score = byName.get(plainName(match[1]!));
    if (score === undefined || !isWrittenAs(match[1]!, score.name)) continue;
    const value = match[3] === undefined ? roman[match[4]!.toUpperCase()]! : Number(match[3].replace(',', '.'));
    add(match[1]!, value, rangeOf(match));
  }
  for (const match of text.matchAll(genericShape)) {
    if (
      !byName.has(plainName(match[1]!)) &&
      !/^(?:The|This|Total|Pain|Risk|Fall|Mean|Median|Body|Mass|Z|T|Calcium|Credit)(?: |$)/u.test(match[1]!)
    )
      add(match[1]!, Number(match[2]!.replace(',', '.')), rangeOf(match));
  }
  for (const reading of inTables(document)) add(reading.score, reading.value, reading);
  const seen = new Set<string>();
  return found
    .sort((one, other) => one.start - other.start)
    .flatMap(({ score, value, start, end }) => {
      const key = `${score} ${value}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ score, value, span: document.spanOf({ start, end }) }];
    });
}

/** Names that are words too count in capitals alone: HEART, CAT, ACT, MUST, NEWS, GRACE. */
function isWrittenAs(written: string, name: string): boolean {
  const [word = ''] = written.split(' ');
  return !/^[A-Z]{3,6}$/.test(name) || word === word.toUpperCase();
}

/** Not a threshold, a leaflet or another's points. */
function isStated(document: Document, range: Range): boolean {
  const { text } = document;
  const kind = sectionAt(document, range.start).kind;
  if (kind === 'limits' || kind === 'literature' || kind === 'instructions') return false;
  const before = text.slice(Math.max(0, range.start - 24), range.start);
  const after = text.slice(range.end, range.end + 18);
  if (/(?<!\p{L})(?:if|when|wenn|falls|si|previous|best|max(?:imum)?)\s[^.;\n]{0,14}$/iu.test(before)) return false;
  if (/^\s?(?:or (?:more|above|higher|greater|less)|and above|\+|oder mehr|ou plus|-\d|–\d|to \d|mg|%)/iu.test(after))
    return false;
  // In the record of a mother, the points of her child.
  const around = text.slice(Math.max(0, range.start - 90), range.end + 40);
  if (/^apgar/iu.test(text.slice(range.start, range.start + 6)) && newborn.test(around)) return false;
  return isAboutPatient(document, range);
}

const newborn =
  /(?<!\p{L})(?:boy|girl|baby|infant|newborn|neonate|child|junge|mädchen|kind|neugeborene\p{L}?|säugling|garçon|fille|enfant|nouveau-né\p{L}?|niñ[oa]|recién nacid[oa]|rn|bambin[oa]|neonat[oa]|jongen|meisje|menin[oa]|recém-nascid[oa]|pojke|flicka|dreng|pige|gutt|jente|chłopiec|dziewczynka|noworodek)(?!\p{L})/iu;

/** Scores as columns of a chart; any row of words may be its heading. */
function inTables(document: Document): (Range & { score: string; value: number })[] {
  return document.tables.flatMap((table) => {
    if (!anyName.test(document.text.slice(table.start, Math.min(table.end, table.start + 4_000)))) return [];
    let scores: readonly (string | undefined)[] = [];
    return fullRows(table).flatMap((cells) => {
      const named = cells.map(({ text }) => nameOfTitle(text));
      if (named.some((score) => score !== undefined)) {
        scores = named;
        return [];
      }
      return cells.flatMap(({ text, start, end }, column) => {
        const score = scores[column];
        return score !== undefined && /^\d{1,3}$/.test(text) ? [{ score, value: Number(text), start, end }] : [];
      });
    });
  });
}

const anyName = new RegExp(String.raw`(?<![\p{L}\d])(?:${allNames})(?![\p{L}\d])`, 'iu');

function nameOfTitle(title: string): string | undefined {
  if (title.length > 40) return undefined;
  const score = byName.get(plainName(title.replace(/\s(?:score|total|punkte)$/i, '')));
  return score === undefined || !isWrittenAs(title.trim().split(' ')[0]!, score.name) ? undefined : score.name;
}

/** Scores of which the record says that they were not calculated. */
export function isNotCalculated({ text }: Document, score: string): boolean {
  const shape = new RegExp(
    String.raw`(?<!\p{L})${escaped(score)}[^.;\n]{0,20}?(?<!\p{L})(?:not (?:calculated|done|computed|applicable)|n\/a|non calculé|nicht berechnet)`,
    'iu',
  );
  return shape.test(text);
}
