/** Reads the terms of convertibles and of a priced round from sentences and table rows. */

import type { Document } from '../../document/document.ts';
import type { FoundAmount } from '../text/amounts.ts';
import { add, type Decimal, decimal, divide, multiply } from '../text/decimal.ts';
import { parseNumber } from '../text/numbers.ts';
import { allWithin } from '../text/ranges.ts';
import { excerpt, type Range } from '../text/span.ts';
import type { Instrument } from './conversion.ts';
import { tableRows } from './table-rows.ts';

export interface FoundInstrument extends Range {
  readonly kind: 'SAFE' | 'convertible note';
  readonly currency?: string;
  readonly terms: Instrument;
  /**
   * Simple interest that was added, if rate and months are stated: principal × rate × months / 12, rounded half to even to two
   * places.
   */
  readonly interest?: string;
  readonly excerpt: string;
}

export interface RoundTerms {
  readonly preMoney?: FoundAmount;
  readonly newMoney?: FoundAmount;
  readonly poolPercent?: Range & { readonly value: string };
}

/** More are not read. */
const instrumentsMax = 30;

const instrumentWord =
  /\b(?:SAFEs?|simple agreement for future equity|convertible (?:note|loan|bond)|CLA|wandeldarlehen|konvertibilní)/i;

/** The instrument is no longer outstanding. */
const gone =
  /(?<!\p{L})(?:(?:was|were|has|have|had)(?: been)?(?: fully| since)? (?:converted|repaid|redeemed|cancell?ed|terminated|repurchased)|converted (?:on|in) (?:(?:\d{1,2}\.? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* ?\d|(?:19|20)\d\d)|no(?:thing| longer)(?: is)? outstanding|(?:vollständig |bereits )?(?:gewandelt|zurückgezahlt|getilgt)(?= (?:worden|wurde)|[.,;])|a été (?:converti|remboursé)|fue (?:convertid|reembolsad|amortizad)\p{L}*|werd (?:geconverteerd|afgelost))/iu;

/** One per sentence or line that names an instrument, its principal, and a cap or a discount. */
export function findInstruments(reading: Document): FoundInstrument[] {
  const found: FoundInstrument[] = instrumentsOfLedgers(reading);
  const isInLedger = ({ start }: Range) => found.some((each) => start >= each.start && start < each.end);
  for (const sentence of reading.sentences) {
    if (found.length >= instrumentsMax) break;
    if (isInLedger(sentence)) continue;
    if (sentence.end - sentence.start > 1_200) continue;
    const text = reading.text.slice(sentence.start, sentence.end);
    const word = instrumentWord.exec(text);
    if (word === null || gone.test(text)) continue;
    const instrument = readInstrument(reading, sentence, text, word[0]);
    if (instrument !== undefined) found.push(instrument);
  }
  return found;
}

const columnTitles = {
  holder: /(?:stake|security|note)?holder|investor|name|inhaber|titulaire|titular|lender/i,
  kind: /^(?:security|instrument|type|class|kind|art|typ)(?!\S*\s(?:id|no\.?|nr\.?|number)$)/i,
  principal: /principal|(?:purchase|investment|loan) amount|nennbetrag|montant|importe|hoofdsom|importo|kwota/i,
  cap: /\bcap\b|bewertungsobergrenze|plafond|tope/i,
  discount: /discount|abschlag|décote|descuento|korting|sconto|dyskonto/i,
  status: /^(?:status|state|stand|état|estado|stan|stato)$/i,
};

/** A ledger with a row per security, and columns for its principal, cap and discount. */
function instrumentsOfLedgers(reading: Document): FoundInstrument[] {
  return reading.tables
    .flatMap((table) => {
      const { titles, rows } = tableRows(table);
      const columnOf = (shape: RegExp) => titles.findIndex((title) => title.length < 40 && shape.test(title));
      const kind = columnOf(columnTitles.kind);
      const principal = columnOf(columnTitles.principal);
      if (kind < 0 || principal < 0) return [];
      const cap = columnOf(columnTitles.cap);
      const discount = columnOf(columnTitles.discount);
      const status = columnOf(columnTitles.status);
      const currency = /(?<!\p{L})(USD|EUR|GBP)(?!\p{L})/u.exec(titles[principal]!)?.[1];
      return rows.slice(0, 200).flatMap((cells): FoundInstrument[] => {
        const type = cells[kind]?.text ?? '';
        const amount = numberIn(cells[principal]?.text);
        const isGone =
          status >= 0 && /^(?:cancel|convert|repaid|redeem|void|terminat|expired)/i.test(cells[status]?.text ?? '');
        if (!instrumentWord.test(type) || amount === undefined || isGone) return [];
        const [ceiling, rate] = [numberIn(cells[cap]?.text), numberIn(cells[discount]?.text)];
        const isNote = /note|loan|bond/i.test(type);
        const range = { start: cells[0]!.start, end: cells.at(-1)!.end };
        return [
          {
            ...range,
            kind: isNote ? 'convertible note' : 'SAFE',
            ...(currency === undefined ? {} : { currency }),
            terms: {
              holder: (cells[columnOf(columnTitles.holder)]?.text ?? type).slice(0, 80),
              amount,
              capBasis: isNote || /pre[ -]?money/i.test(type) ? 'pre' : 'post',
              ...(ceiling === undefined ? {} : { cap: ceiling }),
              ...(rate === undefined ? {} : { discountPercent: rate }),
            },
            excerpt: excerpt(reading.text, range),
          },
        ];
      });
    })
    .slice(0, instrumentsMax);
}

/** @returns undefined for an empty cell, and for words */
function numberIn(text: string | undefined): Decimal | undefined {
  const value = parseNumber(text?.replace('%', '') ?? '', {
    decimalMark: /,\d{3}(?!\d)/.test(text ?? '') ? '.' : ',',
  })?.value;
  return value === undefined || Number(value) <= 0 ? undefined : decimal(value);
}

function readInstrument(reading: Document, sentence: Range, text: string, word: string): FoundInstrument | undefined {
  const amounts = allWithin(reading.amounts, sentence);
  const cap =
    amounts.find(({ start }) => isBehindCap(reading.text, start, sentence)) ??
    amounts.find(({ end }) => isBeforeCap(reading.text, end, sentence));
  const others = amounts.filter((amount) => amount !== cap);
  const ofWhole = wholeRound.exec(text);
  const principal =
    ofWhole === null && others.length < 2
      ? others[0]
      : (linkedTo(reading.text, sentence, others) ?? (ofWhole === null ? others[0] : undefined));
  if (principal === undefined || decimal(principal.value).units <= 0n) return undefined;
  const discount = percentNear(reading, sentence, /discount/i);
  if (cap === undefined && discount === undefined) return undefined;
  const isNote = /note|loan|bond|CLA|wandel|konvert/i.test(word);
  const interest = isNote ? interestOf(reading, sentence, decimal(principal.value)) : undefined;
  const amount = interest === undefined ? decimal(principal.value) : add(decimal(principal.value), interest);
  const isPost = /post[ -]?money/i.test(text) || (!isNote && !/pre[ -]?money/i.test(text));
  return {
    ...sentence,
    kind: isNote ? 'convertible note' : 'SAFE',
    ...(principal.currency === undefined ? {} : { currency: principal.currency }),
    terms: {
      holder: holderOf(text, isNote ? 'Note' : 'SAFE'),
      amount,
      capBasis: isPost ? 'post' : 'pre',
      ...(cap === undefined ? {} : { cap: decimal(cap.value) }),
      ...(discount === undefined ? {} : { discountPercent: discount }),
    },
    ...(interest === undefined ? {} : { interest: shown(interest) }),
    excerpt: excerpt(reading.text, sentence),
  };
}

/** "Amount of Financing: $14,000,000, of which …": the amounts of a sentence about the whole round are not those of an instrument. */
const wholeRound =
  /(?<!\p{L})(?:(?:amount|size|total|aggregate)[^.;:]{0,16}(?:financing|round|investment|raise|offering|proceeds)|(?:financing|round|investment|offering) (?:amount|size)|aggregate (?:gross )?(?:proceeds|purchase price)|of which|new (?:cash|money)|gesamtvolumen|investitionssumme|finanzierungsrunde|davon|montant (?:total|de la levée)|dont|importe total|de los cuales|totaalbedrag|waarvan|importo complessivo|di cui)(?!\p{L})/iu;

/** "$1,500,000 is conversion of outstanding SAFEs", "SAFEs of $1,500,000", "SAFE (Alder Ventures): $250,000". */
function linkedTo(text: string, sentence: Range, amounts: readonly FoundAmount[]): FoundAmount | undefined {
  const linked = amounts.filter(({ start, end }) => {
    const after = text.slice(end, Math.min(sentence.end, end + 70)).replace(/\s+/g, ' ');
    const before = text.slice(Math.max(sentence.start, start - 40), start).replace(/\s+/g, ' ');
    return behindAmount.test(after) || beforeAmount.test(before);
  });
  return linked.length === 1 ? linked[0] : undefined;
}

const instruments = instrumentWord.source;
const behindAmount = new RegExp(
  String.raw`^[^.;,\d]{0,12}(?:is|are|from|by|through|in|under|of|as|represents?|being|comes from|stems from)?(?: the)?(?: conversion(?: of)?| converting| aggregate)?(?: the| all)?(?: outstanding| existing| issued| converting)?(?: principal(?: amount)?(?: of)?)?[^.;,\d]{0,8}(?:${instruments})`,
  'iu',
);
const beforeAmount = new RegExp(
  `(?:${instruments})s?(?: (?:of|for|in|with|totall?ing|worth|amounting to|over|über|de|por|van|di|in the (?:principal |aggregate )?amount of|principal(?: amount)?(?: of)?)){1,2} ?$`,
  'iu',
);

/** "Cap of EUR 5m", "valuation cap EUR 5m". */
function isBehindCap(text: string, start: number, sentence: Range): boolean {
  return /\bcap(?:ped)?\b[^.;]{0,10}$/i.test(text.slice(Math.max(sentence.start, start - 24), start));
}

/** "EUR 5m cap". */
function isBeforeCap(text: string, end: number, sentence: Range): boolean {
  return /^[^.;,(]{0,14}\bcap\b/i.test(text.slice(end, Math.min(sentence.end, end + 24)));
}

/** A percentage with the word within 24 characters before or after it; only below 100. */
function percentNear(reading: Document, sentence: Range, word: RegExp): Decimal | undefined {
  const percent = allWithin(reading.percents, sentence).find(({ start, end, value }) => {
    const near = reading.text.slice(Math.max(sentence.start, start - 24), start);
    const after = reading.text.slice(end, Math.min(sentence.end, end + 16));
    return (word.test(near) || word.test(after)) && !value.startsWith('-') && Number(value) < 100;
  });
  return percent === undefined ? undefined : decimal(percent.value);
}

function interestOf(reading: Document, sentence: Range, principal: Decimal): Decimal | undefined {
  const rate = percentNear(reading, sentence, /interest|p\.\s?a|per year|annum/i);
  const time = allWithin(reading.durations, sentence).find(({ unit }) => unit === 'month' || unit === 'year');
  if (rate === undefined || time === undefined) return undefined;
  const months = multiply(decimal(time.count), decimal(time.unit === 'year' ? 12 : 1));
  return divide(multiply(multiply(principal, rate), months), decimal(1_200), 2);
}

/** "SAFE of Alder Ventures", "SAFE held by …", else the beginning of a row. */
function holderOf(text: string, fallback: string): string {
  for (const [, name] of text.matchAll(
    /\b(?:of|by|to|with|from|holder:?|investor:?) ((?:\p{Lu}[\p{L}&.'-]{1,30} ?){1,4})/gu,
  ))
    if (!noHolder.test(name!)) return name!.trim();
  return fallback;
}

/** Words that term sheets write with a capital: "Amount of Financing", "conversion of SAFEs into Series A". */
const noHolder =
  /^(?:financing|investment|conversion|proceeds|closing|shares?|amount|SAFEs?|notes?|convertible|series|seed|round|control|interest|the|this|company|common|preferred|ordinary|securit\p{L}+|stock|capital|equity|cash|new|law|incorporation|qualified|next|maturity|[A-Z]{3}(?![\p{L}&])|january|february|march|april|may|june|july|august|september|october|november|december)(?!\p{L})/iu;

/** The first pre-money valuation, investment, and pool target of a text. */
export function findRoundTerms(reading: Document): RoundTerms {
  const money = reading.amounts.slice(0, 500).filter(({ value }) => !value.startsWith('-') && value !== '0');
  const preMoney = money.find(({ start }) => {
    const between = /pre[ -]?money([^.;\n]{0,40})$/i.exec(reading.text.slice(Math.max(0, start - 60), start));
    // "pre-money valuation cap of" is a term of a note, not the round's valuation.
    return between !== null && !/\bcap\b/i.test(between[1]!);
  });
  const newMoney = money.find(
    (amount) =>
      amount !== preMoney &&
      /\b(?:invests?|investing|investment|raises?|raising|new money|round of|financing of|subscribes?)\b[^.;\n]{0,40}$/i.test(
        reading.text.slice(Math.max(0, amount.start - 60), amount.start),
      ),
  );
  const poolPercent = reading.percents
    .slice(0, 500)
    .find(
      ({ start, value }) =>
        isPoolTarget(reading.text.slice(Math.max(0, start - 80), start)) &&
        !value.startsWith('-') &&
        Number(value) < 100,
    );
  return {
    ...(preMoney === undefined ? {} : { preMoney }),
    ...(newMoney === undefined ? {} : { newMoney }),
    ...(poolPercent === undefined ? {} : { poolPercent }),
  };
}

/** "option pool shall be 10 %", "a pool of 10 %"; not a row of a table. */
function isPoolTarget(before: string): boolean {
  const match = /\bpool\b([^.;|\t\n]{0,60})$/i.exec(before);
  return (
    match !== null &&
    !match[1]!.includes('  ') &&
    /\b(?:of|shall|will|must|to|equals?|represents?|is|at)\b/i.test(match[1]!)
  );
}

function shown({ units, scale }: Decimal): string {
  const digits = units.toString().padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
