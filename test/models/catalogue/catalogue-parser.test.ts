import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCatalogue, parseCatalogue } from '../../../models/catalogue/catalogue.ts';
import { ModelError } from '../../../models/interface/errors.ts';
import { digest, entry, parseChanged } from '../../support/models/catalogue-entry.ts';

/** An entry with the given parts of three. */
function parts(...numbers: number[]) {
  const files = numbers.map((number) => ({ path: `m-0000${number}-of-00003.gguf`, sha256: digest, bytes: 1 }));
  return { source: { kind: 'path' }, files };
}

/** An entry with two adapters. */
const adapted = {
  source: { kind: 'path' },
  files: ['a.gguf', 'b.gguf', 'c.gguf'].map((path) => ({ path, sha256: digest, bytes: 1 })),
  adapters: [
    { name: 'a', path: 'b.gguf' },
    { name: 'b', path: 'c.gguf' },
  ],
};

describe('parseCatalogue', () => {
  it('parses an entry, and defaults `maxOutputTokens` to the context', () => {
    expect(parseChanged({}).models).toEqual([{ ...entry, maxOutputTokens: 2048 }]);
  });

  it('parses an entry with several parts', () => {
    expect(parseChanged(parts(1, 2, 3)).models[0]!.files).toHaveLength(3);
  });

  it('parses adapters, and formats them again', () => {
    const catalogue = parseChanged(adapted);
    expect(catalogue.models[0]!.adapters).toEqual(adapted.adapters);
    expect(parseCatalogue(formatCatalogue(catalogue))).toEqual(catalogue);
  });

  it('freezes what it returns', () => {
    const { models } = parseChanged({});
    expect(Object.isFrozen(models)).toBe(true);
    expect(Object.isFrozen(models[0]!.files[0])).toBe(true);
    expect(Object.isFrozen(models[0]!.pricing)).toBe(true);
  });

  it.each([
    [
      { id: 'tiny' },
      'c.json: model "tiny": id must be letters, digits, ".", "_" and "-", at most 100, ending in "-TEE", got "tiny"',
    ],
    [{ id: 7 }, 'c.json: models[0].id must be text, got 7'],
    [
      { kind: 'gguf' },
      'c.json: model "tiny-TEE": kind must be one of llama-text, llama-embedding, llama-reranker, onnx-embedding, onnx-reranker, onnx-image, got "gguf"',
    ],
    [{ name: 'a\nb' }, 'c.json: model "tiny-TEE": name must be 1 to 200 characters on one line, got "a\\nb"'],
    [{ colour: 1 }, 'c.json: models[0]: unknown field "colour"; expected one of id, kind,'],
    [{ contextLength: 0.5 }, 'contextLength must be a whole number from 1 to 16777216, got 0.5'],
    [{ maxOutputTokens: 4096 }, 'maxOutputTokens must be a whole number from 1 to 2048, got 4096'],
    [
      { pricing: { promptPerMillion: 1, completionPerMillion: 1, perImage: 0.5 } },
      'pricing.perImage must be a whole number',
    ],
    [{ pricing: { promptPerMillion: 1 } }, 'c.json: model "tiny-TEE": pricing: field completionPerMillion is missing'],
    [
      { pricing: { promptPerMillion: '0.15', completionPerMillion: 0 } },
      'pricing.promptPerMillion must be a whole number',
    ],
    [{ image: { steps: 4 } }, 'image is allowed for image models only, not for llama-text'],
    [{ kind: 'onnx-image', image: { guidanceScale: 20.5 } }, 'image.guidanceScale must be a number from 0 to 20'],
    [{ kind: 'onnx-image', image: { steps: 0 } }, 'image.steps must be a whole number from 1 to 150, got 0'],
    [{ kind: 'onnx-image', image: { size: 512 } }, 'unknown field "size"; expected one of guidanceScale, steps'],
    [{ kind: 'onnx-image', adapters: [] }, 'adapters are allowed for llama-text only, not for onnx-image'],
    [{ adapters: [] }, 'adapters must be a list of 1 to 64 items, got a list of 0'],
    [
      { adapters: [{ name: 'a:b', path: 'x' }] },
      'adapters[0].name must be letters, digits, ".", "_" and "-", at most 64',
    ],
    [
      { adapters: [{ name: 'a', path: 'x' }] },
      'adapters[0].path must be the path of one of the files, except the first',
    ],
    [
      { adapters: [{ name: 'a', path: entry.files[0]!.path }] },
      'adapters[0].path must be the path of one of the files',
    ],
    [
      { ...adapted, adapters: [adapted.adapters[0], { name: 'a', path: 'c.gguf' }] },
      'adapters[1].name must be a name that no other adapter has',
    ],
    [{ capabilities: ['telepathy'] }, 'capabilities[0] must be one of streaming, tools'],
    [{ plans: ['free', 'free'] }, 'plans must be a list without repetition, got a list of 2'],
    [{ files: [] }, 'files must be a list of 1 to 1000 items, got a list of 0'],
    [
      { files: [{ ...entry.files[0], sha256: digest.toUpperCase() }] },
      'files[0].sha256 must be 64 lower-case hexadecimal digits',
    ],
    [
      { files: [...entry.files, { path: 'b', sha256: digest, bytes: 1 }] },
      'source.files must have one item per file: expected 2, got 1',
    ],
    [parts(1), 'files[1].path must be "m-00002-of-00003.gguf", got undefined'],
    [parts(2, 1, 3), 'files[0].path must be "m-00001-of-00003.gguf", got "m-00002-of-00003.gguf"'],
    [parts(1, 2), 'files[2].path must be "m-00003-of-00003.gguf", got undefined'],
    [
      { ...parts(), files: [{ path: 'm-00001-of-01001.gguf', sha256: digest, bytes: 1 }] },
      'files[0].path must be a whole file or one of at most 1000 parts',
    ],
    [{ source: { ...entry.source, revision: 'main' } }, 'source.revision must be a commit of 40'],
    [{ source: { ...entry.source, repository: '../x' } }, 'source.repository must be "owner/name"'],
    [
      { source: { kind: 'url', urls: ['http://example.org/a'] } },
      'source.urls[0] must be a normalized https URL without credentials',
    ],
    [
      { source: { kind: 'url', urls: ['https://user:word@example.org/a'] } },
      'source.urls[0] must be a normalized https URL without credentials',
    ],
  ])('refuses %j, naming the field, the expected and the actual value', (change, message) => {
    expect(() => parseChanged(change)).toThrow(message);
  });

  it.each(['../x', 'a/../../x', '/etc/passwd', 'a//b', './a', 'a\\b', '', 'a\0b', 'a/'])(
    'refuses the file path %j',
    (path) => {
      expect(() => parseChanged({ files: [{ ...entry.files[0], path }] })).toThrow(ModelError);
    },
  );

  it('accepts an absolute path for source `path` only, and only in its shortest form', () => {
    const add = (path: string) => parseChanged({ source: { kind: 'path' }, files: [{ ...entry.files[0], path }] });
    expect(add('/srv/tiny.gguf').models[0]!.files[0]!.path).toBe('/srv/tiny.gguf');
    expect(() => add('/srv/../etc/passwd')).toThrow('an absolute path in its shortest form');
    expect(() => add('../tiny.gguf')).toThrow(ModelError);
  });

  it('refuses an id that occurs twice', () => {
    expect(() => parseChanged({}, { models: [entry, entry] })).toThrow('model "tiny-TEE" occurs twice');
  });

  it('refuses two entries that pin one path to different digests', () => {
    const other = { ...entry, id: 'other-TEE', files: [{ ...entry.files[0], sha256: 'c'.repeat(64) }] };
    expect(() => parseChanged({}, { models: [entry, other] })).toThrow(
      'another entry pins "acme/tiny/tiny.gguf" to another digest',
    );
  });

  it('refuses other versions of the format', () => {
    expect(() => parseChanged({}, { version: 2 })).toThrow('c.json: version must be a whole number from 1 to 1, got 2');
  });

  it('survives nesting a million deep', () => {
    expect(() => parseCatalogue('['.repeat(1e6))).toThrow(ModelError);
    const deep = `{"version":1,"models":[{"id":${'['.repeat(1e5)}${']'.repeat(1e5)}}]}`;
    expect(() => parseCatalogue(deep)).toThrow(ModelError);
  });

  it('throws only ModelError for any text', () => {
    const leaf = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(entry)));
    const almost = fc.record(
      Object.fromEntries(
        Object.entries(entry).map(([key, value]) => [
          key,
          fc.oneof({ weight: 5, arbitrary: fc.constant(value as unknown) }, leaf),
        ]),
      ),
      { requiredKeys: [] },
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .record({ version: fc.constantFrom(1, 1, 1, 2), models: fc.array(almost) })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(text, (json) => {
        try {
          const catalogue = parseCatalogue(json);
          expect(parseCatalogue(formatCatalogue(catalogue))).toEqual(catalogue);
        } catch (error) {
          expect(error).toBeInstanceOf(ModelError);
          expect((error as ModelError).code).toBe('ERR_CATALOGUE_INVALID');
        }
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});
