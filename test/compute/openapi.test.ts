/** The OpenAPI document of the compute service is complete: every field, error, header and example. */
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../compute/http/openapi.ts';
import { operationsOf } from '../../compute/routes/operations.ts';
import { type Document, gapsOf } from '../support/openapi.ts';

describe("the compute service's OpenAPI document", () => {
  it('describes every field, parameter and header, and has examples that its schemas accept', () => {
    const document = openApiDocument(operationsOf({ svc: 'svc' }), { baseUrl: 'https://compute.example' });
    expect(gapsOf(document as unknown as Document)).toEqual([]);
    expect(Object.keys(document.paths).length).toBeGreaterThan(20);
  });
});
