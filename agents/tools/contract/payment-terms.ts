/** Payment due dates and the consequences of late payment. */
import type { Document } from '../../document/document.ts';
import type { FoundDuration } from '../text/durations.ts';
import type { Range } from '../text/span.ts';
import { durationsIn, type Placed, placedIn, relevant, type Statement } from './statements.ts';

export type RateBase = 'fixed' | 'bank-of-england' | 'german-base-rate' | 'prime' | 'contract-rate';

export type PaymentTerm = Range &
  (
    | { readonly kind: 'due' /** ISO 8601. */; readonly within: string; readonly businessDays: boolean }
    | {
        readonly kind: 'late interest';
        readonly percent: string;
        readonly per:
          | 'month'
          | 'year' /** The reference rate to which the margin is added; undefined if it is another rate. */;
        readonly base?: RateBase;
      }
  );

/** More are not looked for. */
const termsMax = 100;

/** Ordered by position in the text. */
export function findPaymentTerms(document: Document): PaymentTerm[] {
  const found: PaymentTerm[] = [];
  const add = (term: PaymentTerm) => {
    const isKnown = found.some((other) =>
      term.kind === 'due'
        ? other.kind === 'due' && other.within === term.within && other.businessDays === term.businessDays
        : other.kind === 'late interest' && other.percent === term.percent && other.base === term.base,
    );
    if (!isKnown && found.length < termsMax) found.push(term);
  };
  const payment =
    /\bpa(?:y|id|yable|yment|yments|ys)\b|\bdue\b|\binvoice|\bnet \d|\bsettle|\bremit|paiement|factures?\b|facturas?\b|abonar|pagar|\brepa(?:y|id)\b|zahl|fällig|rechnung|überweis|beglichen/i;
  for (const statement of relevant(document, payment)) for (const due of dueIn(document, statement)) add(due);
  for (const statement of relevant(
    document,
    /interest|zinsen|verzinst|late (?:fee|charge|payment)|zinssatz|past[- ]due|overdue|arrears|pénalités|intérêts|intereses/i,
  )) {
    for (const late of lateInterestIn(document, statement)) add(late);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Words that exclude a duration from the payment terms. */
const otherwise =
  /\b(?:not (?:been )?paid|unpaid|overdue|fails? to (?:\w+ )?pay|failure to pay|in arrears|default|more than|(?<!\b(?:no|not) )later? than|disput\w*|object|discount|skonto|(?:deliver|furnish|submit|file|report)\w*\b(?![^.;,]{0,40}\bpayments?\b)|abzug von|suspend|terminat\w*|notice|deliver\w* within|reject|submit\w*|einwendung\w*|beanstand\w*|mahnung|verzug)\b[^.;,]{0,60}$/i;
const dueBefore =
  /\b(?:settles?|fall(?:s)? due|honou?rs?|remits?|à régler|payables?|réglées?|abonar\p{L}*|pagar\p{L}*|pay|pays|paid|payable|payment|payments|due|settle[sd]?|net|repay|repaid|zahlbar|fällig|zahlungsziel|zahlungsfrist|zu zahlen|zahlung|zahlt|zahlungen|payment terms?)(?!\p{L})[^.;]{0,130}$/iu;
const dueAfter =
  /^[)\]'s]{0,3}[^.;]{0,110}\b(?:zu zahlen|zahlbar|fällig|zu begleichen|beglichen|zu überweisen|ohne abzug)/i;
const withinBefore =
  /\b(?:within|net|not? later than|in|after|of|terms?|by|binnen|innerhalb(?: von)?|spätestens|von|(?:no|not) later than|plazo de|à|sous|:)[ |(]{0,2}(?:a period of |the |max(?:imum)? |einer frist von )?$|\|$|\bnet $/i;
const eventAfter =
  /^[)\]']{0,2}(?: \w+)? ?(?:of|from|after|following|upon|net|nach|ab|netto|end of month|date de|desde|à compter|fin de mois)\b|^[)\]']{0,2} to pay\b/i;

function dueIn(document: Document, statement: Statement): PaymentTerm[] {
  const { text } = statement;
  const terms: PaymentTerm[] = [];
  const net = /\bnet[ -]?(?:\()?(\d{1,3})(?:\))?(?! ?(?:days|%|[.,]\d))\b/i.exec(text);
  if (net !== null && /\bpa(?:y|id)|invoice|terms/i.test(text)) {
    const at = statement.sourceAt(net.index);
    terms.push({ start: at, end: at + net[0].length, kind: 'due', within: `P${Number(net[1])}D`, businessDays: false });
  }
  for (const duration of durationsIn(document, statement)) {
    if (/dispute|arbitrat|liability/i.test(statement.titles) || !isDue(text, duration)) continue;
    const { start, end, iso, business } = duration;
    terms.push({ start, end, kind: 'due', within: iso, businessDays: business });
  }
  return terms;
}

/** "Or, where item 11 is blank, within 14 days": a form that is filled in does not need it. */
const ifBlank =
  /\b(?:where|if|when|wenn|falls|sofern|si|indien)\b[^.;]{0,40}\b(?:blank|left open|not (?:completed|filled in|specified|stated)|leer|nicht ausgefüllt|en blanco|en blanc|oningevuld)\b[^.;]{0,24}$/i;

function isDue(text: string, { at, until, unit }: Placed<FoundDuration>): boolean {
  if (unit === 'year' || unit === 'hour' || unit === 'minute') return false;
  if (/\bliab|\bhaftung|\bmediat|\barbitrat/i.test(text)) return false;
  // Money that is returned is not a payment term.
  if (
    /\b(?:deposit|refund(?:s|ed)?|kaution|reimburse[sd]? the deposit|credit(?:s|ed)?)\b/i.test(text) &&
    !/\binvoice/i.test(text)
  )
    return false;
  if (isEnding(text) || ofFormer.test(text.slice(Math.max(0, at - 160), at))) return false;
  if (/\bevents? of default\b|\bfail(?:s|ed|ure)? to (?:\w+ )?pay\b[^.;]{0,110}$/i.test(text.slice(0, at)))
    return false;
  const before = text.slice(Math.max(0, at - 160), at);
  const after = text.slice(until, until + 120);
  if (
    otherwise.test(before.slice(-90)) ||
    ifBlank.test(before) ||
    /^[)\]']{0,2} (?:\w+ )?(?:overdue|late|in arrears|after becoming|of (?:its|the) due|notice|prior|before|vor|preceding)\b/i.test(
      after,
    ) ||
    /^['’]s? ?(?:\w+ )?notice/i.test(after)
  )
    return false;
  if (/\b(?:skonto|discount)\b/i.test(after.slice(0, 60)) || /\bbei zahlung\b[^.;]{0,30}$/i.test(before)) return false;
  if (/\((?:payment|fees|invoic)[^)]{0,30}\)[^;]*\breplaced (?:by|with)\b[^;]{0,12}$/i.test(before)) return true;
  const isIntroduced =
    withinBefore.test(before) ||
    (/\bwithin (?:\w+ ){0,2}$/i.test(before) && true) ||
    /^[)\]']{0,2}(?: from| after| of| net| nach| ab)\b[^.;]{0,30}(?:invoice|receipt|receiving|demand|date|rechnung|zugang|erhalt|lieferung)/i.test(
      after,
    ) ||
    /^[)\]']{0,2} (?:end of (?:the )?month|to pay|date de facture|fin de mois)\b/i.test(after);
  if (!isIntroduced) return false;
  return (
    dueBefore.test(before) ||
    dueAfter.test(after) ||
    (/\binvoices?\b|\brechnung/i.test(before) && eventAfter.test(after) && /\bpay|\bdue|zahl/i.test(text)) ||
    /^[^|]{0,60}\b(?:payment|zahlung\w*|invoice)[^|]{0,30}[|:]/i.test(text)
  );
}

/** "The former tenant paid rent within thirty days". */
const ofFormer =
  /\b(?:former|previous|earlier|predecessor|bisherige[nr]?|frühere[nr]?|vorherige[nr]?|anterior|precedente|vorige|poprzedni|tidigare) (?:\w+ )?(?:tenant|lessee|occupier|customer|client|supplier|provider|licensee|distributor|lease|contract|agreement|vertrag|mieter|kunde|locataire|preneur|inquilino|arrendatario|conduttore|huurder|najemca|hyresgäst)\b[^.;]{0,140}$/i;

/** The time to pay after a default notice belongs to the right to terminate. */
function isEnding(text: string): boolean {
  return (
    /\bnon-?payment\b[^.;]{0,160}\bterminat/i.test(text) ||
    (/\b(?:may|can|kann|entitled to)\b[^.;]{0,60}\b(?:terminate|cancel|kündigen|suspend|end this)\b/i.test(text) &&
      /\b(?:if|where|when|wenn|falls)\b/i.test(text))
  );
}

const late =
  /\b(?:late|overdue|unpaid|non-?payment|default|delay\w*|arrears|past due|outstanding|not (?:been )?paid|due date|after (?:the )?due|verzug\w*|verspätet\w*|rückst|retard|mora\b|demora)/i;
const points =
  /\b(\d{1,2}(?:[.,]\d{1,3})?|one|two|three|four|five|six|seven|eight|nine|ten|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)(?: \(\d{1,2}(?:\.\d+)?\))? (?:percentage points?|prozentpunkte?n?)/i;
const numbers: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  ein: '1',
  zwei: '2',
  drei: '3',
  vier: '4',
  fünf: '5',
  sechs: '6',
  sieben: '7',
  acht: '8',
  neun: '9',
  zehn: '10',
};

function lateInterestIn(document: Document, statement: Statement): PaymentTerm[] {
  const { text, titles } = statement;
  const isLate = late.test(text) || /late|default interest|verzug/i.test(titles) || isDefinedRate(document, text);
  if (!isLate || /\bno interest\b|\bwithout interest\b|\bunverzinslich\b|\bnot bear interest\b/i.test(text)) return [];
  const interest =
    /interest|zinsen|verzins|zinssatz|late (?:fee|charge|payment)|past[- ]due|overdue|arrears|pénalités|intérêts|intereses/i.exec(
      text,
    )!.index;
  const rate = rateIn(document, statement, interest);
  if (rate === undefined) return [];
  const around = text.slice(Math.max(0, rate.at - 100), rate.until + 220);
  // "A late charge of 5 %" once is not a rate of interest.
  const isInterest = /interest|zinsen|verzins|zinssatz|pénalités|intérêts|intereses/i.test(text);
  if (
    !isInterest &&
    !/\b(?:per|a|each|every|annual|monthly)\b[^.;]{0,12}(?:month|year|annum|annual|monthly)?/i.test(
      text.slice(rate.until, rate.until + 40),
    )
  )
    return [];
  const per = /\b(?:per|a|each|every|pro|je) (?:calendar )?(?:month|monat)|\bmonthly\b|\bmonatlich\b|\/ ?month/i.test(
    around,
  )
    ? 'month'
    : 'year';
  const base = baseIn(around);
  return [
    {
      start: rate.start,
      end: rate.end,
      kind: 'late interest',
      percent: rate.percent,
      per,
      ...(base === undefined ? {} : { base }),
    },
  ];
}

/** "Interest Rate" as a definition that a clause on late payment uses, or a default rate by its name. */
function isDefinedRate(document: Document, text: string): boolean {
  const term =
    /^(?:[\d.]+ )?["“„]?((?:Default |Late |Agreed )?(?:Interest )?Rate|Default Interest|Default Rate)["”“]? (?:means|is)\b/i.exec(
      text,
    );
  if (term === null) return false;
  if (/default|late/i.test(term[1]!)) return true;
  return relevant(document, /interest at the (?:interest )?rate|at the interest rate|default rate/i, 20).some((other) =>
    late.test(other.text),
  );
}

function rateIn(document: Document, statement: Statement, interest: number) {
  const { text } = statement;
  const percents = placedIn(document.percents, statement).filter(({ at, until }) => {
    const near = text.slice(Math.max(0, at - 90), until + 60);
    return (
      !/\b(?:discount|skonto|vat|tax|umsatzsteuer|increase|per cent of the (?:fee|price))\b/i.test(near) ||
      /interest|zins/i.test(near)
    );
  });
  const nearest = percents.sort((a, b) => Math.abs(a.at - interest) - Math.abs(b.at - interest))[0];
  const match = points.exec(text);
  if (match !== null && (nearest === undefined || Math.abs(match.index - interest) < 200)) {
    const start = statement.sourceAt(match.index);
    const percent = numbers[match[1]!.toLowerCase()] ?? match[1]!.replace(',', '.');
    return {
      start,
      end: statement.sourceAt(match.index + match[0].length - 1) + 1,
      at: match.index,
      until: match.index + match[0].length,
      percent,
    };
  }
  return nearest === undefined
    ? undefined
    : { start: nearest.start, end: nearest.end, at: nearest.at, until: nearest.until, percent: nearest.value };
}

function baseIn(around: string): RateBase | undefined {
  if (
    /bank of england|\b(?:barclays|lloyds|hsbc|natwest)\b[^.]{0,40}\bbase|\bbase (?:lending )?rate\b[^.]{0,80}\bbank\b/i.test(
      around,
    )
  )
    return 'bank-of-england';
  if (
    /basiszins|§ ?247|§ ?288|german (?:civil code|base)|base rate[^.]{0,60}(?:BGB|bundesbank|ECB|European Central)/i.test(
      around,
    )
  )
    return 'german-base-rate';
  if (/\bprime\b/i.test(around)) return 'prime';
  if (
    /\babove (?:the )?(?:otherwise )?(?:applicable |contract(?:ual)? |normal |agreed )?(?:rate of interest|interest rate|rate (?:otherwise )?(?:applicable|payable)|interest otherwise|contract rate|rate)\b|\bplus the (?:contract|interest) rate|\bin addition to the (?:\w+ )?(?:interest )?rate|\bover the (?:interest|contract) rate|\büber dem (?:vertragszins|vereinbarten)/i.test(
      around,
    )
  )
    return 'contract-rate';
  if (/\b(?:ECB|European Central Bank|federal funds)\b/i.test(around)) return undefined;
  if (/\babove (?:the )?(?:\w+ ){0,3}base rate\b|\bover (?:\w+ ){0,3}base rate\b/i.test(around))
    return 'bank-of-england';
  return /\b(?:above|over|plus|über)\b[^.;]{0,60}\b(?:rate|libor|sonia|sofr|euribor|zinssatz)\b/i.test(around)
    ? undefined
    : 'fixed';
}
