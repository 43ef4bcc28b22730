import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkStartEvents,
  digestStartEvent,
  extendRegister,
  formatEventLog,
  formatStartLog,
  parseStartLog,
  replayStartLog,
  type StartEvent,
  startContentMax,
  startEventsMax,
} from '../../attestation/eventlog/start-log.ts';

const events: readonly StartEvent[] = [
  { name: 'cloister.build', content: '{"version":"0.1.0"}' },
  { name: 'cloister.host', content: 'swap: none\nümlaut 🜁' },
];
const text = formatStartLog(events);

function sha384(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hash = createHash('sha384');
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

describe('a start event', () => {
  it('has the digest that docs/reference/start-log.md specifies', async () => {
    const { name, content } = events[1]!;
    expect(await digestStartEvent(events[1]!)).toEqual(sha384(`cloister.start-log.v1\n${name}\n${content}`));
  });

  it("has a digest in dstack's form if it is the composition", async () => {
    const content = '{"format":"cloister.composition.v1"}';
    const hash = createHash('sha256').update(content).digest();
    const expected = sha384(Uint8Array.of(1, 0, 0, 8), ':compose-hash:', hash);
    expect(await digestStartEvent({ name: 'compose-hash', content })).toEqual(expected);
    const [row] = JSON.parse(await formatEventLog([{ name: 'compose-hash', content }]));
    expect(row).toEqual({
      imr: 3,
      event_type: 0x08000001,
      digest: Buffer.from(expected).toString('hex'),
      event: 'compose-hash',
      event_payload: hash.toString('hex'),
    });
  });

  it.each([
    ['upper case', { name: 'Build', content: '' }],
    ['a line feed in its name', { name: 'a\nb', content: '' }],
    ['a trailing line feed in its name', { name: 'a\n', content: '' }],
    ['an empty name', { name: '', content: '' }],
    ['a name that ends in a dot', { name: 'a.', content: '' }],
    ['a name of 65 characters', { name: 'a'.repeat(65), content: '' }],
    ['no content', { name: 'a' }],
    ['content that is no text', { name: 'a', content: 1 }],
    ['half a character', { name: 'a', content: '\ud800' }],
    ['too much content', { name: 'a', content: 'x'.repeat(startContentMax + 1) }],
    ['another member', { name: 'a', content: '', digest: '00' }],
  ])('is rejected with %s', async (_what, event) => {
    await expect(digestStartEvent(event as StartEvent)).rejects.toMatchObject({ code: 'ERR_EVIDENCE_MALFORMED' });
    expect(() => checkStartEvents([event])).toThrow(expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' }));
  });
});

describe('a start log', () => {
  it('replays to the extension of zeros by each digest in turn', async () => {
    const zero = new Uint8Array(48);
    const first = sha384(zero, await digestStartEvent(events[0]!));
    expect(await extendRegister(zero, events[0]!)).toEqual(first);
    expect(await replayStartLog(events)).toEqual(sha384(first, await digestStartEvent(events[1]!)));
    expect(await replayStartLog([])).toEqual(zero);
  });

  it.each([
    ['reordered', [events[1]!, events[0]!]],
    ['shortened', [events[0]!]],
    ['repeated', [...events, events[1]!]],
    ['changed in one letter', [events[0]!, { ...events[1]!, content: 'swap: nona\nümlaut 🜁' }]],
    ['with a line moved from content to nowhere', [events[0]!, { name: 'cloister.host', content: 'ümlaut 🜁' }]],
  ])('replays to something else when %s', async (_what, changed) => {
    expect(await replayStartLog(changed)).not.toEqual(await replayStartLog(events));
  });

  it('is read back as it was written', () => {
    expect(parseStartLog(text)).toEqual(events);
    expect(parseStartLog(formatStartLog([]))).toEqual([]);
  });

  it.each([
    ['not JSON', '{'],
    ['null', 'null'],
    ['a list', JSON.stringify(events)],
    ['another format', text.replace('v1', 'v2')],
    ['white space', text.replace(':[', ': [')],
    ['another member', text.replace('{"format"', '{"more":1,"format"')],
    ['a member twice', text.replace('"name":"cloister.build"', '"name":"cloister.other","name":"cloister.build"')],
    ['another spelling of a letter', text.replace('swap', '\\u0073wap')],
    ['members in another order', JSON.stringify({ events, format: 'cloister.start-log.v1' })],
    ['no events', '{"format":"cloister.start-log.v1"}'],
    ['too many events', formatless(startEventsMax + 1)],
  ])('is rejected as %s', (_what, wrong) => {
    expect(() => parseStartLog(wrong)).toThrow(expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' }));
  });

  it('is read, or rejected with a code, for any value', () => {
    const anyLog = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({ format: fc.constant('cloister.start-log.v1'), events: fc.anything() }).map((log) => {
        try {
          return JSON.stringify(log) ?? '';
        } catch {
          return '';
        }
      }),
    );
    fc.assert(
      fc.property(anyLog, (hostile) => {
        try {
          expect(formatStartLog(parseStartLog(hostile))).toBe(hostile);
        } catch (error) {
          expect(error).toMatchObject({ name: 'AttestationError', code: 'ERR_EVIDENCE_MALFORMED' });
        }
      }),
      { numRuns: 500 },
    );
  });

  it('has different digests for different events', async () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,8}(\.[a-z0-9]{1,4})?$/);
    const event = fc.record({ name, content: fc.string({ unit: 'grapheme' }) });
    await fc.assert(
      fc.asyncProperty(event, event, async (one, two) => {
        const same = one.name === two.name && one.content === two.content;
        const digests = await Promise.all([one, two].map(digestStartEvent));
        expect(digests[0]!.join() === digests[1]!.join()).toBe(same);
      }),
      { numRuns: 300 },
    );
  });
});

function formatless(count: number): string {
  const many = Array.from({ length: count }, () => ({ name: 'a', content: '' }));
  return JSON.stringify({ format: 'cloister.start-log.v1', events: many });
}
