/** The length of a period in a heading or caption: a quarter, a half or a number of months, in the words of the languages read. */

import { word } from './column-kinds.ts';

/** A quarter or a half of a year. */
export interface PeriodPart {
  readonly kind: 'Q' | 'H';
  readonly number: number;
}

const lengths: readonly (readonly [months: number, shape: RegExp])[] = [
  [
    3,
    word(
      'three[- ]months?|3[- ]months?|1[23][- ]weeks?|14[- ]weeks?|thirteen weeks|drei monate|quartals\\p{L}+|trimestr\\p{L}+|trimestral\\p{L}*|kwartaal\\p{L}+|3[- ]monats?\\p{L}*|3 monate|trois mois|3 mois|tres meses|3 meses|tre mesi|3 mesi|drie maanden|3 maanden|quarter(?:ly)?(?: period)?(?: end(?:ed|ing))?|quartals?|quartal|trimestre|kwartaal|3M|kvartal\\p{L}{0,3}|tre månader|tre måneder|três meses|3 meses|kwarta[łl]\\p{L}{0,2}|trzy miesiące|neljännes\\p{L}*',
    ),
  ],
  [
    6,
    word(
      'six[- ]months?|6[- ]months?|2[67][- ]weeks?|twenty-six weeks|sechs monate|halbjahr\\p{L}+|semestr\\p{L}+|halfjaar\\p{L}+|half[- ]yearly|6 monate|six mois|6 mois|seis meses|6 meses|sei mesi|6 mesi|zes maanden|6 maanden|half[- ]years?|halbjahr(?:es)?|semestre|halfjaar|6M|interim period|halvår\\p{L}{0,3}|sex månader|seks måneder|seis meses|p[óo][łl]rocz\\p{L}{1,3}|sześć miesięcy|puolivuosi\\p{L}*',
    ),
  ],
  [
    9,
    word(
      'nine[- ]months?|9[- ]months?|39[- ]weeks?|40[- ]weeks?|thirty-nine weeks|neun monate|9 monate|neunmonats\\p{L}*|neuf mois|9 mois|nueve meses|9 meses|nove mesi|9 mesi|negen maanden|9 maanden|9M|nio månader|niomånaders\\p{L}*|ni måneder|nove meses|dziewięć miesięcy',
    ),
  ],
  [
    12,
    word(
      'twelve[- ]months?|12[- ]months?|5[23][- ]weeks?|fifty-two weeks|zw[öo]lf monate|12 monate|douze mois|12 mois|doce meses|dodici mesi|(?:fiscal |financial |full |calendar )?years?(?: then)?(?: end(?:ed|ing))?|full[- ]year|annual|gesch[äa]ftsjahr(?:es)?|wirtschaftsjahr|exercice|ejercicio(?: cerrado)?|ejercicio anual|esercizio|boekjaar|jahr|a[ñn]o|anno|ann[ée]e|jaar|LTM|TTM|helår\\p{L}{0,3}|räkenskapsår\\p{L}{0,3}|regnskabsår\\p{L}{0,3}|regnskapsår\\p{L}{0,3}|exercício|rok obrotowy|roku obrotowego|tilikausi|tilikauden|R12',
    ),
  ],
  [
    1,
    word(
      'one month|1 month|month ended|month|monat|mois de|mes de|mese di|mese|maand|mån(?:ad\\p{L}{0,2})?|måned|miesiąc|mês',
    ),
  ],
];

const partShapes: readonly (readonly ['Q' | 'H', RegExp])[] = [
  [
    'Q',
    /(?<![\p{L}\d])(?:Q ?|T|KV\.? ?)([1-4])(?![\d\p{L}.,])|(?<![\p{L}\d])([1-4])[QT](?![\p{L}])|(?<![\p{L}\d])([1-4])(?:st|nd|rd|th|\.º?|er|e|º|°|[ea]me|:[ae])? ?(?:quarter|quartal|trimestre|kwartaal|kvartal|kwarta[łl])|(?<!\p{L})(?:quarter|quartal|trimestre|kwartaal|kvartal|kwarta[łl]) ([1-4])(?![\d.,])/iu,
  ],
  [
    'H',
    /(?<![\p{L}\d])(?:H|S|HJ)([12])(?![\d\p{L}])|(?<![\p{L}\d])([12])H(?:J)?(?![\p{L}])|(?<![\p{L}\d])([12])(?:st|nd|\.º?|er|e|º|°|:[ae])? ?(?:half|halbjahr|semestre|halfjaar|halvår|p[óo][łl]rocze)/iu,
  ],
];
const ordinals: readonly RegExp[] = [
  word('first|erstes|premier|primer|primo|eerste|första|første|primeiro|pierwsz\\p{L}{1,4}'),
  word('second|zweites|deuxi[èe]me|segundo|secondo|tweede|andra|andet|andre|drugi\\p{L}{0,3}'),
  word('third|drittes|troisi[èe]me|tercer|terzo|derde|tredje|terceiro|trzeci\\p{L}{0,3}'),
  word('fourth|viertes|quatri[èe]me|cuarto|quarto|vierde|fjärde|fjerde|czwart\\p{L}{1,4}'),
];
export function partOf(text: string): PeriodPart | undefined {
  for (const [kind, shape] of partShapes) {
    const match = shape.exec(text);
    const number = match?.slice(1).find((group) => group !== undefined);
    if (number !== undefined) return { kind, number: Number(number) };
  }
  const numeral = roman.exec(text)?.[1];
  if (numeral !== undefined) return { kind: 'Q', number: numeral === 'IV' ? 4 : numeral.length };
  const kind = quarterWord.test(text) ? 'Q' : halfWord.test(text) ? 'H' : undefined;
  const number = kind === undefined ? -1 : ordinals.findIndex((shape) => shape.test(text));
  return number === -1 ? undefined : { kind: kind!, number: number + 1 };
}

const roman = /(?<![\p{L}\d])(I{1,3}|IV)\.? ?(?:kw\.|kwarta[łl]|trim\.|trimestre|quartal|kvartal)/u;
const quarterWord = word('quarter|quartals?|trimestre|kwartaal|kvartal(?:et)?|kwarta[łl]\\p{L}{0,2}');
const halfWord = word('half|half-year|halbjahr(?:es)?|semestre|halfjaar|halvår(?:et)?|p[óo][łl]rocz\\p{L}{1,3}');

export function lengthOf(text: string, part: PeriodPart | undefined): number | undefined {
  if (part !== undefined) return part.kind === 'Q' ? 3 : 6;
  if (severalLengths.test(text)) return undefined;
  const counted = monthCount.exec(text);
  const months = counted === null ? undefined : Number(counted[1] ?? counted[2]);
  let first: { months: number; at: number } | undefined =
    months === undefined || months > 18 ? undefined : { months, at: counted!.index };
  for (const [length, shape] of lengths) {
    const at = shape.exec(text)?.index;
    if (at !== undefined && (first === undefined || at < first.at)) first = { months: length, at };
  }
  return first?.months;
}

/** "For the three and six months ended" */
const severalLengths =
  /(?<!\p{L})(?:three|3|trois|tres|tre|drei|drie) (?:and|und|et|y|e|en|och|og) (?:six|nine|twelve|6|9|12|six|seis|sei|sechs|zes|sex|neuf|nueve|nove|neun|negen|nio)(?!\p{L})|(?<!\p{L})(?:quarter|quartal|trimestre) (?:and|und|et|y|e) (?:half|six|nine|halbjahr|semestre|year)/iu;

/** "7m to", "10 months", "7 mån", "5 mdr.", "M7 YTD". */
const monthCount =
  /(?<![\p{L}\d.,])(\d{1,2})[- ]?(?:m|mths?|mos?|mo\.|months?|monate?|mois|meses|mesi|maanden|mån(?:ader)?|mdr|måneder|miesi[ąęc]\p{L}{1,4}|m-cy|m-c|mies\.?|mc[ey]?|kk)(?![\p{L}\d])|(?<![\p{L}\d.,])M(\d{1,2})(?= ?(?:ytd|cum))/iu;
