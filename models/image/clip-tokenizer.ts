/**
 * CLIP's tokenizer as one `tokenizer.json`, from the two files that older diffusers folders hold instead of it. Pure.
 * Source: Radford et al. 2021, whose byte-pair encoder lower-cases, splits words by one expression and marks their ends.
 */
import { ModelError } from '../interface/errors.ts';

const startOfText = '<|startoftext|>';
const endOfText = '<|endoftext|>';
/** White_Space where CLIP's authors wrote `\s`: JavaScript's has U+FEFF too much and U+0085 too little. */
const words = "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\p{White_Space}\\p{L}\\p{N}]+";

/**
 * @param vocabulary of `vocab.json` · @param merges the text of `merges.txt`
 * @param padName read as padding also where a prompt has it, as the published tools do: the "!" of SDXL's second encoder
 * @returns what Hugging Face's `tokenizer.json` holds for CLIP
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
      `vocab.json must hold ${startOfText} and ${endOfText}: without a tokenizer.json, only CLIP's`,
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
        // Its own expression would split nothing further.
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
