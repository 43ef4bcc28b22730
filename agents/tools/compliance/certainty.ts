/**
 * Withholds facts whose reading a document does not confirm. Each test asks what in the sentence or row shows a doubt, in any
 * layout: a subject that was not read, a second period, another time, an activity that only the context names.
 */
import type { Range } from '../text/span.ts';
import type { Clause } from './reading.ts';

export type Doubt = 'subject' | 'shared' | 'time' | 'activity' | 'party' | 'several' | 'single';

/** Why facts are left out, for readers of the report. */
export const doubtReasons: Readonly<Record<Doubt, string>> = {
  subject: 'what is kept was not read with certainty',
  shared: 'their sentence states another period for the same subject',
  time: 'their sentence is about another year, version or case',
  activity: 'their sentence does not name the activity itself',
  party: 'their section is about suppliers, who may owe them to the organisation',
  several: 'their sentence denies or plans one of several measures',
  single: 'the document names the standard once or twice, and not as applied by its own organisation',
};

/** "Forty-five (45) days": the number in figures. */
const digitsInBrackets = /^\(\s?\d{1,4}\s?\)/u;
const year = /(?<![\d.,/-])(?:19|20)\d\d(?![\d.,]?\d)/u;
const brackets = /\([^()]{0,200}\)/gu;

/** A period in brackets, or in a sentence that names a year, explains another case than the one that the sentence rules. */
export function timeDoubt({ text, row }: Clause, { start }: Range): Doubt | undefined {
  const opened = text.lastIndexOf('(', start);
  const isInBrackets =
    opened > text.lastIndexOf(')', start - 1) && !digitsInBrackets.test(text.slice(opened, opened + 12));
  if (isInBrackets) return 'time';
  return row === undefined && year.test(text.replace(brackets, '')) ? 'time' : undefined;
}

/** "Monthly (before 2026: quarterly)": a period in brackets that open with words of an earlier time. */
export const formerInBrackets =
  /\((?:before|until|previously|formerly|was|vor|bis|früher|zuvor|bisher|avant|jusqu|auparavant|antes|hasta|prima|fino|voor|tot|voorheen|até|anteriormente|do|wcześniej|poprzednio|tidigare|före)(?!\p{L})[^()]{0,40}$/iu;

/** The sentence gives the result of a sample or a test, or the length of an event: "3 of 20 leavers kept access for 31 days". */
export function isMeasured({ text }: Pick<Clause, 'text'>, { start }: Range): boolean {
  return sampled.test(text) || lasted.test(text.slice(Math.max(0, start - 60), start));
}

const sampled = /(?<![\d.,])\d{1,4} (?:of|out of|von|sur|de|di|van|z|av) (?:the )?\d{1,4}(?![\d.,]\d)/iu;
const lasted =
  /(?<!\p{L})(?:were|was|had been|took|kept|lasted|remained|wurden?|dauerte\p{L}*|ont été|a été|étaient|fueron|tardó|tardaron|sono stat[ei]|duraron|werden pas|duurde)(?!\p{L})[^.;]{0,50}$/iu;

const suppliers =
  /(?<!\p{L})(?:suppliers?|vendors?|service providers?|third[- ]part(?:y|ies)|outsourcing|\p{L}*dienstleister|\p{L}*lieferanten|auslagerung(?:en)?|prestataires?|fournisseurs?|sous-traitance|proveedores|fornitori|leveranciers|uitbesteding)(?!\p{L})/iu;

/** Outside contracts, a section on suppliers says what these report to the organisation. */
export function partyDoubt({ heading }: Pick<Clause, 'heading'>): Doubt | undefined {
  return suppliers.test(heading) ? 'party' : undefined;
}

/** "The cloud provider reviews its accounts monthly": what a supplier does by itself is no rule of the organisation. */
export function supplierDoubt({ text }: Pick<Clause, 'text'>, { start }: Range): Doubt | undefined {
  return supplierFirst.test(text.slice(0, start)) ? 'party' : undefined;
}

const supplierFirst =
  /^[\s\d.)•*-]{0,10}(?:(?:the|our|der|die|unser\p{L}{0,2}|le|la|les|notre|nos|el|los|las|nuestr\p{L}{1,2}|il|lo|i|gli|de|het|onze|ons|o|a|os|as|\p{L}{3,12}) ){1,2}(?:\p{L}{3,14}[ -]){0,2}(?:suppliers?|vendors?|providers?|\p{L}*dienstleister|\p{L}*anbieter|\p{L}*lieferant(?:en)?|prestataires?|fournisseurs?|hébergeurs?|proveedor(?:es)?|fornitor[ei]|leveranciers?|dostawc[ay]|leverantör(?:er|en)?|leverandør(?:er|en)?|fornecedor(?:es)?)(?: (?:de|di|von|van|of|d) \p{L}{2,14}){0,2} (?:\p{Ll}{2,})/iu;

/** A denial or a plan in a sentence about several measures may be of any of them. */
export function severalDoubt(measures: readonly string[]): Doubt | undefined {
  return new Set(measures).size > 1 ? 'several' : undefined;
}

/** Leaves out an owner that is no name of a function, person or body: a sentence, a number or an identifier. */
export function withOwnerName<Fact extends { readonly owner?: string | undefined }>(fact: Fact): Fact {
  if (fact.owner === undefined || isOwnerName(fact.owner)) return fact;
  const { owner: _, ...rest } = fact;
  return rest as Fact;
}

/** "Annual security review" begins with the period of the activity. */
const recurring =
  /^(?:annual|yearly|quarterly|monthly|weekly|daily|regular|periodic|jährlich\p{L}*|regelmäßig\p{L}*|annuel\p{L}*|anual|annuale|jaarlijks\p{L}*)(?!\p{L})/iu;

function isOwnerName(text: string): boolean {
  if (recurring.test(text.trim())) return false;
  return /\p{L}{2}/u.test(text) && !/\d{2}|\p{Ll}{3}[.!?]\s+\p{Lu}|\p{L}{3}[.!?]$/u.test(text.trim());
}
