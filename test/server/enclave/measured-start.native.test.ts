import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { AttestationError } from '../../../attestation/base/errors.ts';
import {
  compositionEventName,
  compositionOf,
  provisionEventName,
  replayStartLog,
  requireCompleteStart,
  startEventNames,
} from '../../../attestation/eventlog/start-log.ts';
import type { AttestedPlatform } from '../../../attestation/guest/platform.ts';
import { openSimulatedPlatform } from '../../../attestation/guest/simulated-platform.ts';
import { parseQuote } from '../../../attestation/index.ts';
import { measureGpus } from '../../../server/enclave/gpu-admission.ts';
import {
  type MeasuredModel,
  measuredConfig,
  measureFacts,
  measureStart,
  type StartFacts,
} from '../../../server/enclave/measured-start.ts';
import { readConfig } from '../../../server/program/config.ts';
import { guarded as guard } from '../../support/server/process-guard.ts';

const nowMs = Date.UTC(2026, 5, 15);
const model: MeasuredModel = {
  id: 'b-TEE',
  kind: 'llama-text',
  device: 'CPU (haswell), 2 threads',
  files: [{ path: 'b.gguf', bytes: 5, sha256: 'ab'.repeat(32) }],
};

/** Members that the page describes in words. */
const words: Readonly<Record<string, string>> = {
  coreLimitBytes: 'core limits',
  coreLimitHardBytes: 'core limits',
  standardOutput: 'standard output',
  standardError: 'error',
  driverVersion: 'driver version',
};

function configOf(...args: string[]) {
  return readConfig({ args, env: {}, cwd: '/srv' }).config;
}

const sources = { config: configOf(), models: [model], guard, gpu: 'none' as const };

/** The measurements that a real platform would receive. */
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
    await measureGpus(platform, 'none');
    facts = await measureStart(platform, { ...sources, models, source: { commit: 'c0ffee' } });
  });

  it('measures in the documented order, and ends with "ready"', () => {
    expect(platform.startLog.map(({ name }) => name)).toEqual([
      'cloister.gpu',
      'cloister.build',
      'cloister.libraries',
      'cloister.configuration',
      'cloister.model',
      'cloister.model',
      'cloister.agents',
      'cloister.host',
      'compose-hash',
      'cloister.ready',
    ]);
    expect(() => requireCompleteStart(platform.startLog)).not.toThrow();
  });

  it('is documented, event by event and member by member', () => {
    const page = readFileSync(new URL('../../../docs/reference/start-log.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(cloister\.[a-z]+|compose-hash)` \| (.*) \|$/gm)];
    const optional = [provisionEventName, compositionEventName];
    const names = [...Object.values(startEventNames).slice(0, -1), ...optional, startEventNames.ready];
    const later = [startEventNames.model, startEventNames.libraries, compositionEventName];
    expect(rows.map(([, name]) => name)).toEqual([...names, ...later]);
    for (const { name, content } of platform.startLog) {
      if (name === startEventNames.configuration) continue;
      const [, , text] = rows.find(([, documented]) => documented === name)!;
      for (const member of Object.keys(JSON.parse(content)))
        expect(text?.toLowerCase()).toContain(words[member] ?? member.toLowerCase());
    }
  });

  it('measures from which nodes a joining node takes its secrets, by digests only', async () => {
    const other = await openSimulatedPlatform(Date.now());
    await measureGpus(other, 'none');
    const provision = {
      givers: [`sha256:${'b'.repeat(64)}`, `sha256:${'a'.repeat(64)}`],
      policy: `sha256:${'c'.repeat(64)}`,
    };
    await measureStart(other, { ...sources, provision });
    expect(other.startLog.slice(-3).map(({ name }) => name)).toEqual([
      ...['cloister.provision', 'compose-hash', 'cloister.ready'],
    ]);
    expect(JSON.parse(other.startLog.at(-3)!.content)).toEqual({ ...provision, givers: provision.givers.toReversed() });
    expect(() => requireCompleteStart(other.startLog)).not.toThrow();
  });

  it('appears in the quotes made afterwards', async () => {
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

  it('extends the register to the same value for the same facts', async () => {
    const again = await openSimulatedPlatform(nowMs);
    await measureGpus(again, facts.gpu);
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
        models: one.models.map((own) => ({ ...own, files: [{ ...own.files[0]!, sha256: 'ac'.repeat(32) }] })),
      }),
    ],
    ['a missing model', (one: StartFacts) => ({ ...one, models: one.models.slice(1) })],
    ['an agent', (one: StartFacts) => ({ ...one, agents: [{ id: 'a', promptSha256: '0', toolsSha256: '1' }] })],
    ['a GPU', (one: StartFacts) => ({ ...one, gpu: 'unknown' as const })],
    ['swap', (one: StartFacts) => ({ ...one, host: { ...one.host, swapAreas: 1 } })],
  ])('shows %s', async (_what, change) => {
    const other = await openSimulatedPlatform(nowMs);
    const changed = change(facts);
    await measureGpus(other, changed.gpu);
    await measureFacts(other, changed);
    expect(await replayStartLog(other.startLog)).not.toEqual(await replayStartLog(platform.startLog));
  });

  it('rejects a model without digests', async () => {
    const bare = [{ ...model, files: [] }];
    const other = await openSimulatedPlatform(nowMs);
    await expect(measureStart(other, { ...sources, models: bare })).rejects.toMatchObject({ code: 'ERR_START' });
    expect(other.startLog).toEqual([]);
  });

  it('does not log "ready" if the register could not be extended', async () => {
    const td = recordingTd();
    const { measure } = td;
    td.measure = (event) =>
      event.name === 'cloister.host' ? Promise.reject(new AttestationError('ERR_TDX_FAILED', 'no')) : measure(event);
    await expect(measureStart(td, sources)).rejects.toMatchObject({ code: 'ERR_TDX_FAILED' });
    expect(() => requireCompleteStart(td.startLog)).toThrow();
  });
});

describe('a complete start', () => {
  const whole = ['gpu', 'build', 'libraries', 'configuration', 'model', 'agents', 'host', 'ready'];
  const eventsOf = (names: readonly string[]) => names.map((name) => ({ name: `cloister.${name}`, content: '{}' }));

  it('has every event in its position', () => {
    expect(() => requireCompleteStart(eventsOf(whole))).not.toThrow();
  });

  it.each([
    ['composition', compositionEventName],
    ['list of the nodes that gave secrets', provisionEventName],
  ])('may contain one %s, before "ready"', (_what, name) => {
    const events = eventsOf(whole);
    const optional = { name, content: '{}' };
    const [before, ready] = [events.slice(0, -1), events.slice(-1)];
    expect(() => requireCompleteStart([...before, optional, ...ready])).not.toThrow();
    expect(() => requireCompleteStart([...before, optional, optional, ...ready])).toThrow(/more than once/);
    expect(() => requireCompleteStart([...events, optional])).toThrow(/comes after cloister.ready/);
    const both = [compositionEventName, provisionEventName].map((one) => ({ name: one, content: '{}' }));
    expect(() => requireCompleteStart([...events, ...both])).toThrow(/comes after cloister.ready/);
    expect(() => requireCompleteStart([...before, optional])).toThrow(/comes last/);
    expect(() => requireCompleteStart([...before, ...both, ...ready])).not.toThrow();
  });

  const composition = { name: compositionEventName, content: '{}' };
  const [model, libraries, host] = ['model', 'libraries', 'host'].map((name) => eventsOf([name])[0]!);

  it.each([
    ['a model and the new composition', [model, composition]],
    ['a model, new libraries and the new composition', [model, libraries, composition]],
    ['several models', [model, composition, model, libraries, composition]],
  ])('may be followed by %s', (_what, loads) => {
    expect(() =>
      requireCompleteStart([...eventsOf(whole), ...(loads as { name: string; content: string }[])]),
    ).not.toThrow();
  });

  it.each([
    ['a model without its composition', [model], /no compose-hash follows the last cloister.model/],
    ['libraries without a composition', [model, libraries], /no compose-hash follows the last cloister.libraries/],
    ['two models with one composition', [model, model, composition], /cloister.model comes after cloister.model/],
    ['a composition without a model', [composition], /compose-hash comes after cloister.ready/],
    ['two compositions', [model, composition, composition], /compose-hash comes after compose-hash/],
    ['another event', [model, composition, host], /cloister.host comes after compose-hash/],
    ['a second end of the start', eventsOf(['ready']), /cloister.ready comes after cloister.ready/],
    ['an unknown event', eventsOf(['other']), /cloister.other comes after cloister.ready/],
  ])('may not be followed by %s', (_what, later, message) => {
    const events = [...eventsOf(whole), ...(later as { name: string; content: string }[])];
    expect(() => requireCompleteStart(events)).toThrow(message);
  });

  it('shows the last composition, which names all models', () => {
    const events = [...eventsOf(whole), model!, { ...composition, content: '{"models":[]}' }];
    expect(compositionOf(events)).toBe('{"models":[]}');
  });

  it('accepts the GPUs after the agents in older logs', () => {
    const before = [...whole.slice(1, 6), 'gpu', ...whole.slice(6)];
    expect(before.slice(4, 6)).toEqual(['agents', 'gpu']);
    expect(() => requireCompleteStart(eventsOf(before))).not.toThrow();
    const between = [...whole.slice(1, 3), 'gpu', ...whole.slice(3)];
    expect(() => requireCompleteStart(eventsOf(between))).toThrow(/cloister.gpu comes after cloister.libraries/);
  });

  it.each([
    ['that was quoted before "ready"', whole.slice(0, -1)],
    ['that continues after "ready"', [...whole, 'model']],
    ['that says "ready" twice', [...whole, 'ready']],
    ['without a model', whole.filter((name) => name !== 'model')],
    ['without its configuration', whole.filter((name) => name !== 'configuration')],
    ['with two configurations', whole.flatMap((name) => (name === 'configuration' ? [name, name] : [name]))],
    ['in another order', [whole[1]!, whole[0]!, ...whole.slice(2)]],
    ['with an event of somebody else’s', [...whole.slice(0, 3), 'more', ...whole.slice(3)]],
    ['that is empty', []],
  ])('is rejected %s', (_what, names) => {
    expect(() => requireCompleteStart(eventsOf(names))).toThrow(expect.objectContaining({ code: 'ERR_NOT_VERIFIED' }));
  });
});

describe('the measured configuration', () => {
  it('contains every setting, null if it is not set', () => {
    expect(measuredConfig(configOf('--port', '1'))).toMatchObject({
      port: 1,
      tlsCert: null,
      gpu: 'auto',
      simulateTdx: false,
    });
    expect(Object.keys(measuredConfig(configOf())).sort()).toEqual(Object.keys(configOf()).sort());
  });

  it('contains no secret', () => {
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

describe('a model that computes on a GPU', () => {
  const onGpu = { ...model, device: 'CUDA0' };

  it('is rejected in a TD if no GPU was attested', async () => {
    const td = recordingTd();
    await expect(measureStart(td, { ...sources, models: [onGpu] })).rejects.toMatchObject({
      code: 'ERR_GPU_NOT_CONFIDENTIAL',
      message: expect.stringMatching(/model b-TEE computes on a GPU that was not verified/),
    });
    expect(td.startLog).toEqual([]);
  });

  it('is measured unchanged on a simulated platform', async () => {
    const platform = await openSimulatedPlatform(nowMs);
    await measureStart(platform, { ...sources, models: [onGpu] });
    expect(platform.startLog.map(({ content }) => content).join()).toContain('"device":"CUDA0"');
  });
});
