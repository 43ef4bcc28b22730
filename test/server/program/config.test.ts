import { mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/program/config.ts';
import { settingGroups, settings, variableName } from '../../../server/program/settings.ts';
import { settingsHelp } from '../../../server/program/settings-help.ts';

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

  it('joins the values of a repeated flag by commas, where a setting is a list', () => {
    expect(read(['--model', 'a', '--model', 'b,c']).model).toBe('a,b,c');
    expect(read(['--config', fileOf('{"model": ["a", "b"]}')]).model).toBe('a,b');
    expect(read(['--port', '1', '--port', '2']).port).toBe(2);
  });

  it('normalises the names of --tls-name', () => {
    expect(read(['--tls-name', 'API.example.org, 10.0.0.1', '--tls-name', 'fd00::1,api.example.org']).tlsName).toBe(
      'api.example.org,10.0.0.1,fd00::1',
    );
    const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`).join(',');
    expect(read(['--tls-name', names(32)]).tlsName).toBe(names(32));
    for (const wrong of ['', ',', '*.example.org', 'a b', '-a', 'a..b', 'https://a', `${'a'.repeat(64)}.b`, names(33)])
      expect(() => read(['--tls-name', wrong])).toThrow('--tls-name must be 1…32 DNS names or IP addresses');
  });

  it('is frozen', () => {
    expect(Object.isFrozen(read())).toBe(true);
  });

  it('ignores variables of other programs', () => {
    expect(read([], { PATH: '/bin', CLOISTERED: 'yes' }).port).toBe(8443);
  });
});

describe('a variable that begins with CLOISTER_ but is not a setting', () => {
  const warningsOf = (env: Record<string, string>) => {
    const { config, warnings } = readConfig({ args: [], env, cwd });
    return { port: config.port, warnings };
  };

  it('is ignored with a warning that suggests a similar setting', () => {
    expect(warningsOf({ CLOISTER_PROT: '1', CLOISTER_API_KEY: 'secret' })).toEqual({
      port: 8443,
      warnings: [
        'ignored variables that are not settings: CLOISTER_PROT (did you mean CLOISTER_PORT?), CLOISTER_API_KEY',
      ],
    });
  });

  it('is ignored with one warning for everything that Kubernetes sets for a Service named cloister', () => {
    const { port, warnings } = warningsOf({
      CLOISTER_PORT: 'tcp://10.0.0.1:8443',
      CLOISTER_METRICS_PORT: 'tcp://[fd00::1]:9443',
      CLOISTER_SERVICE_HOST: '10.0.0.1',
      CLOISTER_SERVICE_PORT: '8443',
      CLOISTER_SERVICE_PORT_HTTPS: '8443',
      CLOISTER_PORT_8443_TCP: 'tcp://10.0.0.1:8443',
      CLOISTER_PORT_8443_TCP_PROTO: 'tcp',
      CLOISTER_PORT_8443_TCP_ADDR: '10.0.0.1',
      CLOISTER_PORT_8443_TCP_PORT: '8443',
    });
    expect(port).toBe(8443);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^ignored variables that Kubernetes sets for a Service: CLOISTER_PORT, CLOISTER_METRICS_PORT, /,
    );
    expect(warnings[0]).toContain(' and 1 more; if one is meant as a setting');
    expect(warnings[0]).not.toContain('10.0.0.1');
  });

  it('does not hide a wrong value of a setting', () => {
    for (const value of ['tcp', 'tcp://', 'http://10.0.0.1:8443', '10.0.0.1:8443'])
      expect(() => warningsOf({ CLOISTER_PORT: value })).toThrow('CLOISTER_PORT must be 0…65535');
  });

  it('is named without control characters, and at most eight are named', () => {
    const names = ['CLOISTER_\u001b[2J', ...Array.from({ length: 20 }, (_, index) => `CLOISTER_FURTHER_NAME_${index}`)];
    const [warning] = warningsOf(Object.fromEntries(names.map((name) => [name, 'x']))).warnings;
    expect(warning).toContain('"CLOISTER_\\u001b[2J", CLOISTER_FURTHER_NAME_0, ');
    expect(warning).toMatch(/CLOISTER_FURTHER_NAME_6 and 13 more$/);
  });
});

it('all problems are reported at once, one per line', () => {
  const file = fileOf('{"prot": 1, "queue": "many"}');
  const run = () => read(['--config', file, '--tls-cert', 'a.pem'], { CLOISTER_POLL: '200' });
  expect(run).toThrow(
    [
      `prot in ${file} is not a setting; did you mean port?`,
      `queue in ${file} must be 0…100000, got "many"`,
      'CLOISTER_POLL must be 0…100, got "200"',
      '--tls-key is missing: set a certificate and its key together',
    ].join('\n'),
  );
});

it('the value of a secret setting is in no message', () => {
  expect(() => read([], { CLOISTER_DATABASE_URL: 'postgres://u:p\0@h' })).toThrow(
    /^CLOISTER_DATABASE_URL must be text, got another value$/,
  );
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
    [['--sequence', '1'], {}, '--sequence is not a setting; did you mean --sequences?'],
    [['--port'], {}, '--port needs a value'],
    [['--tls-cert', 'a.pem'], {}, '--tls-key is missing: set a certificate and its key together'],
    [['--config', 'nowhere.json'], {}, `configuration file ${join(cwd, 'nowhere.json')} cannot be read (ENOENT)`],
  ])('%j %j', (args, env, message) => {
    expect(() => read(args, env)).toThrow(message);
  });

  it.each([
    ['{"prot": 1}', 'prot in {file} is not a setting; did you mean port?'],
    ['{"port": "x"}', 'port in {file} must be 0…65535, got "x"'],
    ['{"port": {}}', 'port in {file} must be 0…65535, got {}'],
    ['{"port": null}', 'port in {file} must be 0…65535, got null'],
    ['[]', 'configuration file {file} must contain a JSON object'],
    ['{"port": 1,}', 'configuration file {file} is not valid JSON: see line 1, column 12'],
  ])('in the file: %s', (content, message) => {
    const file = fileOf(content);
    expect(() => read(['--config', file])).toThrow(message.replace('{file}', file));
  });

  it('never quotes a file that is not JSON', () => {
    const file = fileOf('{"api-key": clst_secret}');
    expect(() => read(['--config', file])).toThrow(
      expect.objectContaining({ message: `configuration file ${file} is not valid JSON` }),
    );
  });

  it('throws ERR_CONFIG, but ERR_USAGE for an unknown flag', () => {
    expect(() => read([], { CLOISTER_PORT: 'x' })).toThrow(expect.objectContaining({ code: 'ERR_CONFIG' }));
    expect(() => read(['--x', '1'])).toThrow(expect.objectContaining({ code: 'ERR_USAGE' }));
  });
});

it('the help is grouped by subject, and wraps descriptions on a terminal', () => {
  expect(settingsHelp().match(/^\S.*:$/gm)).toEqual(settingGroups.map(({ title }) => `${title}:`));
  expect(settingGroups.flatMap((group) => Object.keys(group.settings))).toEqual(Object.keys(settings));
  const lines = settingsHelp([], 100).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(100);
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  expect(words(lines.join('\n'))).toEqual(words(settingsHelp()));
  expect(settingsHelp([], 40)).toBe(settingsHelp());
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
  [['--otlp-ca', 'ca.pem'], /--otlp-endpoint is missing/],
  [['--join', 'http://node-1'], /--join must be 1…16 of https:/],
  [['--join', `https://a${',https://b'.repeat(20)}/path`], /--join must be 1…16 of https:/],
  [['--join', Array.from({ length: 17 }, (_, at) => `https://node-${at}`).join()], /--join must be 1…16 of https:/],
  [['--join', 'https://node-1', '--fleet-address', 'https://node-2'], /--fleet-policy is missing: --join/],
  [['--join', 'https://node-1', '--database-url', 'postgres://a'], /--database-url comes from the node at --join/],
  [
    ['--join', 'https://node-1', '--fleet-tls-cert', 'c', '--fleet-tls-key', 'k'],
    /--fleet-tls-cert comes from the node/,
  ],
  [['--fleet-secrets'], /--fleet-policy is missing: --fleet-secrets/],
  [['--fleet-secrets', '--tls-cert', 'c', '--tls-key', 'k'], /use --fleet-tls-key with --fleet-secrets/],
  [['--fleet-tls-key', 'k'], /--fleet-tls-cert is missing/],
  [['--fleet-tls-cert', 'c', '--fleet-tls-key', 'k'], /--fleet-address is missing: --fleet-tls-cert/],
  [['--otlp-endpoint', 'http://collector:4318'], /--otlp-endpoint/],
  [['--otlp-endpoint', 'https://user:secret@collector'], /--otlp-endpoint/],
  [['--collateral-url', 'http://pccs.example.com'], /--collateral-url must be https:/],
])('rejects %j', (args, says) => {
  expect(() => read(args)).toThrow(says);
});
