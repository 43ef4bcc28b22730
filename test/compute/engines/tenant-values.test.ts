/** Validation of tenants' values before they reach an engine. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publishedPorts, requireContainerSettings, requirePodSpec } from '../../../compute/engines/check-spec.ts';
import type { ContainerImage, PodSpec } from '../../../compute/engines/engine.ts';
import { parseImageReference, requireAllowedRegistry } from '../../../compute/engines/image-reference.ts';
import { parsePodName, podName, requireInstance } from '../../../compute/engines/pod-name.ts';
import { parseSimpleCommand } from '../../../compute/engines/simple-command.ts';

const publicKey = `ssh-ed25519 ${'A'.repeat(68)} ada@example`;

const spec: PodSpec = {
  podId: 'p-1',
  kind: 'standard',
  machine: 'm-1',
  image: { reference: 'localhost/cloister-a-template:abc' },
  hostname: 'my-pod',
  sshKeys: [publicKey],
  ports: [{ port: 80, protocol: 'tcp' }],
  gpuCount: 0,
  limits: { cpus: 1, memoryBytes: 2 ** 28 },
};

describe('a start command', () => {
  it.each([
    ['python3 -m http.server 8000', ['python3', '-m', 'http.server', '8000']],
    ["  a\t'b c' \"d 'e'\" f\\ g ", ['a', 'b c', "d 'e'", 'f g']],
    ['run "" --x="1 2"\'3\'', ['run', '', '--x=1 23']],
    ['echo "a \\"b\\" \\$c \\n"', ['echo', 'a "b" $c \\n']],
    ["echo '$HOME; rm -rf /'", ['echo', '$HOME; rm -rf /']],
  ])('%s is split into words', (text, words) => {
    expect(parseSimpleCommand(text)).toEqual(words);
  });

  it.each([
    'a; b',
    'a && b',
    'a | b',
    'a > f',
    'a < f',
    'a $(b)',
    'a `b`',
    'a "$b"',
    'a $b',
    'a & ',
    '(a)',
    'a *.py',
    'a ~',
    'A=1 b',
    'a #b',
    '',
    '   ',
    '""',
    "'a",
    '"a',
    'a\\',
    'a\nb',
    'a \x07',
  ])('%j is rejected because it is not one simple command', (text) => {
    expect(() => parseSimpleCommand(text)).toThrow(
      expect.objectContaining({ code: 'ERR_ENGINE_REFUSED', reason: 'settings_refused' }),
    );
  });

  it('is split as a POSIX shell would split it, for random commands', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', "'", '"', '\\', '-', '=', '/'), maxLength: 24 });
    fc.assert(
      fc.property(text, (arguments_) => {
        let words: string[];
        try {
          words = parseSimpleCommand(`x ${arguments_}`);
        } catch {
          return;
        }
        const script = `set -- x ${arguments_}\nfor word; do printf '%s\\0' "$word"; done`;
        const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
        expect(words.map((word) => `${word}\0`).join('')).toBe(printed);
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});

describe('the name of an image', () => {
  it.each([
    ['debian', 'docker.io/library/debian:latest'],
    ['debian:12', 'docker.io/library/debian:12'],
    ['team/tool', 'docker.io/team/tool:latest'],
    ['ghcr.io/team/tool:v1', 'ghcr.io/team/tool:v1'],
    ['localhost/x', 'localhost/x:latest'],
    ['r.example.com:5000/a/b/c:1', 'r.example.com:5000/a/b/c:1'],
    [`ghcr.io/a/b@sha256:${'0'.repeat(64)}`, `ghcr.io/a/b@sha256:${'0'.repeat(64)}`],
  ])('%s means %s', (text, full) => {
    expect(parseImageReference(text).full).toBe(full);
  });

  it.each([
    '',
    'UPPER',
    'a b',
    '../etc',
    'a//b',
    'a:b:c',
    'a@sha256:1',
    'http://x/y',
    'a?b=c',
    'a/b:t#f',
    '-a',
    `a/${'b'.repeat(600)}`,
  ])('%j is rejected', (text) => {
    expect(() => parseImageReference(text)).toThrow(expect.objectContaining({ code: 'ERR_IMAGE_UNAVAILABLE' }));
  });

  it.each([
    '127.0.0.1/a/b',
    '10.1.2.3/a/b',
    '169.254.169.254/latest/meta',
    'localhost/a',
    'localhost:5000/a',
    'ghcr.io:8080/a/b',
    'registry.internal/a/b',
    'host.local/a',
    '2130706433.1/a/b',
    'x.localdomain/a',
  ])('%s is rejected because the host would resolve it inside its own network', (text) => {
    expect(() => requireAllowedRegistry(parseImageReference(text), {})).toThrow('public registry');
  });

  it('is accepted from any public registry, or only from listed ones', () => {
    for (const text of ['debian', 'ghcr.io/a/b', 'nvcr.io/nvidia/cuda']) {
      requireAllowedRegistry(parseImageReference(text), {});
    }
    requireAllowedRegistry(parseImageReference('10.0.0.1:5000/a'), { allowed: ['10.0.0.1:5000'] });
    expect(() => requireAllowedRegistry(parseImageReference('ghcr.io/a/b'), { allowed: ['docker.io'] })).toThrow(
      'allows',
    );
  });
});

describe('a spec', () => {
  it('is accepted if valid', () => {
    requirePodSpec(spec);
    requirePodSpec({ ...spec, sudoPasswordHash: '$6$salt$hashhash', sparePorts: 5 });
  });

  it.each<[string, Partial<PodSpec>]>([
    ['podId', { podId: '../x' }],
    ['podId', { podId: `p${'x'.repeat(36)}` }],
    ['hostname', { hostname: 'a"b' }],
    ['hostname', { hostname: 'a\nb' }],
    ['image.reference', { image: { reference: 'x --privileged' } }],
    ['sshKeys', { sshKeys: [] }],
    ['sshKeys', { sshKeys: [`${publicKey}\nssh-rsa AAAA`] }],
    ['sshKeys', { sshKeys: [`command="sh" ${publicKey}`] }],
    ['sshKeys', { sshKeys: ['-----BEGIN OPENSSH PRIVATE KEY-----'] }],
    ['ports', { ports: [{ port: 22, protocol: 'tcp' }] }],
    ['ports', { ports: [{ port: 0, protocol: 'tcp' }] }],
    [
      'ports',
      {
        ports: [
          { port: 80, protocol: 'tcp' },
          { port: 80, protocol: 'tcp' },
        ],
      },
    ],
    ['ports', { ports: [{ port: 80, protocol: 'sctp' as 'tcp' }] }],
    ['gpuCount', { gpuCount: -1 }],
    ['limits.cpus', { limits: { cpus: 0, memoryBytes: 2 ** 28 } }],
    ['limits.memoryBytes', { limits: { cpus: 1, memoryBytes: 1.5 } }],
    ['sudoPasswordHash', { sudoPasswordHash: 'secret' }],
    ['sudoPasswordHash', { sudoPasswordHash: '$6$a$b\nroot::0' }],
  ])('with a wrong %s is rejected by name, without quoting its value', (field, fields) => {
    const written = JSON.stringify(Object.values(fields)[0]);
    expect(() => requirePodSpec({ ...spec, ...fields })).toThrow(
      expect.objectContaining({ code: 'ERR_SPEC_INVALID', message: expect.stringContaining(field) }),
    );
    expect(() => requirePodSpec({ ...spec, ...fields })).not.toThrow(written);
  });
});

describe('spare ports', () => {
  it('are those from 20001 on that were not requested', () => {
    const ports = [{ port: 20_001, protocol: 'tcp' } as const, { port: 20_002, protocol: 'udp' } as const];
    const published = publishedPorts({ ports, sparePorts: 2 }).map(({ port, protocol }) => `${port}/${protocol}`);
    expect(published).toEqual(['22/tcp', '20001/tcp', '20002/udp', '20002/tcp', '20003/tcp']);
  });
});

describe('variables', () => {
  const image: ContainerImage = { kind: 'standard', owner: 'a', image: 'debian', source: 'tenant' };

  it.each([
    ['a name with a space', { env: { 'A B': '1' } }],
    ['a name of ours', { env: { CLOISTER_X: '1' } }],
    ['a NUL', { env: { A: 'a\0b' } }],
    ['too many', { env: Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`A${n}`, ''])) }],
    ['no words', { command: [] }],
    ['a NUL in a word', { command: ['a', 'b\0'] }],
  ])('with %s are rejected', (_, fields) => {
    expect(() => requireContainerSettings({ ...image, ...fields })).toThrow(
      expect.objectContaining({ reason: 'settings_refused' }),
    );
  });
});

describe('the name of a pod', () => {
  it('maps back to its id, for its own control plane only', () => {
    expect(parsePodName('prod', podName('prod', 'p_1-A'))).toBe('p_1-A');
    expect(parsePodName('test', podName('prod', 'p-1'))).toBeUndefined();
    expect(parsePodName('prod', 'cloister_prod_../x')).toBeUndefined();
    expect(() => requireInstance('a_b')).toThrow(RangeError);
  });
});
