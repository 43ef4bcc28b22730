import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../attestation/aci/jcs.ts';
import { type Json, objectOf, parseStrictJson } from '../../attestation/aci/strict-json.ts';

const parse = (text: string | Uint8Array) => parseStrictJson(text, { what: 'the text', charactersMax: 10_000 });
const refusal = (text: string | Uint8Array) => {
  try {
    parse(text);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

describe('strict JSON', () => {
  it('parses unambiguous text like JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        fc.pre(text.length <= 10_000);
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['{"a":1,"a":1}'],
    ['{"a":1,"\\u0061":2}'],
    ['[{"b":{"a":1,"c":[],"a":2}}]'],
    ['{"__proto__":1,"__proto__":2}'],
    ['{"":1,"":2}'],
    ['{"a":1, "a":2}'],
    ['{\n  "a": 1,\n  "b": { },\n\t"a" : 2\r\n}'],
  ])('rejects a duplicate member: %s', (text) => {
    expect(refusal(text)).toMatch(/twice/);
  });

  it('parses one very long string', () => {
    const long = JSON.stringify({ a: '\\"'.repeat(8_000_000) });
    expect(parseStrictJson(long, { what: 'x', charactersMax: long.length })).toHaveProperty('a');
  });

  it.each([
    ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}'],
    ['{"a":"a","b":"\\"a\\":1,\\"a\\":2"}'],
    ['["a","a",":","{"]'],
  ])('accepts the same name in other objects, and inside strings: %s', (text) => {
    expect(refusal(text)).toBeUndefined();
  });

  it.each([
    ['what is not JSON', '{'],
    ['a second document', '{}{}'],
    ['nothing', ''],
    ['a byte order mark', '\ufeff{}'],
    ['a number without a value', '[1e400]'],
    ['a number without a value, negative', '{"a":-1E999}'],
    ['a whole number that some readers round', '{"a":9007199254740993}'],
    ['a whole number that some readers round, negative', '[-10000000000000001]'],
  ])('rejects %s', (_, text) => {
    expect(refusal(text)).toBeDefined();
    expect(refusal(new TextEncoder().encode(text))).toBeDefined();
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(refusal(Uint8Array.of(0x22, 0xff, 0x22))).toMatch(/UTF-8/);
  });

  it('rejects more than the limits of characters and levels', () => {
    expect(refusal(`"${'a'.repeat(10_000)}"`)).toMatch(/at most 10000 characters/);
    expect(refusal('['.repeat(32) + ']'.repeat(32))).toBeUndefined();
    expect(refusal('['.repeat(33) + ']'.repeat(33))).toMatch(/32 levels/);
  });

  it('never quotes the rejected text', () => {
    expect(refusal('{"x": secret}')).not.toContain('secret');
  });

  it('names the member that is missing or unexpected', () => {
    const members = { required: ['a'], optional: ['b'] };
    expect(objectOf(parse('{"a":1}'), 'it', members)).toEqual({ a: 1 });
    expect(() => objectOf(parse('{"a":1,"c":2}'), 'it', members)).toThrow('it has no member "c"');
    expect(() => objectOf(parse('{"b":1}'), 'it', members)).toThrow('it lacks its member "a"');
    expect(() => objectOf(parse('{"__proto__":1,"a":1}'), 'it', members)).toThrow('"__proto__"');
  });
});

describe('canonical JSON', () => {
  // Values from RFC 8785, appendix B and §3.2.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
  ])('writes the double %s as %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it('orders members by UTF-16 code units and writes texts with the fewest escapes', () => {
    const value = parse('{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}');
    expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
    expect(canonicalJson('\u20ac$\u000f\nA\'B"\\\\"/')).toBe(`"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"`);
  });

  it('rejects values that JSON in UTF-8 cannot represent', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', ['\udc00'], { '\ud800': 1 }, undefined, 1n]) {
      expect(() => canonicalJson(value as unknown as Json)).toThrow(TypeError);
    }
  });

  it('does not change when it is read and written again', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = canonicalJson(value as Json);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});
