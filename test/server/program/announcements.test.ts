import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { announcer, type Joining, type Listening } from '../../../server/program/announcements.ts';

const listening: Listening = {
  baseUrl: 'https://localhost:8443/v1',
  metricsUrl: 'http://127.0.0.1:9443/metrics',
  adminUrl: undefined,
  certificatePath: '/home/ann/my state/certificate.pem',
  apiKey: 'clst_key',
  pagesUrl: 'https://localhost:8443/sign-in#x',
  models: ['demo-TEE'],
};
const prefilled = { model: 'demo-TEE', prompts: 9, tokens: 9214, ms: 3130 };
const ready = { ms: 1234.5, models: [{ id: 'demo-TEE', description: 'Demo, 6 M', device: 'CPU' }] };

const joining: readonly Joining[] = [
  { state: 'asking', text: 'asking 1 node' },
  { address: 'https://node-1', state: 'refused', text: 'answered 503' },
];

interface Saying extends Partial<Listening> {
  readonly json?: boolean;
  readonly isTTY?: boolean;
  readonly cwd?: string;
}

function say({ json = false, isTTY = false, cwd = '/home/ann', ...facts }: Saying = {}) {
  let [stdout, stderr] = ['', ''];
  const io = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { isTTY, write: (text: string) => (stderr += text) },
    env: {},
    cwd,
  };
  const announce = announcer(io, { json });
  for (const step of joining) announce.joining(step);
  announce.listening({ ...listening, ...facts });
  announce.loading(0.426);
  announce.prefilled(prefilled);
  announce.ready(ready);
  announce.draining({ timeoutS: 30 });
  announce.stopped();
  return { stdout, stderr };
}

/** The arguments of the curl command, as a shell splits them. */
function curlWords(stdout: string): string[] {
  const line = /^curl .*$/m.exec(stdout)?.[0] ?? '';
  const script = `curl() { printf '%s\\n' "$@"; }; ${line}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    .trimEnd()
    .split('\n');
}

describe('for an interactive user', () => {
  it('each step of joining a fleet is a line with the address of the node', () => {
    const lines = say().stdout.split('\n').slice(0, 2);
    expect(lines).toEqual(['  joining      asking 1 node', '  joining      https://node-1 answered 503']);
  });

  it('the curl command is quoted correctly for any path', () => {
    expect(curlWords(say().stdout)).toEqual([
      '--cacert',
      'my state/certificate.pem',
      'https://localhost:8443/v1/chat/completions',
      '-H',
      'Authorization: Bearer clst_key',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"model":"demo-TEE","messages":[{"role":"user","content":"Hello! Who are you?"}]}',
    ]);
    expect(curlWords(say({ cwd: '/elsewhere' }).stdout)[1]).toBe('/home/ann/my state/certificate.pem');
  });

  it('the curl command omits --cacert for a configured certificate, and reads the key from the environment without a start key', () => {
    const { stdout } = say({ certificatePath: undefined, apiKey: undefined });
    expect(stdout).toContain(
      'curl https://localhost:8443/v1/chat/completions -H "Authorization: Bearer $CLOISTER_API_KEY"',
    );
    expect(stdout).not.toContain('API key');
  });

  it('prompts computed before the first request are announced', () => {
    expect(say().stdout).toContain("demo-TEE: 9 agents' prompts prefilled, 9214 tokens, 3.1 s\n");
  });

  it('progress is shown on a terminal only', () => {
    expect(say({ isTTY: true }).stderr).toContain('loading 42 %');
    expect(say().stderr).toBe('');
  });
});

it('for programs, the output is one JSON object per line', () => {
  const { stdout, stderr } = say({ json: true, isTTY: true });
  expect(stderr).toBe('');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    ...joining.map((step) => ({ event: 'joining', ...step })),
    { event: 'listening', ...listening },
    { event: 'prefilled', ...prefilled },
    { event: 'ready', ...ready },
    { event: 'draining', timeoutS: 30 },
    { event: 'stopped' },
  ]);
});
