/** Amounts, percentages and periods that adjacent words identify as terms of a financing or a sale. */
import type { Range } from '../text/span.ts';
import { type Flow, type Sentence, within } from './flow.ts';
import { blank, isElsewhere, isOfOther, isReplaced } from './term-context.ts';
import { type Cue, type MoneyTerm, moneyCues, moneyLabels, type RateTerm, rateCues } from './term-cues.ts';

export interface FoundTerm extends Range {
  readonly kind: 'money' | 'rate' | 'period';
  readonly term: MoneyTerm | RateTerm | PeriodTerm;
  /** Amount or percentage as a decimal string. */
  readonly value?: string;
  readonly currency?: string;
  readonly count?: string;
  readonly unit?: string;
  readonly date?: string;
}

export type PeriodTerm = 'exclusivity' | 'vesting' | 'cliff' | 'maturity';

/** Words after the value which show that it belongs to another round. */
const comparison =
  /\bby way of comparison\b|\b(?:previous|prior|earlier|last|seed) (?:financing |funding )?round\b|\bvorherige\S* runde|\btour précédent|\bronda anterior|\bvorige ronde/i;
/** "We sold 2,000,000 shares for gross proceeds of …": an issue that has happened is no threshold. */
const completedSale = /\b(?:we|company|it) (?:have |has )?(?:sold|issued|completed|closed)\b/i;

/** How far a blank that nobody filled in stands from an amount of its own. */
const blankMax = 12;

/** How far from its value a cue may appear. */
const beforeMax = 150;
const afterMax = 60;

const parBefore =
  /\b(?:par value|nominal value|strike price|exercise price|nennwert|valeur nominale|valor nominal|nominale waarde)\b[^;,]{0,20}$|\(?\b(?:par|nominal|nominaal|nominale)\s$/i;

/** "1,00 € de nominal": the value of a share in the articles. */
const parAfter =
  /^\s?(?:de |in |of )?(?:(?:valor |valeur )?nominale?\b|nennwert|par value|nominale? (?:value|waarde))/i;
/** "Between EUR 40m and EUR 55m were offered": bids and not an agreed value. */
const offered =
  /\b(?:bidders?|bids?|offers?|indications?)\b[^.;]{0,60}\bbetween\b[^.;]{0,40}$|\b(?:bieter|gebote?|angebote?)\b[^.;]{0,60}\bzwischen\b[^.;]{0,40}$/i;

const dividendBefore = /\b(?:dividends?|distributions?)\b[^.;,]{0,30}$/i;

/**
 * The term of the nearest cue; a cue after the value counts as farther away, because English and German name the term before
 * the value.
 */
function nearestTerm<Term>(
  cues: readonly Cue<Term>[],
  before: string,
  after: string,
  room = afterMax,
): { term: Term | undefined; distance: number } | undefined {
  if (parBefore.test(before) || parAfter.test(after) || offered.test(before)) return { term: undefined, distance: 0 };
  // "Dividends at $0.15 per share" state no price of a share.
  if (dividendBefore.test(before) && /^\s?per\s/i.test(after)) return { term: undefined, distance: 0 };
  let best: { term: Term | undefined; distance: number } | undefined;
  const take = (term: Term | undefined, distance: number) => {
    if (best === undefined || distance < best.distance) best = { term, distance };
  };
  for (const { term, words } of cues) {
    for (const match of words.allIn(before)) take(term, before.length - match.index - match[0].length);
    const next = words.allIn(after).next().value;
    // The whole text decides what a cue is ("post-money valuation cap"), its place whether it names this value.
    // "Pre-money: EUR 6m (post-money less …)": the words in brackets explain what a label has named.
    const isNamed =
      best !== undefined &&
      (/[:=]\s?$/.test(before)
        ? best.distance <= 3
        : /[(]$/.test(after.slice(0, next?.index ?? 0)) && best.distance <= 9);
    if (next !== undefined && next.index + next[0].length <= room)
      take(term, next.index < 4 && !isNamed ? 0 : next.index + 12);
  }
  return best;
}

function termOf<Term>(
  cues: readonly Cue<Term>[],
  sentence: Sentence,
  values: readonly { readonly at: number; readonly to: number }[],
  index: number,
  labels: readonly Cue<Term>[] = [],
): Term | undefined {
  const { at, to } = values[index]!;
  const previous = values[index - 1]?.to ?? 0;
  const isRepeat = /^[\s()]*$/.test(sentence.text.slice(previous, at)) && index > 0;
  const before = sentence.text.slice(Math.max(isRepeat ? 0 : previous, at - beforeMax), at);
  const after = sentence.text.slice(to, to + afterMax).split(/[;,]/, 1)[0]!;
  // A cue directly before the next value applies to that value.
  // Words before a comma belong to this value, however close the next value is.
  const gap = (values[index + 1]?.at ?? to + afterMax + 12) - to;
  const room = Math.max(4, gap - 12, after.length < gap - 1 ? after.length : 0);
  const nearest = nearestTerm(cues, before, after, room);
  if (nearest !== undefined) return nearest.term;
  // A label applies to the first value of its line.
  if (index > 0 || !sentence.opensParagraph) return undefined;
  return nearestTerm(cues, sentence.label, '')?.term ?? nearestTerm(labels, sentence.label, '')?.term;
}

/** Interest on sums that are overdue. */
const isLate =
  /(?<!\p{L})(?:overdue|late payments?|in arrears|past due|rückständig\p{L}*|verspätet\p{L}*|im verzug|verzugszins\p{L}*|en retard|de retard|moratoires?|de demora|moratori\p{L}?|achterstallig\p{L}*|te late betaling|dröjsmål\p{L}*|opóźnieni\p{L}*|em mora|morarente)(?!\p{L})/iu;
/** What ends is a permit, a lease or a policy. */
const otherMaturity =
  /arriv\p{L}* à échéance|(?<!\p{L})(?:permits?|licen[cs]es?|leases?|polic(?:y|ies)|genehmigung\p{L}*|miet\p{L}*|versicherung\p{L}*|bail|baux|autorisation\p{L}*|arrêté|licencia|arrendamiento|póliza|vergunning\p{L}*|huur\p{L}*)(?!\p{L})/iu;

interface ValueReading {
  readonly first: readonly FoundTerm[];
  readonly candidates: readonly FoundTerm[];
}

const known = new WeakMap<Flow, ValueReading>();

/** One of each kind, except for prices, which differ by class. */
export function findValueTerms(flow: Flow): readonly FoundTerm[] {
  return valuesOf(flow).first;
}

/** Every amount and percentage that was read as a term, also where the document names the term before. */
export function findTermCandidates(flow: Flow): readonly FoundTerm[] {
  return valuesOf(flow).candidates;
}

function valuesOf(flow: Flow): ValueReading {
  const values = known.get(flow) ?? readValueTerms(flow);
  known.set(flow, values);
  return values;
}

function readValueTerms(flow: Flow): ValueReading {
  const found: FoundTerm[] = [];
  for (const sentence of flow.sentences) {
    if (isOfOther(sentence)) continue;
    const isBlank = ({ at, to }: { at: number; to: number }) =>
      blank.test(sentence.text.slice(Math.max(0, at - blankMax), to + blankMax));
    const end = sentence.text.search(comparison);
    const isHere = (each: { at: number; to: number }) =>
      (end === -1 || each.at < end) && !isBlank(each) && !isReplaced(sentence.text, each);
    const amounts = within(flow.amounts, sentence).filter(isHere);
    amounts.forEach(({ start, end, value, currency }, index) => {
      const term = moneyTermOf(sentence, amounts, index);
      const isDone = term === 'qualified-financing' && completedSale.test(sentence.text);
      if (term !== undefined && !isDone)
        found.push({ kind: 'money', term, value, ...(currency === undefined ? {} : { currency }), start, end });
    });
    const percents = sentence.isRow ? [] : within(flow.percents, sentence).filter(isHere);
    percents.forEach(({ start, end, value }, index) => {
      const term = termOf(rateCues, sentence, percents, index) ?? yearlyRate(sentence, percents[index]!.to);
      if (term === undefined || Number(value) > 100 || (term === 'interest' && isLate.test(sentence.text))) return;
      const isFactor = term === 'discount' && Number(value) > 50;
      found.push({ kind: 'rate', term, value: isFactor ? String(100 - Number(value)) : value, start, end });
    });
  }
  const agreed = flow.sentences.some(({ text }) => withoutDiscount.test(text))
    ? found.filter(({ term }) => term !== 'discount')
    : found;
  return { first: [...firstOfEach(agreed, flow), ...findPeriods(flow)], candidates: agreed };
}

function moneyTermOf(
  sentence: Sentence,
  amounts: readonly { readonly at: number; readonly to: number }[],
  index: number,
): MoneyTerm | undefined {
  const { text } = sentence;
  const defined = definedTerm.exec(text.slice(amounts[index]!.to, amounts[index]!.to + 80))?.[1];
  if (isCondition(text.slice(0, amounts[index]!.at))) return undefined;
  const term =
    (defined === undefined ? undefined : nearestTerm(moneyCues, defined, '')?.term) ??
    termOf(moneyCues, sentence, amounts, index, moneyLabels);
  if (term === 'investment' && partOf.test(text.slice(Math.max(0, amounts[0]!.to), amounts[index]!.at)))
    return undefined;
  // "Aggregate proceeds of $9.5m" are the round, unless they are a threshold.
  const isThreshold = threshold.test(`${sentence.label} ${text}`) || completedSale.test(text);
  return term === 'qualified-financing' && proceeds.test(text.slice(0, amounts[index]!.at)) && !isThreshold
    ? 'investment'
    : term;
}

/** "If the aggregate consideration is at least $9m": an amount of a condition, not an agreed one. */
function isCondition(before: string): boolean {
  return /(?<!\p{L})(?:consideration|price|kaufpreis|prix|precio|prezzo|prijs|koopsom)(?!\p{L})[^.;]{0,40}(?<!\p{L})(?:at least|not less than|mindestens|au moins|al menos|almeno|ten minste)\s$/iu.test(
    before.slice(-120),
  );
}

/** '… valuation of EUR 12m (the "Valuation Cap")'. */
const definedTerm =
  /^\s?\((?:(?:the|der|die|das|den|le|la|el|il|lo|de|het|o|a)\s|l[’'])?["“„«]\s?([^"”“»\n]{3,40}?)\s?["”“»]\)/iu;

/** "…, of which the lead will invest": a part of the amount before. */
const partOf =
  /(?<!\p{L})(?:of which|whereof|thereof|including|davon|wovon|dont|de l[oa]s cuales|waarvan|di cui|z czego|varav|dos quais)(?!\p{L})/iu;
const proceeds = /\b(?:total|aggregate|net|cash|gross) (?:gross )?proceeds\b/i;
const threshold =
  /\b(?:at least|not less|no less|minimum|or more|exceed\w*|qualif\w*|equity financing|financing event|conver\w*|public offering|sale of)\b/i;

/** "This Safe has no discount": a rate that another sentence mentions is that of another instrument. */
const withoutDiscount =
  /\b(?:has|have|carries|with|there is) no discount\b|\bwithout (?:a |any )?discount\b(?! rate of)|\bdiscount(?: rate)?: ?(?:none|n\/a|not applicable)\b|\b(?:ohne|kein(?:en)?) (?:wandlungs)?(?:abschlag|rabatt)\b|\b(?:sans|aucune) décote\b|\bsin descuento\b|\b(?:zonder|geen) korting\b/i;

/** "6.5 % p.a." without a dividend is interest. */
function yearlyRate({ text, label }: Sentence, to: number): RateTerm | undefined {
  const isYearly = /^[\s,]{0,3}(?:p\. ?a\b|per annum|per year|pro jahr|jährlich|par an|anual|per jaar)/i.test(
    text.slice(to, to + 20),
  );
  return isYearly && !/dividend/i.test(`${label} ${text}`) ? 'interest' : undefined;
}

/** A document states one amount of each kind; prices and percentages may differ by class. */
function firstOfEach(found: readonly FoundTerm[], flow: Flow): FoundTerm[] {
  const once = new Set<string>();
  const note = headNote(flow);
  return [...(note === undefined ? [] : [note]), ...found].filter(({ kind, term, value }) => {
    const key = term === 'price-per-share' ? `${kind} ${term} ${value}` : `${kind} ${term}`;
    if (once.has(key)) return false;
    once.add(key);
    return true;
  });
}

/** A note prints its principal above its text and repeats it in words. */
function headNote({ amounts, text }: Flow): FoundTerm | undefined {
  const [first] = amounts;
  if (first === undefined || first.start > 200 || !/\bpromis(?:es|e) to pay\b/i.test(text.slice(0, 4_000)))
    return undefined;
  const { start, end, value, currency } = first;
  return { kind: 'money', term: 'investment', value, ...(currency === undefined ? {} : { currency }), start, end };
}

const vesting =
  /\bquote\b[^.;]{0,40}\bmatura(?:no)?\b|\bacqui(?:ert|èrent)\b[^.;]{0,30}\bdéfinitive|\bacquises? définitive|\bvest(?:s|ing|ed)?\b|\bunverfallbar\S*|\bacquisition (?:progressive|des droits|des actions)|\bconsolid\S*|\bdevengo\b|\bonvoorwaardelijk/i;
const cliff = /\bcliff\b|\bwartefrist\b|\bcarence\b|\bcarencia\b/i;
/** "One-year cliff", "12 months' cliff". */
const cliffBehind = /^['’s]{0,2}[\s-]{1,2}(?!no\b)(?:\p{L}{2,12}[\s-])?(?:cliff|wartefrist|carence|carencia)/iu;
/** "Nothing vests before twelve months of service". */
const nothingBefore =
  /(?<!\p{L})(?:nothing|no shares?|none|rien|aucune action|nada|niets|nichts|keine anteile)(?!\p{L})[^.;]{0,30}(?:vest|acquis|unverfallbar|consolid)[^.;]{0,20}(?:before|until|avant|vor|antes de|voor)\s$/iu;
const exclusivity =
  /\bexclusiv(?:ity|e(?:ly)? negotiat\S*|ité|idad|iteit)|\bno[- ]?shop\b|\bexklusivität\S*|\bnot (?:directly or indirectly )?(?:to )?solicit\b|\bnégociations? exclusives?/i;
/** "Exclusivity of service and non-compete" binds the founders and not the negotiations. */
const otherExclusivity =
  /(?<!\p{L})(?:non[- ]?compet\p{L}*|non[- ]?concurrence|wettbewerb\p{L}*|no competencia|concurrentie\p{L}*|exclusivité de service|exclusive (?:service|licen[cs]e|distribut\p{L}*)|exklusive[nr]? (?:lizenz|vertrieb)\p{L}*)(?!\p{L})/iu;
const maturity =
  /\bscadenza(?=:)|\bscadenza del (?:prestito|finanziamento)|\bmaturit\S*|\bmatures?\b|\bfällig\S*|\blaufzeit|\brückzahlung(?:stag|sdatum)|échéance|\bvencimiento|\blooptijd|\bvervaldatum|\beinddatum|\brepayment date|\bterm of the (?:note|loan)/i;

function findPeriods(flow: Flow): FoundTerm[] {
  const found = new Map<PeriodTerm, FoundTerm>();
  const take = (term: PeriodTerm, { start, end }: Range, fields: Partial<FoundTerm>) => {
    if (!found.has(term)) found.set(term, { kind: 'period', term, start, end, ...fields });
  };
  for (const sentence of flow.sentences) {
    if (isElsewhere(sentence) || /\breplaces?\b|\bwas to\b/.test(sentence.text)) continue;
    const context = `${sentence.label} ${sentence.text}`;
    const durations = within(flow.durations, sentence).map((each) => ({
      ...each,
      before: sentence.text.slice(Math.max(0, each.at - 40), each.at),
      after: sentence.text.slice(each.to, each.to + 30),
    }));
    const lengthOf = ({ count, unit, business }: { count: string; unit: string; business: boolean }) => ({
      count,
      unit: business ? `business ${unit}` : unit,
    });
    const isCliff = ({ before, after }: { before: string; after: string }) =>
      cliffBehind.test(after) ||
      nothingBefore.test(before) ||
      (cliff.test(before) && !/\bno cliff/i.test(before) && !/[,;]/.test(before.split(cliff).at(-1)!));
    const isVesting = vesting.test(context);
    const cliffs = durations.filter(isCliff);
    if (cliffs[0] !== undefined) take('cliff', cliffs[0], lengthOf(cliffs[0]));
    else if (isVesting && /\bfirst anniversary\b/i.test(sentence.text))
      take('cliff', sentence, { count: '1', unit: 'year' });
    if (isVesting) {
      const counted = durations.filter(
        (each) =>
          !isCliff(each) &&
          !/\bcredit for|\bevery\b|\beach\b|\bwithin\b|\bafter\b[^,]{0,12}$/i.test(each.before) &&
          (each.unit === 'year' || each.unit === 'month'),
      );
      const longest = counted.reduce<(typeof counted)[number] | undefined>(
        (best, each) => (best === undefined || monthsOf(each) > monthsOf(best) ? each : best),
        undefined,
      );
      if (longest !== undefined && monthsOf(longest) >= 12) take('vesting', longest, lengthOf(longest));
    }
    if (exclusivity.test(context) && !otherExclusivity.test(sentence.text)) {
      const period = durations.find(
        ({ before }) => !/\bwithin\b|\binnerhalb\b|\bbinnen\b|\bdans les\b|\bnotice\b/i.test(before),
      );
      const [date] = within(flow.dates, sentence).filter(({ at }) =>
        /\b(?:until|through|to|by|bis(?: zum)?|jusqu[’']au|hasta(?: el)?|tot(?: en met)?|(?:end(?:s|ing|et)|expir\S*|läuft|vence|eindigt|loopt)(?: on| am| le| el| op)?)\s(?:and including )?$/i.test(
          sentence.text.slice(Math.max(0, at - 30), at),
        ),
      );
      if (period !== undefined || date !== undefined)
        take('exclusivity', period ?? date!, {
          ...(period === undefined ? {} : lengthOf(period)),
          ...(date === undefined ? {} : { date: date.iso }),
        });
    }
    if (maturity.test(context) && !otherMaturity.test(context)) {
      const dates = within(flow.dates, sentence).filter((each) => !isReplaced(sentence.text, each));
      const date =
        dates.length === 1
          ? dates[0]
          : dates.find(({ at, to }) => maturity.test(sentence.text.slice(Math.max(0, at - 70), to + 30)));
      const period = durations.find(({ unit }) => unit === 'year' || unit === 'month');
      if (date !== undefined)
        take('maturity', date, { date: date.iso, ...(period === undefined ? {} : lengthOf(period)) });
      else if (period !== undefined && !/\bdays? after maturity/i.test(context))
        take('maturity', period, lengthOf(period));
    }
  }
  return [...found.values()];
}

function monthsOf({ count, unit }: { readonly count: string; readonly unit: string }): number {
  return Number(count) * (unit === 'year' ? 12 : 1);
}
