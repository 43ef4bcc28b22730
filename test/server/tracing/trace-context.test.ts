import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTraceParent, parseTraceParent } from '../../../server/tracing/trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('traceparent', () => {
  it.each([
    [`00-${traceId}-${spanId}-01`, true],
    [`00-${traceId}-${spanId}-00`, false],
    [`00-${traceId}-${spanId}-ff`, true],
    [`cc-${traceId}-${spanId}-01-what-comes-later`, true],
    [`01-${traceId}-${spanId}-02`, false],
  ])('is read from %s', (header, isSampled) => {
    expect(parseTraceParent(header)).toEqual({ traceId, spanId, isSampled });
  });

  it.each([
    ['a missing header', undefined],
    ['two headers', [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`]],
    ['an empty text', ''],
    ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['more fields in version 00', `00-${traceId}-${spanId}-01-more`],
    ['a short trace id', `00-${traceId.slice(1)}-${spanId}-01`],
    ['a long header', `cc-${traceId}-${spanId}-01-${'x'.repeat(300)}`],
  ])('is ignored for %s', (_, header) => {
    expect(parseTraceParent(header)).toBeUndefined();
  });

  it('is hexadecimal whatever the caller sends, and survives being written and read', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)),
        (header) => {
          const parent = parseTraceParent(header);
          if (parent === undefined) return;
          const written = formatTraceParent(parent);
          expect(written).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
          expect(parseTraceParent(written)).toEqual(parent);
        },
      ),
    );
  });
});
