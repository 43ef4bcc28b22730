/** Pre-tokenisers of a `tokenizer.json`: where words end. Those exact that the library in use only approximates. */
import { libraryPart } from './library-parts.ts';
import type { PartConfig } from './normalizers.ts';
import { punctuation } from './unicode-categories.ts';

/** @param isFirst whether the text begins where the caller's does */
export type SplitWords = (text: string, isFirst: boolean) => readonly string[];

/** @throws {Error} where the type is unknown */
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

/** JavaScript's `\s` has U+FEFF too much and U+0085 too little. */
const noSpaces = /\P{White_Space}+/gu;
/** Words, and each punctuation character on its own. */
const bertWord = new RegExp(`(?:(?!${punctuation})\\P{White_Space})+|${punctuation}`, 'gv');

/** Spaces become visible, and each begins a word. */
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
