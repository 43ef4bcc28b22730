import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { AttestationError } from '../../attestation/errors.ts';
import type { GpuFacts } from '../../attestation/guest/gpu-evidence.ts';
import { openSimulatedPlatform } from '../../attestation/guest/simulated-platform.ts';
import { parseQuote } from '../../attestation/index.ts';
import type { AttestedPlatform } from '../../attestation/platform.ts';
import {
  compositionEventName,
  replayStartLog,
  requireCompleteStart,
  startEventNames,
} from '../../attestation/start-log.ts';
import { readConfig } from '../../server/config.ts';
import {
  type MeasuredModel,
  measuredConfig,
  measureFacts,
  measureStart,
  readStartGpus,
  type StartFacts,
} from '../../server/enclave/measured-start.ts';
import type { ProcessGuard } from '../../server/enclave/process-guard.ts';

const nowMs = Date.UTC(2026, 5, 15);
const guard: ProcessGuard = {
  coreLimitBytes: 0,
  coreLimitHardBytes: 0,
  dumpable: false,
  keysLocked: true,
  freedMemoryZeroed: true,
  lockLimitBytes: 'unlimited',
};
const model: MeasuredModel = {
  id: 'b-TEE',
  kind: 'llama-text',
  device: 'CPU (haswell), 2 threads',
  files: [{ path: 'b.gguf', bytes: 5, sha256: 'ab'.repeat(32) }],
};
const onGpu: MeasuredModel = { ...model, device: 'CUDA0' };
const gpu: GpuFacts = {
  driverVersion: '570.1.2',
  environment: 'production',
  confidentialCompute: true,
  developerTools: false,
  multiGpu: 'none',
  gpus: [{ uuid: 'GPU-0', name: 'Test GPU', vbiosVersion: '96.00' }],
};

/** Members that the page names by their words. */
const WORDS: Readonly<Record<string, string>> = {
  coreLimitBytes: 'core limits',
  coreLimitHardBytes: 'core limits',
  standardOutput: 'standard output',
  standardError: 'error',
  driverVersion: 'driver version',
};

function configOf(...args: string[]) {
  return readConfig({ args, env: {}, cwd: '/srv' }).config;
}

const missing = () => Promise.reject(new AttestationError('ERR_NVML_MISSING', 'there is none'));
const broken = () => Promise.reject(new AttestationError('ERR_NVML_FAILED', 'it is broken'));
const sources = { config: configOf(), models: [model], guard, readGpus: missing };

/** What a real platform would be asked to measure. */
function recordingTd() {
  const platform = { kind: 'tdx', startLog: [] as { name: string }[] };
  const measure = async (event: { name: string }) => void platform.startLog.push(event);
  return Object.assign(platform, { measure }) as unknown as AttestedPlatform;
}

describe('a measured start', () => {
  let platform: AttestedPlatform;
  let facts: StartFacts;

  beforeAll(async () => {
    platform = await openSimulatedPlatform(nowMs);
    const models = [model, { ...model, id: 'a-TEE' }];
    facts = await measureStart(platform, { ...sources, models, source: { commit: 'c0ffee' } });
  });

  it('measures in the documented order, and ends with "ready"', () => {
    expect(platform.startLog.map(({ name }) => name)).toEqual([
      'cloister.build',
      'cloister.libraries',
      'cloister.configuration',
      'cloister.model',
      'cloister.model',
      'cloister.agents',
      'cloister.gpu',
      'cloister.host',
      'compose-hash',
      'cloister.ready',
    ]);
    expect(() => requireCompleteStart(platform.startLog)).not.toThrow();
  });

  it('is documented, event by event and member by member', () => {
    const page = readFileSync(new URL('../../docs/start-log.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(cloister\.[a-z]+|compose-hash)` \| (.*) \|$/gm)];
    const names = [...Object.values(startEventNames).slice(0, -1), compositionEventName, startEventNames.ready];
    expect(rows.map(([, name]) => name)).toEqual(names);
    for (const { name, content } of platform.startLog) {
      if (name === startEventNames.configuration) continue;
      const [, , text] = rows.find(([, documented]) => documented === name)!;
      for (const member of Object.keys(JSON.parse(content)))
        expect(text?.toLowerCase()).toContain(WORDS[member] ?? member.toLowerCase());
    }
  });

  it('is in the quotes that follow', async () => {
    const { body } = parseQuote(await platform.quote(new Uint8Array(64)));
    expect(body.rtmrs[3]).toEqual(await replayStartLog(platform.startLog));
  });

  it('measures models by id, with every file’s digest', () => {
    const models = platform.startLog.filter(({ name }) => name === 'cloister.model').map(({ content }) => content);
    const digest = 'ab'.repeat(32);
    const contentOf = (id: string) =>
      `{"device":"CPU (haswell), 2 threads","files":[{"bytes":5,"path":"b.gguf","sha256":"${digest}"}],"id":"${id}","kind":"llama-text"}`;
    expect(models).toEqual([contentOf('a-TEE'), contentOf('b-TEE')]);
  });

  it('measures the same facts to the same register', async () => {
    const again = await openSimulatedPlatform(nowMs);
    await measureFacts(again, facts);
    expect(again.startLog).toEqual(platform.startLog);
  });

  it.each([
    ['a changed program', (one: StartFacts) => ({ ...one, build: { ...one.build, programSha256: '00' } })],
    ['a changed library', (one: StartFacts) => ({ ...one, libraries: [] })],
    ['another setting', (one: StartFacts) => ({ ...one, config: { ...one.config, queue: 1 } })],
    [
      'a changed weight',
      (one: StartFacts) => ({
        ...one,
        models: [{ ...model, files: [{ ...model.files[0]!, sha256: 'ac'.repeat(32) }] }],
      }),
    ],
    ['a missing model', (one: StartFacts) => ({ ...one, models: one.models.slice(1) })],
    ['an agent', (one: StartFacts) => ({ ...one, agents: [{ id: 'a', promptSha256: '0', toolsSha256: '1' }] })],
    ['a GPU', (one: StartFacts) => ({ ...one, gpu })],
    ['swap', (one: StartFacts) => ({ ...one, host: { ...one.host, swapAreas: 1 } })],
  ])('shows %s', async (_what, change) => {
    const other = await openSimulatedPlatform(nowMs);
    await measureFacts(other, change(facts));
    expect(await replayStartLog(other.startLog)).not.toEqual(await replayStartLog(platform.startLog));
  });

  it('refuses a model without digests', async () => {
    const bare = [{ ...model, files: [] }];
    const other = await openSimulatedPlatform(nowMs);
    await expect(measureStart(other, { ...sources, models: bare })).rejects.toMatchObject({ code: 'ERR_START' });
    expect(other.startLog).toEqual([]);
  });

  it('never says ready where the register could not be extended', async () => {
    const td = recordingTd();
    const { measure } = td;
    td.measure = (event) =>
      event.name === 'cloister.host' ? Promise.reject(new AttestationError('ERR_TDX_FAILED', 'no')) : measure(event);
    await expect(measureStart(td, sources)).rejects.toMatchObject({ code: 'ERR_TDX_FAILED' });
    expect(() => requireCompleteStart(td.startLog)).toThrow();
  });
});

describe('a whole start', () => {
  const whole = ['build', 'libraries', 'configuration', 'model', 'agents', 'gpu', 'host', 'ready'];
  const eventsOf = (names: readonly string[]) => names.map((name) => ({ name: `cloister.${name}`, content: '{}' }));

  it('has every event in its place', () => {
    expect(() => requireCompleteStart(eventsOf(whole))).not.toThrow();
  });

  it('may have a composition, once and before "ready"', () => {
    const events = eventsOf(whole);
    const composition = { name: compositionEventName, content: '{}' };
    const [before, ready] = [events.slice(0, -1), events.slice(-1)];
    expect(() => requireCompleteStart([...before, composition, ...ready])).not.toThrow();
    expect(() => requireCompleteStart([...before, composition, composition, ...ready])).toThrow(/more than once/);
    expect(() => requireCompleteStart([...events, composition])).toThrow(/comes last/);
  });

  it.each([
    ['that was quoted before "ready"', whole.slice(0, -1)],
    ['that goes on after "ready"', [...whole, 'model']],
    ['that says "ready" twice', [...whole, 'ready']],
    ['without a model', whole.filter((name) => name !== 'model')],
    ['without its configuration', whole.filter((name) => name !== 'configuration')],
    ['with two configurations', whole.flatMap((name) => (name === 'configuration' ? [name, name] : [name]))],
    ['in another order', [whole[1]!, whole[0]!, ...whole.slice(2)]],
    ['with an event of somebody else’s', [...whole.slice(0, 3), 'more', ...whole.slice(3)]],
    ['that is empty', []],
  ])('is none %s', (_what, names) => {
    expect(() => requireCompleteStart(eventsOf(names))).toThrow(expect.objectContaining({ code: 'ERR_NOT_VERIFIED' }));
  });
});

describe('the measured configuration', () => {
  it('has every setting, and null where one is not set', () => {
    expect(measuredConfig(configOf('--port', '1'))).toMatchObject({
      port: 1,
      tlsCert: null,
      gpu: 'auto',
      simulateTdx: false,
    });
    expect(Object.keys(measuredConfig(configOf())).sort()).toEqual(Object.keys(configOf()).sort());
  });

  it('tells no secret', () => {
    const config = configOf(
      ...[
        '--database-url',
        'postgresql://user:hunter2@db/cloister',
        '--hub',
        'https://me:hunter2@hub.example/api?token=hunter2',
      ],
    );
    const measured = measuredConfig(config);
    expect(measured).toMatchObject({ databaseUrl: 'set', hub: 'https://hub.example/api' });
    expect(JSON.stringify(measured)).not.toContain('hunter2');
  });
});

describe('the GPU at the start of a TD', () => {
  type Change = Partial<Parameters<typeof readStartGpus>[1]>;
  const read = (change: Change, kind: AttestedPlatform['kind'] = 'tdx') =>
    readStartGpus({ kind }, { ...sources, ...change });
  const none = async () => ({ ...gpu, gpus: [] });

  it('is told where it is confidential', async () => {
    expect(await read({ models: [onGpu], readGpus: async () => gpu })).toEqual(gpu);
  });

  it('is none where there is none', async () => {
    expect(await read({})).toBe('none');
    expect(await read({ readGpus: none })).toBe('none');
  });

  it('is not asked for where it is switched off', async () => {
    expect(await read({ config: configOf('--gpu', 'off'), readGpus: broken })).toBe('none');
  });

  it.each([
    ['it is not in confidential mode', { readGpus: async () => ({ ...gpu, confidentialCompute: false }) }],
    ['its developer tools are on', { readGpus: async () => ({ ...gpu, developerTools: true }) }],
    ['a model computes on a GPU that no library knows', { models: [onGpu] }],
    ['a model computes on a GPU that is not NVIDIA’s', { models: [onGpu], readGpus: none }],
  ] satisfies [string, Change][])('keeps it from being ready where %s', async (_what, change) => {
    await expect(read(change)).rejects.toMatchObject({ code: 'ERR_GPU_NOT_CONFIDENTIAL' });
  });

  it('keeps it from being ready where its driver fails', async () => {
    await expect(read({ readGpus: broken })).rejects.toMatchObject({ code: 'ERR_NVML_FAILED' });
  });

  it('is told as it is by a simulated platform', async () => {
    const open = { ...gpu, confidentialCompute: false };
    expect(await read({ readGpus: async () => open }, 'simulated')).toEqual(open);
    expect(await read({ readGpus: broken }, 'simulated')).toBe('unknown');
    expect(await read({ models: [onGpu] }, 'simulated')).toBe('unknown');
    expect(await read({}, 'simulated')).toBe('none');
  });

  it('keeps the start from being measured to its end', async () => {
    const td = recordingTd();
    await expect(measureStart(td, { ...sources, readGpus: broken })).rejects.toMatchObject({ code: 'ERR_NVML_FAILED' });
    expect(td.startLog).toEqual([]);
  });
});
