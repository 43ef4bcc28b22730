/** Model files for Cloister's own parsers: heads of GGUF files, ONNX graphs, tokenizers, catalogues. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBertWeights, releaseWeights } from '../../../models/bert/weights.ts';
import { parseCatalogue } from '../../../models/catalogue/catalogue-parser.ts';
import { PinnedFiles } from '../../../models/files/pinned-files.ts';
import { ggufHeadBytes, parseGgufHead } from '../../../models/gguf/gguf-header.ts';
import { ModelError } from '../../../models/interface/errors.ts';
import { OnnxValuesByName } from '../../../models/onnx/constants.ts';
import { withOnnxGraph } from '../../../models/onnx/graph.ts';
import { parseTokenizer } from '../../../models/tokenizer/text-tokenizer.ts';
import { bertJson } from '../../support/models/embedding-folder.ts';
import type { BertShape } from '../../support/models/random-bert.ts';
import { jsonGenerator } from '../mutation/json.ts';
import { bytesOf, type FuzzTarget, refusalsOf, textOf } from '../target.ts';

export const targets: readonly FuzzTarget[] = [ggufHeads(), onnxGraphs(), tokenizers(), tokenizerTexts(), catalogues()];

function ggufHeads(): FuzzTarget {
  return {
    name: 'gguf-header',
    summary: 'heads of GGUF files: facts are read or fewer of them',
    words: ['general.architecture', 'bert', 'llama.context_length', '\x08\0\0\0', '\x09\0\0\0', '\x04\0\0\0'].map(
      bytesOf,
    ),
    open: () => ({
      isRefusal: refusalsOf(ModelError, 'ERR_REFERENCE_INVALID'),
      run(input) {
        const head = Buffer.from(input).subarray(0, ggufHeadBytes);
        const { contextLength } = parseGgufHead(head, 'the file');
        if (contextLength !== undefined && !(contextLength >= 1)) throw new Error(`context length ${contextLength}`);
      },
    }),
  };
}

/** The shape of the graphs in the corpus. */
const smallBert: BertShape = { vocabulary: 9, layers: 1, width: 4, heads: 2, feedForward: 4, context: 6 };

function onnxGraphs(): FuzzTarget {
  return {
    name: 'onnx-graph',
    summary: 'ONNX files: graphs, tensors, constants, and the weights of a BERT',
    words: ['MatMul', 'Add', 'Identity', 'Transpose', 'input_ids', 'word_embeddings', '\x08\x01'].map(bytesOf),
    open() {
      const folder = mkdtempSync(join(tmpdir(), 'cloister-fuzz-onnx-'));
      const path = join(folder, 'model.onnx');
      const files = new PinnedFiles([path]);
      const config = { ...bertJson(smallBert) };
      return {
        isRefusal: refusalsOf(ModelError, 'ERR_MODEL_LOAD', 'ERR_FILE_MISSING'),
        run(input) {
          writeFileSync(path, input);
          const reading = readBertWeights({ path, output: 'last_hidden_state', config, contextLength: 6 }, files);
          if (typeof reading === 'object') releaseWeights(reading.weights);
          withOnnxGraph(path, files, (graph) => {
            const values = new OnnxValuesByName(graph);
            for (const { outputs } of graph.nodes) for (const name of outputs) values.constant(name);
            for (const tensor of graph.tensors.values()) if (tensor.type !== 'other') tensor.read();
          });
        },
        close: async () => rmSync(folder, { recursive: true }),
      };
    },
  };
}

const sampleTexts = [
  '',
  'the cat [MASK] sat',
  'ünïcödé\u0301 \ud800 你好 👍🏽',
  'a'.repeat(300),
  ' \n\t\u200b\u2028<s></s>',
];

function tokenizers(): FuzzTarget {
  return {
    name: 'tokenizer-json',
    summary: 'tokenizer.json files, and a few texts tokenised by those that are accepted',
    generate: jsonGenerator({
      strings: [
        ...['BertNormalizer', 'Lowercase', 'Precompiled', 'NFKC', 'Sequence', 'Replace', 'Split', 'ByteLevel', 'Regex'],
        ...[
          'Metaspace',
          'WordPiece',
          'Unigram',
          'BPE',
          'TemplateProcessing',
          'type',
          'pattern',
          '(a+)+$',
          '[',
          '[UNK]',
        ],
      ],
    }),
    open: () => ({
      isRefusal: refusalsOf(ModelError, 'ERR_MODEL_LOAD'),
      run(input) {
        const tokenizer = parseTokenizer(textOf(input));
        for (const tokens of tokenizer.tokenize(sampleTexts)) requireIds(tokens, tokenizer.vocabularySize);
      },
    }),
  };
}

/** The first byte of an input selects the tokenizer; the rest is a caller's text. */
function tokenizerTexts(): FuzzTarget {
  return {
    name: 'tokenizer-texts',
    summary: 'texts of callers, tokenised by each family of tokenizers',
    words: ['[MASK]', '##', '▁', '\u0301', '\u200d', '👩‍👩‍👧', 'İ', 'ﷺ', '\0', ' ', '<s>', 'ǆ', '각', '\ufdd1'].map(
      bytesOf,
    ),
    generate({ corpus, words, random }) {
      const pieces = Array.from({ length: random.below(40) }, () => textOf(random.pick([...corpus, ...words])));
      const codes = Array.from({ length: random.below(20) }, () => random.below(random.pick([128, 0x3000, 0x110000])));
      const repeated = textOf(random.pick(words)).repeat(random.pick([1, 1, 100, 5_000]));
      return bytesOf(pieces.join('') + String.fromCodePoint(...codes) + repeated);
    },
    async open() {
      const { byteLevelFile, qwenLikeFile, unigramFile, wordPieceFile } = await import(
        '../../support/models/tokenizer-files.ts'
      );
      const files = [wordPieceFile(), byteLevelFile(), qwenLikeFile(), unigramFile()];
      const open = files.map((file) => parseTokenizer(JSON.stringify(file)));
      return {
        isRefusal: () => false,
        run(input) {
          for (const tokenizer of open) {
            const [tokens] = tokenizer.tokenize([textOf(input)]);
            requireIds(tokens!, tokenizer.vocabularySize);
            if (tokens!.length > 4) tokenizer.truncate(tokens!, 4);
          }
        },
      };
    },
  };
}

function requireIds(tokens: Int32Array, vocabularySize: number): void {
  const wrong = tokens.find((token) => !(token >= 0 && token < vocabularySize));
  if (wrong !== undefined) throw new Error(`token ${wrong} of a vocabulary of ${vocabularySize}`);
}

function catalogues(): FuzzTarget {
  return {
    name: 'catalogue',
    summary: 'catalogues of models: what is accepted must be accepted again as it was read',
    generate: jsonGenerator({
      strings: ['id', 'x-TEE', 'kind', 'llama-text', 'onnx-embedding', 'source', 'hub', 'url', 'path', 'files', '../x'],
    }),
    open: () => ({
      isRefusal: refusalsOf(ModelError, 'ERR_CATALOGUE_INVALID'),
      run(input) {
        const catalogue = parseCatalogue(textOf(input));
        const again = parseCatalogue(JSON.stringify({ version: 1, ...catalogue }));
        if (JSON.stringify(again) !== JSON.stringify(catalogue))
          throw new Error('the formatted catalogue parses to a different one');
      },
    }),
  };
}
