/** Base pay of an employment document, and amounts of money with their periods. */
import { findAmounts } from '../text/amounts.ts';
import { benefitWords } from './benefit-words.ts';
import { amendmentIn, type Clause, type ClauseFact, fact, notOwn } from './clauses.ts';

/** The first that matches next to an amount is its period. */
export const periods: readonly (readonly [string, RegExp])[] = [
  ['half-month', /semi-?monthly|half-?monthly|twice a month|halbmonatlich/iu],
  ['fortnight', /fortnight|bi-?weekly|every two weeks/iu],
  [
    'hour',
    /(?:per|an|each|\/) ?hour|\/ ?(?:hora|stunde|std|heure|ora|uur)\b|\bhourly|\/ ?h\b|pro stunde|je stunde|stundenlohn|de l['’]heure|par heure|horaire brut|por hora|all['’]ora|\borari[ao]\b|per uur|p\/h|uurloon|stündlich/iu,
  ],
  [
    'day',
    /(?:per|a|each|every) (?:working |worked )?day\b|(?:per )?ogni giorno|cada día|(?:voor )?elke dag|chaque jour|\bdaily|pro (?:arbeits)?tag|par jour|por día|por dia|dziennie|om dagen|pr\.? dag|al giorno|per (?:gewerkte )?dag|je (?:arbeits|kalender)?tag|täglich|journalier|diari[oa]s?|giornalier/iu,
  ],
  [
    'week',
    /(?:per|a|each) week|\bweekly|wöchentlich|pro woche|par semaine|semanal|alla settimana|per week|je woche|a la semana|wekelijks/iu,
  ],
  [
    'month',
    /(?:per|a|each) (?:calendar )?month|\bmonthly|\/ ?month|\bp\.? ?m\.|\bpcm\b|monatlich\w*|monats\w*|pro monat|mensuel\w*|par mois|mensual\w*|al mes|mensil\w*|al mese|mensualidad|pagas de|per maand|maandelijks|por mês|ao mês|mensais|mensal|miesięczn\p{L}+|per månad|i månaden|pr\.? måned|månedlig|kuukaudessa|měsíčně|bruto maand\w*|bruttomonat\w*/iu,
  ],
  [
    'year',
    /(?:per|a|each) (?:year|annum)|\bannum|\bannual\w*|\byearly|\bp\.? ?a\.|jährlich\w*|jahres\w*|pro jahr|annuel\w*|par an\b|anual\w*|al año|annu[oai]\b|annua(?:le|li)|all['’]anno|lord[oi] annu|per jaar|jaarlijks|jaarsalaris|financial year|calendar year/iu,
  ],
];

/** The period that the words after an amount name, else those before it. */
export function periodNear(text: string, start: number, end: number): string | undefined {
  const after = text
    .slice(end, end + 45)
    .split(instalments, 1)[0]!
    .split(/[;()]|, |\. /, 1)[0]!;
  const before = text.slice(Math.max(0, start - 70), start);
  const found =
    periods.find(([, shape]) => shape.test(after)) ??
    // "(annualized: $205,000)" in brackets has its own period.
    periods.find(([, shape]) => shape.test(/\([^()]*$/u.exec(before)?.[0] ?? '')) ??
    periods.find(([, shape]) => shape.test(before));
  return found?.[0];
}

/** "£30,000 per annum payable monthly", "€ 32.500 corrisposta in 14 mensilità": how often the pay of the period is paid. */
const instalments =
  /\b(?:payable|paid|in|zahlbar|auszahlbar|versée?s?|payée?s?|payables?|pagader[oa]s?|corrispost[oa]|suddivis[oa]|distribuid[oa]s?|betaalbaar)\b(?=[^.;]{0,24}(?:\d{1,2} |equal|monthly|monatlich|mensuel|mensual|mensil|maandelijks|arrears))/iu;

const codes = new Set(['USD', 'GBP', 'EUR', 'CHF']);

export interface Money {
  readonly amount: number;
  readonly currency: string;
  readonly start: number;
  readonly end: number;
}

/** Amounts in the currencies of the reports. */
export function moneyIn(text: string): Money[] {
  const found = findAmounts(text);
  // "From 1 January 2026 EUR 16.05": the currency belongs to the amount behind it.
  const isYear = (nth: number) =>
    /^20\d\d$/.test(found[nth]!.value) && (found[nth + 1]?.start ?? text.length) < found[nth]!.end;
  return found.flatMap(({ value, currency, start, end }, nth) =>
    currency === undefined || !codes.has(currency) || isYear(nth)
      ? []
      : [{ amount: Number(value), currency: currency.toLowerCase(), start, end }],
  );
}

const payWords =
  /\b(?:base|basic|gross|annual|monthly|starting)? ?(?:salary|pay|wages?|remuneration|rate of pay|(?:hourly|basic|base|pay|gross) rate|base(?=:)|compensation)\b|gehalt|vergütung|\blohn\b|stundenlohn|bruttolohn|\w*entgelt\b|salaire|rémunération|appointements|salario|retribución|sueldo|retribuzione|stipendio|\bral\b|\bloon\b|\bsalaris\b|retribuição|remuneração|vencimento|ordenado|wynagrodzeni\p{L}+|\blön\b|\bløn{1,2}\b|palkka|\bmzda\b|brutoloon|uurloon|maandsalaris/iu;
const otherPay =
  /\bband\b|replaced|indicative|minimum (?:wage|conventionnel|salarial)|mindestlohn|previous|overtime|redundan|deduct|bonus of|sick|loan|vertragsstrafe|bußgeld|geldwert|increase|smic|lieu|compensation for loss/iu;

/** "Increases from £40,000 to £42,000" states the new pay last; "from £30,000 to £35,000" is a range. */
function withoutOld(text: string, amounts: readonly Money[]): readonly Money[] {
  const [first, second] = amounts;
  if (first === undefined || second === undefined) return amounts;
  const between = text.slice(first.end, second.start);
  const isStep =
    /\b(?:from|von|de|da|van|currently) $/iu.test(text.slice(Math.max(0, first.start - 12), first.start)) &&
    /^ ?(?:(?:per|a|pro|par) \p{L}+ )?(?:to|auf|à|a|naar) $/iu.test(between);
  if (!isStep) return amounts;
  return /increas|reduc|rais|chang|erhöh|gekürzt|steigt|angehoben|augment|pass(?:e|era)|aument|sube|aumenta|verhoog|stijgt/iu.test(
    text,
  )
    ? amounts.slice(1)
    : amounts.slice(2);
}

/** "£29,520 (full-time equivalent £36,900)": the pay of another working time. */
function isFullTime(text: string, start: number): boolean {
  return /\((?:the )?(?:full[- ]time(?: equivalent)?|FTE|vollzeit\p{L}*|bei vollzeit|équivalent temps plein|(?:equivalente )?a (?:jornada completa|tempo pieno)|voltijds?)[^()]{0,30}$/iu.test(
    text.slice(Math.max(0, start - 70), start),
  );
}

const limit =
  /(?<!\p{L})(?:up to|capped at|cap of|maximum(?: of)?|max\.?|(?:not|may not|will not|cannot) exceed(?:ing)?|no more than|not more than|limit(?:ed to| of)|bis zu|höchstens|maximal|begrenzt auf|jusqu['’]à|plafonnée? à|dans la limite de|hasta|máximo(?: de)?|con un límite de|fino a|massimo(?: di)?|nel limite di|tot (?:maximaal )?|ten hoogste) ?(?:a |an |einem? |von )?$/iu;

/** "9,80 €/hora.", as a sentence of an advertisement. */
const rateAlone =
  /^\W*(?:(?:EUR|GBP|USD|CHF|[€£$]) ?)?\d{1,3}(?:[.,]\d{1,2})? ?(?:€|EUR|£|CHF)? ?(?:\/|per|pro|je|par|por|all['’]|per) ?(?:hour|h|stunde|heure|hora|ora|uur)\W*$|^[-*•·\s]*[€£$] ?\d{2,3}[,. ]?\d{3} (?:gross |brutto )?(?:a|per|pro|par) (?:year|annum|jahr|an)(?!\p{L})/iu;

/** "Up to $3,000 per week": the limit of a benefit. Directly after the word for pay it is the pay: "Salary: up to £40,000". */
export function isLimit(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  const match = limit.exec(before);
  return (
    match !== null &&
    !new RegExp(`(?:${payWords.source})[ :]{0,3}(?:of |von |de |di |van )?$`, 'iu').test(before.slice(0, match.index))
  );
}

/** The end of the sentence in which the first amount behind a position stands. */
function sentenceEnd(text: string, from: number): number {
  const amount = moneyIn(text).find(({ start }) => start >= from);
  const end = amount === undefined ? -1 : text.slice(amount.end).search(/\.\s+\p{Lu}/u);
  return end === -1 ? text.length : amount!.end + end;
}

/** Amounts of pay with a period: the first sentence that states one. */
export function payFacts(clauses: readonly Clause[]): ClauseFact[] {
  const amendment = amendmentIn(clauses) ?? 0;
  const added = amendment === 0 ? [] : clauses.slice(amendment);
  // A sum of the amendment whose words were not understood may replace the pay above.
  const amended = new Set(
    added.flatMap(({ text }) => moneyIn(text).map(({ start, end }) => periodNear(text, start, end))),
  );
  for (const clause of [...added, ...clauses.slice(0, amendment === 0 ? undefined : amendment)]) {
    const cue = payWords.exec(clause.text);
    const labelled = (payWords.test(clause.label) && clause.label.length < 40) || rateAlone.test(clause.text);
    if (cue === null && !labelled) continue;
    const from = labelled && cue === null ? 0 : (cue?.index ?? 0);
    // Further sentences of a row do not concern the amount: "Salaries are reviewed each January, without an obligation to increase them".
    const stated = clause.text.slice(0, sentenceEnd(clause.text, from));
    if (otherPay.test(stated.replace(/increas\w*(?= (?:from|to)\b)/giu, '')) || notOwn.test(clause.text)) continue;
    const all = moneyIn(clause.text).filter(({ start }) => start >= from && start < from + 260);
    const own = all.filter(
      ({ start }) =>
        !benefitWords.some(
          ([benefit, shape]) =>
            benefit !== 'extra-month' && shape.test(clause.text.slice(Math.max(from, start - 60), start)),
        ),
    );
    const current = withoutOld(clause.text, own).filter(
      ({ start }) => !isFullTime(clause.text, start) && !isLimit(clause.text, start),
    );
    const facts = current.flatMap(({ amount, currency, start, end }) => {
      const per = periodNear(clause.text, start, end) ?? periods.find(([, shape]) => shape.test(clause.label))?.[0];
      const isReplaced = amended.has(per) && !added.includes(clause);
      return per === undefined || amount === 0 || isReplaced ? [] : [fact(clause, 'pay', { amount, currency, per })];
    });
    const periodsSeen = new Set(facts.map(({ value }) => value.per));
    // Two amounts for one period are a range or a scale.
    if (facts.length > 0 && periodsSeen.size === facts.length) return facts;
  }
  return [];
}
