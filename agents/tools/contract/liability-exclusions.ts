/** Kinds of loss that a contract excludes, and matters that are excepted from its limits and exclusions of liability. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { liabilityWords, listedLosses, losses, lossList, lossListEnd, matters } from './liability-words.ts';
import { type Statement, statementsOf } from './statements.ts';

export interface LiabilityExclusion extends Range {
  readonly effect: 'excluded loss' | 'carve-out';
  /** A code of the tables below: "indirect-loss", "fraud". */
  readonly matter: string;
}

const topic =
  /\bliab|\bhaft(?:et|en|ung|ungs)|\bgehaftet\b|\b(?:gilt|gelten) nicht\b|\blimits?\b|\bcaps?\b|\bceilings?\b|\bexclusions?\b|\blimitations?\b|\bdo(?:es)? not apply\b|\bdamages\b|\bresponsib|\bcompensat|\bresponsab|\bresponder|\blimites\b|\blímites\b/i;
const carveOut =
  /\bnothing\b[^.;]{0,120}?\b(?:limits?|excludes?|restricts?|shields?|protects?|shall (?:\w+ ){0,3}(?:limit|exclude|restrict)|operates?|is intended)\b|\b(?:shall|do|does|will|is|are) not (?:\w+ )?(?:apply|limit|exclude|affect|capped|limited)|\bexcept\b|\bsave (?:for|that|in|as)\b|\bother than\b|\bneither (?:party|side|of us) (?:excludes|limits)\b|\bdoes not (?:exclude|limit)\b|\bno (?:party|limitation|limit|cap)[^.;]{0,60}(?:excludes?|limits?|applies)\b|\bwithout limit|\bunlimited\b|\bunaffected\b|\bohne (?:höchstgrenze|begrenzung|beschränkung)|\bunbe(?:schränkt|grenzt)|\bbleib(?:t|en) (?:hiervon |davon )?unberührt|\bnicht (?:für|bei|im fall)|\bgilt nicht\b|\bgelten nicht\b|\bausgenommen\b|\bes sei denn\b|\bnotwithstanding\b|\bne s['’]appliquent? pas\b|\bsauf\b|\bsalvo\b|\bno se aplica/i;
const excluding =
  /\b(?:not|nor|never|neither|no|none)\b[^.;]{0,140}?\b(?:liable|liability|responsible|responsibility|compensate|answerable)\b|\bin no event\b|\bunder no circumstances\b|\bexclude[sd]?\b|\bdisclaim|\bausgeschlossen\b|\bhafte[nt] (?:\w+ ){0,4}nicht\b|\bnicht gehaftet\b|\bkeine haftung\b|\bhaftung\b[^.;]{0,120}\bbesteht nicht\b|\bwaives?\b|\bne (?:sera|seront|saurait|peut|pourra)\b[^.;]{0,60}\b(?:responsables?|tenue?s?)\b|\baucun\w*\b[^.;]{0,60}\bresponsab|\b(?:ninguna|no)\b[^.;]{0,60}\b(?:responder|responsab)/i;
/** Carve-outs need a statement about limits of liability and not, for example, an exception to an indemnity. */
const ofLimits =
  /\bliab|\bhaft(?:et|en|ung)|\bresponsab|\b(?:limit(?:s|ations?)?|caps?|exclusions?|ceilings?)\b[^.;]{0,60}\b(?:do|does|shall|will) not apply|\b(?:ces|estos|estas) l[ií]mit|\b(?:gilt|gelten) nicht\b[^.;]{0,40}\b(?:vorsatz|vorsätz|grob|leben)|\b(?:do|does|shall|will) not apply\b[^.;]{0,50}\b(?:wil(?:l)?ful|intentional|gross(?:ly)? negligen|fraud|death|personal injury)/i;

/** Each matter once per effect, where it first appears. */
export function findLiabilityExclusions(document: Document): LiabilityExclusion[] {
  const found = new Map<string, LiabilityExclusion>();
  const add = (statement: Statement, effect: LiabilityExclusion['effect'], matter: string) => {
    const key = `${effect} ${matter}`;
    if (!found.has(key)) found.set(key, { start: statement.start, end: statement.end, effect, matter });
  };
  for (const statement of statementsOf(document)) {
    const { text, titles } = statement;
    const isTitled =
      /liab|haft|limitation of|limits?\b|carve-?outs?|exclusions?\b|\bcaps?\b|risk|responsab|responsib/i.test(
        titles.split(' / ').at(-1) ?? '',
      );
    if (!topic.test(text) && !(isTitled && /\bexclu|\bausgeschlossen/i.test(text))) continue;
    if (
      !(isTitled || ofLimits.test(text) || liabilityWords.test(text)) ||
      /\binsur(?:e|ance)\b.{0,40}\b(?:maintain|policy|cover)|\bversicherung\b/i.test(text)
    )
      continue;
    const exception = isTitled || ofLimits.test(text) ? carvedPart(text) : undefined;
    if (exception !== undefined) {
      // "Except that the cap for a breach of section 9 is $1 million" sets another limit.
      const part = text
        .slice(exception.from, exception.to)
        .replace(/\b(?:cap|limit) (?:for|on)\b[^.;]{0,120}\b(?:is|shall be)\b/gi, '');
      for (const [matter, pattern] of matters) if (pattern.test(part)) add(statement, 'carve-out', matter);
      for (const matter of mattersOfReferences(document, part)) add(statement, 'carve-out', matter);
    }
    const rest = exception === undefined ? text : `${text.slice(0, exception.from)} ${text.slice(exception.to)}`;
    const isException = exception?.isWhole === true;
    if (isException || !(excluding.test(rest) || (statement.own > 0 && excluding.test(text)))) continue;
    for (const matter of lossesIn(rest)) add(statement, 'excluded loss', matter);
  }
  return [...found.values()];
}

/** Losses named alone or in a list: "loss of use, revenue or profit". */
function lossesIn(text: string): string[] {
  const found = losses.filter(([, pattern]) => pattern.test(text)).map(([matter]) => matter);
  for (const [, list = ''] of text.matchAll(lossList)) {
    const own = list.split(lossListEnd, 1)[0]!;
    found.push(...listedLosses.filter(([, pattern]) => pattern.test(own)).map(([matter]) => matter));
  }
  return [...new Set(found)];
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
  const isPartial = /^(?:except|save|other than|notwithstanding|ausgenommen|es sei denn|sauf|salvo)/i.test(match[0]);
  if (!isPartial)
    return {
      from: 0,
      to: text.length,
      isWhole: !/\bliable for\b/i.test(text) || /nothing|unlimited|without limit|unbe|apply|ohne/i.test(match[0]),
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
