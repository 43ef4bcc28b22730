/**
 * Statements that their own sentence takes back: a rejected draft, an example, a denial of the whole statement, another
 * company or person. Their numbers are no facts of the document, so no tool reads them.
 */
import { blank, blankRanges } from '../tools/text/blanks.ts';

/** Characters of a quotation or sentence that is passed over. */
const charactersMax = 800;

/** Words at the start of a sentence, each followed by the quotation or the statement that does not hold. */
const frames: readonly RegExp[] = [
  // "An earlier draft, since rejected, read: …", "Der frühere Entwurf lautete: …"
  /(?:an?|the|der|ein|une?|la|el|un|een|il)\s(?:earlier|previous|prior|superseded|rejected|former|first|frühere[rn]?|verworfene[rn]?|précédente?|ancienne?|anterior|precedente|eerdere?|wcześniejsz\p{Ll}{1,3})\s(?:draft|version|wording|proposal|entwurf|fassung|vorschlag|projet|borrador|versión|bozza|versione|ontwerp|versie|projekt|wersja)\b[^.:"“„«\n]{0,60}\b(?:read|said|stated|provided|lautete|sah|prévoyait|disait|decía|preveía|diceva|prevedeva|luidde|brzmiał[ao]?)\b/iu,
  // "By way of example only: …", "Suppose that …"
  /(?:by way of (?:example|illustration)(?: only)?\b[:,]?\s{0,2}(?=["“„«‘])|for (?:example|illustration) only\b|suppose\b|imagine\b|hypothetically\b|angenommen\b|nehmen wir an\b|supposons\b|imaginons\b|supongamos\b|supponiamo\b|stel dat\b|załóżmy\b)/iu,
  // "It is not the case that …"
  /(?:it is (?:not (?:the case|true|correct|right)|untrue|incorrect|wrong|false) that\b|es (?:trifft nicht zu|ist nicht (?:richtig|wahr|so)|ist falsch), dass\b|il (?:n['’]est pas (?:exact|vrai)|est (?:faux|inexact)) que\b|no es (?:cierto|verdad) que\b|non è (?:vero|corretto) che\b|het is niet (?:waar|juist|zo) dat\b|nie jest prawdą, że\b)/iu,
  // "At an unrelated company the following held: …"
  /(?:at|in|for|with|bei|chez|en|bij|u)\s(?:an?\s|einem\s|einer\s|une?\s|un\s|een\s)?(?:unrelated|different|andere[nrm]?|unbeteiligten)\s(?:company|group|patient|employer|employee|case|matter|supplier|customer|unternehmen|gesellschaft|patienten|fall)\b/iu,
];

const starts = new RegExp(
  `(?<=^|[.!?;:]["”’)]?\\s{1,3}|\\n\\s{0,8})(?:${frames.map(({ source }) => source).join('|')})`,
  'giu',
);

const closing: Readonly<Record<string, RegExp>> = { '"': /"/, '“': /[”"]/, '„': /[“”"]/, '«': /»/, '‘': /’/ };

/** ", as the brochure of 2019 explains": what another text says of the same. */
const attribution =
  /, as (?:the|an?|its|our|their|in the) [^,;.\n]{3,60}(?:\([^()\n]{0,60}\))?[^,;.\n]{0,40} (?:explains?|describes?|mentions?|points? out|illustrates?)(?=[,.;)])/giu;

/** "3. März" ends no sentence. */
const sentenceEnd =
  /(?<!\p{Lu})[.!?](?!\s+(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)\p{L}*\s)(?=\s+[\p{Lu}("“„]|\s*$)|\n\s*\n/u;

/** "v0.7 (superseded): lower quartile 2.1 %, …": a version that another one replaced, to the end of its line. */
const supersededMark =
  /\((?:superseded|obsolete|withdrawn|überholt|obsolète|remplacée?|obsolet[oa]|sustituid[oa]|superat[oa]|vervallen|nieaktualn\p{L}{1,2})\)/iu;
const superseded = new RegExp(`(?<=^|\\n)[ \\t>*•–-]{0,8}[^\\n():]{1,40}${supersededMark.source}[^\\n]*`, 'giu');
/** "*** DRAFT - NOT A VALID INVOICE ***": the lines below it, up to an empty one. */
const voided =
  /(?<=^|\n)[ \t>*#=_-]{0,12}(?:draft|entwurf|borrador|brouillon|bozza|concept|projekt|rascunho|utkast|kladde)\b[^\n]{0,12}\b(?:not? (?:a )?v[aá]lid[oa]?|void|nicht gültig|ungültig|non val(?:able|id[oae]?)|niet geldig|ongeldig|nieważn\p{L}{1,2}|não válid[oa]|ikke gyldig|ej giltig)[^\n]*(?:\n[ \t>]*[^\s>][^\n]*){0,40}/giu;

/** Replaces statements that do not hold by blanks, so that all offsets stay. */
export function blankUnasserted(text: string): string {
  const statements = Array.from(text.matchAll(starts), ({ index: start, 0: words }) => ({
    start,
    end: endOf(text, start + words.length),
  }));
  // Most documents replace no version, and the mark alone is found faster.
  const shapes = supersededMark.test(text) ? [attribution, superseded, voided] : [attribution, voided];
  return shapes.reduce((rest, shape) => rest.replace(shape, blank), blankRanges(text, statements));
}

/** The end of the quotation that follows, or else of the sentence. */
function endOf(text: string, from: number): number {
  const rest = text.slice(from, from + charactersMax);
  const opening = /^[^.\n"“„«‘]{0,60}\n?[^.\n"“„«‘]{0,60}(["“„«‘])/.exec(rest);
  if (opening !== null) {
    const close = closing[opening[1]!]!.exec(rest.slice(opening[0].length));
    if (close !== null) return from + opening[0].length + close.index + close[0].length;
  }
  const stop = sentenceEnd.exec(rest);
  return from + (stop === null ? rest.length : stop.index + 1);
}
