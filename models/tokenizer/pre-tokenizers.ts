/** Pre-tokenizers of a `tokenizer.json`, which split texts into words: exact versions of those that the library only approximates. */
import { libraryPart } from './library-parts.ts';
import type { PartConfig } from './normalizers.ts';
import { punctuation } from './unicode-categories.ts';

/** @param isFirst whether this is the start of the whole text */
export type SplitWords = (text: string, isFirst: boolean) => readonly string[];

/** @throws {Error} if the type is not supported */
export function buildPreTokenizer(config: PartConfig): SplitWords {
  switch (config.type) {
    case 'Sequence': {
      const parts = (config.pretokenizers as readonly PartConfig[]).map(buildPreTokenizer);
      return (text, isFirst) =>
        parts.reduce<readonly string[]>(
          (words, part) => words.flatMap((word, index) => part(word, isFirst && index === 0)),
          [text],
        );
    }
    case 'BertPreTokenizer':
      return (text) => text.match(bertWord) ?? [];
    case 'WhitespaceSplit':
      return (text) => text.match(noSpaces) ?? [];
    case 'Metaspace':
      return metaspace(config);
    default: {
      const part = libraryPart<LibraryPart>(`${config.type}PreTokenizer`, config);
      return (text, isFirst) => part.pre_tokenize_text(text, { section_index: isFirst ? 0 : 1 });
    }
  }
}

interface LibraryPart {
  pre_tokenize_text(text: string, options: { section_index: number }): string[];
}

/** JavaScript's `\s` includes U+FEFF and lacks U+0085. */
const noSpaces = /\P{White_Space}+/gu;
/** Words, and single punctuation characters. */
const bertWord = new RegExp(`(?:(?!${punctuation})\\P{White_Space})+|${punctuation}`, 'gv');

/** Replaces spaces with a visible mark; each mark starts a word. */
function metaspace(config: PartConfig): SplitWords {
  const mark = (config.replacement as string | undefined) ?? '▁';
  const scheme = config.prepend_scheme ?? (config.add_prefix_space === false ? 'never' : 'always');
  const splits = config.split ?? true;
  return (text, isFirst) => {
    let marked = text.replaceAll(' ', mark);
    const begins = scheme === 'always' || (scheme === 'first' && isFirst);
    if (begins && !marked.startsWith(mark)) marked = mark + marked;
    if (!splits) return [marked];
    const words: string[] = [];
    let start = 0;
    for (let at = marked.indexOf(mark, 1); at >= 0; at = marked.indexOf(mark, at + 1)) {
      words.push(marked.slice(start, at));
      start = at;
    }
    words.push(marked.slice(start));
    return words;
  };
}
