/**
 * Converts the two tokenizer files of older diffusers folders to a `tokenizer.json` for CLIP. Pure.
 * Source: Radford et al. 2021; the byte-pair encoder lower-cases text, splits words by one expression and marks their ends.
 */
import { ModelError } from '../interface/errors.ts';

const startOfText = '<|startoftext|>';
const endOfText = '<|endoftext|>';
/** White_Space replaces CLIP's `\s`: JavaScript's `\s` includes U+FEFF and lacks U+0085. */
const words = "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\p{White_Space}\\p{L}\\p{N}]+";

/**
 * @param vocabulary the object in `vocab.json` · @param merges the text of `merges.txt`
 * @param padName padding token, recognized in prompts too, like in the published tools: the "!" of SDXL's second encoder
 * @returns the object of a `tokenizer.json` for CLIP
 * @throws {ModelError} ERR_MODEL_LOAD
 */
export function clipTokenizerFile(
  vocabulary: Readonly<Record<string, unknown>>,
  merges: string,
  padName?: unknown,
): object {
  const [start, end] = [startOfText, endOfText].map((token) => vocabulary[token]);
  if (!Number.isInteger(start) || !Number.isInteger(end)) {
    throw new ModelError(
      'ERR_MODEL_LOAD',
      `vocab.json must contain ${startOfText} and ${endOfText}; other tokenizers than CLIP's need a tokenizer.json`,
    );
  }
  const special = [startOfText, endOfText, ...(typeof padName === 'string' && padName in vocabulary ? [padName] : [])];
  const lines = merges.split('\n').filter((line) => line !== '' && !line.startsWith('#version'));
  return {
    version: '1.0',
    added_tokens: [...new Set(special)].map((content) => ({
      ...{ id: vocabulary[content], content, special: true },
      ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
    })),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'NFC' },
        { type: 'Replace', pattern: { Regex: '\\p{White_Space}+' }, content: ' ' },
        { type: 'Lowercase' },
      ],
    },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: words }, behavior: 'Removed', invert: true },
        // The ByteLevel expression would not split the words further.
        { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
      ],
    },
    post_processor: {
      type: 'RobertaProcessing',
      ...{ sep: [endOfText, end], cls: [startOfText, start], trim_offsets: false, add_prefix_space: false },
    },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      ...{
        dropout: null,
        unk_token: endOfText,
        continuing_subword_prefix: '',
        end_of_word_suffix: '</w>',
        fuse_unk: false,
      },
      vocab: vocabulary,
      merges: lines,
    },
  };
}
