/** Mutations of JSON documents: mostly of values, so that the result still parses; occasionally of bytes. */
import type { Random } from '../../support/random.ts';
import { bytesOf, type GeneratorSource, textOf } from '../target.ts';
import { mutate } from './bytes.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface JsonMutations {
  /** Strings with a meaning in the document; also used as field names. */
  readonly strings?: readonly string[];
  /** Strings that are not used as field names. */
  readonly values?: readonly string[];
  /** Whether a value at this path may be changed, for example `tools[0].function`. Default: every value. */
  readonly mayChange?: (path: string) => boolean;
}

const numbers = [
  ...[0, -0, 1, -1, 2, 0.1, -0.5, 255, 65_536, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, 2 ** 63, -(2 ** 63)],
  ...[1e21, 1.7e308, -1.7e308, 5e-324],
];
const strings = [
  ...[
    '',
    ' ',
    '\0',
    '\n',
    '\u2028',
    '\ud800',
    '\udfff',
    '\ufeff',
    '\ufdd1',
    '\uffff',
    '\u202e',
    '👩‍👩‍👧‍👦',
    'e\u0301',
    'İ',
  ],
  ...['__proto__', 'constructor', 'toString', 'length', 'null', '-1', '1e999', '../..', '%00', '{}', '"', '\\'],
];
/** Few sizes are large, so that most inputs are cheap. */
const repeats = [1, 2, 8, 8, 64, 64, 1_000, 20_000];
const depths = [1, 2, 8, 40, 70, 130, 1_000];

/** Returns a generator of inputs, which are corpus entries with one to four mutations. */
export function jsonGenerator(options: JsonMutations = {}): (source: GeneratorSource) => Uint8Array {
  return ({ corpus, words, random }) => {
    const entry = random.pick(corpus);
    if (random.below(8) === 0) return mutate(entry, [...jsonWords, ...words], random);
    const document = parse(entry);
    if (document === undefined) return mutate(entry, [...jsonWords, ...words], random);
    const other = parse(random.pick(corpus)) ?? null;
    return bytesOf(JSON.stringify(changeJson(document, { ...options, random, other })));
  };
}

/** Changes `document` in place. @param source.other a document from which values are copied */
export function changeJson(document: Json, source: JsonMutations & { random: Random; other: Json }): Json {
  const { random, other, mayChange = () => true } = source;
  const root = { '': document };
  const names = [...strings, ...(source.strings ?? [])];
  const texts = [...names, ...(source.values ?? [])];
  for (let count = 1 + random.below(random.pick([1, 1, 2, 4])); count > 0; count--) {
    const places = placesIn(root).filter(({ path }) => mayChange(path));
    if (places.length === 0) break;
    random.pick(changes)(random.pick(places), { random, other, names, texts });
  }
  return root[''] ?? null;
}

interface Place {
  readonly container: Json[] | { [key: string]: Json };
  readonly key: string;
  readonly path: string;
}

interface ChangeSource {
  readonly random: Random;
  readonly other: Json;
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

type Change = (place: Place, source: ChangeSource) => void;

const changes: readonly Change[] = [
  (place, source) => set(place, scalar(source)),
  (place, source) => set(place, scalar(source)),
  (place, source) => set(place, anything(source)),
  remove,
  repeatText,
  repeatItem,
  nest,
  addField,
  renameField,
];

function set({ container, key }: Place, value: Json): void {
  // Defines an own property even for names such as __proto__.
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}

function scalar({ random, texts }: ChangeSource): Json {
  return random.pick<() => Json>([
    () => random.pick(numbers),
    () => random.below(1_000),
    () => random.pick(texts),
    () => random.pick(texts) + random.pick(texts),
    () => random.pick([true, false, null]),
    () => random.pick<Json>([[], {}, [null], [[]], [{}], { '': null }]),
  ])();
}

/** Returns a value of the other document, or a scalar. */
function anything(source: ChangeSource): Json {
  const places = placesIn({ '': source.other });
  if (source.random.below(4) === 0) return scalar(source);
  return structuredClone(valueAt(source.random.pick(places)));
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
}

function repeatText(place: Place, source: ChangeSource): void {
  const value = valueAt(place);
  const text = typeof value === 'string' && value !== '' ? value.slice(0, 200) : source.random.pick(source.texts);
  set(place, text.repeat(source.random.pick(repeats)));
}

function repeatItem({ container, key }: Place, { random }: ChangeSource): void {
  if (!Array.isArray(container)) return;
  const item = JSON.stringify(container[Number(key)]!);
  const times = item.length < 100 ? random.pick(repeats) : random.below(4);
  // Parsing JSON is ten times as fast as structuredClone.
  container.splice(Number(key), 0, ...Array.from({ length: times }, () => JSON.parse(item) as Json));
}

function nest(place: Place, { random }: ChangeSource): void {
  let value = valueAt(place);
  const isList = random.below(2) === 0;
  const key = random.pick([place.key, 'a', 'items']);
  for (let depth = random.pick(depths); depth > 0; depth--) value = isList ? [value] : { [key]: value };
  set(place, value);
}

function addField(place: Place, source: ChangeSource): void {
  const value = valueAt(place);
  const key = source.random.pick(source.names);
  if (Array.isArray(value)) value.push(anything(source));
  else if (typeof value === 'object' && value !== null) set({ container: value, key, path: '' }, anything(source));
  else set(place, scalar(source));
}

function renameField(place: Place, { random, names }: ChangeSource): void {
  if (Array.isArray(place.container)) return;
  const value = valueAt(place);
  remove(place);
  set({ ...place, key: random.pick(names) }, value);
}

function valueAt({ container, key }: Place): Json {
  return (container as { [key: string]: Json })[key] ?? null;
}

/** Lists all values of a document without recursion, so that deep documents do not overflow the stack. */
function placesIn(root: { [key: string]: Json }): Place[] {
  const places: Place[] = [];
  const open: { container: Place['container']; path: string }[] = [{ container: root, path: '' }];
  for (let next = open.pop(); next !== undefined && places.length < 50_000; next = open.pop()) {
    const { container, path } = next;
    for (const key of Object.keys(container)) {
      const inner = container === root ? '' : Array.isArray(container) ? `${path}[${key}]` : join(path, key);
      places.push({ container, key, path: inner });
      const value = valueAt({ container, key, path: inner });
      if (typeof value === 'object' && value !== null) open.push({ container: value, path: inner });
    }
  }
  return places;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function parse(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(textOf(bytes)) as Json;
  } catch {
    return undefined;
  }
}

const jsonWords = ['{', '}', '[', ']', ',', ':', '"', 'null', '1e999', '-0', '\\u0000', '"__proto__":', 'true'].map(
  bytesOf,
);
