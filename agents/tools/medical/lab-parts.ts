/** Parts of a laboratory value as laboratories write them: number, unit, flag, range. */
import type { Document } from '../../document/document.ts';
import type { RangeOf } from './analytes.ts';
import { normaliseUnit, unitShape } from './units.ts';

export const separators =
  /(?:[ \u00a0\t|:=;,*~]|(?<![\d.,])\d{1,2}(?::\d\d(?! ?\p{L}{2})|[ ]?(?:h|hrs?|hours?|std)(?![\p{L}/]))(?!\d)|(?<!\p{L})(?:ore|kl\.?|um|godz\.?) \d{1,2}(?:[:.]\d\d)?(?![\d.,])|-(?=\d{1,4}(?:\.\d{1,2})?\*? {1,2}\p{Lu}[\p{L}\d]{0,6}-\d)|\n[ ]{0,12}|(?<!\p{L})(?:vom|am|on|of|du|le) \d{1,2}[./]\d{1,2}[./]\d{2,4}(?!\d)|\([^()\n]{0,24}\)|\[[^[\]\n]{0,24}\]|(?<!\p{L})(?:level|levels|count|activity|concentration|was|is|were|of|at|value|currently|now|today|fasting|random|serum|plasma|result|came|come|back|had|has|down|up|to|rose|risen|fell|fallen|increased|decreased|dropped|improved|peaked|remained|stable|elevated|low|high|normal|estimated|estimé|estimée|à|est|de|était|lag|war|ist|bei|betrug|auf|von|hladina|nalačno|nüchtern|on|admission|discharge|initial|repeat|latest|last|approximately|about|only|measured|reported|as)(?!\p{L})){0,60}/uy;
export const numberShape =
  /([<>≤≥])?[ \u00a0]?(\d{1,3}(?:[, \u00a0]\d{3}){1,2}(?![\d.,])|\d{1,6}(?:[.,]\d{1,4})?)(?![\d]|[.,/-]\d|\p{L}{2})/uy;
const gapShape = /(?:[ \u00a0\t|]|\n(?!\n)){0,40}/y;
const flagShape =
  /[([]?\*{0,3}(?:(critical(?:ly)?(?: (?:high|low))?|crit|kritisch|critique|panic|!{2,3}|HH|LL|HHH|LLL|H\*|L\*|↑↑|↓↓)|(H|high|hoch|haut|élevé|erhöht|↑|\+{1,3})|(L|low|niedrig|bas|vermindert|erniedrigt|↓|-{1,2}(?= |$))|(\*{1,3}|abnormal|A(?=\)|$)|!))\*{0,3}[)\]]?(?![\p{L}\d])/iuy;
const rangeShape =
  /[([]?(?:(?:ref(?:erence)?|norm|normal|normes?|n|reference range|reference interval|referenz(?:bereich)?|ref\. range|range|rango|nr|rr|vn|vr|valeurs normales|normale|nb|referens(?:intervall)?|referanse(?:område)?|referenceinterval|v\. ?n\.|v\. ?r\.|vn|val\. ?ref|valor(?:i|es)? (?:di|de) (?:riferimento|referencia|referência)|wartości? referencyjn[ea]|viitearvo|(?:therapeutic|target|desired|optimal)(?: range)?|therapeutisch|zielbereich|ziel|soll|cible|objectif|objetivo|alvo|obiettivo|desejável|deseable|desiderabile|wünschenswert|souhaitable|desirable|streefwaarde|ref\. ?meze|norma)[.,]?[ \u00a0]?:?[ \u00a0]{0,2})?(?:(\d{1,6}(?:[.,]\d{1,4})?)[ \u00a0]?(?:-|–|—|to|bis|až|à|a|tot|do)[ \u00a0\n]{0,12}(\d{1,6}(?:[.,]\d{1,4})?)|([<>≤≥]|below |under |up to |less than |bis |unter |inférieur à |inf(?:erior)?\.? a |inferior(?:e)? a |hasta |até |menor (?:de |que |a )?|meno di |fino a |jusqu['’]à |tot |kleiner als |lager dan |poniżej |do |do max\. |méně než |under |above |over |more than |über |supérieur à |sup(?:erior)?\.? a |superior(?:e)? a |mayor (?:de |que |a )?|maior que |oltre |hoger dan |größer als |powyżej |od |více než )[ \u00a0=]{0,2}(\d{1,6}(?:[.,]\d{1,4})?))(?![\d]|[.,]\d)[)\]]?/iuy;

export type DecimalMark = Document['decimalMark'];

export interface Rest {
  readonly unit?: string;
  readonly range?: RangeOf;
  readonly flag?: 'high' | 'low' | 'abnormal' | 'critical';
  readonly end: number;
}

/** "0.91 mg/dL ⏎ [0.50-0.90] *": a line that begins with a range continues the value above it. */
const wrappedRange = /\n[ ]{0,12}[([](?=\d{1,6}(?:[.,]\d{1,4})?[ ]?[-–][ ]?\d{1,6}(?:[.,]\d{1,4})?[)\]])/y;

/** Unit, flag and range in any order, because laboratories differ. At most five parts. */
export function readRest(text: string, from: number, end: number, mark: DecimalMark): Rest {
  let rest: Rest = { end: from };
  let lineEnd = end;
  for (let count = 0; count < 5; count += 1) {
    if (rest.range === undefined && matchEnd(wrappedRange, text, rest.end) !== undefined) lineEnd = rest.end + 40;
    const at = matchEnd(gapShape, text, rest.end) ?? rest.end;
    if (at >= lineEnd) break;
    const next = nextPart(text, at, rest, mark);
    if (next === undefined) break;
    rest = next;
  }
  return rest;
}

export function nextPart(text: string, at: number, rest: Rest, mark: DecimalMark): Rest | undefined {
  if (rest.unit === undefined) {
    unitShape.lastIndex = at;
    const unit = unitShape.exec(text);
    if (unit !== null) return { ...rest, unit: normaliseUnit(unit[0]), end: unitShape.lastIndex };
  }
  if (rest.range === undefined) {
    rangeShape.lastIndex = at;
    const range = rangeShape.exec(text);
    if (range !== null) {
      const number = (written: string | undefined) =>
        written === undefined ? undefined : parseValue(written, rest.unit ?? '', mark);
      const [low, high, bound] = [number(range[1]), number(range[2]), number(range[4])];
      const isUpper =
        range[3] !== undefined &&
        !/^(?:>|≥|above|over|more|über|sup|mayor|maior|oltre|hoger|größer|powyżej|od|více)/i.test(range[3]);
      const read: RangeOf =
        bound === undefined
          ? { ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) }
          : isUpper
            ? { high: bound }
            : { low: bound };
      return { ...rest, range: read, end: rangeShape.lastIndex };
    }
  }
  if (rest.flag === undefined) {
    flagShape.lastIndex = at;
    const flag = flagShape.exec(text);
    if (flag !== null) {
      const read =
        flag[1] !== undefined
          ? 'critical'
          : flag[2] !== undefined
            ? 'high'
            : flag[3] !== undefined
              ? 'low'
              : 'abnormal';
      return { ...rest, flag: read, end: flagShape.lastIndex };
    }
  }
  return undefined;
}

/**
 * A separator before exactly three digits separates thousands if the document's decimal mark is the other one, and in counts
 * per microlitre; otherwise the number is ambiguous, and undefined.
 */
export function parseValue(written: string, unit: string, mark: DecimalMark): number | undefined {
  if (/[ \u00a0]/.test(written)) return Number(written.replace(/[, \u00a0]/g, ''));
  if ((written.match(/[.,]/g) ?? []).length > 1) return Number(written.replace(/[.,]/g, ''));
  const three = /^[1-9]\d{0,2}([.,])\d{3}$/.exec(written);
  if (three !== null) {
    if (unit === '/µl') return Number(written.replace(/[.,]/, ''));
    if (mark === undefined && three[1] === ',') return undefined;
    if (mark !== undefined && three[1] !== mark) return Number(written.replace(/[.,]/, ''));
  }
  return Number(written.replace(',', '.'));
}

export function unitIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  unitShape.lastIndex = 0;
  const match = unitShape.exec(text.trim());
  return match === null ? undefined : normaliseUnit(match[0]);
}

export function rangeIn(text: string | undefined, mark: DecimalMark, unit = ''): RangeOf | undefined {
  return text === undefined ? undefined : nextPart(text.trim(), 0, { end: 0, unit, flag: 'abnormal' }, mark)?.range;
}

export function strongest(one: Rest['flag'], other: Rest['flag']): Rest['flag'] {
  return one === 'critical' || other === undefined ? one : other === 'critical' ? other : (one ?? other);
}

export function flagIn(text: string | undefined): Rest['flag'] {
  return text === undefined
    ? undefined
    : nextPart(text.trim().replace(/^\*+ ?|(?<=\p{L}) ?\*+$/gu, ''), 0, { end: 0, unit: '', range: {} }, undefined)
        ?.flag;
}

/** The only unit of the quantity in which the printed range, or else the value, is plausible; undefined if there are several. */
export function matchEnd(shape: RegExp, text: string, at: number): number | undefined {
  shape.lastIndex = at;
  return shape.test(text) ? shape.lastIndex : undefined;
}
