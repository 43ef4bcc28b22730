/** Limits of a seller's liability: cap, basket, de minimis, and the time for claims, from sentences, labelled lines and tables. */
import type { Document } from '../../document/document.ts';
import { findAmounts } from '../text/amounts.ts';
import { findDurations } from '../text/durations.ts';
import { findPercents } from '../text/percents.ts';
import type { Range } from '../text/span.ts';
import type { Cue } from './cues.ts';
import { type Flow, type Sentence, within } from './flow.ts';
import { kindOf, type Reading, scopeOf } from './limit-kinds.ts';
import { tableRows } from './table-rows.ts';
import { isElsewhere } from './term-context.ts';
import type { FoundTerm } from './term-values.ts';
import { isLimitScope, type LimitCue, type LimitKind, type LimitScope, limitCues } from './warranty-words.ts';

export interface WarrantyLimit extends Range {
  readonly limit: LimitKind;
  readonly scope: LimitScope;
  readonly amount?: string;
  readonly currency?: string;
  readonly percent?: string;
  readonly count?: string;
  readonly unit?: string;
}

export function findWarrantyLimits(document: Document, flow: Flow, terms: readonly FoundTerm[]): WarrantyLimit[] {
  const isOnWarranties = flow.sentences.some((sentence) =>
    limitCues.in(flow, sentence).some(({ label }) => label === 'subject'),
  );
  if (!isOnWarranties || isOfAudit.test(flow.text.slice(0, openingCharacters))) return [];
  const price = terms.find(({ term }) => term === 'purchase-price');
  const clauses = fundamentalClauses(flow.text);
  const found = tablesOf(document, flow);
  let limitedUntil = -1;
  let open: readonly Cue<LimitCue>[] | undefined;
  for (const sentence of flow.sentences) {
    if (
      isElsewhere(sentence) ||
      isOfDragAlong.test(`${sentence.title} ${sentence.text}`) ||
      (sentence.isRow && found.length > 0)
    )
      continue;
    const own = [...limitCues.in(flow, sentence), ...namedIndemnities(sentence)].sort((a, b) => a.at - b.at);
    const context = limitCues.of(`${sentence.label} . ${sentence.title}`);
    const isOn = [...own, ...context].some(({ label }) => label === 'subject');
    if (isOn) limitedUntil = sentence.paragraph + 2;
    else if (sentence.paragraph > limitedUntil) continue;
    // "…, except that (a) … and / (b) those in Section 4": an item that goes on with the sentence above keeps its subject.
    const subject = sentence.isItem && open !== undefined ? open : [];
    open = /[.!?]["”)]?$/.test(sentence.text)
      ? undefined
      : [...own, ...subject].filter(({ label }) => label === 'subject');
    const reading = { sentence, own, label: [...limitCues.of(sentence.label), ...subject], clauses };
    found.push(...limitsOfMoney(reading, flow, price), ...survivals(reading, flow));
  }
  return onePerScope(found);
}

/** What shareholders owe who are dragged into a sale. */
const isOfDragAlong =
  /(?<!\p{L})(?:drag[- ]?along|agrees? to vote|mitverkaufs?(?:pflicht|verpflichtung)\p{L}*|sortie forcée|entraînement|arrastre|trascinamento|meesleep\p{L}*)/iu;

/** "The Harlow Indemnity": an indemnity by name is a specific one. */
function namedIndemnities({ text, start }: Sentence): Cue<LimitCue>[] {
  return [
    ...text.matchAll(
      /\bthe (?!Tax|Title|General|Environmental|Fundamental|Seller|Buyer)\p{Lu}\p{Ll}+ Indemnit(?:y|ies)\b/gu,
    ),
  ].map(({ index, 0: words }) => ({
    label: 'specific-indemnity',
    start: start + index,
    end: start + index + words.length,
    at: index,
    to: index + words.length,
  }));
}

function onePerScope(found: readonly WarrantyLimit[]): WarrantyLimit[] {
  const once = new Set<string>();
  return found.filter(({ limit, scope }) => !once.has(`${limit} ${scope}`) && once.add(`${limit} ${scope}`));
}

/** Numbers of clauses that the text calls fundamental. */
function fundamentalClauses(text: string): RegExp | undefined {
  const match =
    /(?:ziff(?:er|\.)|clauses?|sections?|paragraphs?|cláusulas?|articles?|artikel|§)\s(\d{1,3}(?:\.\d{1,3})*)[^.;]{0,24}?fundamental/i.exec(
      text,
    );
  return match === null ? undefined : new RegExp(`(?<![\\d.])${match[1]!.replaceAll('.', '\\.')}(?![\\d.]*\\d)`);
}

const openingCharacters = 300;
/** The report of an auditor speaks of liabilities and limits, but of no warranties of a seller. */
const isOfAudit =
  /(?<!\p{L})(?:(?:independent )?auditor['’]?s['’]? report|informe de auditoría|bestätigungsvermerk\p{L}*|rapport (?:du|des) commissaires? aux comptes|controleverklaring|relazione della società di revisione|sprawozdanie z badania|revisionsberättelse|certificação legal das contas)(?!\p{L})/iu;

const ofPrice =
  /^[\s(]{0,3}(?:of|des|der|du|de la|del|de|van|von)?\s?(?:the |den |le |la |het |aggregate |total |final |gesamt)*(?:base )?(?:purchase price|kaufpreis|consideration|price|prix|precio|koopprijs|koopsom|enterprise value|equity value|subscription|(?:la )?souscription|suscripción|inschrijving|investment|investissement|inversión|investering)/i;

function limitsOfMoney(reading: Reading, flow: Flow, price: FoundTerm | undefined): WarrantyLimit[] {
  const { sentence } = reading;
  const { text } = sentence;
  const amounts = within(flow.amounts, sentence);
  let isOfPrice = false;
  // "15 % of the price for general warranties, 100 % for title warranties".
  const percents = within(flow.percents, sentence).filter(({ to }, index, all) => {
    const follows = index > 0 && /^[^.;\d]{0,60}$/.test(text.slice(all[index - 1]!.to, all[index]!.at));
    isOfPrice = ofPrice.test(text.slice(to, to + 60)) || (isOfPrice && follows);
    return isOfPrice;
  });
  const found: WarrantyLimit[] = [];
  amounts.forEach((amount, index) => {
    const from = amounts[index - 1]?.to ?? 0;
    const until = amounts[index + 1]?.at ?? text.length;
    // "Provided that the consideration is at least $9m" is a condition.
    if (atLeast.test(text.slice(Math.max(0, amount.at - 30), amount.at))) return;
    const kind = kindOf(reading, amount, from, until);
    if (kind === undefined || kind === 'other') return;
    const percent = percents.find((each) => Math.abs(each.at - amount.at) < 80 && each.at >= from - 40);
    found.push({
      limit: kind,
      scope: scopeOf(reading, amount, from, until),
      amount: amount.value,
      ...(amount.currency === undefined ? {} : { currency: amount.currency }),
      ...(percent === undefined || kind === 'de-minimis' ? {} : { percent: percent.value }),
      start: amount.start,
      end: amount.end,
    });
  });
  if (amounts.length === 0) {
    percents.forEach((percent, index) => {
      const from = percents[index - 1]?.to ?? 0;
      const until = percents[index + 1]?.at ?? text.length;
      const kind = kindOf(reading, percent, from, until) ?? undefined;
      if (kind === undefined || kind === 'other') return;
      const isWhole = Number(percent.value) === 100 && price?.value !== undefined;
      found.push({
        limit: kind,
        scope: scopeOf(reading, percent, from, until),
        ...(isWhole
          ? { amount: price.value!, ...(price.currency === undefined ? {} : { currency: price.currency }) }
          : {}),
        percent: percent.value,
        start: percent.start,
        end: percent.end,
      });
    });
  }
  const whole = wholePrice(reading, price) ?? proceedsReceived(reading);
  const isNew = whole !== undefined && !found.some(({ limit, scope }) => limit === 'cap' && scope === whole.scope);
  return isNew ? [...found, whole] : found;
}

const atLeast =
  /(?<!\p{L})(?:at least|not less than|no less than|a minimum of|mindestens|au moins|al menos|ten minste|minstens|almeno|co najmniej|minst|pelo menos)\s$/iu;

const priceShape =
  /(?<!\p{L})(?:limited to|not exceed|exceed|capped at|cap(?:ped)?:?|equal to|up to|amount of|auf|excéder|limitée? (?:au|à)|plafonnée? au|au|exceder(?:á)?(?: del?)?|superar(?:á)?|limitada al|al|beperkt tot|meer dan|tot)\s(?:an amount equal to\s)?(?:the |den |le |el |la |de |het |100 ?% (?:of the |des |du |del |van de )?)?(?:amount of (?:the )?|montant du |importe del )?(?:full |aggregate |total |final |cash )?(?:purchase price|kaufpreis|prix(?: de (?:cession|vente))?|precio(?: de compraventa)?|koopprijs|koopsom|consideration|subscription monies)(?!\S*\s(?:per share|per aandeel|adjust))/iu;

/** "Limited to the Purchase Price": the amount is that of the purchase price. */
function wholePrice(reading: Reading, price: FoundTerm | undefined): WarrantyLimit | undefined {
  const { sentence, own, label } = reading;
  const match = priceShape.exec(sentence.text);
  if (match === null || ![...own, ...label].some((cue) => cue.label === 'cap')) return undefined;
  const place = {
    at: match.index,
    to: match.index + match[0].length,
    start: sentence.start + match.index,
    end: sentence.start + match.index + match[0].length,
  };
  return {
    limit: 'cap',
    scope: scopeOf(reading, place, 0, sentence.text.length),
    ...(price?.value === undefined ? {} : { amount: price.value }),
    ...(price?.currency === undefined ? {} : { currency: price.currency }),
    start: place.start,
    end: place.end,
  };
}

const receivedShape =
  /(?<!\p{L})(?:limited to|not exceed|exceed|capped at|equal to|up to|begrenzt auf|übersteig\p{L}*|limitée? (?:au|à)|excéder|limitada al?|exceder\p{L}*(?: de)?|beperkt tot)\s(?:an amount equal to\s)?(?:the |den |das |die |le |la |les |el |los |de |het )?(?:net |aggregate |total )?(?:(?:amount of (?:the )?)?(?:sale |cash )?proceeds|amounts?|consideration|purchase price|kaufpreis(?:es)?|prix|precio|koopprijs)\s(?:that (?:it|they|such seller) (?:has|have) )?(?:actually |tatsächlich |effectivement |efectivamente |daadwerkelijk )?(?:received|erhalten\p{L}{0,2}|reçus?|perçus?|recibid[oa]s?|percibid[oa]s?|ontvangen)/iu;

/** "Shall not exceed the proceeds actually received": a cap without an amount. */
function proceedsReceived({ sentence, own, label, clauses }: Reading): WarrantyLimit | undefined {
  const match = receivedShape.exec(sentence.text);
  if (match === null || ![...own, ...label].some((cue) => cue.label === 'cap' || cue.label === 'subject'))
    return undefined;
  const [at, to] = [match.index, match.index + match[0].length];
  const place = { at, to, start: sentence.start + at, end: sentence.start + to };
  const scope = scopeOf({ sentence, own, label, clauses }, place, 0, sentence.text.length);
  return { limit: 'cap', scope, start: place.start, end: place.end };
}

function survivals(reading: Reading, flow: Flow): WarrantyLimit[] {
  const { sentence, own, label } = reading;
  const all = [...own, ...label];
  const has = (name: LimitCue) => all.some((cue) => cue.label === name);
  if (statutory.test(sentence.text)) return [];
  if (!has('time') || !(has('subject') || label.some((cue) => cue.label === 'time')) || has('aside')) return [];
  const durations = within(flow.durations, sentence).filter(
    ({ unit, count, at, to }) =>
      (unit === 'year' ||
        (unit === 'month' && Number(count) >= 3) ||
        (unit === 'day' && Number(count) >= 30 && afterLimitation.test(sentence.text.slice(to, to + 110)))) &&
      !ofPay.test(sentence.text.slice(to, to + 24)) &&
      !/\b(?:last|past|preceding|previous|letzten|derniers|últimos|afgelopen)\s$/i.test(
        sentence.text.slice(Math.max(0, at - 12), at),
      ),
  );
  return durations.map((duration, index) => {
    const from = durations[index - 1]?.to ?? 0;
    const until = durations[index + 1]?.at ?? sentence.text.length;
    const { count, unit, start, end } = duration;
    return { limit: 'survival', scope: scopeOf(reading, duration, from, until), count, unit, start, end };
  });
}

/** What a statute provides is no term of the agreement. */
const statutory = /^\W*(?:\d{1,2}(?:\.\d{1,2})*\.?\s)?Nothing\b|\bAct (?:19|20)\d\d\b/;

/** "60 days after the expiry of the statute of limitations". */
const afterLimitation =
  /^\s(?:after|following|nach|après|suivant|después|tras|na)(?!\p{L})[^.;]{0,70}(?:limitation|verjähr|prescri|verjaring)/iu;
/** "One year's salary" is an amount. */
const ofPay =
  /^['’]?s?['’]?\s(?:base |gross |annual )?(?:salar|pay\b|remunerat|fees?\b|rent\b|turnover|revenue|earnings|compensation)/i;

/** A table of limits by warranty: kinds in its rows and scopes in its columns, or the other way about. */
function tablesOf(document: Document, flow: Flow): WarrantyLimit[] {
  return document.tables.flatMap((table) => {
    if (table.columns.length < 3) return [];
    const { titles, rows } = tableRows(table);
    const heads = titles.map((title) => limitCues.of(title));
    return rows.slice(0, 60).flatMap((cells) => {
      // "11.2 | Cap | $6,000,000 | Tax warranties": the kind and the scope may be in any cell without a value.
      const row = limitCues.of(
        cells
          .filter(({ text }, column) => column === 0 || !hasValue(text))
          .map(({ text }) => text)
          .join(' | '),
      );
      return cells.slice(1).flatMap(({ text, start, end }, index): WarrantyLimit[] => {
        if (!hasValue(text) || text.length > valueCharactersMax) return [];
        const head = heads[index + 1] ?? [];
        const limit = limitOfCell([...row, ...head], text);
        if (limit === undefined) return [];
        const scope = [...row, ...head].find(({ label }) => isLimitScope(label))?.label as LimitScope | undefined;
        const place = flow.sentences.find(({ isRow, text: shown }) => isRow && text !== '' && shown.includes(text));
        return [{ ...limit, scope: scope ?? 'general', start: place?.start ?? start, end: place?.end ?? end }];
      });
    });
  });
}

/** A longer cell is a text about other things. */
const valueCharactersMax = 100;

function hasValue(text: string): boolean {
  return (
    findAmounts(text).some(({ currency }) => currency !== undefined) ||
    findPercents(text).length > 0 ||
    findDurations(text).length > 0
  );
}

function limitOfCell(
  cues: readonly Cue<LimitCue>[],
  text: string,
): Omit<WarrantyLimit, 'scope' | 'start' | 'end'> | undefined {
  const kind = cues.find(({ label }) => label === 'cap' || label === 'basket' || label === 'de-minimis')?.label as
    | LimitKind
    | undefined;
  const [amount] = findAmounts(text);
  const [percent] = findPercents(text);
  const [duration] = findDurations(text);
  if (kind === undefined || (amount === undefined && percent === undefined)) {
    const isTime = cues.some(({ label }) => label === 'time');
    return isTime && duration !== undefined
      ? { limit: 'survival', count: duration.count, unit: duration.unit }
      : undefined;
  }
  return {
    limit: kind,
    ...(amount === undefined
      ? {}
      : { amount: amount.value, ...(amount.currency === undefined ? {} : { currency: amount.currency }) }),
    ...(percent === undefined ? {} : { percent: percent.value }),
  };
}
