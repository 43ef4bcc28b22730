/** The financial covenants of loan agreements: their names, units and usual limits. */
import { parseNumber } from '../text/numbers.ts';
import type { Range } from '../text/span.ts';
import { compare, parseRational, type Rational } from './rational.ts';

export type CovenantKind =
  | 'leverage'
  | 'interest-cover'
  | 'debt-service-cover'
  | 'fixed-charge-cover'
  | 'equity-ratio'
  | 'minimum-net-worth'
  | 'minimum-liquidity'
  | 'capital-expenditure'
  | 'loan-to-value'
  | 'current-ratio';

export interface CovenantTest extends Range {
  readonly covenant: CovenantKind;
  readonly limit: Rational;
  readonly bound: 'maximum' | 'minimum';
  readonly actual: Rational;
  readonly outcome: 'met' | 'breached';
  readonly testDate?: string;
}

export interface Definition {
  readonly kind: CovenantKind;
  readonly name: RegExp;
  readonly bound: 'maximum' | 'minimum';
  readonly unit: 'times' | 'percent' | 'amount';
}

const definitions: readonly Definition[] = [
  {
    kind: 'loan-to-value',
    name: /\bloan[- ]to[- ]value\b|\bLTV\b|beleihungsauslauf/iu,
    bound: 'maximum',
    unit: 'percent',
  },
  { kind: 'fixed-charge-cover', name: /fixed[- ]charges? cover(?:age)?/iu, bound: 'minimum', unit: 'times' },
  {
    kind: 'debt-service-cover',
    name: /debt[- ]service cover(?:age)?|\bA?DSCR\b|cash ?flow cover|schuldendienstdeckung|kapitaldienstdeckung|couverture du service de la dette|cobertura del servicio de la deuda|copertura del servizio del debito|debt service coverage/iu,
    bound: 'minimum',
    unit: 'times',
  },
  {
    kind: 'interest-cover',
    name: /interest cover(?:age)?|\bICR\b|zinsdeckung(?:sgrad)?|zinsdeckungsquote|EBITDA\s?\/\s?(?:net )?(?:frais|charges|interest|finance|gastos|oneri|zins|intereses)|couverture des (?:int[ée]r[êe]ts|frais financiers)|cobertura de intereses|copertura degli interessi|rentedekking|interest expense coverage/iu,
    bound: 'minimum',
    unit: 'times',
  },
  {
    kind: 'equity-ratio',
    name: /equity ratio|eigenkapitalquote|eigenmittelquote|ratio de (?:capitaux propres|fonds propres)|solvabilit(?:eit|y ratio|[ée])|ratio de fondos propios/iu,
    bound: 'minimum',
    unit: 'percent',
  },
  {
    kind: 'minimum-net-worth',
    name: /(?:tangible |consolidated |minimum )?net worth|minimum equity|mindesteigenkapital|fondos propios (?:m[íi]nimos)?|fonds propres minim|patrimonio netto minimo|shareholders.? equity covenant/iu,
    bound: 'minimum',
    unit: 'amount',
  },
  {
    kind: 'minimum-liquidity',
    name: /(?:minimum |unrestricted )?liquidity\b|minimum cash|unrestricted cash|mindestliquidit[äa]t|liquidit[ée] minimale|liquidez m[íi]nima|liquidit[àa] minima/iu,
    bound: 'minimum',
    unit: 'amount',
  },
  {
    kind: 'capital-expenditure',
    name: /capital expenditures?|\bcapex\b|investitionsgrenze|investissements|inversiones/iu,
    bound: 'maximum',
    unit: 'amount',
  },
  {
    kind: 'current-ratio',
    name: /current ratio|liquidit[äa]t 3\. grades|ratio de liquidit[ée]/iu,
    bound: 'minimum',
    unit: 'times',
  },
  {
    kind: 'leverage',
    name: /leverage|(?:total |net |senior )?(?:financial |net )?debt (?:to|\/) (?:(?:adjusted|trailing|LTM|consolidated|covenant|annuali[sz]ed) )*EBITDA|(?:debt|borrowings)\s?\/\s?EBITDA|verschuldungsgrad|nettoverschuldung|dettes? (?:financi[èe]res? )?nettes?|deuda (?:financiera )?neta|indebitamento|posizione finanziaria netta|schuldgraad/iu,
    bound: 'maximum',
    unit: 'times',
  },
];

/** Most texts name no covenant and are searched once. */
const anyName = new RegExp(definitions.map(({ name }) => name.source).join('|'), 'iu');

export const number = '(\\d{1,3}(?:[.,]\\d{1,3})?)';

export function definitionIn(text: string): Definition | undefined {
  return definitionsIn(text)[0]?.definition;
}

/** The first mention of each covenant, in order. */
export function definitionsIn(text: string): { readonly definition: Definition; readonly at: number }[] {
  if (!anyName.test(text)) return [];
  return definitions
    .flatMap((definition) => {
      const at = text.search(definition.name);
      return at === -1 ? [] : [{ definition, at }];
    })
    .sort((a, b) => a.at - b.at);
}

export function outcomeOf(actual: Rational, limit: Rational, bound: 'maximum' | 'minimum'): 'met' | 'breached' {
  const order = compare(actual, limit);
  return bound === 'maximum' ? (order <= 0 ? 'met' : 'breached') : order >= 0 ? 'met' : 'breached';
}

export function numberIn(text: string): Rational | undefined {
  const parsed = parseNumber(text);
  return parsed === undefined
    ? undefined
    : parseRational(parsed.ambiguous && text.includes(',') ? text.replace(',', '.') : parsed.value);
}
