/** The regimen that follows the name of a medicine: dose of one intake, route, frequency, and the daily dose. */
import { asNeededShape, countOf, type Frequency, readFrequency } from './frequencies.ts';
import { roundTo } from './rounding.ts';

export interface Dose {
  readonly value: number;
  readonly unit: string;
}

export interface Regimen {
  /** Of one intake; undefined where intakes differ or the record gives a span. */
  readonly dose?: Dose;
  readonly route?: string;
  readonly frequency?: Frequency;
  readonly asNeeded: boolean;
  /** Of micrograms and grams in milligrams. */
  readonly daily?: Dose;
  /** Length of the words that give dose and frequency. */
  readonly end: number;
}

const unitNames: readonly (readonly [string, RegExp])[] = [
  ['µg/h', /^(?:µg|μg|mcg|ug|micrograms?|mikrogramm) ?\/ ?(?:h|hr|hour|std\.?)$/i],
  ['mg/h', /^mg ?\/ ?(?:h|hr|hour|std\.?)$/i],
  ['units/h', /^(?:units?|u|iu|ie) ?\/ ?(?:h|hr|hour|std\.?)$/i],
  ['ml/h', /^ml ?\/ ?(?:h|hr|hour|std\.?)$/i],
  ['units/kg', /^(?:units?|u|iu|ie) ?\/ ?kg$/i],
  ['mg/kg', /^mg ?\/ ?kg$/i],
  ['mg/m²', /^mg ?\/ ?(?:m2|m²|sqm)$/i],
  ['mg', /^(?:mg|milligram(?:me)?s?|milligramm)$/i],
  ['µg', /^(?:µg|μg|mcg|ug|microgram(?:me)?s?|mikrogramm?|microgr\.?|microgramos|microgrammi|mikrog|mikrogramów)$/i],
  ['g', /^(?:g|gm|grams?|gramm|grammes?)$/i],
  [
    'IU',
    /^(?:iu|i\.?e\.?|ui|units?|u|einheiten|unités?|e|enheter|enheder|eenheden|unità|unidades|unidade|j\.?m?\.?|ie\.)$/i,
  ],
  ['mmol', /^mmol$/i],
  ['mEq', /^(?:meq|mval)$/i],
  ['ml', /^(?:ml|cc|millilit(?:er|re)s?)$/i],
  [
    'puff',
    /^(?:puffs?|hub|hübe|bouffées?|hubs|sprühstöße?|actuations?|puffar|inhalationer|sug|inhalaties?|inalaciones|inhalaciones|inalações|inhal\.?|wdech\p{L}*|erogazion[ei]|spruzz[io]|pufs?|sprays? \/ puff)$/iu,
  ],
  ['spray', /^(?:sprays?|pulvérisations?)$/i],
  ['drop', /^(?:drops?|gtts?|tropfen|gouttes?|tr\.?|gotas|gocce|gtt\.?|druppels?|dråber|droppar|krople?|kropli)$/i],
  [
    'tablet',
    /^(?:tab(?:let)?s?|tabletten?|tabl\.?|tbl\.?|tbs|cp|cpr|cps|comp|comprimidos?|compress[ae]|cápsulas?|tabletk[ai]|capsul[ae]|comprimés?|caplets?|cap(?:sule)?s?|kapseln?|kps\.?|gélules?|sachets?|beutel|pills?|stück|kapsle|tablett(?:er)?|tabl|tablet(?:ter)?|kapslar|kapsel|kapsler|compr\.?|comprimido|compresse?|capsule|capsula|pastiglia|filmtabl\.?|drag\.?|st)$/i,
  ],
];

/** Forms whose number counts intakes of the strength before them. */
const massUnits: ReadonlySet<string> = new Set(['mg', 'µg', 'g', 'IU', 'mmol', 'mEq']);

const unitWords = String.raw`(?:µg|μg|mcg|ug|micrograms?|mg|units?|U|IU|IE|ml) ?\/ ?(?:h|hr|hour|std\.?)(?!\p{L})|(?:units?|U|IU|IE|mg) ?\/ ?kg(?!\p{L}|\/)|mg ?\/ ?(?:m2|m²|sqm)|milligram(?:me)?s?|mg|microgram(?:me)?s?|µg|μg|mcg|ug|gram(?:me)?s?|g|IU|I\.E\.|IE|UI|units?|Einheiten|unités?|U|E|mmol|mEq|mval|millilit(?:er|re)s?|ml|mL|cc|puffs?|Hub|Hübe|bouffées?|Sprühstöße?|actuations?|sprays?|pulvérisations?|drops?|gtts?|Tropfen|gouttes?|gotas|gocce|druppels?|dråber|droppar|enheter|enheder|eenheden|unità|unidades?|mikrogram(?:m|ów)?|microgramos|microgrammi|inhalationer|inhalaciones|inhalaties?|erogazion[ei]|spruzz[io]|tablett(?:er)?|tablet(?:ter)?|kapslar|kapsler|compr\.?|tab(?:let)?s?|Tabletten?|Tabl\.?|Tbl\.?|cpr?|comp|comprimidos?|compress[ae]|cápsulas?|tabletk[ai]|capsul[ae]|comprimés?|caplets?|cap(?:sule)?s?|Kapseln?|Kps\.?|gélules?|sachets?|Beutel|pills?`;
const amount = String.raw`(?:(?:1[ ])?[1-3]\/[2-4]|1 ?[½¼]|\d{1,3}(?:[, \u00a0]\d{3})+(?![\d.,])|\d{1,5}(?:[.,]\d{1,3})?|[½¼¾]|(?:one|two|three|four|une?|deux|trois|five|six|seven|eight|ten|half)(?=[ \u00a0-]))`;
const doseShape = new RegExp(
  String.raw`(?<![\p{L}\d.,/]|[\d][-–])(${amount})[ \u00a0-]?(${unitWords})(?![\p{L}\d²]|[/](?!\p{L}{3}|24 ?h)|[ ]?\/[ ]?(?:ml|5|kg|min|l|dl)(?!\p{L}))`,
  'giu',
);

/** A bound, a total, what was before, another's dose: no dose of an intake. */
const noDoseBefore =
  /(?:\bmax(?:imum|imal|imálně|\.)?|\bup to|\btotal(?:s|ing)?(?: of)?|\bwas|\bwere|\bpreviously|\bprior|\binstead of|\bmore than|\bexceed(?:ing)?|\bhöchstens|\bnot over|\babove|\bbelow|\bstatt|\bau lieu de|\bper|[<≤≥]|(?<![-=–])>|\bevery|\bin|\/) ?$/iu;
const noDoseAfter =
  /^ ?(?:-|–|to|bis|à) ?\d|^ ?(?:total|a day|per day|pro tag|par jour|\/ ?(?:d|day|tag|j)(?!\p{L}))/iu;

interface FoundDose extends Dose {
  readonly start: number;
  readonly end: number;
}

function findDoses(text: string): FoundDose[] {
  return [...text.matchAll(doseShape)].flatMap((match): FoundDose[] => {
    const [whole, written, unitWord] = match;
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    const after = text.slice(match.index + whole.length, match.index + whole.length + 16);
    const unit = unitNames.find(([, shape]) => shape.test(unitWord!))?.[0];
    const value = doseValue(written!);
    const isTotal =
      /^ ?(?:a|per|pro|par|\/) ?(?:day|d|tag|jour|j)(?!\p{L})/iu.test(after) &&
      unit !== undefined &&
      massUnits.has(unit);
    if (unit === undefined || !Number.isFinite(value) || noDoseBefore.test(before) || (isTotal && unit === 'g'))
      return [];
    if (
      noDoseAfter.test(after) &&
      /^ ?(?:-|–|to|bis|à) ?\d/.test(after) &&
      /^\D{1,5}\d[\d.,]* ?(?:mg|g|mcg|µg|tab|puff)/i.test(after)
    ) {
      if (/(?:from|von|de) $/i.test(before)) return [];
      return [{ value: Number.NaN, unit, start: match.index, end: match.index + whole.length }];
    }
    if (/\d ?(?:-|–) ?$/.test(before)) return [];
    return [{ value, unit, start: match.index, end: match.index + whole.length }];
  });
}

/** `1,000` is a thousand, in every language: a dose has no three decimals after a comma, unless it begins with zero (`0,125`). */
function doseValue(written: string): number {
  const fraction = /^(?:(1) ?)?(?:([1-3])\/([2-4])|([½¼¾]))$/.exec(written);
  if (fraction !== null) {
    const part =
      fraction[4] === undefined
        ? Number(fraction[2]) / Number(fraction[3])
        : { '½': 0.5, '¼': 0.25, '¾': 0.75 }[fraction[4]]!;
    return Number(fraction[1] ?? 0) + part;
  }
  if (/^half$/i.test(written)) return 0.5;
  if (/^[1-9]\d{0,2}(?:[, \u00a0]\d{3})+$/.test(written)) return Number(written.replace(/[, \u00a0]/g, ''));
  return countOf(written);
}

/** @param after the words after the name · @param before the words before it, for "2 g of cefazolin" */
export function readRegimen(after: string, before: string): Regimen {
  // "Two (2) tablets": the number in digits is the same one.
  const digits = after.replace(/(?<!\p{L})\p{L}{3,9} \((\d{1,2}(?:\.\d)?)\)/gu, '$1');
  const bounded = digits.replace(/\bmax(?:imum|imal|imálně)?\b\.?[^\n\t;]*/iu, (words) => ' '.repeat(words.length));
  const read = readFrequency(bounded);
  const frequency = read?.schedule === 'once-daily' && countedDaily.test(bounded) ? undefined : read;
  const asNeeded = asNeededShape.test(after);
  const doses = findDoses(bounded);
  const own = doseOfIntake(doses, bounded, frequency) ?? (doses.length === 0 ? doseBefore(before) : undefined);
  const route = routeOf(after) ?? routeBefore(before);
  const daily = dailyDose(doses, bounded, frequency, asNeeded);
  const end = Math.max(doses[0]?.end ?? 0, frequency?.end ?? 0);
  return {
    ...(own === undefined ? {} : { dose: own }),
    ...(route === undefined ? {} : { route }),
    ...(frequency === undefined ? {} : { frequency }),
    asNeeded,
    ...(daily === undefined ? {} : { daily }),
    end,
  };
}

/** "Three … daily": a count before a word that is not known is how often, or how many; not once a day. */
const countedDaily =
  /(?<![\p{L}\d.,])(?:two|three|four|five|six|zwei|drei|vier|deux|trois|quatre|[2-6])\s(?!tab|cap|puff|drop|spray|pill|unit|sachet|mg|mcg|ml|kaps|hub|hüb|tropf|gout|comp|gél|bouff|inhal|each|in|am|le|au)\p{L}{4,14}\s(?:daily|a day|per day|täglich|am tag|pro tag|par jour)(?!\p{L})/iu;

/** "2 g cefazolin", "100 mL iohexol", "7,5 ml Gadobutrol": directly before the name. */
function doseBefore(before: string): Dose | undefined {
  const last = findDoses(before).at(-1);
  if (last === undefined || Number.isNaN(last.value) || !/^\s{0,2}(?:of |de |d')?$/i.test(before.slice(last.end)))
    return undefined;
  return { value: last.value, unit: last.unit };
}

const formWord =
  /^[ \u00a0]?(?:\p{L}{2,3} )?(?:tab(?:let)?s?|tabletten?|tabl\.?|tbl\.?|caps?(?:ules?)?|caplets?|comprimés?|gélules?|kapseln?|inhaler|ampoules?|vials?|pens?|cream|patch(?:es)?)(?!\p{L})/iu;

/** The dose after the strength of a form, or the strength times the units that are taken. */
function doseOfIntake(doses: readonly FoundDose[], text: string, frequency: Frequency | undefined): Dose | undefined {
  const masses = doses.filter(
    ({ unit }) => unit !== 'tablet' && unit !== 'puff' && unit !== 'spray' && unit !== 'drop',
  );
  const counts = doses.filter((dose) => !masses.includes(dose));
  const perUnit = counts.find(({ unit }) => unit !== 'tablet');
  if (perUnit !== undefined) return plain(perUnit);
  const [first, second] = masses;
  const intakes = frequency?.intakes;
  const each = intakes?.every((value) => value === intakes[0]) === true ? intakes[0] : undefined;
  if (first === undefined) {
    const units =
      /(?:^|[\t ])(?:einheiten|i\.?e\.?|units|iu|ui)(?!\p{L})/iu.test(text) && each !== undefined && each > 4;
    if (units) return { value: each, unit: 'IU' };
    if (counts[0] !== undefined) return plain(counts[0]);
    const words =
      /(?:^|[\t ])(one|two|three|half)(?= to be taken| (?:tab|cap)| (?:each|every|once|twice|four|three|weekly|daily|in the)(?!\p{L}))/iu.exec(
        text,
      );
    return words === null ? undefined : { value: doseValue(words[1]!), unit: 'tablet' };
  }
  const isChange =
    second !== undefined &&
    second.unit === first.unit &&
    /^[ ]?(?:to|auf|->|→|à|=>)[ ]?$/i.test(text.slice(first.end, second.start));
  if (second !== undefined && (isChange || formWord.test(text.slice(first.end)))) return plain(second);
  if (/(?:to|auf|à) $/i.test(text.slice(0, first.start)) && Number.isNaN(first.value)) return undefined;
  const taken = unitsTaken(counts, text, first.end) ?? (intakes === undefined ? 1 : each);
  if (taken === undefined || Number.isNaN(first.value)) return undefined;
  return { value: taken === 1 ? first.value : roundTo(first.value * taken, 3), unit: first.unit };
}

const plain = ({ value, unit }: FoundDose): Dose | undefined => (Number.isNaN(value) ? undefined : { value, unit });

/** "500 mg 2 tablets", "500mg tablets TWO to be taken", "½ tablet of 5 mg". */
function unitsTaken(counts: readonly FoundDose[], text: string, from: number): number | undefined {
  const tablets = counts.find(({ unit }) => unit === 'tablet');
  if (tablets !== undefined) return Number.isNaN(tablets.value) ? undefined : tablets.value;
  const words =
    /(?:^|[\t ])(one|two|three|four|five|six|seven|eight|ten|half|½)(?:[ ]{1,3}to be taken|[ ]{1,3}(?:each|every|once|twice|four|three|a|weekly|daily|in the|at|tabs?|tablets?)(?!\p{L}))/iu.exec(
      text.slice(from, from + 60),
    );
  return words === null || /^(?:three|four)$/i.test(words[1]!) ? undefined : doseValue(words[1]!);
}

function dailyDose(
  doses: readonly FoundDose[],
  text: string,
  frequency: Frequency | undefined,
  asNeeded: boolean,
): Dose | undefined {
  if (frequency?.perDay === undefined || asNeeded) return undefined;
  const { perDay, intakes } = frequency;
  const each = doseOfIntake(doses, text, frequency);
  if (each !== undefined) return massUnits.has(each.unit) ? inMilligrams(each.value * perDay, each.unit) : undefined;
  const [first] = doses;
  if (first === undefined || intakes === undefined || Number.isNaN(first.value) || !massUnits.has(first.unit))
    return undefined;
  return inMilligrams(first.value * intakes.reduce((sum, value) => sum + value, 0), first.unit);
}

function inMilligrams(value: number, unit: string): Dose {
  if (unit === 'g') return { value: roundTo(value * 1000, 3), unit: 'mg' };
  if (unit === 'µg' && value >= 1000) return { value: roundTo(value / 1000, 3), unit: 'mg' };
  return { value: roundTo(value, 3), unit };
}

/** Abbreviations first, then the forms that have one route. */
const routes: readonly (readonly [string, RegExp])[] = [
  ['sublingual', /(?<!\p{L})(?:sl|s\.l\.|sublingual\p{L}*|under the tongue)(?!\p{L})/iu],
  [
    'subcutaneous',
    /(?<!\p{L})(?:sc|s\.c\.?|sq|subq|sub-?cut\p{L}*|sous[- ]cutanée?|s\/c|subkutan\p{L}*|subcután\p{L}*|sottocute|podskórnie|subkutan\p{L}*|subcutaan|subcutânea|s\. ?c\.|hypoderm\p{L}*)(?!\p{L})/iu,
  ],
  ['intramuscular', /(?<!\p{L})(?:im|i\.m\.?|intramuscular\p{L}*|intramusculaire)(?!\p{L})/iu],
  [
    'intravenous',
    /(?<!\p{L})(?:iv|i\.v\.?|ivp|ivpb|intravenous\p{L}*|intraveineu\p{L}*|intravenös\p{L}*|ev|e\.v\.|endoven\p{L}*|endovenosa|dożylnie|intravenøs\p{L}*|intravenöst|intraveneus|intravenosa|i\. ?v\.|per infuus|pca|continuous infusion|infusion)(?!\p{L})/iu,
  ],
  ['intrathecal', /(?<!\p{L})(?:intrathecal\p{L}*|intrathekal)(?!\p{L})/iu],
  ['epidural', /(?<!\p{L})(?:epidural\p{L}*|peridural\p{L}*)(?!\p{L})/iu],
  ['rectal', /(?<!\p{L})(?:pr|p\.r\.|rectal\p{L}*|suppositor\p{L}*|supp\.?|rektal|suppositoires?|zäpfchen)(?!\p{L})/iu],
  ['vaginal', /(?<!\p{L})(?:pv|vaginal\p{L}*|pessar\p{L}*)(?!\p{L})/iu],
  ['otic', /(?<!\p{L})(?:otic|ear drops?|(?:both|left|right) ears?|ohrentropfen|gouttes auriculaires)(?!\p{L})/iu],
  [
    'ophthalmic',
    /(?<!\p{L})(?:ophth\p{L}*|eye ?drops?|(?:both|left|right|each) eyes?|eyes?|augentropfen|collyre|ou|os daily)(?!\p{L})/iu,
  ],
  ['nasal', /(?<!\p{L})(?:nasal\p{L}*|intranasal\p{L}*|(?:each |per )?nostrils?|nasenspray|nasenloch)(?!\p{L})/iu],
  ['transdermal', /(?<!\p{L})(?:td|transdermal\p{L}*|patch(?:es)?|pflaster|transdermique)(?!\p{L})/iu],
  [
    'inhaled',
    /(?<!\p{L})(?:inh|inhal\p{L}*|inalazion[ei]|inalatori[oa]|wziewnie|inhaled|inhaler|puffs?|neb\p{L}{0,6}|hfa|mdi|dpi|respimat|handihaler|diskus|ellipta|turbuhaler|hübe?|bouffées?|dosieraerosol|per inhalationem)(?!\p{L})/iu,
  ],
  [
    'topical',
    /(?<!\p{L})(?:top\.?|topical\p{L}*|cream|ointment|lotion|salbe|creme|crème|pommade|gel|apply|locally)(?!\p{L})/iu,
  ],
  [
    'oral',
    /(?<!\p{L})(?:po|p\.o\.?|per os|os|oral\p{L}*|by mouth|voie orale|tab(?:let)?s?|tabletten?|f?tabl\.?|r?tabl\.?|tbl\.?|filmtbl\.?|filmtabletten?|caps?|capsules?|caplets?|kps\.?|kapseln?|dragees?|drg\.?|cp|cpr|comp|comprimidos?|compress[ae]|cápsulas?|vía oral|v\.o\.|per bocca|doustnie|peroralt?|oralt|oraal|tablett(?:er)?|tablet(?:ter)?|kapsel|kapslar|kapsler|tabl|via oral|v\. ?o\.|compr\.?|pastiglie|comprimés?|gélules?|sachets?|beutel|chewed|chewable|syrup|sirup|sirop|elixir|brausetabletten?|gastro-resistant|lutschtabletten?)(?!\p{L})/iu,
  ],
];

/** Words that are routes in capitals, or with points, alone. */
const inCapitals = /^(?:os|ou|top|td|pr|pv|im|sl)$/i;
const explicitOral = /^(?:po|p\.o\.?|per os|os|oral\p{L}*|by mouth|voie orale)$/iu;

/** The first that is written; a form that is swallowed as a rule only where no route is. */
export function routeOf(text: string): string | undefined {
  let best: { route: string; at: number } | undefined;
  for (const [route, shape] of routes) {
    const match = shape.exec(text);
    if (match === null || (inCapitals.test(match[0]) && match[0] !== match[0].toUpperCase())) continue;
    const at = route === 'oral' && !explicitOral.test(match[0]) ? match.index + text.length : match.index;
    if (best === undefined || at < best.at) best = { route, at };
  }
  return best?.route;
}

/** "PCA morphine", "IV ceftriaxone". */
function routeBefore(before: string): string | undefined {
  const word = /(?:^|[\s(])(\S{2,14})\s$/.exec(before)?.[1];
  return word === undefined ? undefined : routeOf(word);
}
