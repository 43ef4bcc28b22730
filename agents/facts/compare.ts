/** Whether two facts state the same: of a model and the tools, or of a report and a label. */
import type { Fact, FactValue, Vocabulary } from '../agent/vocabulary.ts';
import { oncePer } from '../tools/text/once-per.ts';

export interface Agreement {
  /** `compatible`: no field differs, and at least one field is equal. */
  readonly compatible: boolean;
  /** The fact has every field of the label with an equal value. */
  readonly whole: boolean;
}

/** Relative difference up to which two numbers are equal, because values are rounded to six digits. */
const tolerance = 1e-6;

/** Legal forms of companies, which documents write in several ways. */
const legalForms =
  /\b(?:inc|incorporated|corp|corporation|company|co|llc|lllp|llp|lp|ltd|limited|plc|gmbh|ag|kg|kgaa|se|ug|ohg|sa|sas|sarl|srl|spa|sl|bv|nv|oy|ab|as|asa|aps|sp z o o)\b/g;

/** Compares field by field. A field that only one of the two has is ignored. */
export function compareFacts(found: Fact, label: Pick<Fact, 'kind' | 'value'>, kinds: Vocabulary): Agreement {
  const fields = kinds[label.kind]?.fields;
  if (fields === undefined || found.kind !== label.kind) return { compatible: false, whole: false };
  let shared = 0;
  for (const [field, expected] of Object.entries(label.value)) {
    const given = found.value[field];
    if (given === undefined) continue;
    const isEqual =
      fields[field]!.type === 'name' && typeof given === 'string' && typeof expected === 'string'
        ? equalForms(formsOf(found.value, field), formsOf(label.value, field))
        : equalFields(given, expected);
    if (!isEqual) return { compatible: false, whole: false };
    shared += 1;
  }
  return { compatible: shared > 0, whole: shared === Object.keys(label.value).length };
}

function equalFields(found: FactValue, label: FactValue): boolean {
  if (typeof found === 'number' && typeof label === 'number') {
    return Math.abs(found - label) <= tolerance * Math.max(Math.abs(found), Math.abs(label));
  }
  if (typeof found === 'object' && typeof label === 'object') {
    return found.count === label.count && found.unit === label.unit;
  }
  return found === label;
}

/** A name in comparable form: all of its words, and those without the legal form. */
interface NameForms {
  readonly words: string;
  readonly plain: string;
}

/** Each fact is compared with many others. */
const knownForms = oncePer((_value: Fact['value']) => new Map<string, NameForms>());

function formsOf(value: Fact['value'], field: string): NameForms {
  const known = knownForms(value);
  const forms = known.get(field) ?? nameForms(String(value[field]));
  known.set(field, forms);
  return forms;
}

/** Ignores case, accents, punctuation, articles and legal forms; one name may contain the other by whole words. */
export function equalNames(one: string, other: string): boolean {
  return equalForms(nameForms(one), nameForms(other));
}

function equalForms(one: NameForms, other: NameForms): boolean {
  // "ASA" is a medicine, too.
  return containsName(one.words, other.words) || containsName(one.plain, other.plain);
}

function containsName(a: string, b: string): boolean {
  return a === b || (a !== '' && ` ${b} `.includes(` ${a} `)) || (b !== '' && ` ${a} `.includes(` ${b} `));
}

function nameForms(name: string): NameForms {
  const words = wordsOf(name);
  const withoutForms = words.replace(legalForms, ' ').replace(/ +/g, ' ').trim();
  return { words, plain: withoutForms === '' ? words : withoutForms };
}

function wordsOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(?<=\b\p{L})\.(?=\p{L}\b)/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
}
