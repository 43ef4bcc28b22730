/**
 * Reads a document in another language as if it were written in English: the usual words of contracts and deals are replaced by
 * English ones, so that rules for English wording apply. Names, numbers and unknown words stay; all offsets remain the caller's.
 * German has rules of its own in the tools, and stays as it is.
 */
import { type Document, type DocumentSource, readDocument } from '../../document/document.ts';
import { PlainText } from '../../document/plain-text.ts';
import type { Range } from '../text/span.ts';
import { splitWords } from '../text/words.ts';
import { functionWords } from './function-words.ts';
import { type GlossLanguage, languageOfText } from './languages.ts';
import { type GlossSubject, type Lexicon, lexiconOf } from './lexicon.ts';

const cache: Readonly<Record<GlossSubject, WeakMap<DocumentSource, Document>>> = {
  contract: new WeakMap(),
  deal: new WeakMap(),
};
const sources = new WeakMap<Document, DocumentSource>();

/** @returns the document itself if it is English, German or in an unknown language */
export function glossOf(source: DocumentSource, subject: GlossSubject): Document {
  const known = cache[subject].get(source);
  if (known !== undefined) return known;
  const language = languageOfSource(source);
  const gloss = language === undefined ? readDocument(source) : buildGloss(source, language, subject);
  cache[subject].set(source, gloss);
  return gloss;
}

/** Characters from which the language is determined. */
const openingCharacters = 40_000;

const languages = new WeakMap<DocumentSource, { readonly language: GlossLanguage | undefined }>();

function languageOfSource(source: DocumentSource): GlossLanguage | undefined {
  const known = languages.get(source) ?? { language: readLanguage(source) };
  languages.set(source, known);
  return known.language;
}

function readLanguage({ text }: DocumentSource): GlossLanguage | undefined {
  return languageOfText(splitWords(text.slice(0, openingCharacters).replace(/<[^<>]{0,2000}>/g, ' ')));
}

/** Longer documents in a language of the tool's own rules are read once, to keep to the time of a request. */
export const twiceCharactersMax = 60_000;

/**
 * The document and its gloss, for tools whose own rules read some of these languages.
 * @param own languages of the tool's rules; a document in another one is read by its gloss only
 */
export function readingsOf(
  source: DocumentSource,
  subject: GlossSubject,
  own: ReadonlySet<GlossLanguage>,
): readonly Document[] {
  const language = languageOfSource(source);
  if (language === undefined) return [readDocument(source)];
  if (!own.has(language)) return [glossOf(source, subject)];
  return source.text.length > twiceCharactersMax
    ? [readDocument(source)]
    : [readDocument(source), glossOf(source, subject)];
}

/** The text from which a gloss was made; undefined for a document that is read as it is. */
export function glossedSource(document: Document): DocumentSource | undefined {
  return sources.get(document);
}

function buildGloss(source: DocumentSource, language: GlossLanguage, subject: GlossSubject): Document {
  const plain = glossText(source.text, language, subject);
  const reading = readDocument({ message: source.message, text: plain.toString() });
  const spanOf = (range: Range) => {
    const { start, end } = reading.spanOf(range);
    return { message: source.message, ...plain.sourceOf({ start, end }) };
  };
  const gloss: Document = Object.create(reading, { spanOf: { value: spanOf, enumerable: true } });
  sources.set(gloss, source);
  return gloss;
}

interface Token extends Range {
  /** In lower case; a word that is broken at the end of a line is joined. */
  readonly text: string;
  /** "l'", "dell'": joined to the next word. */
  readonly isElided: boolean;
}

/** A tag of HTML or an abbreviation, which stay; an elided article; or a word that may be broken at the end of a line. */
const tokenShape =
  /<[^<>]{0,2000}>|(?<=\p{L}\.?\s)c\.(?=\s\p{Lu})|(?<!\p{L})[Ss]p\.\s?(?:z\s?o\.\s?o\.|[jkp]\.)|(?<!\p{L})\p{L}{1,3}\.(?:\s?\p{L}{1,2}\.){1,4}|\p{L}{1,6}['’](?=(?:[ \t]{0,20}\r?\n)?[ \t]{0,40}\p{L})|[\p{L}\p{M}]+(?:-[ \t]{0,20}\r?\n[ \t]{0,40}(?=\p{Ll})[\p{Ll}\p{M}]+)?/gu;

/** Abbreviations that would end a sentence. */
const abbreviations: ReadonlyMap<string, string> = new Map([
  ['c.', 'v'],
  ['m.in.', 'for example'],
]);

function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(tokenShape), ({ index, 0: shown }) => ({
    start: index,
    end: index + shown.length,
    text: abbreviations.has(shown.toLowerCase())
      ? shown.toLowerCase()
      : /[<.]/.test(shown)
        ? ''
        : shown.toLowerCase().replace('’', "'").replace(/-\s+/, ''),
    isElided: /['’]$/.test(shown),
  }));
}

const gap = /^[-\s\u00a0]{0,24}$/;

/** @returns the text with English words, with a map to the source */
export function glossText(text: string, language: GlossLanguage, subject: GlossSubject): PlainText {
  const plain = new PlainText(text);
  const lexicon = lexiconOf(language, subject);
  const small = functionWords[language];
  const tokens = tokensOf(text);
  let at = 0;
  let wasReplaced = false;
  const replace = (from: Token, to: Token, words: string) => {
    if (at < from.start) plain.append([{ start: at, end: from.start }]);
    plain.append([{ start: from.start, end: to.end, text: shaped(text, from, to, words) }]);
    at = to.end;
    wasReplaced = true;
  };
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index]!;
    const written = subject === 'deal' ? abbreviations.get(token.text) : undefined;
    if (written !== undefined) {
      replace(token, token, written);
      index += 1;
      continue;
    }
    const nominative = language === 'pl' ? nominativeOf(text.slice(token.start, token.end)) : undefined;
    const match = token.text === '' ? undefined : longestMatch(text, tokens, index, lexicon);
    const article = small.get(token.text);
    if (match !== undefined) {
      replace(token, tokens[index + match.length - 1]!, match.english);
      index += match.length;
      continue;
    }
    if (article !== undefined && !isInitial(text, token) && (wasReplaced || !followsName(text, tokens, index)))
      replace(token, token, article);
    else if (nominative !== undefined) replace(token, token, nominative);
    else wasReplaced = false;
    index += 1;
  }
  if (at < text.length) plain.append([{ start: at, end: text.length }]);
  return plain;
}

/** "S.A.", "i.a.": a letter of an abbreviation. */
function isInitial(text: string, { start, end }: Token): boolean {
  return end - start === 1 && (text[end] === '.' || text[end] === ')' || text[start - 1] === '.');
}

/** "Praça da República", "Marco Dal Corso": a small word inside a name. */
function followsName(text: string, tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  const { start, end } = tokens[index]!;
  const shown = text.slice(start, end);
  const isCapital = /^\p{Lu}/u.test(shown) && shown !== shown.toUpperCase();
  if (isCapital && /[\p{L},]\s?$/u.test(text.slice(Math.max(0, start - 2), start))) return true;
  return (
    before !== undefined &&
    /^\p{Lu}/u.test(text.slice(before.start, before.start + 2)) &&
    /^[ \u00a0]?$/.test(text.slice(before.end, start))
  );
}

function longestMatch(
  text: string,
  tokens: readonly Token[],
  index: number,
  lexicon: Lexicon,
): { readonly length: number; readonly english: string } | undefined {
  for (const { words, english } of lexicon.startingWith(tokens[index]!.text)) {
    const isHere = words.every((word, offset) => {
      const token = tokens[index + offset];
      if (token === undefined || token.text === '') return false;
      if (offset > 0 && !gap.test(text.slice(tokens[index + offset - 1]!.end, token.start))) return false;
      return word.isStem ? token.text.startsWith(word.text) : token.text === word.text;
    });
    if (isHere) return { length: words.length, english };
  }
  return undefined;
}

/** Polish names are inflected: "z Bankiem Piastowskim" is with the Bank Piastowski. */
function nominativeOf(word: string): string | undefined {
  const match = /^(\p{Lu}\p{L}{2,}(?:s|c|dz)k)(?:im|iego|iemu)$/u.exec(word);
  return match === null ? undefined : `${match[1]}i`;
}

/** In the case of the source; a line break inside the source words follows the English ones. */
function shaped(text: string, from: Token, to: Token, english: string): string {
  const shown = text.slice(from.start, to.end);
  const isUpper = shown.length > 2 && shown === shown.toUpperCase();
  const isCapital = /^\p{Lu}/u.test(shown);
  const words = isUpper
    ? english.toUpperCase()
    : isCapital
      ? `${english.charAt(0).toUpperCase()}${english.slice(1)}`
      : english;
  const lineBreak = /\r?\n[ \t]*/.exec(shown)?.[0] ?? '';
  return `${words}${to.isElided ? ' ' : ''}${lineBreak}`;
}
