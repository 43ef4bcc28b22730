/**
 * Determines in which sense a document mentions something: as a fact, as absent, about a relative, or as a supposition. Uses
 * rules over the words of the sentence, like NegEx and ConText (Chapman et al., 2001; Harkema et al., 2009): the scope of a cue
 * extends to the end of its clause, through lists, and ends where a new statement begins.
 */
import { indexAt } from '../tools/text/ranges.ts';
import type { Range } from '../tools/text/span.ts';
import type { Word } from '../tools/text/words.ts';
import { labelOver } from './context.ts';
import type { Document } from './document.ts';

export interface Scope {
  /** "No diabetes", "negative for fever, seizure, or stroke", "stroke was ruled out", "Diabetes: no". */
  readonly isNegated: boolean;
  /** "Father has diabetes", and the text under "Family history". */
  readonly isOfRelative: boolean;
  /** "If a default occurs", "risk of stroke", "to rule out infarction". */
  readonly isSupposed: boolean;
  /** "Bankruptcy, insolvency or similar laws": a body of law is named, not an event. */
  readonly isOfLaw: boolean;
}

/** Number of preceding words that are examined, within the sentence. */
const wordsBeforeMax = 60;

/** @param match the words that name the subject, in the plain text */
export function scopeOf(document: Document, match: Range): Scope {
  const { words, text } = document;
  const first = indexAt(words, match.start) ?? 0;
  const before = clauseBefore(words, text, first);
  const after = text.slice(match.end, match.end + 90);
  const isListed = /^[^.;\n]{0,80}?\b(?:or|nor|oder|nebo|ou)\b/i.test(after);
  return {
    isNegated:
      prefixed.test(text.slice(Math.max(0, match.start - 5), match.start)) ||
      isNegatedBefore(before, isListed) ||
      negatedAfter.test(after.split(/[.;\n]/, 1)[0]!),
    isOfRelative:
      isOfRelative(before) || relativeAfter.test(after) || familyHeading.test(labelOver(document, match.start)),
    isSupposed: isSupposed(before),
    isOfLaw: lawAfter.test(after),
  };
}

interface Before {
  /** Sorted from the nearest to the farthest. */
  readonly words: readonly { readonly text: string; readonly commaAfter: boolean }[];
}

function clauseBefore(words: readonly Word[], text: string, first: number): Before {
  const found: { text: string; commaAfter: boolean }[] = [];
  for (let at = first - 1; at >= 0 && found.length < wordsBeforeMax; at -= 1) {
    if (words[at + 1]!.opens) break;
    const gap = text.slice(words[at]!.end, words[at + 1]!.start);
    found.push({ text: words[at]!.text, commaAfter: gap.includes(',') });
  }
  return { words: found };
}

const list = (text: string) => new Set(text.split(' '));

/** "Un-qualified", "non-compliant". */
const prefixed = /(?<!\p{L})(?:un|non)-$/iu;

const denials = list(
  'no not without denies denied deny denying never neither nor none negative absent excluded cannot lacks lacking free ' +
    'kein keine keinen keiner ohne nicht verneint bez neguje nemá popírá není pas sans aucun aucune nie',
);
/** "not only", "no later than" and "no longer" do not negate. */
const harmlessAfterDenial = list('only later less longer more limited merely just yet significant change changes');
/** "without prejudice to", "without limitation". */
const harmlessAfterWithout = list('limitation limiting prejudice delay undue regard cause notice warning');
const turns = list(
  'but however although though except aber jedoch sondern ale mais yet still whereas while instead therefore',
);
/** A new statement after a comma: "no diabetes, prior TIA", "no fever, known asthma". */
const affirming = list('with has had have status treated zustand st is was are were positive admits reports endorses');
/** Like the previous rule, but "no heart failure, prior stroke, or diabetes" denies all three. */
const affirmingAlone = list('prior previous known history bekannte anamneze');
/** A finite verb between a negation and the subject ends the scope, unless it belongs to the negation: "does not have". */
const verbs = list(
  'is was are were has had presents presented reports reported shows showed developed takes took remains continues started underwent admits endorses complains',
);
const deniedVerbs = list('has had have having been be show shows showed reported');

/** @param isListed whether the subject is in a list that continues with "or" */
function isNegatedBefore({ words }: Before, isListed: boolean): boolean {
  for (const [index, { text, commaAfter }] of words.entries()) {
    const next = words[index - 1]?.text ?? '';
    if (denials.has(text)) {
      const harmless = harmlessAfterDenial.has(next) || (text === 'without' && harmlessAfterWithout.has(next));
      if (!harmless && !(text === 'free' && next !== 'of' && next !== 'from')) return true;
      continue;
    }
    if (turns.has(text)) return false;
    // A comma ends the scope of a negation, as in "…, prior TIA".
    const followsComma = words[index + 1]?.commaAfter === true;
    if (followsComma && (affirming.has(text) || (affirmingAlone.has(text) && !isListed && words[0]?.text !== 'or')))
      return false;
    const isDeniedVerb = deniedVerbs.has(text) && denials.has(words[index + 1]?.text ?? '');
    if (verbs.has(text) && !isDeniedVerb) return false;
    if (commaAfter && index > 0 && subjects.has(text)) return false;
  }
  return false;
}

const subjects = list('patient he she they we i');
const negatedAfter =
  /^\s{1,3}(?:(?:is|are|was|were|has|have|had|does|do|did)\s{1,3})?(?:not|never|none)\b(?! only)|^[^,]{0,40}?\b(?:(?:was|were|is|are|has been|have been) (?:ruled out|excluded|denied|negative|absent|unlikely|not (?:present|found|seen|identified|detected|evident))|not (?:present|found|seen|identified|detected))\b|^\s{0,3}(?:[:=\t]|[-–—]\s)\s{0,3}(?:no|none|nil|negative|neg\.?|denie[ds]|absent|not present|nein|ne|non)\b|^\s{0,2}\((?:-|−|neg(?:ative)?|denied|absent)\)/i;

const relatives = list(
  'father mother brother sister parent parents sibling siblings son daughter uncle aunt cousin grandfather grandmother grandparents ' +
    'maternal paternal twin wife husband mutter vater bruder schwester matka otec bratr sestra mère père frère soeur',
);
const family = list('family familial rodinná familienanamnese familiäre familial fh fhx fam');
const prepositions = list('with by from to lives for at s and bei mit s u chez avec');
const ownSubjects = list('patient he she himself herself pt pacient pacientka patientin');

function isOfRelative({ words }: Before): boolean {
  for (const [index, { text }] of words.entries()) {
    if (ownSubjects.has(text)) return false;
    if (family.has(text)) return words[index - 1]?.text !== 'physician' && words[index - 1]?.text !== 'doctor';
    if (!relatives.has(text)) continue;
    const before = words[index + 1]?.text ?? '';
    const beforePossessive = possessives.has(before) ? (words[index + 2]?.text ?? '') : before;
    return !prepositions.has(beforePossessive) || beforePossessive === 'and';
  }
  return false;
}

const possessives = list('his her the their my');
const relativeAfter =
  /^\s{0,2}(?:\(|[-–,:]\s{0,2}|in (?:(?:his|her|the|a) )?)(?:maternal |paternal )?(?:father|mother|brother|sister|parents?|siblings?|grand(?:father|mother|parents?)|uncle|aunt|family)\b/i;
const familyHeading =
  /\b(?:family (?:medical )?(?:history|hx)|fhx?|fam(?:ily)? hx|familienanamnese|rodinná anamnéza|ra|antécédents familiaux)\b/i;

/** Matches a list that ends with laws and contains no verb. */
const lawAfter =
  /^(?:[\s,/]{1,3}(?!(?:is|are|was|were|has|have|had|which|that|because)\b)[\p{L}’'-]{1,20}){0,12}?[\s,]{1,3}(?:laws?|legislation|statutes?|code|act|proceedings? law)\b/iu;

const suppositions = list(
  'if unless should whether whenever upon risk risks possible possibly suspected suspicion concern prevent prevention prophylaxis screening screen rule evaluate monitor falls wenn falls pokud si',
);
/** "Should" is a supposition at the beginning of its clause; "risk" is one if "of", "for" or "factor" follows. */
function isSupposed({ words }: Before): boolean {
  for (const [index, { text, commaAfter }] of words.entries()) {
    const next = words[index - 1]?.text;
    if (turns.has(text)) return false;
    if (!suppositions.has(text)) {
      if (commaAfter && index > 0 && !suppositions.has(words[index - 1]!.text) && index > 12) return false;
      continue;
    }
    if ((text === 'risk' || text === 'risks') && next !== 'of' && next !== 'for' && next !== 'that') continue;
    if (text === 'rule' && next !== 'out') continue;
    if (
      (text === 'monitor' || text === 'screen' || text === 'screening' || text === 'evaluate' || text === 'concern') &&
      next !== 'for'
    )
      continue;
    if (text === 'should' && index < words.length - 1) continue;
    return true;
  }
  return false;
}
