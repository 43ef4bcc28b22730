/** Finds the duration and the renewal of a contract: one result for the whole contract. */
import type { Document } from '../../document/document.ts';
import type { FoundDuration } from '../text/durations.ts';
import type { Range } from '../text/span.ts';
import type { ContractDate } from './contract-dates.ts';
import { durationsIn, type Placed, relevant, type Statement } from './statements.ts';

export interface ContractTerm extends Range {
  /** ISO 8601: the first fixed term. */
  readonly length?: string;
  readonly ending?: 'fixed' | 'indefinite';
  readonly renewal?: 'automatic' | 'option' | 'none';
  /** ISO 8601: of one renewal. */
  readonly renewalLength?: string;
  /** ISO 8601: notice before an automatic renewal, or to exercise an option. */
  readonly notice?: string;
}

const topic =
  /\bterm\b|duration|laufzeit|vertragsdauer|mietzeit|\bdauer\b|commence|renew|continu|extend|expir|verläng|in force|indefinite|unbestimmte|runs? (?:for|from|until)|\bends\b|läuft|years? from|tenancy|subscription|contract value|maturity|repay|\blasts?\b|prolong|\broll|evergreen|\bvalid\b|in effect|anniversary|durée|conclu|reconduction|duración|prorrog|durata|looptijd|vigencia|\bendet\b|abgeschlossen\b/i;
const automatic =
  /\bevergreen\b|^\W*renewal\b ?[:|] ?(?:yes, )?automatic|\brolls? over\b|\brolling (?:basis|term)|\btacite reconduction\b|\breconduit\w* tacitement\b|\btacitement (?:reconduit|renouvel)|\brenouvel\w+ tacitement\b|\btácita reconducción\b|\bprorrog\w+ (?:automática|tácita)mente|\bautomáticamente\b[^.;]{0,60}(?:prorrog|renov)|\btacito rinnovo\b|\bautomaticamente\b|\bstilzwijgend|\b(?:extended|renewed|prolonged)\b[^.;]{0,80}\bif (?:neither|no) (?:party|side)\b|\b(?:automatic(?:ally)?|tacit(?:ly)?)\b[^.;]{0,60}\b(?:renew|exten|prolong)|\b(?:renews?|extends?|extended|renewed|prolonged)\b[^.;]{0,40}\bautomatically\b|\bauto-?renew|\b(?:renews?|shall (?:be )?(?:renewed?|extended?)|will (?:be )?(?:renewed?|extended?)|extends?)\b[^;]{0,200}\bunless\b[^;]{0,80}\b(?:notice|notif|party|gives|terminat)|\bverlänger\w*\b[^.;]{0,160}\b(?:wenn|sofern|falls|soweit|es sei denn)\b|\bstillschweigend|\bautomatisch\b[^.;]{0,60}\bverläng|\bverlängert sich\b/i;
const option =
  /\boption to (?:renew|extend|prolong)|\bunless (?:both|all|the parties|the two|we both)\b[^.;]{0,30}\bagree|\bunless (?:the parties|both (?:parties|of us))?[^.;]{0,20}(?:renew|extend|prolong)\b[^.;]{0,40}\bagreement|\b(?:may|entitled to|right to|elect to)\b[^.;]{0,60}\b(?:renew|extend|prolong)(?:ed)?\b|\bmay (?:ask|request)\b[^.;]{0,110}\bto (?:renew|extend|prolong)\b|\bunless the parties agree\b[^.;]{0,60}\b(?:extend|renew)|\b(?:renewed|extended|renewal|extension)\b[^.;]{0,80}\b(?:only )?(?:by|upon|with|subject to) (?:\w+ ){0,3}(?:written |mutual )?(?:agreement|consent)|\bkann\b[^.;]{0,60}\bverlängerung\b[^.;]{0,40}\bverlangen\b|\bverlängerungsoption|\boption zur verlängerung|\beinvernehmlich\b[^.;]{0,60}verläng/i;
const none =
  /\brenewal\)?[^.;]{0,20}\bis deleted\b|\bno (?:further |option to )?(?:renew|automatic (?:renewal|extension)|right (?:to|of) renew|extension)|\bnot (?:\w+ )?(?:be )?(?:automatically )?(?:renew|extend)|\brenewal\|? ?(?:none|no|n\/a)\b|\b(?:no|without) renewal\b|\bends automatically\b|\bshall not (?:automatically )?renew|\bexpires? automatically\b|verlängerung\)?[^.;]{0,40}\bausgeschlossen\b|\bkeine (?:automatische )?verlängerung|\bohne dass es einer kündigung bedarf|\bendet automatisch/i;
const indefinite =
  /\bindefinite(?:ly)?\b|\bdurée indéterminée\b|\btiempo indefinido\b|\bonbepaalde (?:tijd|duur)\b|\bfrom month to month until\b|\bfor as long as\b|\bunbestimmte zeit\b|\bunbefristet|\buntil (?:it is )?(?:terminated|cancelled)\b|\buntil terminat|\bunless (?:and until )?(?:it is )?terminated\b|\bunlimited (?:term|duration|period)\b|\bno fixed term\b|\bcontinues? (?:in force )?until (?:either|one|a) party/i;
const aside =
  /\b(?:warrant\w*|confidential\w*|solicit|compet(?:e|es|ing)|insur\w+|retain|retention|records?|limitation period|statute|guarantee|gewährleistung|verjähr\w*|geheimhaltung|vertraulich\w*|force majeure|breach|invoice|pay|audit|contract year\w*|rent review|deliver\w*|obligations? (?:of|under))\b/i;

/** @returns undefined if the contract does not state its term */
export function findTerm(document: Document, dates: readonly ContractDate[]): ContractTerm | undefined {
  const all = relevant(document, topic).filter(({ text }) => !/\bcounterparts\b/i.test(text));
  const found: { place?: Range } & Mutable = {};
  const at = (statement: Statement) => (found.place ??= { start: statement.start, end: statement.end });
  for (const statement of all) readLength(document, statement, found, at);
  const expiry = dates.find(({ role }) => role === 'end');
  for (const statement of all) readRenewal(document, statement, found, at);
  if (found.ending === undefined) {
    const open = all.find(({ text, titles }) => indefinite.test(text) && !aside.test(text) && isOwn(text, titles));
    if (open !== undefined && found.length === undefined && expiry === undefined) {
      found.ending = 'indefinite';
      at(open);
    }
  }
  if (found.length !== undefined || expiry !== undefined) found.ending = 'fixed';
  if (expiry !== undefined) found.place ??= { start: expiry.start, end: expiry.end };
  if (
    found.ending === 'fixed' &&
    found.renewal === undefined &&
    (expiry !== undefined ||
      /\bends\b|\bexpires?\b|\bendet\b/i.test(
        all
          .map(({ text }) => text.slice(0, 300))
          .join(' ')
          .slice(0, 20_000),
      ))
  )
    found.renewal = 'none';
  const { place, ...fields } = found;
  return place === undefined ? undefined : { ...place, ...fields };
}

type Mutable = { -readonly [Field in keyof Omit<ContractTerm, keyof Range>]?: NonNullable<ContractTerm[Field]> };

function isOwn(text: string, titles: string): boolean {
  return (
    /\b(?:this (?:\w+ ){0,3}(?:agreement|contract|lease|annex|order|licen[cs]e|sow|deed|addendum)|the (?:\w+ )?(?:agreement|contract|terms?|lease|subscription|licen[cs]e|tenancy|engagement|appointment)|it|vertrag\w*|laufzeit|mietverh[\wä]+|vereinbarung|initial term|term|subscription period|rental period|contrat|contrato|work|assignment|project)\b/i.test(
      text,
    ) || /\bterm\b|duration|laufzeit|dauer/i.test(titles)
  );
}

const lengthBefore =
  /\b(?:(?:initial |fixed |minimum |first )?(?:term|period|duration|subscription|minimum term|mindestlaufzeit|laufzeit|dauer)(?: \w+){0,3}(?: of| is| for| lasts| beträgt| von)?|for|lasts?|valid for|runs? for|continues? for|remains? in (?:force|effect) for|für|von|auf|durée (?:initiale )?de|duración de|is)[ :|("“]{1,4}(?:a |an |the |initial |fixed |minimum |period of |term of |einer? |die dauer von |further )*(?:")?$/i;

function readLength(
  document: Document,
  statement: Statement,
  found: Mutable,
  at: (statement: Statement) => unknown,
): void {
  if (found.length !== undefined) return;
  const { text, titles } = statement;
  const years =
    /\b(?:total contract value|contract term|term|laufzeit) \((\d{1,2}|one|two|three|four|five) (years?|months?|jahre|monate)\)/i.exec(
      text,
    );
  const counted = years === null ? undefined : durationsIn(document, statement)[0];
  if (counted !== undefined) {
    found.length = counted.iso;
    at(statement);
    return;
  }
  const anniversary =
    /\b(?:expires?|ends?|until|terminates?|continues? (?:to|until))\b[^.;]{0,30}\b(first|second|third|fourth|fifth|tenth) anniversary\b/i.exec(
      text,
    );
  if (anniversary !== null && isOwn(text, titles)) {
    found.length = `P${ordinals[anniversary[1]!.toLowerCase()]}Y`;
    at(statement);
    return;
  }
  const isTermLabel =
    /^(?:[\w.]{1,6} )?(?:initial |subscription |contract |minimum |rental |hire |licen[cs]e |service )?(?:term|duration|laufzeit|vertragslaufzeit|vertragsdauer|mietzeit|mindestlaufzeit|period|durée|duración)\b ?[|:]/i.test(
      text,
    );
  if (!isOwn(text, titles) && !isTermLabel) return;
  for (const duration of durationsIn(document, statement)) {
    if (duration.unit === 'day' || duration.unit === 'hour' || duration.unit === 'minute') continue;
    const before = text.slice(Math.max(0, duration.at - 90), duration.at);
    const after = text.slice(duration.until, duration.until + 40);
    if (
      /^['’)]{0,2}s?['’]? ?(?:\w+ )?(?:notice|prior|before|vor\b|after|nach|danach|thereafter)/i.test(after) ||
      /\b(?:successive|further|additional|renew\w*|extend\w*|verläng\w*|notice of|frist von|each|preceding|within|jeweils|um)\b[^.;]{0,40}$/i.test(
        before,
      )
    )
      continue;
    const isFrom = /^ (?:from|commencing|beginning|starting|ab)\b/i.test(after);
    if (!isTermLabel && !isFrom && !lengthBefore.test(before)) continue;
    if (
      aside.test(text.slice(Math.max(0, duration.at - 140), duration.until + 30)) &&
      !/\b(?:this agreement|term of this|initial term|vertrag (?:hat|läuft|wird))\b/i.test(text)
    )
      continue;
    found.length = duration.iso;
    at(statement);
    return;
  }
}

const ordinals: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5, tenth: 10 };

function readRenewal(
  document: Document,
  statement: Statement,
  found: Mutable,
  at: (statement: Statement) => unknown,
): void {
  const { text, titles } = statement;
  if (
    !/renew|exten|prolong|verläng|\bends\b|expire|endet|stillschweigend|\brolls? over|evergreen|reconduction|prorrog|renouvel|rinnov/i.test(
      text,
    ) &&
    !/renew/i.test(titles)
  )
    return;
  if (/\b(?:order form of|pilot|certificate|insurance|trade ?marks?|patent|payment (?:date|term)s?)\b/i.test(text))
    return;
  const kind =
    none.test(text) && !/\bunless (?:the parties|both|all|we)[^.;]{0,40}agree/i.test(text)
      ? 'none'
      : automatic.test(text) && !/\bunless the parties (?:\w+ )?agree\b|\bunless (?:renewed|extended) by\b/i.test(text)
        ? 'automatic'
        : option.test(text)
          ? 'option'
          : undefined;
  if (
    kind === undefined ||
    (found.renewal !== undefined &&
      (kind === 'none' || found.renewal === 'automatic' || (kind === 'option' && found.renewal === 'option')))
  )
    return;
  found.renewal = kind;
  at(statement);
  if (kind === 'none') return;
  const from = /renew|exten|prolong|verläng|\brolls? over|reconduction|renouvel|prorrog/i.exec(text)?.index ?? 0;
  const durations = durationsIn(document, statement);
  const notice = durations.find((duration) => isNotice(text, duration)) ?? noticeBehind(document, statement, kind);
  const length =
    durations.find(
      (duration) => duration !== notice && duration.at >= from && !isNotice(text, duration) && duration.unit !== 'day',
    ) ?? durations.find((duration) => duration !== notice && duration.at >= from && !isNotice(text, duration));
  if (length !== undefined) found.renewalLength = length.iso;
  else if (renewsByYear.test(text)) found.renewalLength = 'P1Y';
  else if (/\b(?:month to month|monthly basis|another month|a further month|einen weiteren monat)\b/i.test(text))
    found.renewalLength = 'P1M';
  if (notice !== undefined) found.notice = notice.iso;
}

/** Periods without a number. */
const renewsByYear =
  /\b(?:annually|year to year|yearly|each year|one-year|(?:a|one) (?:further|additional|more|new|successive) year|another year|(?:ein|jeweils ein) weiteres jahr|d['’]année en année|d['’]un an|un año)\b/i;

/** In the next sentence: "Either party may object by 60 days' notice." */
function noticeBehind(document: Document, statement: Statement, kind: string): Placed<FoundDuration> | undefined {
  const all = relevant(document, /notice|kündig|widersp|auszuüben|ausgeübt/i);
  const next = all.find(({ start }) => start >= statement.end && start - statement.end < 40);
  if (next === undefined || kind === 'none' || !/renew|exten|then-current|end of|ablauf|option/i.test(next.text))
    return undefined;
  return durationsIn(document, next).find((duration) => isNotice(next.text, duration));
}

function isNotice(text: string, { at, until }: Placed<FoundDuration>): boolean {
  return (
    /\b(?:notice|prior|before|advance|frist von|least|less than|mindestens|spätestens|later than|fewer than|préavis de|preaviso de)\b[\s\w(-]{0,24}$/i.test(
      text.slice(Math.max(0, at - 40), at),
    ) ||
    /^['’)]{0,3}s?['’]? ?(?:of )?(?:(?!by\b|upon\b)\w+ ){0,2}(?:notice|prior|before|in advance|vor|zum (?:ende|ablauf)|avant|antes|prima)\b/i.test(
      text.slice(until, until + 60),
    )
  );
}
