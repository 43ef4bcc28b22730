/** Kinds of loss that a contract excludes, and matters that are excepted from its limits and exclusions of liability. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { relevant, type Statement, statementsOf } from './statements.ts';

export interface LiabilityExclusion extends Range {
  readonly effect: 'excluded loss' | 'carve-out';
  /** A code of the tables below: "indirect-loss", "fraud". */
  readonly matter: string;
}

/** Losses that contracts exclude. */
const losses: readonly (readonly [string, RegExp])[] = [
  [
    'indirect-loss',
    /\b(?<!direct or )(?:indirect|consequential|special|incidental|punitive|exemplary)\b(?! (?:categories|provision|terms?|conditions?))|\bmittelbare[nr]?\b|\bindirekte[nr]?\b|\bfolgeschäden|\bmangelfolgesch/i,
  ],
  [
    'lost-profits',
    /\b(?:loss(?:es)? of|lost|anticipated)(?: \w+){0,4},? (?:or )?profits?\b|\bloss of(?: [\w,]+){0,6} profits?\b|\bentgangene[nr]? gewinn/i,
  ],
  [
    'lost-revenue',
    /\b(?:loss(?:es)? of|lost)(?:[ ,]+(?:\w+)){0,6}? (?:revenues?|turnover|sales|business)\b|\bumsatz(?:ausfall|einbuße|verlust)|\bproduktionsausf/i,
  ],
  [
    'lost-data',
    /\b(?:loss(?:es)? (?:or corruption )?of|lost|corruption of)(?:[ ,]+\w+){0,8}? data\b|\bdatenverlust|\bverlust von daten/i,
  ],
  ['goodwill', /\bgoodwill\b/i],
];

/** Matters to which limits do not apply. */
const matters: readonly (readonly [string, RegExp])[] = [
  [
    'death-or-injury',
    /\bdeath\b|\b(?:personal|bodily) injury\b|\binjury to (?:life|body|health)|\blife, (?:body|limb)|\bleben(?:s)?, (?:des |der )?körper|\bkörperverletzung|\bleben, körper/i,
  ],
  ['fraud', /\bfraud(?:ulent)?\b|\bdeceit\b|\barglist/i],
  ['gross-negligence', /\bgross(?:ly)? negligen|\bgrobe[rn]? fahrlässig|\bgrob fahrlässig/i],
  [
    'wilful-misconduct',
    /\b(?:wil(?:l)?ful|intentional|deliberate) (?:\w+ ){0,3}(?:misconduct|default|act|breach|acts|wrongdoing)|\bintent\b|\bvors[äa]tz/i,
  ],
  ['confidentiality', /\bconfidential(?:ity| information)\b|\bvertraulichkeit|\bgeheimhaltung/i],
  ['data-protection', /\bdata protection\b|\bpersonal data\b|\bdata (?:breach|security)\b|\bprivacy\b|\bdatenschutz/i],
  ['indemnity', /\bindemni(?:ty|ties|fy|fication)\b|\bfreistellung/i],
  ['ip-infringement', /\binfring\w+|\bmisappropriation\b|\bintellectual property\b|\bschutzrecht/i],
  [
    'payment',
    /\b(?:obligation|duty|liability|failure|obligations) to pay\b|\bpayment (?:obligation|of (?:the )?(?:fees|charges|price|sums|rent))|\bpayment obligations\b|\b(?:pay|payment of) (?:the |any |its |undisputed |all )?(?:fees|charges|price|sums|invoices|amounts)\b|\b(?:fees|amounts|charges) (?:due|payable|owed)\b|\bzahlungspflicht/i,
  ],
  ['product-liability', /\bproduct liability\b|\bdefective products?\b|\bconsumer protection act\b|\bprodukthaftung/i],
  ['guarantee', /\bguarantees?\b|\bgarantie\b/i],
  [
    'mandatory-law',
    /\b(?:cannot|can not|may not|must not|can't) (?:\w+ ){0,4}(?:be )?(?:\w+ ){0,3}?(?:excluded|limited|restricted|waived)(?:[\w ,]{0,40}(?:law|statute))?|\bmandatory (?:\w+ ){0,2}law|\bnot permitted by (?:\w+ )?law|\bextent (?:prohibited|not permitted) by|\bzwingende[rnms]? |\bgesetzlich zwingend/i,
  ],
];

const liability =
  /\bliab|\bhaft(?:et|en|ung|ungs)|\blimits? (?:and|or|in|of|set)|\bexclusions?\b|\blimitations?\b|\bdo(?:es)? not apply\b|\bdamages\b|\bresponsib/i;
const carveOut =
  /\bnothing\b[^.;]{0,120}?\b(?:limits?|excludes?|restricts?|shall (?:\w+ ){0,3}(?:limit|exclude|restrict)|operates?|is intended)\b|\b(?:shall|do|does|will|is|are) not (?:\w+ )?(?:apply|limit|exclude|affect)|\bexcept\b|\bsave (?:for|that|in|as)\b|\bother than\b|\bneither party (?:excludes|limits)\b|\bdoes not (?:exclude|limit)\b|\bno (?:party|limitation)[^.;]{0,60}(?:excludes?|limits?|applies)\b|\bwithout limit|\bunlimited\b|\bunbe(?:schränkt|grenzt)|\bbleib(?:t|en) (?:hiervon |davon )?unberührt|\bnicht (?:für|bei|im fall)|\bgilt nicht\b|\bgelten nicht\b|\bausgenommen\b|\bes sei denn\b|\bnotwithstanding\b/i;
const excluding =
  /\b(?:not|nor|never|neither|no)\b[^.;]{0,140}?\b(?:liable|liability|responsible)\b|\bin no event\b|\bunder no circumstances\b|\bexclude[sd]?\b|\bdisclaim|\bausgeschlossen\b|\bhafte[nt] (?:\w+ ){0,4}nicht\b|\bkeine haftung\b|\bwaives?\b/i;

/** Each matter once per effect, where it first appears. */
export function findLiabilityExclusions(document: Document): LiabilityExclusion[] {
  const found = new Map<string, LiabilityExclusion>();
  const add = (statement: Statement, effect: LiabilityExclusion['effect'], matter: string) => {
    const key = `${effect} ${matter}`;
    if (!found.has(key)) found.set(key, { start: statement.start, end: statement.end, effect, matter });
  };
  for (const statement of relevant(document, liability)) {
    const { text, titles } = statement;
    const isAbout = /liab|haft|limitation of|risk/i.test(titles) || /\bliab|\bhaft(?:et|en|ung)/i.test(text);
    if (!isAbout || /\binsur(?:e|ance)\b.{0,40}\b(?:maintain|policy|cover)|\bversicherung\b/i.test(text)) continue;
    const exception = carvedPart(text);
    if (exception !== undefined) {
      const part = text.slice(exception.from, exception.to);
      for (const [matter, pattern] of matters) if (pattern.test(part)) add(statement, 'carve-out', matter);
      for (const matter of mattersOfReferences(document, part)) add(statement, 'carve-out', matter);
    }
    const rest = exception === undefined ? text : `${text.slice(0, exception.from)} ${text.slice(exception.to)}`;
    const isException = exception?.isWhole === true;
    if (isException || !(excluding.test(rest) || (statement.own > 0 && excluding.test(text)))) continue;
    if (!/\bliab|\bhaft|\bdamages?\b|\bresponsib|\bloss/i.test(text)) continue;
    for (const [matter, pattern] of losses) if (pattern.test(rest)) add(statement, 'excluded loss', matter);
  }
  return [...found.values()];
}

interface Part {
  readonly from: number;
  readonly to: number;
  /** The whole statement carves out. */
  readonly isWhole: boolean;
}

/**
 * What a statement excepts from its limit: all of "Nothing limits …", or the exception in "Except for …, neither party is
 * liable".
 */
function carvedPart(text: string): Part | undefined {
  const match = carveOut.exec(text);
  if (match === null) return undefined;
  const isPartial = /^(?:except|save|other than|notwithstanding|ausgenommen|es sei denn)/i.test(match[0]);
  if (!isPartial)
    return {
      from: 0,
      to: text.length,
      isWhole: !/\bliable for\b/i.test(text) || /nothing|unlimited|without limit|unbe|apply/i.test(match[0]),
    };
  const from = match.index;
  // The exception ends at the subject of the main clause if it precedes it, else at the end of the sentence.
  const rest = text.slice(from);
  const main =
    /,? (?:neither|in no event|no party|under no|the (?:total|aggregate|maximum)|each|either|[\p{Lu}][\p{L}]+(?:'s)? (?:shall|will|is|total|aggregate|liability))\b/iu.exec(
      rest,
    );
  const isLeading = from < 40 || /^[\d.() a-z]{0,10}$/i.test(text.slice(0, from));
  const to = isLeading && main !== null ? from + main.index : text.length;
  return { from, to, isWhole: false };
}

const byTitle: readonly (readonly [string, RegExp])[] = [
  ['confidentiality', /confidential|non-disclosure|vertraulich|geheimhaltung/i],
  ['indemnity', /indemn|freistellung|hold harmless/i],
  ['data-protection', /data protection|privacy|data processing|datenschutz/i],
  ['payment', /^(?:fees|payment|charges)|zahlung|vergütung/i],
  ['ip-infringement', /infring/i],
];

/** "Except for Sections 7 and 9" excepts the subjects of those sections. */
function mattersOfReferences(document: Document, part: string): string[] {
  const found: string[] = [];
  for (const match of part.matchAll(
    /\b(?:clauses?|sections?|articles?|§§?|ziffern?)\s(\d{1,2}(?:\.\d{1,2})?(?:(?:, | and | or |, and | und | bis | to )\d{1,2}(?:\.\d{1,2})?){0,8})/gi,
  )) {
    for (const [number] of match[1]!.matchAll(/\d{1,2}(?:\.\d{1,2})?/g)) {
      const title = document.sections.find((section) => section.number === number && section.title !== '')?.title ?? '';
      found.push(...byTitle.filter(([, pattern]) => pattern.test(title)).map(([matter]) => matter));
    }
    if (found.length >= 10) break;
  }
  return found;
}

/** Whether the document mentions liability. */
export function speaksOfLiability(document: Document): boolean {
  return statementsOf(document).some(({ text }) => /\bliab|\bhaft(?:et|ung)/i.test(text));
}
