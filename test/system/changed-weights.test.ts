/** One byte of a weight file differs from the file that the tenant pinned: which checks detect it and with which message, whatever the operator edits. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attestServer } from '../../attestation/client/attest-server.ts';
import { attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { verifyEvidence } from '../../attestation/client/verify-evidence.ts';
import type { EvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { parsePemChain } from '../../attestation/x509/pem.ts';
import { simulatedSoftware } from '../support/attestation/attested-server.ts';
import { RunningServer, startServer } from '../support/server/server.ts';

const root = join(import.meta.dirname, '../..');
const shipped = join(root, 'models/demo');
const model = 'cloister-demo-TEE';
const folder = mkdtempSync(join(tmpdir(), 'cloister-weights-'));
const cataloguePath = join(folder, 'catalogue.json');
const weightsPath = join(folder, 'chat/cloister-demo-chat.gguf');
const flags = ['--simulate-tdx', '--catalogue', cataloguePath, '--model', model];
const pinned = { measurements: simulatedSoftware, sources: 'any' } as const;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const rootOf = ({ stateDir }: RunningServer) => readFileSync(join(stateDir, 'simulation-root.pem'), 'utf8');

/** The tenant's policy, written from the start log of the original weights and applied to every later start. */
let policy: EvidencePolicy;

beforeAll(async () => {
  mkdirSync(join(folder, 'chat'));
  copyFileSync(join(shipped, 'chat/cloister-demo-chat.gguf'), weightsPath);
  copyFileSync(join(shipped, 'catalogue.json'), cataloguePath);
  const server = await startServer(flags);
  const { verification } = await attest(server, pinned);
  const contents = verification.startLog.filter(({ name }) => name === 'cloister.model').map(({ content }) => content);
  policy = { ...pinned, started: { 'cloister.model': contents } };
  expect((await attest(server, policy)).verification.verdict).toBe('verified');
  await server.stop();
  const weights = readFileSync(weightsPath);
  weights[weights.length - 1]! ^= 1;
  writeFileSync(weightsPath, weights);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

const attest = (server: RunningServer, wishes: EvidencePolicy) =>
  attestServer(new URL(server.listening.baseUrl).origin, { policy: wishes, roots: rootOf(server) });

it('a catalogue with the file’s digest prevents the start, and the error names the file', async () => {
  const server = new RunningServer(flags);
  const ended = await server.ready().then(
    () => '',
    (error: Error) => error.message,
  );
  expect(ended).toMatch(/is not the pinned file: expected SHA-256 [0-9a-f]{64}, found [0-9a-f]{64}/);
  expect(ended).toContain(weightsPath);
  expect(ended).not.toContain('"event":"ready"');
  await server.stop();
});

describe('an operator who pins the changed file', () => {
  let server: RunningServer;
  let origin: string;

  beforeAll(async () => {
    const catalogue = readFileSync(cataloguePath, 'utf8');
    const pinned = sha256(readFileSync(join(shipped, 'chat/cloister-demo-chat.gguf')));
    const changed = catalogue.replace(pinned, sha256(readFileSync(weightsPath)));
    expect(changed).not.toBe(catalogue);
    writeFileSync(cataloguePath, changed);
    server = await startServer(flags);
    origin = new URL(server.listening.baseUrl).origin;
  }, 60_000);
  afterAll(() => server?.stop());

  it('receives nothing from attestedFetch, which reports a different model', async () => {
    const send = attestedFetch(policy, { roots: rootOf(server) });
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'a secret' }] });
    await expect(send(`${origin}/v1/chat/completions`, { method: 'POST', body })).rejects.toMatchObject({
      code: 'ERR_NOT_VERIFIED',
      message: expect.stringMatching(
        /cloister\.model with digest sha256:[0-9a-f]{64} is not among the 1 that the policy allows/,
      ),
    });
  });

  it('is detected by `cloister verify`, by exactly this check', async () => {
    const [policyPath, rootPath] = [join(folder, 'policy.json'), join(server.stateDir, 'simulation-root.pem')];
    writeFileSync(policyPath, JSON.stringify(policy));
    const command = ['verify', origin, '--root', rootPath, '--policy', policyPath];
    const run = promisify(execFile)(process.execPath, [join(root, 'cli/cloister.mjs'), ...command]);
    const { code, stdout } = (await run.catch((error: unknown) => error)) as { code: number; stdout: string };
    expect(code).toBe(10);
    expect(stdout).toMatch(/cloister\.model with digest sha256:[0-9a-f]{64} is not among the 1/);
    expect(stdout.match(/\bFAIL:/g)).toHaveLength(1);
  });

  it('cannot write the old digest into the evidence, since the register contains the new one', async () => {
    const { report, nonce, observed } = await attest(server, policy);
    const text = new TextDecoder().decode(report);
    const old = JSON.stringify((policy.started as Record<string, string[]>)['cloister.model']![0]).slice(1, -1);
    const lying = text.replace(/\{(?:[^{}]|\{[^{}]*\})*cloister-demo-chat\.gguf(?:[^{}]|\{[^{}]*\})*\}/, old);
    expect(lying).not.toBe(text);
    const roots = parsePemChain(rootOf(server), 'root');
    const { verdict, checks } = await verifyEvidence(
      { report: lying, nonce, observed },
      { policy, roots, nowMs: Date.now() },
    );
    const failed = checks.filter(({ outcome }) => outcome === 'fail');
    expect(verdict).toBe('not-verified');
    expect(failed.map(({ id }) => id)).toEqual(['start-log']);
    expect(failed[0]!.reason).toMatch(/^the start log replays to RTMR3 [0-9a-f]{96}, but the quote has [0-9a-f]{96}$/);
  });
});
