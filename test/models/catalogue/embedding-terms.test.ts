import { describe, expect, it } from 'vitest';
import { formatCatalogue, parseCatalogue } from '../../../models/catalogue/catalogue.ts';
import { parseChanged } from '../../support/models/catalogue-entry.ts';

const kind = 'onnx-embedding';

describe('the settings of an embedding model', () => {
  it('are parsed field by field, and preserved when the catalogue is written', () => {
    const embedding = {
      pooling: 'cls',
      normalizes: false,
      dimensions: [64, 128],
      prefix: 'text: ',
      queryPrefix: 'query: ',
      documentPrefix: 'passage: ',
    };
    const catalogue = parseChanged({ kind, embedding });
    expect(catalogue.models[0]!.embedding).toEqual(embedding);
    expect(parseCatalogue(formatCatalogue(catalogue)).models[0]!.embedding).toEqual(embedding);
  });

  it('are optional', () => {
    expect(parseChanged({ kind }).models[0]!.embedding).toBeUndefined();
    expect(formatCatalogue(parseChanged({ kind }))).not.toContain('"embedding"');
  });

  it.each([
    [{ kind: 'llama-text', embedding: {} }, 'embedding is allowed for embedding models only, not for llama-text'],
    [{ kind, embedding: 'cls' }, 'embedding must be an object'],
    [{ kind, embedding: { pooling: 'sum' } }, 'embedding.pooling must be one of cls, mean, last, max, got "sum"'],
    [{ kind: 'llama-embedding', embedding: { pooling: 'max' } }, 'embedding.pooling must be cls, mean or last'],
    [{ kind, embedding: { normalizes: 1 } }, 'embedding.normalizes must be true or false, got 1'],
    [{ kind, embedding: { dimensions: [0] } }, 'embedding.dimensions[0] must be a whole number from 1 to 65536'],
    [{ kind, embedding: { dimensions: [64, 64] } }, 'embedding.dimensions must be a list without repetition'],
    [{ kind, embedding: { prefix: '' } }, 'embedding.prefix must be 1 to 1000 characters'],
    [{ kind, embedding: { queryPrefix: 'a'.repeat(1001) } }, 'embedding.queryPrefix must be 1 to 1000 characters'],
    [{ kind, embedding: { instruction: 'x' } }, 'unknown field "instruction"'],
  ])('is refused as %j', (change, message) => {
    expect(() => parseChanged(change)).toThrow(message);
  });
});
