/** Units of laboratory values: their spellings, and conversion between them. */
import type { Analyte } from './analytes.ts';
import { roundSignificant } from './rounding.ts';

/** Display forms of units, by the keys that `normaliseUnit` returns. */
const shownUnits = new Map(
  Object.entries({
    'mmol/l': 'mmol/L',
    'µmol/l': 'µmol/L',
    'nmol/l': 'nmol/L',
    'pmol/l': 'pmol/L',
    'mg/dl': 'mg/dL',
    'µg/dl': 'µg/dL',
    'ng/dl': 'ng/dL',
    'g/dl': 'g/dL',
    'g/l': 'g/L',
    'mg/l': 'mg/L',
    'µg/l': 'µg/L',
    'ng/l': 'ng/L',
    'ng/ml': 'ng/mL',
    'pg/ml': 'pg/mL',
    'u/l': 'U/L',
    'iu/l': 'IU/L',
    'µkat/l': 'µkat/L',
    'meq/l': 'mEq/L',
    'miu/l': 'mIU/L',
    'ui/l': 'UI/L',
    'ui/ml': 'UI/mL',
    'mui/l': 'mUI/L',
    'mui/ml': 'mUI/mL',
    'mu/l': 'mU/L',
    'µiu/ml': 'µIU/mL',
    'mmol/mol': 'mmol/mol',
    '%': '%',
    'l/l': 'L/L',
    '10^9/l': '10⁹/L',
    '10^12/l': '10¹²/L',
    '10^6/µl': '10⁶/µL',
    '/µl': '/µL',
    fl: 'fL',
    s: 's',
    sec: 's',
    mmhg: 'mmHg',
    kpa: 'kPa',
    'ml/min/1.73m2': 'mL/min/1.73 m²',
    'ml/min/1.73': 'mL/min/1.73',
    'ml/min': 'mL/min',
    pg: 'pg',
    'mm/h': 'mm/h',
    'mm/hr': 'mm/hr',
    'µg/ml': 'µg/mL',
    'miu/ml': 'mIU/mL',
    'mu/ml': 'mU/mL',
    'u/ml': 'U/mL',
    'iu/ml': 'IU/mL',
    'ku/l': 'kU/L',
    'mg/mmol': 'mg/mmol',
    'mg/g': 'mg/g',
    'mosm/kg': 'mOsm/kg',
    'mosmol/kg': 'mOsmol/kg',
    'µg/mlfeu': 'µg/mL FEU',
    'mg/lfeu': 'mg/L FEU',
    'ng/mlfeu': 'ng/mL FEU',
    'µg/lfeu': 'µg/L FEU',
    'µghb/g': 'µg Hb/g',
    'µg/g': 'µg/g',
    'mg/mg': 'mg/mg',
    '1': '',
  }),
);

/** Sticky: a unit as laboratories write it, the longest first. */
export const unitShape =
  /(?:m[lL]\/min(?:\/1[.,]73(?: ?m(?:\^?2|²))?)?|mmol\/mol|mg\/mmol|mg\/g|m[oO]sm(?:ol)?\/kg|(?:µ|μ|u|mc)g(?: ?Hb)?\/g|mm\/(?:1\. ?)?(?:hr|h|Std)|k[uU]\/[lL]|m?UI\/(?:m[lL]|[lL])|pg|\/n[lL]|(?:[Tt]sd|[Tt]ys|[Tt]is)\.?\/(?:(?:µ|μ|u)[lL]|mm3)|mln\.?\/(?:µ|μ|u)[lL]|Mio\.?\/(?:µ|μ|u)[lL]|\/p[lL]|[x×*]? ?10(?:\^|E|e|\*)?0?(?:3|³)\/mm(?:3|³)|(?:[mµμunp])?mol\/[lL]|(?:mEq|meq)\/[lL]|(?:[mµμunp]|mc)?g\/(?:d[lL]|m[lL]|[lL])(?: FEU)?|(?:µ|μ|u)kat\/[lL]|(?:[mµμu])?(?:IU|U|iu)\/(?:m[lL]|[lL])|(?:[x×*] ?)?10(?:\^|E|e|\*)?(?:9|⁹)\/[lL]|(?:[x×*] ?)?10(?:\^|E|e|\*)?(?:12|¹²)\/[lL]|(?:[x×*] ?)?10(?:\^|E|e|\*)?0?(?:3|³)\/(?:µ|μ|u|mc)[lL]|(?:thou|thousand|Thou|Thousand)s?\/(?:µ|μ|u|mc)[lL]|(?:million|Million|mil)s?\/(?:µ|μ|u|mc)[lL]|M\/(?:µ|μ|u)[lL]|(?:[x×*] ?)?10(?:\^|E|e|\*)?0?(?:6|⁶)\/(?:µ|μ|u|mc)[lL]|[GKT]\/(?:µ|μ|u)?[lL]|\/(?:µ|μ|u)[lL]|\/mm3|L\/L|l\/l|fL|fl|mmHg|mm Hg|kPa|sec|s|%)(?![\p{L}\d/])/uy;

/** @param written what `unitShape` matched · @returns the spelling of the table: lower case, `µ`, `10^9/l` */
export function normaliseUnit(written: string): string {
  const plain = written
    .replace(/μ/g, 'µ')
    .replace(/mcg/g, 'µg')
    .replace(/mc[lL]/g, 'µl')
    .replace(/^u(?=mol|g|kat|iu)/i, 'µ')
    .replace(/\/u[lL]/g, '/µl')
    .replace(/⁹/g, '9')
    .replace(/¹²/g, '12')
    .replace(/³/g, '3')
    .replace(/[²]/g, '2')
    .replace(/⁶/g, '6')
    .replace(/^[x×*] ?/, '')
    .replace(/^10(?:\^|E|e|\*)?0?(?=[369]|12)/, '10^')
    .replace(/1,73/, '1.73')
    .replace(/ /g, '')
    .toLowerCase();
  const aliases: Readonly<Record<string, string>> = {
    'g/µl': '10^3/µl',
    'k/µl': '10^9/l',
    'k/l': '10^9/l',
    '10^3/µl': '10^9/l',
    't/l': '10^12/l',
    'thou/µl': '10^9/l',
    'thousand/µl': '10^9/l',
    'm/µl': '10^6/µl',
    'mil/µl': '10^6/µl',
    'million/µl': '10^6/µl',
    '/mm3': '/µl',
    '/nl': '10^9/l',
    '/pl': '10^12/l',
    'tsd/µl': '10^9/l',
    'tsd./µl': '10^9/l',
    'tys/µl': '10^9/l',
    'tys./µl': '10^9/l',
    'tys/mm3': '10^9/l',
    'tys./mm3': '10^9/l',
    'tis/µl': '10^9/l',
    'tis./µl': '10^9/l',
    'tsd/mm3': '10^9/l',
    'mln/µl': '10^6/µl',
    'mln./µl': '10^6/µl',
    '10^3/mm3': '10^9/l',
    'mio/µl': '10^6/µl',
    'mio./µl': '10^6/µl',
    'mm/1.h': 'mm/h',
    'mm/std': 'mm/h',
    'ml/min/1.73m^2': 'ml/min/1.73m2',
    'uiu/ml': 'µiu/ml',
    'ug/g': 'µg/g',
    'ughb/g': 'µghb/g',
  };
  // "G/L" is 10⁹ per litre, "g/L" a mass concentration: only case distinguishes them.
  if (written === 'G/L' || written === 'G/l') return '10^9/l';
  return aliases[plain] ?? plain;
}

export function showUnit(unit: string): string {
  return shownUnits.get(unit) ?? unit;
}

/** @returns the value in the analyte's own unit, with at least three significant digits; undefined if the unit does not match */
export function toOwnUnit(analyte: Analyte, value: number, unit: string): number | undefined {
  // "UI" are international units in French, Italian, Spanish and Portuguese.
  const plain = unit.replace(/^(m?)ui(?=\/)/, '$1iu').replace(/1\.73$/, '1.73m2');
  if (plain === analyte.unit) return value;
  const conversion = Object.hasOwn(analyte.units, plain) ? analyte.units[plain] : undefined;
  return conversion === undefined ? undefined : value * conversion.factor + conversion.offset;
}

/** The value in the first of the analyte's other units, for readers used to those. */
export function inOtherUnit(
  analyte: Analyte,
  own: number,
): { readonly value: number; readonly unit: string } | undefined {
  const [first] = Object.entries(analyte.units);
  if (first === undefined || (first[1].factor === 1 && first[1].offset === 0)) return undefined;
  const [unit, { factor, offset }] = first;
  return { value: roundSignificant((own - offset) / factor), unit };
}
