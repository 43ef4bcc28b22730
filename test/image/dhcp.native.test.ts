/** The guest's DHCP client, `image/init/dhcp_*.cc`, in a program of its own with sanitizers (`dhcp.cc`). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'cloister-dhcp-'));
const program = join(folder, 'dhcp');
const init = join(import.meta.dirname, '../../image/init');

beforeAll(() => {
  const warnings = ['-Wall', '-Wextra', '-Werror'];
  const sanitizers = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
  const sources = [join(import.meta.dirname, 'dhcp.cc'), join(init, 'dhcp_message.cc'), join(init, 'dhcp_client.cc')];
  execFileSync('g++', ['-std=c++20', '-O1', ...warnings, ...sanitizers, '-o', program, ...sources]);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

function run(...commands: readonly string[]): unknown[] {
  const options = { input: commands.join('\n'), encoding: 'utf8', maxBuffer: 1 << 24 } as const;
  return execFileSync(program, options)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

interface Actions {
  readonly isLost: boolean;
  readonly lease?: Record<string, unknown>;
  readonly message?: string;
  readonly server?: number;
  readonly deadline?: number;
}

const mac = '525400123456';
const addressOf = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const bytesOf = (...addresses: string[]) => addresses.flatMap((one) => one.split('.').map(Number));
const number = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

type OptionBytes = Readonly<Record<number, readonly number[] | undefined>>;
interface Reply {
  readonly kind?: 'offer' | 'acknowledgement' | 'refusal';
  readonly address?: string;
  readonly options?: OptionBytes;
  /** Changes the message's bytes. */
  readonly change?: (bytes: Buffer) => Buffer;
}

/** Those of QEMU's DHCP server. */
const usual: OptionBytes = {
  54: bytesOf('10.0.2.2'),
  1: bytesOf('255.255.255.0'),
  3: bytesOf('10.0.2.2'),
  6: bytesOf('10.0.2.3'),
  51: number(86_400),
};

function encode(options: OptionBytes): Buffer {
  return Buffer.from(
    Object.entries(options).flatMap(([code, value]) =>
      value === undefined ? [] : [Number(code), value.length, ...value],
    ),
  );
}

/** A server's reply to the transaction of `dhcp.cc`, in hexadecimal. */
function reply({ kind = 'acknowledgement', address = '10.0.2.15', options = {}, change }: Reply = {}): string {
  const head = Buffer.alloc(240);
  head.set([2, 1, 6]);
  head.writeUInt32BE(1000, 4);
  head.set(kind === 'refusal' ? [] : bytesOf(address), 16);
  head.write(mac, 28, 'hex');
  head.write('63825363', 236, 'hex');
  const type = { offer: 2, acknowledgement: 5, refusal: 6 }[kind];
  const known = kind === 'refusal' ? { 54: usual[54] } : usual;
  const message = Buffer.concat([head, encode({ 53: [type], ...known, ...options }), Buffer.from([255])]);
  return (change?.(message) ?? message).toString('hex');
}

/** Fields and options of a client's message. */
function readRequest(hex: string) {
  const bytes = Buffer.from(hex, 'hex');
  const options = new Map<number, Buffer>();
  for (let at = 240; bytes[at] !== 255; at += 2 + bytes[at + 1]!) {
    options.set(bytes[at]!, bytes.subarray(at + 2, at + 2 + bytes[at + 1]!));
  }
  return {
    kind: { 1: 'discover', 3: 'request' }[options.get(53)![0]!],
    seconds: bytes.readUInt16BE(8),
    client: [...bytes.subarray(12, 16)].join('.'),
    requested: options.get(50)?.join('.'),
    server: options.get(54)?.join('.'),
    options,
    bytes,
  };
}

/** Changes bytes in place. */
const changed = (change: (bytes: Buffer) => unknown) => (bytes: Buffer) => {
  change(bytes);
  return bytes;
};
const parse = (given: Reply) =>
  run(`parse ${reply(given)}`)[0] as { kind: string; lease: Record<string, unknown> } | null;

describe('parse_dhcp_reply', () => {
  it('reads address, mask, gateway, nameservers, MTU and times', () => {
    const options = {
      6: bytesOf('10.0.2.3', '169.254.169.254', '1.1.1.1', '8.8.8.8'),
      26: [5, 180],
      58: number(1000),
      59: number(2000),
    };
    expect(parse({ options })).toEqual({
      kind: 'acknowledgement',
      lease: {
        address: addressOf('10.0.2.15'),
        prefixBits: 24,
        server: addressOf('10.0.2.2'),
        gateway: addressOf('10.0.2.2'),
        nameservers: ['10.0.2.3', '169.254.169.254', '1.1.1.1'].map(addressOf),
        mtu: 1460,
        seconds: [1000, 2000, 86_400],
      },
    });
  });

  it('uses the default times if the server gives none, or none in order', () => {
    expect(parse({})!.lease.seconds).toEqual([43_200, 75_600, 86_400]);
    expect(parse({ options: { 58: number(90_000), 59: number(80_000) } })!.lease.seconds).toEqual([
      43_200, 75_600, 86_400,
    ]);
    expect(parse({ options: { 58: number(0), 59: number(1) } })!.lease.seconds).toEqual([43_200, 75_600, 86_400]);
  });

  it('accepts a network of one address with a gateway outside it, as in Google’s cloud', () => {
    const options = { 1: bytesOf('255.255.255.255'), 3: bytesOf('10.128.0.1') };
    expect(parse({ address: '10.128.0.7', options })!.lease).toMatchObject({
      prefixBits: 32,
      gateway: addressOf('10.128.0.1'),
    });
  });

  it('accepts a lease without a gateway, without nameservers and without an end', () => {
    const { lease } = parse({ options: { 3: undefined, 6: undefined, 51: number(0xffff_ffff) } })!;
    expect(lease).toMatchObject({ nameservers: [], seconds: [0x7fff_ffff, 0xe000_0000, 0xffff_ffff] });
    expect(lease).not.toHaveProperty('gateway');
  });

  it('reads options that continue in the fields of the file and the server’s name', () => {
    const change = (bytes: Buffer) => {
      encode({ 3: bytesOf('10.0.2.1') }).copy(bytes, 108);
      bytes[114] = 255;
      encode({ 6: bytesOf('10.0.2.9') }).copy(bytes, 44);
      bytes[50] = 255;
      return bytes;
    };
    const { lease } = parse({ options: { 3: undefined, 6: undefined, 52: [3] }, change })!;
    expect(lease).toMatchObject({ gateway: addressOf('10.0.2.1'), nameservers: [addressOf('10.0.2.9')] });
  });

  it.each<[string, Reply]>([
    ['to another transaction', { change: changed((bytes) => bytes.writeUInt32BE(1001, 4)) }],
    ['to another interface', { change: changed((bytes) => bytes.writeUInt8(0x57, 33)) }],
    ['that is a request', { change: changed((bytes) => bytes.writeUInt8(1, 0)) }],
    ['without the cookie', { change: changed((bytes) => bytes.writeUInt8(0, 236)) }],
    ['without the end option', { change: (bytes) => bytes.subarray(0, -1) }],
    ['without options', { change: (bytes) => bytes.subarray(0, 240) }],
    [
      'with an option that ends after the message',
      { change: (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([12, 200, 1, 255])]) },
    ],
    [
      'with an option without a length',
      { change: (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([12])]) },
    ],
    [
      'with an option twice',
      {
        change: (bytes) =>
          Buffer.concat([bytes.subarray(0, -1), encode({ 3: bytesOf('10.0.2.9') }), Buffer.from([255])]),
      },
    ],
    ['of an unknown type', { options: { 53: [8] } }],
    ['without a server', { options: { 54: undefined } }],
    ['without a mask', { options: { 1: undefined } }],
    ['with a mask with gaps', { options: { 1: bytesOf('255.0.255.0') } }],
    ['with an empty mask', { options: { 1: bytesOf('0.0.0.0') } }],
    ['with a mask of three bytes', { options: { 1: [255, 255, 255] } }],
    ['with half an address as gateway', { options: { 3: [10, 0] } }],
    ['with an empty list of nameservers', { options: { 6: [] } }],
    ['with the broadcast address as nameserver', { options: { 6: bytesOf('255.255.255.255') } }],
    ['with the leased address as gateway', { options: { 3: bytesOf('10.0.2.15') } }],
    ['without a lease time', { options: { 51: undefined } }],
    ['with a lease of seconds', { options: { 51: number(29) } }],
    ['with a tiny MTU', { options: { 26: [0, 68] } }],
    ['with an invalid overload', { options: { 52: [4] } }],
    ['of the address 0.0.0.0', { address: '0.0.0.0' }],
    ['of a loopback address', { address: '127.0.0.1', options: { 1: bytesOf('255.0.0.0') } }],
    ['of a link-local address', { address: '169.254.1.1' }],
    ['of a multicast address', { address: '224.0.0.1' }],
    ['of the network’s own address', { address: '10.0.2.0' }],
    ['of the network’s broadcast address', { address: '10.0.2.255' }],
  ])('rejects a reply %s', (_what, given) => {
    expect(parse(given)).toBeNull();
  });
});

describe('IPv4 packets', () => {
  const message = Buffer.from('a message of odd length').toString('hex');
  /** What a server sends: ports exchanged, which does not change the checksum. */
  const answer = (change?: (packet: Buffer) => void) => {
    const packet = Buffer.from(run(`wrap ${message}`)[0] as string, 'hex');
    packet.writeUInt16BE(67, 20);
    packet.writeUInt16BE(68, 22);
    change?.(packet);
    return packet.toString('hex');
  };
  const unwrap = (packet: string, hasChecksum = 1) => run(`unwrap ${hasChecksum} ${packet}`)[0];

  it('are read after they were written, also with padding at their end', () => {
    expect(unwrap(answer())).toBe(message);
    expect(unwrap(`${answer()}0000`)).toBe(message);
  });

  it('have checksums that sum up to all ones', () => {
    const packet = Buffer.from(run(`wrap ${message}`)[0] as string, 'hex');
    const sum = (bytes: Buffer) => {
      let total = 0;
      for (let at = 0; at < bytes.length; at += 2) total += bytes[at]! * 256 + (bytes[at + 1] ?? 0);
      while (total > 0xffff) total = (total & 0xffff) + (total >>> 16);
      return total;
    };
    expect(sum(packet.subarray(0, 20))).toBe(0xffff);
    const udp = packet.subarray(20);
    const pseudo = Buffer.from([...packet.subarray(12, 20), 0, 17, udp.length >>> 8, udp.length & 255]);
    expect(sum(Buffer.concat([pseudo, udp]))).toBe(0xffff);
  });

  it('need no UDP checksum if the kernel has not finished it', () => {
    const unfinished = answer((packet) => packet.writeUInt16BE(0x1234, 26));
    expect([unwrap(unfinished, 1), unwrap(unfinished, 0)]).toEqual([null, message]);
    expect(unwrap(answer((packet) => packet.writeUInt16BE(0, 26)))).toBe(message);
  });

  it.each<[string, (packet: Buffer) => void]>([
    ['of another version', (packet) => packet.writeUInt8(0x65, 0)],
    ['with a header shorter than 20 bytes', (packet) => packet.writeUInt8(0x44, 0)],
    ['with a header longer than the packet', (packet) => packet.writeUInt8(0x4f, 0)],
    ['with a wrong header checksum', (packet) => packet.writeUInt8(63, 8)],
    ['that state more bytes than they have', (packet) => packet.writeUInt16BE(2000, 2)],
    ['that are fragments', (packet) => packet.writeUInt16BE(0x2000, 6)],
    ['of TCP', (packet) => packet.writeUInt8(6, 9)],
    ['from another port', (packet) => packet.writeUInt16BE(66, 20)],
    ['with another UDP length', (packet) => packet.writeUInt16BE(9, 24)],
    ['with another content', (packet) => packet.writeUInt8(1, 40)],
  ])('are ignored %s', (_what, change) => {
    expect(unwrap(answer(change))).toBeNull();
  });
});

/** Commands up to the first lease: discover at 0 ms, offer and acknowledgement at 100 ms. */
const leased = (given: Reply = {}) => [
  'start 0',
  'expire 0',
  `receive 50 ${reply({ ...given, kind: 'offer' })}`,
  `receive 100 ${reply(given)}`,
];
const runClient = (...commands: string[]) => run(...commands) as Actions[];
const lastOf = (...commands: string[]) => runClient(...commands).at(-1)!;

describe('DhcpClient', () => {
  it('discovers, requests the offered address of the offering server, and reports the lease', () => {
    const [start, discover, request, lease] = runClient(...leased());
    expect(start!.deadline).toBe(0);
    const first = readRequest(discover!.message!);
    expect(first).toMatchObject({ kind: 'discover', client: '0.0.0.0', requested: undefined, server: undefined });
    expect(first.bytes.subarray(0, 3)).toEqual(Buffer.from([1, 1, 6]));
    expect(first.bytes.length).toBe(300);
    expect(first.options.get(61)!.toString('hex')).toBe(`01${mac}`);
    expect([...first.options.get(55)!]).toEqual([1, 3, 6, 26, 51, 58, 59]);
    expect(readRequest(request!.message!)).toMatchObject({
      kind: 'request',
      client: '0.0.0.0',
      requested: '10.0.2.15',
      server: '10.0.2.2',
    });
    expect(lease).toMatchObject({ isLost: false, lease: { address: addressOf('10.0.2.15') } });
    expect(lease!.message).toBeUndefined();
    // The lease begins when it was requested, at 50 ms.
    expect(lease!.deadline).toBe(50 + 43_200_000);
  });

  it('repeats a discovery after 4, 8, 16, 32, 64 and again 64 seconds', () => {
    const commands = ['start 0'];
    const times = [0, 4, 12, 28, 60, 124, 188].map((second) => second * 1000);
    for (const time of times) commands.push(`expire ${time - 1}`, `expire ${time}`);
    const actions = runClient(...commands).slice(1);
    const sent = actions.filter(({ message }) => message !== undefined);
    expect(sent).toHaveLength(times.length);
    expect(sent.map(({ message }) => readRequest(message!).seconds)).toEqual(times.map((time) => time / 1000));
  });

  it('repeats a request without an answer three times, then discovers again', () => {
    const commands = leased().slice(0, 3);
    const times = [4050, 12_050, 28_050, 60_050, 124_050].map((time) => `expire ${time}`);
    const kinds = runClient(...commands, ...times)
      .slice(3)
      .map(({ message }) => (message === undefined ? undefined : readRequest(message).kind));
    expect(kinds).toEqual(['request', 'request', 'request', undefined, 'discover']);
  });

  it('ignores other servers, offers of other addresses and an acknowledgement before its request', () => {
    const foreign = reply({ options: { 54: bytesOf('10.0.2.99') } });
    const moved = reply({ address: '10.0.2.16' });
    const before = runClient('start 0', `receive 1 ${reply()}`, 'expire 1', `receive 2 ${reply()}`);
    expect(before.map(({ lease }) => lease)).toEqual([undefined, undefined, undefined, undefined]);
    const [, , , one, two, three] = runClient(
      ...leased().slice(0, 3),
      `receive 60 ${foreign}`,
      `receive 61 ${moved}`,
      `receive 62 ${reply({ kind: 'offer' })}`,
    );
    for (const ignored of [one, two, three]) expect(ignored).toEqual({ isLost: false, deadline: 4050 });
  });

  it('renews at T1 with the server alone, and keeps its configuration if nothing changed', () => {
    const renewal = 50 + 43_200_000;
    const [sent, renewed] = runClient(...leased(), `expire ${renewal}`, `receive ${renewal + 5} ${reply()}`).slice(-2);
    expect(sent!.server).toBe(addressOf('10.0.2.2'));
    expect(readRequest(sent!.message!)).toMatchObject({
      kind: 'request',
      client: '10.0.2.15',
      requested: undefined,
      server: undefined,
    });
    expect(renewed).toEqual({ isLost: false, deadline: renewal + 43_200_000 });
  });

  it('reports a renewed lease with another gateway', () => {
    const renewal = 50 + 43_200_000;
    const other = reply({ options: { 3: bytesOf('10.0.2.1') } });
    const actions = lastOf(...leased(), `expire ${renewal}`, `receive ${renewal + 5} ${other}`);
    expect(actions.lease).toMatchObject({ gateway: addressOf('10.0.2.1') });
  });

  it('repeats a renewal at half of the remaining time, and asks any server from T2 on', () => {
    const times = [43_200_050, 59_400_050, 75_600_050];
    const actions = runClient(...leased(), ...times.map((time) => `expire ${time}`)).slice(4);
    expect(actions.map(({ deadline }) => deadline)).toEqual([59_400_050, 67_500_050, 81_000_050]);
    expect(actions.map(({ server }) => server)).toEqual([addressOf('10.0.2.2'), addressOf('10.0.2.2'), undefined]);
    const other = reply({ options: { 54: bytesOf('10.0.2.99') } });
    const rebound = lastOf(...leased(), `expire 75600050`, `receive 75600060 ${other}`);
    expect(rebound).toEqual({ isLost: false, deadline: 75_600_050 + 43_200_000 });
  });

  it('gives the address up when the lease ends, and discovers again', () => {
    const end = 50 + 86_400_000;
    const [lost, again] = runClient(
      ...leased(),
      'expire 43200050',
      'expire 75600050',
      `expire ${end}`,
      `expire ${end + 64_000}`,
    ).slice(-2);
    expect(lost).toMatchObject({ isLost: true });
    expect(readRequest(again!.message!)).toMatchObject({ kind: 'discover', client: '0.0.0.0' });
  });

  it('gives the address up when the server refuses it, and waits before it discovers again', () => {
    const renewal = 50 + 43_200_000;
    const refused = lastOf(...leased(), `expire ${renewal}`, `receive ${renewal + 5} ${reply({ kind: 'refusal' })}`);
    expect(refused).toEqual({ isLost: true, deadline: renewal + 5 + 4000 });
    const early = lastOf(...leased().slice(0, 3), `receive 60 ${reply({ kind: 'refusal' })}`);
    expect(early.isLost).toBe(false);
    expect(early.deadline).toBeGreaterThan(4000);
  });

  it('never renews a lease without an end', () => {
    const lease = lastOf(...leased({ options: { 51: number(0xffff_ffff) } }));
    expect(lease.lease).toBeDefined();
    expect(lease.deadline).toBeUndefined();
  });
});

describe('hostile packets', () => {
  it.each([1, 2])(
    'give no invalid lease and no error of memory, with seed %i',
    (seed) => {
      const offers = [
        reply({ kind: 'offer' }),
        reply(),
        reply({ kind: 'refusal' }),
        reply({ options: { 26: [5, 180], 58: number(1000), 59: number(2000) } }),
      ];
      const overloaded = reply({
        options: { 3: undefined, 52: [3] },
        change: changed((bytes) => bytes.fill(255, 44, 236)),
      });
      const [packet] = run(`wrap ${reply()}`) as [string];
      const seeds = [...offers, overloaded, packet.replace('00440043', '00430044')].map((hex) => `seed ${hex}`);
      const counts = run(...seeds, `fuzz 40000 ${seed}`).at(-1) as Record<string, number>;
      expect(counts.accepted).toBeGreaterThan(1000);
      expect(counts.leases).toBeGreaterThan(10);
      expect(counts.messages).toBeGreaterThan(1000);
    },
    60_000,
  );
});
