import { mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/program/config.ts';
import { settings, settingsHelp, variableName } from '../../../server/program/settings.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-config-'));

function read(args: string[] = [], env: Record<string, string> = {}) {
  return readConfig({ args, env, cwd }).config;
}

function fileOf(content: string): string {
  const path = join(mkdtempSync(join(cwd, 'file-')), 'cloister.json');
  writeFileSync(path, content);
  return path;
}

describe('a configuration', () => {
  it('has a safe default for everything', () => {
    expect(read()).toMatchObject({
      host: '127.0.0.1',
      port: 8443,
      metricsPort: 9443,
      stateDir: join(cwd, '.cloister'),
      threads: availableParallelism(),
      gpu: 'auto',
      sequences: 16,
      context: 4096,
      queue: 256,
      requestTimeoutS: 600,
      drainTimeoutS: 30,
    });
  });

  it('prefers flags, then variables, then the file, then defaults', () => {
    const config = fileOf('{"port": 1, "queue": 1, "poll": 1}');
    const { port, queue, poll, sequences } = read(['--config', config, '--port', '3'], {
      CLOISTER_PORT: '2',
      CLOISTER_QUEUE: '2',
    });
    expect([port, queue, poll, sequences]).toEqual([3, 2, 1, 16]);
  });

  it('finds the file by variable too, and resolves paths from the working directory', () => {
    const { stateDir } = read([], { CLOISTER_CONFIG: fileOf('{"stateDir": "state"}') });
    expect(stateDir).toBe(join(cwd, 'state'));
  });

  it('accepts booleans without a value, with a value, or by variable', () => {
    expect(read().simulateTdx).toBe(false);
    expect(read(['--simulate-tdx', '--port', '3'])).toMatchObject({ simulateTdx: true, port: 3 });
    expect(read(['--port', '3', '--simulate-tdx']).simulateTdx).toBe(true);
    expect(read(['--simulate-tdx', 'off'], { CLOISTER_SIMULATE_TDX: '1' }).simulateTdx).toBe(false);
    expect(read(['--simulate-tdx=on']).simulateTdx).toBe(true);
    expect(read([], { CLOISTER_SIMULATE_TDX: '1' }).simulateTdx).toBe(true);
    expect(read(['--config', fileOf('{"simulateTdx": true}')]).simulateTdx).toBe(true);
  });

  it('removes the trailing slash of the public URL', () => {
    expect(read(['--public-url', 'https://api.example.com/v1/']).publicUrl).toBe('https://api.example.com/v1');
    for (const wrong of [
      'http://api.example.com/v1',
      'api.example.com',
      'https://user@api.example.com',
      'https://a/?b',
    ]) {
      expect(() => read(['--public-url', wrong])).toThrow(/--public-url must be an https/);
    }
  });

  it('is frozen', () => {
    expect(Object.isFrozen(read())).toBe(true);
  });

  it('ignores variables of other programs', () => {
    expect(read([], { PATH: '/bin', CLOISTERED: 'yes' }).port).toBe(8443);
  });
});

describe('an invalid setting stops the start with its name, range and value', () => {
  it.each([
    [['--port', '65536'], {}, '--port must be 0…65535, got "65536"'],
    // No link is valid for longer than an hour (I-041).
    [['--image-link-ttl-s', '3601'], {}, '--image-link-ttl-s must be 1…3600, got "3601"'],
    [['--port', '-1'], {}, '--port must be 0…65535, got "-1"'],
    [['--port=1.5'], {}, '--port must be 0…65535, got "1.5"'],
    [['--metrics-port', 'none'], {}, '--metrics-port must be 0…65535|off, got "none"'],
    [[], { CLOISTER_GPU: 'metal' }, 'CLOISTER_GPU must be auto|cuda|vulkan|off, got "metal"'],
    [[], { CLOISTER_SEQUENCES: '0x10' }, 'CLOISTER_SEQUENCES must be 1…256, got "0x10"'],
    [[], { CLOISTER_STATE_DIR: '' }, 'CLOISTER_STATE_DIR must be text, got ""'],
    [[], { CLOISTER_PROT: '1' }, 'CLOISTER_PROT is not a setting; did you mean CLOISTER_PORT?'],
    [['--sequence', '1'], {}, '--sequence is not a setting; did you mean --sequences?'],
    [['--port'], {}, '--port needs a value'],
    [['--tls-cert', 'a.pem'], {}, '--tls-key is missing: set a certificate and its key together'],
    [['--config', 'nowhere.json'], {}, `configuration file ${join(cwd, 'nowhere.json')} cannot be read: ENOENT`],
  ])('%j %j', (args, env, message) => {
    expect(() => read(args, env)).toThrow(message);
  });

  it.each([
    ['{"prot": 1}', 'prot in {file} is not a setting; did you mean port?'],
    ['{"port": "x"}', 'port in {file} must be 0…65535, got "x"'],
    ['{"port": {}}', 'port in {file} must be 0…65535, got {}'],
    ['{"port": null}', 'port in {file} must be 0…65535, got null'],
    ['[]', 'configuration file {file} must hold a JSON object'],
  ])('in the file: %s', (content, message) => {
    const file = fileOf(content);
    expect(() => read(['--config', file])).toThrow(message.replace('{file}', file));
  });

  it('throws ERR_CONFIG, but ERR_USAGE for an unknown flag', () => {
    expect(() => read([], { CLOISTER_PORT: 'x' })).toThrow(expect.objectContaining({ code: 'ERR_CONFIG' }));
    expect(() => read(['--x', '1'])).toThrow(expect.objectContaining({ code: 'ERR_USAGE' }));
  });
});

it('every setting is in the help, and its default is within its range', () => {
  for (const [key, setting] of Object.entries(settings)) {
    expect(settingsHelp()).toContain(setting.help);
    if (setting.fallback !== undefined) expect([key, setting.parse(setting.fallback)]).toEqual([key, setting.fallback]);
  }
  expect(variableName('requestTimeoutS')).toBe('CLOISTER_REQUEST_TIMEOUT_S');
});

it.each([
  [['--compute-url', 'http://localhost:8444'], /--compute-url must be https:/],
  [['--compute-url', 'https://localhost:8444/api'], /--compute-url must be https:/],
  [['--compute-url', 'https://key@localhost'], /--compute-url must be https:/],
  [['--compute-ca', 'ca.pem'], /--compute-url is missing/],
  [['--collateral-url', 'http://pccs.example.com'], /--collateral-url must be https:/],
])('rejects %j', (args, says) => {
  expect(() => read(args)).toThrow(says);
});
