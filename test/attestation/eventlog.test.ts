/** The CC event log: parsing, replaying, and comparison with a quote's registers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../attestation/base/bytes.ts';
import { AttestationError } from '../../attestation/base/errors.ts';
import { parseCcelTable } from '../../attestation/eventlog/ccel-table.ts';
import { eventLogBytesMax, eventsMax, parseEventLog } from '../../attestation/eventlog/event-log.ts';
import { isDigestOfData, type Rtmrs, replayEventLog, requireReplay } from '../../attestation/eventlog/replay.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { type LogOptions, sha384, type WrittenEvent, writeEventLog } from '../support/attestation/event-log-writer.ts';
import { hasVectors, vectorBytes, vectorsNote, vectorText } from '../support/vectors.ts';

const writtenEvents: readonly WrittenEvent[] = [
  { mrIndex: 0, data: 'firmware' },
  { mrIndex: 1, data: 'tables' },
  { mrIndex: 2, data: 'kernel' },
  { mrIndex: 2, data: 'initrd' },
  { mrIndex: 3, data: 'a note', type: 3 },
  { mrIndex: 4, data: 'runtime' },
];
const zero = new Uint8Array(48);
const text = (value: string) => new TextEncoder().encode(value);
const extended = (register: Uint8Array, data: string) => sha384(register, sha384(text(data)));
const replayed: Rtmrs = [
  extended(zero, 'tables'),
  extended(extended(zero, 'kernel'), 'initrd'),
  zero,
  extended(zero, 'runtime'),
];

const cut = (bytes: Uint8Array, count: number) => bytes.subarray(0, bytes.length - count);
const bare = (events: readonly WrittenEvent[]) => writeEventLog(events, { tail: new Uint8Array() });

describe('parseEventLog', () => {
  it('returns every event in order, and the length without the end mark', () => {
    const log = parseEventLog(writeEventLog(writtenEvents));
    expect(log.events.map(({ mrIndex, data }) => [mrIndex, new TextDecoder().decode(data)])).toEqual(
      writtenEvents.map(({ mrIndex, data }) => [mrIndex, data]),
    );
    expect([log.specVersion, log.byteLength]).toEqual(['2.0', bare(writtenEvents).length]);
  });

  it('accepts a log truncated after its last event', () => {
    expect(parseEventLog(bare(writtenEvents))).toEqual(parseEventLog(writeEventLog(writtenEvents)));
  });

  it('accepts zeros after the end mark', () => {
    const tail = Uint8Array.from([255, 255, 255, 255, 0, 0, 0]);
    expect(parseEventLog(writeEventLog(writtenEvents, { tail })).events).toHaveLength(writtenEvents.length);
  });

  it('passes over digests of other declared algorithms and vendor information', () => {
    const options = {
      algorithms: [
        [11, 32],
        [12, 48],
      ] as const,
      vendorInformation: 'x',
    };
    const [event] = parseEventLog(writeEventLog([{ mrIndex: 1, data: 'a', algorithms: [11, 12] }], options)).events;
    expect(event?.digest).toEqual(sha384(text('a')));
  });

  const one = { mrIndex: 1, data: 'a' };
  it.each<[string, RegExp, readonly WrittenEvent[], LogOptions]>([
    ['another signature', /does not begin with "Spec ID Event03"/, [], { signature: 'Spec ID Event02\0' }],
    ['another first event', /type 8, expected a header/, [], { headerType: 8 }],
    ['no SHA-384', /no SHA-384 digests/, [], { algorithms: [[11, 32]] }],
    ['a short SHA-384', /no SHA-384 digests/, [], { algorithms: [[12, 32]] }],
    [
      'an algorithm twice',
      /algorithm 12 twice/,
      [],
      {
        algorithms: [
          [12, 48],
          [12, 48],
        ],
      },
    ],
    ['many algorithms', /17 digest algorithms/, [], { algorithms: Array.from({ length: 17 }, (_, id) => [id, 48]) }],
    ['a register beyond the last', /register 5, the last one is 4/, [{ ...one, mrIndex: 5 }], {}],
    ['an undeclared algorithm', /undeclared algorithm 11/, [{ ...one, algorithms: [11] }], {}],
    ['more digests than algorithms', /2 digests, 1 are declared/, [{ ...one, algorithms: [12, 12] }], {}],
    ['no digest', /without a SHA-384 digest/, [{ ...one, algorithms: [] }], {}],
    [
      'two digests of one algorithm',
      /two SHA-384 digests/,
      [{ ...one, algorithms: [12, 12] }],
      {
        algorithms: [
          [11, 32],
          [12, 48],
        ],
      },
    ],
    ['text after its end mark', /after its end mark/, [one], { tail: Uint8Array.from([255, 255, 255, 255, 255, 1]) }],
    [
      'too many events',
      /has over 16384 events/,
      Array.from({ length: eventsMax + 1 }, () => ({ mrIndex: 1, data: '' })),
      {},
    ],
  ])('rejects a log with %s', (_, reason, events, options) => {
    const parse = () => parseEventLog(writeEventLog(events, options));
    expect(parse).toThrow(reason);
    expect(parse).toThrow(expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' }));
  });

  it('rejects a log that ends inside an event, and one that is too long', () => {
    expect(() => parseEventLog(cut(bare(writtenEvents), 1))).toThrow(/ends at byte .* inside event data/);
    expect(() => parseEventLog(new Uint8Array(eventLogBytesMax + 1))).toThrow(/at most/);
    expect(() => parseEventLog(new Uint8Array())).toThrow(/inside register index of the header/);
  });
});

describe('replayEventLog', () => {
  it('extends RTMR0…3 with the digests of indices 1…4, and skips MRTD and notes', async () => {
    expect(await replayEventLog(parseEventLog(writeEventLog(writtenEvents)).events)).toEqual(replayed);
    expect(await replayEventLog([])).toEqual([zero, zero, zero, zero]);
  });

  it.each([
    { mrIndex: 5, digest: zero },
    { mrIndex: -1, digest: zero },
    { mrIndex: 1, digest: new Uint8Array(32) },
  ])('rejects an event for register $mrIndex with a digest of $digest.length bytes', async ({ mrIndex, digest }) => {
    const event = { mrIndex, type: 13, digest };
    await expect(replayEventLog([event])).rejects.toMatchObject({ code: 'ERR_EVIDENCE_MALFORMED' });
  });
});

describe('requireReplay', () => {
  const { events } = parseEventLog(writeEventLog(writtenEvents));

  it('passes if the log replays to the registers', async () => {
    await requireReplay(events, replayed);
  });

  it.each([
    ['an event left out', events.filter((_, index) => index !== 3), /RTMR1/],
    ['two events swapped', [0, 1, 3, 2, 4, 5].map((index) => events[index]!), /RTMR1/],
    ['an event twice', [...events, events[5]!], /RTMR3/],
    ['a changed digest', events.map((event, index) => (index === 1 ? { ...event, digest: zero } : event)), /RTMR0/],
  ])('rejects a log with %s', async (_, changed, reason) => {
    const replay = requireReplay(changed, replayed);
    await expect(replay).rejects.toThrow(reason);
    await expect(replay).rejects.toMatchObject({ code: 'ERR_NOT_VERIFIED' });
  });

  it('compares only the requested registers', async () => {
    const other: Rtmrs = [replayed[0], replayed[1], replayed[2], zero];
    await requireReplay(events, other, [0, 1, 2]);
    await expect(requireReplay(events, other)).rejects.toThrow(/RTMR3/);
  });

  it('does not verify data: isDigestOfData does', async () => {
    const changed = { ...events[1]!, data: text('other') };
    await requireReplay([events[0]!, changed, ...events.slice(2)], replayed);
    expect(await Promise.all([isDigestOfData(events[1]!), isDigestOfData(changed)])).toEqual([true, false]);
  });
});

describe('hostile bytes', () => {
  const good = writeEventLog(writtenEvents);
  const damaged = fc
    .tuple(
      fc.array(fc.record({ at: fc.nat(good.length - 1), value: fc.nat(255) }), { minLength: 1, maxLength: 4 }),
      fc.nat(good.length),
      fc.boolean(),
    )
    .map(([edits, length, isCut]) => {
      const bytes = Uint8Array.from(good);
      for (const { at, value } of edits) bytes[at] = value;
      return isCut ? bytes.subarray(0, length) : bytes;
    });

  it.each([
    ['parseEventLog', parseEventLog],
    ['parseCcelTable', parseCcelTable],
  ])('%s returns, or throws its error code', (_, parse) => {
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 80 })), (bytes) => {
        try {
          parse(bytes);
        } catch (error) {
          if (!(error instanceof AttestationError) || error.code !== 'ERR_EVIDENCE_MALFORMED') throw error;
        }
      }),
      { numRuns: 1000 },
    );
  });
});

interface ExpectedEvent {
  index: number;
  digest_matches_event: boolean;
  digests: { alg: string; digest: string }[];
  event: string;
}

describe.skipIf(!hasVectors)(`real event logs${vectorsNote}`, () => {
  it.each(['ovmf', 'grub'])('reads every event of the %s log like its published form', async (name) => {
    const { events } = parseEventLog(vectorBytes(`ccel-trustee/CCEL_data_${name}`));
    const expected: ExpectedEvent[] = JSON.parse(vectorText(`ccel-trustee/CCEL_data_${name}_out.json`)).uefi_event_logs;
    expect(
      events.map(({ mrIndex, digest, data }) => [mrIndex, toHex(digest), Buffer.from(data).toString('base64')]),
    ).toEqual(expected.map(({ index, digests, event }) => [index, digests[0]?.digest, event]));
    const ofData = await Promise.all(events.map(isDigestOfData));
    expect(ofData).toEqual(expected.map(({ digest_matches_event }) => digest_matches_event));
  });

  it("replays Google's log to RTMR0…3 of the quote taken with it", async () => {
    const { events } = parseEventLog(vectorBytes('tdx-go-tdx-guest/ccel/ccel_data.dat'));
    const { body } = parseQuote(vectorBytes('tdx-go-tdx-guest/ccel/cos-113-tdx-quote.dat'));
    await requireReplay(events, body.rtmrs);
    await expect(requireReplay(events.slice(0, -1), body.rtmrs)).rejects.toThrow(/the quote says/);
  });

  it('finds the log by its ACPI table, and rejects a changed table', () => {
    const table = vectorBytes('tdx-go-tdx-guest/ccel/ccel_table.dat');
    expect(parseCcelTable(table)).toEqual({ logBytesMax: 0x40000n, logAddress: 0xbedbf000n });
    for (const [at, reason] of [
      [0, /begins with "CCEL"/],
      [4, /states its length/],
      [36, /type 2/],
      [48, /checksum/],
    ] as const) {
      const changed = Uint8Array.from(table);
      changed[at]! ^= 1;
      expect(() => parseCcelTable(changed)).toThrow(reason);
    }
    expect(() => parseCcelTable(table.subarray(1))).toThrow(/56 bytes, got 55/);
  });
});
