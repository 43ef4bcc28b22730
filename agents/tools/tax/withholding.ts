/** Taxes that a document says are withheld from a payment: income, country, rate, amount and article of the treaty. */
import {
  absolute,
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  rational,
  subtract,
} from '../financial/rational.ts';
import { type FoundAmount, findAmounts } from '../text/amounts.ts';
import { findPercents } from '../text/percents.ts';
import type { Range } from '../text/span.ts';
import { countriesIn } from './countries.ts';
import { foldText, phraseShape } from './fold.ts';
import { cents } from './invoice-checks.ts';
import type { Layout } from './layout.ts';
import { taxSentences } from './sentences.ts';
import { findTabledWithholdings } from './withholding-tables.ts';
import { articleIn, incomeIn, stateOfTax, unapplied, type Withholding, withheld } from './withholding-words.ts';

export type { Withholding } from './withholding-words.ts';

/** In the order of the text; a table or a voucher is read as such and not as sentences. */
export function findWithholdings(layout: Layout): Withholding[] {
  const tabled = findTabledWithholdings(layout);
  const isTabled = ({ start, end }: Range) => tabled.some((each) => each.start < end && start < each.end);
  // Invoices print what is withheld as a deduction: "-206.40".
  return [...tabled, ...statedWithholdings(layout).filter((each) => !isTabled(each))]
    .map((each) => (each.amount === undefined ? each : { ...each, amount: absolute(each.amount) }))
    .sort((a, b) => a.start - b.start);
}

/** The tax that the rate of the gross amount gives, where the stated one differs by more than rounding. */
export function correctTax({ rate, amount, gross }: Withholding): Rational | undefined {
  const percent = parseRational(rate);
  if (percent === undefined || amount === undefined || gross === undefined) return undefined;
  const correct = taxOf(gross, percent);
  const difference = absolute(subtract(correct, amount));
  // A difference of more than the fifth part is rather an amount that was read wrongly.
  const isPlausible = compare(multiply(difference, rational(5n)), absolute(correct)) <= 0;
  return compare(difference, rational(1n)) > 0 && isPlausible ? correct : undefined;
}

function taxOf(gross: Rational, percent: Rational): Rational {
  return cents(divide(multiply(gross, percent), rational(100n)));
}

function statedWithholdings(layout: Layout): Withholding[] {
  const { document } = layout;
  const found: Withholding[] = [];
  for (const [index, unit] of taxSentences(document).entries()) {
    if (unit.end - unit.start > 700) continue;
    const shown = document.text.slice(unit.start, unit.end).replaceAll('\n', ' ').replaceAll('\t', '  ');
    const folded = foldText(shown);
    // "(2) The tax withheld is 15 per cent, in the cases of …": a paragraph of an act.
    if (!withheld.test(folded) || (/^\W{0,3}\(\d\) /.test(folded) && !findAmounts(shown).length)) continue;
    const statement = clauseOf(folded);
    if (statement === undefined) continue;
    const percents = findPercents(shown.slice(statement.start, statement.end), { decimalMark: document.decimalMark });
    const [percent] = percents;
    if (percent === undefined || percents.length > 2) continue;
    const own = { start: unit.start + statement.start, end: unit.start + statement.end };
    const context = contextOf(layout, index, shown, folded, statement);
    const money = moneyOf(shown, folded, statement, percent.end + statement.start, percent.value, document.decimalMark);
    const later = money.amount === undefined ? certified(layout, index, context.country) : undefined;
    found.push({ ...own, rate: percent.value, ...context, ...money, ...later });
  }
  return found;
}

/** The clause that names the tax and its rate; undefined if it is denied or supposed. */
function clauseOf(folded: string): Range | undefined {
  let at = 0;
  for (const part of folded.split(
    /(;| \/ |(?<!\b(?:art|abs|no|nr|para|par|lit|lett|buchst|ust|apdo|sec|s|cf))\. |, (?:and|but|while|because|since|und|aber|weil|da|et|mais|car|parce|ma|perche|poiche|pero|porque|maar|omdat|poniewaz|gdyz|ale|protoze) )/,
  )) {
    const range = { start: at, end: at + part.length };
    at += part.length;
    if (withheld.test(part) && /%|per ?cent|prozent/.test(part)) return unapplied.test(part) ? undefined : range;
  }
  return undefined;
}

function contextOf(
  { document, lines }: Layout,
  index: number,
  shown: string,
  folded: string,
  clause: Range,
): Pick<Withholding, 'income' | 'country' | 'article'> {
  const line = lines.findIndex(({ end }) => end >= taxSentences(document)[index]!.start);
  const beforeText = lines
    .slice(Math.max(0, line - 12), Math.max(0, line))
    .map((each) => each.segments.map((segment) => segment.folded).join(' '))
    .join(' ');
  const income = incomeIn(folded) ?? incomeIn(beforeText, true);
  const country =
    payerIn(folded.slice(clause.start, clause.end)) ??
    payerIn(folded) ??
    stateOfTax(foldText(shown)) ??
    namedTax(beforeText);
  const next = taxSentences(document)[index + 1];
  const behind =
    next === undefined ? '' : foldText(document.text.slice(next.start, Math.min(next.end, next.start + 400)));
  const isOther = incomeIn(behind) !== undefined && incomeIn(behind) !== income;
  const cited = articleIn(folded) ?? (withheld.test(behind) || isOther ? undefined : articleIn(behind));
  return {
    ...(income === undefined ? {} : { income }),
    ...(country === undefined ? {} : { country }),
    ...(cited === undefined ? {} : { article: cited }),
  };
}

/** The first country that is not the recipient's: "royalties paid to the US licensor under the treaty between Germany and the US". */
function payerIn(folded: string): string | undefined {
  const found = countriesIn(folded);
  const recipients = found.filter(({ start }) =>
    /\b(?:paid|payable|payments?|distributed|due) to (?:the |an? |our |its )?$/.test(
      folded.slice(Math.max(0, start - 30), start),
    ),
  );
  return found.find(({ code }) => recipients.every((recipient) => recipient.code !== code))?.code;
}

/** "Dutch dividend withholding tax" in the lines above. */
function namedTax(folded: string): string | undefined {
  return countriesIn(folded).findLast(({ end }) =>
    /^ (?:dividend |interest |royalty |quellen)?(?:withholding tax|wht|steuer|dividend tax)/.test(
      folded.slice(end, end + 40),
    ),
  )?.code;
}

/** "15 % of EUR 200", "25 % on the gross fee of USD 10": the amount behind the rate is what is taxed. */
const ofBase =
  /^[\s)]{0,3}(?:[a-z]+ )?(?:of|on|auf|von|vom|sur|du|de|des|su|del|della|sobre|over|van|af|av|od|z)\b(?!.*\b(?:tax|steuer|impot|imposta|impuesto|belasting|skatt?|podatek|i\.e\.|namely|being|d\.h\.|soit|ossia)\b)/;

/** Tax and gross amount of the clause: two amounts by the rate, a single one by the words between. */
function moneyOf(
  shown: string,
  folded: string,
  clause: Range,
  behindRate: number,
  rate: string,
  decimalMark: '.' | ',' | undefined,
): Pick<Withholding, 'amount' | 'gross' | 'currency'> {
  const all = findAmounts(shown, { decimalMark }).filter(({ start }) => start < clause.end);
  const values = all.flatMap((amount) => {
    const value = parseRational(amount.value);
    return value === undefined ? [] : [{ amount, value }];
  });
  const percent = parseRational(rate)!;
  for (const base of values) {
    const tax = values.find(
      (each) =>
        each !== base &&
        each.amount.currency === base.amount.currency &&
        compare(absolute(subtract(each.value, taxOf(base.value, percent))), rational(1n)) <= 0,
    );
    if (tax !== undefined) return given(tax.amount, tax.value, base.value);
  }
  const own = values.filter(({ amount }) => amount.start >= clause.start);
  const behind = own.find(({ amount }) => amount.start >= behindRate - 1);
  const isBase = behind !== undefined && ofBase.test(folded.slice(behindRate, behind.amount.start));
  if (isBase) return given(behind.amount, undefined, behind.value);
  const tax = behind ?? (own.length === 1 && isTax(folded, own[0]!.amount) ? own[0] : undefined);
  const before = values.filter(({ amount }) => amount.start < behindRate && amount !== tax?.amount);
  const gross = before.length === 1 ? before[0] : undefined;
  return given((tax ?? gross)?.amount, tax?.value, gross?.value);
}

/** Right before an amount that stands before its rate: "withheld EUR 15 (15 %)". */
function isTax(folded: string, { start }: FoundAmount): boolean {
  return /\b(?:withheld|deducted|tax(?: of)?|einbehalten|steuer[a-z]*(?: von| in hohe von)?|retenu|ritenuta(?: di)?|retencion(?: de)?|belasting(?: van)?|skatt?(?: pa)?)[\s:]{0,3}$/.test(
    folded.slice(Math.max(0, start - 40), start),
  );
}

function given(
  amount: FoundAmount | undefined,
  tax: Rational | undefined,
  gross: Rational | undefined,
): Pick<Withholding, 'amount' | 'gross' | 'currency'> {
  return {
    ...(tax === undefined ? {} : { amount: tax }),
    ...(gross === undefined ? {} : { gross }),
    ...(amount?.currency === undefined ? {} : { currency: amount.currency }),
  };
}

const certificate = phraseShape(
  'voucher*|certificate*|counterfoil|receipt|steuerbescheinigung|bescheinigung|attestation|certificat|certificazione|certificado|verklaring|attest|zaswiadczenie|potvrzeni',
);
const taxWord = /\b(?:tax|steuer[a-z]*|impot|imposta|impuesto|belasting|skatt?|podatku?|dane)\b/;

/** "The tax voucher states USD 15 of Spanish tax": the next sentence but one at most may give the tax. */
function certified(
  { document }: Layout,
  index: number,
  country: string | undefined,
): Pick<Withholding, 'amount' | 'currency'> | undefined {
  for (const { start, end } of taxSentences(document).slice(index + 1, index + 3)) {
    if (end - start > 500) continue;
    const shown = document.text.slice(start, end).replaceAll('\n', ' ');
    const folded = foldText(shown);
    const [amount] = findAmounts(shown, { decimalMark: document.decimalMark });
    const lead = amount === undefined ? '' : folded.slice(0, amount.end + 30);
    const others = countriesIn(folded).filter(({ code }) => code !== country);
    if (
      amount === undefined ||
      !certificate.test(lead) ||
      !taxWord.test(lead) ||
      unapplied.test(lead) ||
      others.length > 0
    )
      continue;
    const value = parseRational(amount.value);
    if (value !== undefined)
      return { amount: value, ...(amount.currency === undefined ? {} : { currency: amount.currency }) };
  }
  return undefined;
}
