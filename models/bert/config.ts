/** The settings of a BERT model in `config.json`. */
import { fail } from './not-bert.ts';

export interface BertConfig {
  readonly heads: number;
  readonly layers: number;
  /** Rows of the position table. */
  readonly positions: number;
  /** Rows of the token type table. */
  readonly kinds: number;
  readonly firstPosition: number;
  /** Set if positions are counted after the padding token's id. */
  readonly paddingToken?: number;
}

/** Model types with the architecture of BERT, and where the positions of a text start. */
const family: Readonly<Record<string, 'at zero' | 'behind the padding token'>> = {
  bert: 'at zero',
  roberta: 'behind the padding token',
  'xlm-roberta': 'behind the padding token',
  camembert: 'behind the padding token',
};
/** Upper bound of the layers of any BERT. */
const layersMax = 256;
/** Defaults of the transformers library. */
const defaults = { kinds: 2, activation: 'gelu', positionKind: 'absolute', padding: 1 } as const;

/** @param config the object in `config.json` · @throws {NotBert} if the kernels do not support the model */
export function bertConfig(config: Readonly<Record<string, unknown>>): BertConfig {
  const kind = text(config, 'model_type');
  const begin = Object.hasOwn(family, kind) ? family[kind] : fail(`the architecture ${kind} is not supported`);
  const activation = text(config, 'hidden_act', defaults.activation);
  if (activation !== 'gelu') fail(`the activation is ${activation}, not gelu`);
  const positionKind = text(config, 'position_embedding_type', defaults.positionKind);
  if (positionKind !== 'absolute') fail(`positions are ${positionKind}, not absolute`);
  if (config.is_decoder === true || config.add_cross_attention === true) fail('it is a decoder');
  const layers = whole(config, 'num_hidden_layers');
  if (layers > layersMax) fail(`config.json says ${layers} layers, more than any BERT has`);
  return {
    heads: whole(config, 'num_attention_heads'),
    layers,
    positions: whole(config, 'max_position_embeddings'),
    kinds: config.type_vocab_size === undefined ? defaults.kinds : whole(config, 'type_vocab_size'),
    ...(begin === 'at zero' ? { firstPosition: 0 } : positionsBehind(paddingTokenOf(config))),
  };
}

/** A padding token has its own id as position; other positions are counted from the next one. */
function positionsBehind(paddingToken: number): Pick<BertConfig, 'firstPosition' | 'paddingToken'> {
  return { firstPosition: paddingToken + 1, paddingToken };
}

function paddingTokenOf({ pad_token_id: id = defaults.padding }: Readonly<Record<string, unknown>>): number {
  return Number.isSafeInteger(id) && Number(id) >= 0 ? Number(id) : fail('config.json has no valid pad_token_id');
}

function text(config: Readonly<Record<string, unknown>>, name: string, fallback?: string): string {
  const value = config[name] ?? fallback;
  return typeof value === 'string' ? value : fail(`config.json has no valid ${name}`);
}

function whole(config: Readonly<Record<string, unknown>>, name: string): number {
  const value = config[name];
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : fail(`config.json has no valid ${name}`);
}
