import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CatalogueEntry } from '../../../models/catalogue/catalogue.ts';
import { ModelError } from '../../../models/interface/errors.ts';
import { buildLogger } from '../../../server/http/request-log.ts';
import { readConfig } from '../../../server/program/config.ts';
import { followHangups } from '../../../server/program/hangups.ts';
import { termsOf } from '../../../server/serving/model-terms.ts';
import type { ServedModel } from '../../../server/serving/served-model.ts';
import type { PlannedModel } from '../../../server/start/model-plan.ts';
import { Reloader, type RunningModel } from '../../../server/start/reload.ts';
import { OwnTlsKey, readIdentity, type TlsIdentity } from '../../../server/tls/tls.ts';

const now = Date.now();
const entry: CatalogueEntry = {
  id: 'a-TEE',
  kind: 'llama-text',
  source: { kind: 'path' },
  files: [{ path: 'a.gguf', bytes: 1, sha256: 'a'.repeat(64) }],
  contextLength: 4096,
  maxOutputTokens: 4096,
  name: 'A',
  capabilities: [],
  pricing: { promptPerMillion: 1, completionPerMillion: 2 },
  plans: ['free'],
};
const planOf = (change: Partial<CatalogueEntry> = {}): PlannedModel => ({
  id: change.id ?? entry.id,
  kind: entry.kind,
  path: '/models/a.gguf',
  contextMax: entry.contextLength,
  pinned: { entry: { ...entry, ...change }, folders: { catalogueFolder: '/c', modelsFolder: '/m' } },
});

function setUp({ isMeasured = false, plans = [planOf()] }: { isMeasured?: boolean; plans?: PlannedModel[] } = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'cloister-reload-'));
  const key = new OwnTlsKey({ host: 'x' });
  const write = ({ certificate, key: pem }: TlsIdentity) => {
    writeFileSync(join(cwd, 'cert.pem'), certificate);
    writeFileSync(join(cwd, 'key.pem'), pem);
  };
  write(key.identity({ now }));
  const settings = { tlsCert: 'cert.pem', tlsKey: 'key.pem' };
  const configure = (change: object) => writeFileSync(join(cwd, 'c.json'), JSON.stringify({ ...settings, ...change }));
  configure({});
  const lines: Record<string, unknown>[] = [];
  const logger = buildLogger({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const model = { id: entry.id, terms: termsOf(entry, 2048) } as ServedModel;
  const running: RunningModel[] = plans.map((plan) => ({ plan, model }));
  /** Loads a model of the catalogue after the start. */
  const load = (plan: PlannedModel) => {
    const later = { id: plan.id, terms: termsOf(plan.pinned!.entry, 2048) } as ServedModel;
    running.push({ plan, model: later });
    return later;
  };
  const unload = (id: string) =>
    running.splice(
      running.findIndex(({ plan }) => plan.id === id),
      1,
    );
  const shown: TlsIdentity[] = [];
  const read = () => readConfig({ args: ['--config', 'c.json'], env: {}, cwd }).config;
  const config = read();
  const state = {
    catalogue: plans as readonly PlannedModel[],
    /** Models of the catalogue that --model does not name. */
    others: [] as readonly PlannedModel[],
    adminChanged: false,
    reloadFleetPolicy: () => false,
  };
  const reloader = new Reloader(
    {
      logger,
      isMeasured,
      running: () => running,
      tls: readIdentity({ certificatePath: join(cwd, 'cert.pem'), keyPath: join(cwd, 'key.pem') }),
      readConfig: read,
      planModels: async () => state.catalogue,
      async planModel(_, id) {
        const found = state.others.find((plan) => plan.id === id);
        if (found === undefined) throw new ModelError('ERR_MODEL_UNKNOWN', 'unknown');
        return found;
      },
      useCertificate: (identity) => shown.push(identity),
      reloadAdmin: () => state.adminChanged,
      reloadFleetPolicy: () => state.reloadFleetPolicy(),
    },
    { config, plans },
  );
  return { reloader, lines, logger, model, load, unload, shown, state, configure, write, key, cwd };
}

const nothing = { reloaded: [], needsRestart: [], failed: [] };

describe('a reload', () => {
  it('of an unchanged configuration says so in one line', async () => {
    const { reloader, lines, shown } = setUp();
    await reloader.reload();
    expect(lines).toEqual([expect.objectContaining({ ...nothing, level: 'info', msg: 'configuration reloaded' })]);
    expect(shown).toEqual([]);
  });

  it.each([false, true])(
    'applies a changed policy for other nodes, also on a measured machine (%s)',
    async (isMeasured) => {
      const { reloader, lines, state } = setUp({ isMeasured });
      state.reloadFleetPolicy = () => true;
      await reloader.reload();
      state.reloadFleetPolicy = () => {
        throw new Error('--fleet-policy: not a policy');
      };
      await reloader.reload();
      expect(lines).toMatchObject([{ reloaded: ['--fleet-policy'] }, { failed: ['--fleet-policy: not a policy'] }]);
    },
  );

  it('changes the log level, and names settings that need a restart each time', async () => {
    const { reloader, lines, logger, configure } = setUp();
    configure({ logLevel: 'debug', queue: 1, port: 1 });
    await reloader.reload();
    await reloader.reload();
    expect(logger.level).toBe('debug');
    expect(lines.map(({ reloaded, needsRestart }) => ({ reloaded, needsRestart }))).toEqual([
      { reloaded: ['--log-level'], needsRestart: ['--port', '--queue'] },
      { reloaded: [], needsRestart: ['--port', '--queue'] },
    ]);
  });

  it('does not change the log level that the start log has measured', async () => {
    const { reloader, lines, logger, configure } = setUp({ isMeasured: true });
    configure({ logLevel: 'debug' });
    await reloader.reload();
    expect(logger.level).toBe('info');
    expect(lines[0]).toMatchObject({ reloaded: [], needsRestart: ['--log-level'] });
  });

  it('loads a renewed certificate once', async () => {
    const { reloader, lines, shown, write, key } = setUp({ isMeasured: true });
    const renewed = key.identity({ now: now + 86_400_000 });
    write(renewed);
    await reloader.reload();
    await reloader.reload();
    expect(shown).toEqual([renewed]);
    expect(lines.map(({ reloaded }) => reloaded)).toEqual([['--tls-cert'], []]);
  });

  it.each([
    [false, { reloaded: ['--tls-cert'], needsRestart: [] }, 1],
    [true, { reloaded: [], needsRestart: ['the key of --tls-cert, which the evidence names'] }, 0],
  ])('of a certificate with another key, where the start is measured: %s', async (isMeasured, outcome, times) => {
    const { reloader, lines, shown, write } = setUp({ isMeasured });
    write(new OwnTlsKey({ host: 'x' }).identity({ now }));
    await reloader.reload();
    expect(lines[0]).toMatchObject(outcome);
    expect(shown).toHaveLength(times);
  });

  it.each([true, false])(
    'keeps the certificate if a file is wrong, and reloads the rest (measured: %s)',
    async (isMeasured) => {
      const { reloader, lines, logger, model, state, shown, configure, cwd } = setUp({ isMeasured });
      writeFileSync(join(cwd, 'cert.pem'), 'no certificate');
      configure({ logLevel: 'warn' });
      state.catalogue = [planOf({ plans: ['gold'] })];
      await reloader.reload();
      expect(lines).toEqual([
        expect.objectContaining({
          level: 'error',
          failed: ['--tls-cert: the certificate and its key are not valid, or do not belong together'],
          reloaded: [...(isMeasured ? [] : ['--log-level']), 'terms of a-TEE'],
        }),
      ]);
      expect(shown).toEqual([]);
      expect(logger.level).toBe(isMeasured ? 'info' : 'warn');
      expect(model.terms.plans).toEqual(['gold']);
    },
  );

  it('keeps the certificate if its key is of another one', async () => {
    const { reloader, lines, shown, cwd } = setUp();
    writeFileSync(join(cwd, 'key.pem'), new OwnTlsKey({ host: 'x' }).identity({ now }).key);
    await reloader.reload();
    expect(lines[0]).toMatchObject({ reloaded: [], failed: [expect.stringMatching(/do not belong together/)] });
    expect(shown).toEqual([]);
  });

  it('writes its line also if the level is above info afterwards', async () => {
    const { reloader, lines, configure } = setUp();
    configure({ logLevel: 'error' });
    await reloader.reload();
    expect(lines).toEqual([expect.objectContaining({ level: 'info', reloaded: ['--log-level'] })]);
  });

  it('replaces the aliases of models', async () => {
    const { reloader, lines, model, state } = setUp({ isMeasured: true });
    state.catalogue = [{ ...planOf(), aliases: ['a'] }];
    await reloader.reload();
    await reloader.reload();
    expect(model.aliases).toEqual(['a']);
    expect(lines.map(({ reloaded }) => reloaded)).toEqual([['aliases of a-TEE'], []]);
  });

  it('replaces names, plans, prices and output limits of models, but not the context of the engine', async () => {
    const { reloader, lines, model, state } = setUp({ isMeasured: true });
    const pricing = { promptPerMillion: 7, completionPerMillion: 8 };
    state.catalogue = [planOf({ pricing, plans: ['gold'], name: 'B', maxOutputTokens: 100 })];
    await reloader.reload();
    expect(model.terms).toEqual({ name: 'B', plans: ['gold'], pricing, contextLength: 2048, maxOutputTokens: 100 });
    expect(lines[0]).toMatchObject({ reloaded: ['terms of a-TEE'], needsRestart: [] });
  });

  it.each([
    [
      'other weights',
      [planOf({ files: [{ path: 'a.gguf', bytes: 1, sha256: 'b'.repeat(64) }], plans: ['gold'] })],
      ['model a-TEE'],
    ],
    ['a removed model', [], ['model a-TEE']],
    ['a new model', [planOf(), planOf({ id: 'b-TEE' })], ['model b-TEE']],
  ])('leaves %s to a restart', async (_, catalogue, needsRestart) => {
    const { reloader, lines, model, state } = setUp();
    state.catalogue = catalogue;
    await reloader.reload();
    expect(lines[0]).toMatchObject({ reloaded: [], needsRestart, failed: [] });
    expect(model.terms.plans).toEqual(['free']);
  });

  it('replaces the terms and aliases of a model that was loaded after the start', async () => {
    const { reloader, lines, load, state } = setUp({ isMeasured: true });
    const later = load(planOf({ id: 'b-TEE' }));
    state.others = [{ ...planOf({ id: 'b-TEE', plans: ['gold'] }), aliases: ['b'] }];
    await reloader.reload();
    await reloader.reload();
    expect(later).toMatchObject({ terms: { plans: ['gold'] }, aliases: ['b'] });
    expect(lines.map(({ reloaded, needsRestart }) => ({ reloaded, needsRestart }))).toEqual([
      { reloaded: ['aliases of b-TEE', 'terms of b-TEE'], needsRestart: [] },
      { reloaded: [], needsRestart: [] },
    ]);
  });

  it('does not call a model new that was loaded after it was added to the catalogue', async () => {
    const { reloader, lines, load, state } = setUp();
    state.catalogue = [planOf(), planOf({ id: 'b-TEE' })];
    load(planOf({ id: 'b-TEE' }));
    await reloader.reload();
    expect(lines[0]).toMatchObject(nothing);
  });

  it('compares a model that was loaded again with the entry of its last load', async () => {
    const { reloader, lines, load, unload, state } = setUp();
    const changed = planOf({ files: [{ path: 'a.gguf', bytes: 1, sha256: 'b'.repeat(64) }] });
    state.catalogue = [changed];
    unload(entry.id);
    await reloader.reload();
    load(changed);
    await reloader.reload();
    expect(lines).toEqual([expect.objectContaining(nothing), expect.objectContaining(nothing)]);
  });

  it.each([
    ['left the catalogue', []],
    ['has other weights', [planOf({ id: 'b-TEE', files: [{ path: 'b.gguf', bytes: 1, sha256: 'b'.repeat(64) }] })]],
  ])('keeps a model that was loaded after the start and %s', async (_, others) => {
    const { reloader, lines, load, state } = setUp();
    const { terms } = load(planOf({ id: 'b-TEE' }));
    state.others = others;
    await reloader.reload();
    expect(lines[0]).toMatchObject({ reloaded: [], needsRestart: ['model b-TEE'], failed: [] });
    expect(terms.plans).toEqual(['free']);
  });

  it('leaves a model named by its file as it is, although the start has pinned it', async () => {
    const { reloader, lines, state } = setUp({ isMeasured: true });
    state.catalogue = [{ ...planOf(), contextMax: undefined, pinned: undefined }];
    await reloader.reload();
    expect(lines[0]).toMatchObject(nothing);
  });

  it('of an invalid configuration changes nothing and reports every problem', async () => {
    const { reloader, lines, logger, configure } = setUp();
    configure({ logLevel: 'debug', queue: 'x', prot: 1 });
    await reloader.reload();
    expect(logger.level).toBe('info');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'error', reloaded: [], msg: 'configuration reloaded in part' });
    expect(String(lines[0]?.failed)).toMatch(/prot in .* is not a setting; did you mean port\?\nqueue in /);
  });

  it('names the certificate of the admin API if it has changed', async () => {
    const { reloader, lines, state } = setUp();
    state.adminChanged = true;
    await reloader.reload();
    expect(lines[0]).toMatchObject({ reloaded: ['--admin-cert'] });
  });
});

describe('SIGHUP', () => {
  const follow = (isTerminal: () => boolean) => {
    const counts = { reloads: 0, stops: 0 };
    const over = new AbortController();
    const reload = async () => {
      counts.reloads += 1;
    };
    const stop = () => {
      counts.stops += 1;
    };
    followHangups({ reload, stop, signal: over.signal, isTerminal });
    return { counts, over };
  };

  it('reloads, and is no longer handled after the end', () => {
    const before = process.listenerCount('SIGHUP');
    const { counts, over } = follow(() => false);
    process.emit('SIGHUP');
    expect(counts).toEqual({ reloads: 1, stops: 0 });
    over.abort();
    expect(process.listenerCount('SIGHUP')).toBe(before);
  });

  it('stops the server if its terminal is gone, but reloads while the terminal is there', () => {
    let isOpen = true;
    const { counts, over } = follow(() => isOpen);
    process.emit('SIGHUP');
    isOpen = false;
    process.emit('SIGHUP');
    over.abort();
    expect(counts).toEqual({ reloads: 1, stops: 1 });
  });
});
