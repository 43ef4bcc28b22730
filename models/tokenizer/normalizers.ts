/** Normalizers of a `tokenizer.json`: exact versions of those that the library only approximates. */
import { charsmapNormalizer } from './charsmap.ts';
import { libraryPart } from './library-parts.ts';
import { mark, other } from './unicode-categories.ts';

export type Normalize = (text: string) => string;

/** One entry of the file; fields depend on `type`. */
export type PartConfig = { readonly type: string } & Readonly<Record<string, unknown>>;

/** @throws {Error} if the type is not supported */
export function buildNormalizer(config: PartConfig): Normalize {
  switch (config.type) {
    case 'Sequence': {
      const parts = (config.normalizers as readonly PartConfig[]).map(buildNormalizer);
      return (text) => parts.reduce((normalized, part) => part(normalized), text);
    }
    case 'BertNormalizer':
      return bertNormalizer(config);
    case 'Lowercase':
      return lowercase;
    case 'Precompiled':
      // Some files declare a map and contain none.
      if (typeof config.precompiled_charsmap !== 'string' || config.precompiled_charsmap === '') return (text) => text;
      return charsmapNormalizer(config.precompiled_charsmap);
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD': {
      const form = config.type;
      return (text) => inForm(text, form);
    }
    case 'StripAccents':
      return (text) => text.replace(/\p{M}/gu, '');
    case 'Prepend':
      return (text) => (text === '' ? text : `${config.prepend}${text}`);
    case 'Strip':
      return strip(config);
    default:
      return libraryPart<Normalize>(`${config.type}Normalizer`, config);
  }
}

/**
 * Up to 30 consecutive marks, the limit of the Stream-Safe Text Format of UAX #15, which exceeds any language's need. Longer
 * runs are normalized in pieces.
 */
const combiningMarks = /\p{M}{1,30}/gu;

/**
 * Like `String.normalize`, whose time is quadratic in the length of a run of marks: a text of marks only would block its
 * thread for minutes and could not be cancelled.
 */
function inForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  let done = '';
  let from = 0;
  let end: number | undefined;
  for (const { 0: marks, index } of text.matchAll(combiningMarks)) {
    if (index === end) {
      done += text.slice(from, index).normalize(form);
      from = index;
    }
    end = index + marks.length;
  }
  return done + text.slice(from).normalize(form);
}

function strip({ strip_left: left, strip_right: right }: PartConfig): Normalize {
  return (text) => {
    const begun = left ? text.replace(/^\p{White_Space}+/u, '') : text;
    return right ? begun.slice(0, begun.length - countSpacesAtEnd(begun)) : begun;
  };
}

/** Counts from the end, because an anchored expression would be tried at every space of the text. */
function countSpacesAtEnd(text: string): number {
  let end = text.length;
  while (end > 0 && /\p{White_Space}/u.test(text[end - 1]!)) end -= 1;
  return text.length - end;
}

/** Fast path for most texts: no controls, ideographs or accents. */
const plain = /^[\x20-\x7e]*$/;
const space = /\p{White_Space}/gu;
/** Removed characters. Tab, line feed and carriage return count as spaces, not as controls. */
const dropped = new RegExp(`\\ufffd|(?![\\t\\n\\r])${other}`, 'gv');
/** The blocks that BERT defines, which do not include all ideographs. */
const ideograph =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const accent = new RegExp(mark, 'gv');

function bertNormalizer(config: PartConfig): Normalize {
  const { clean_text: cleans, handle_chinese_chars: splits, lowercase: lowers } = config;
  const strips = config.strip_accents ?? lowers;
  return (text) => {
    if (plain.test(text)) return lowers ? text.toLowerCase() : text;
    let normalized = text;
    if (cleans) normalized = normalized.replace(dropped, '').replace(space, ' ');
    if (splits) normalized = normalized.replace(ideograph, ' $& ');
    if (strips) normalized = inForm(normalized, 'NFD').replace(accent, '');
    return lowers ? lowercase(normalized) : normalized;
  };
}

/** Lower-cases character by character, so that a final sigma becomes σ as in the reference, not ς as in JavaScript. */
function lowercase(text: string): string {
  const lower = text.toLowerCase();
  if (!text.includes('Σ')) return lower;
  return Array.from(text, (character) => character.toLowerCase()).join('');
}
