/** Engines in worker threads and in processes that end in every way: nothing hangs, crashes or is printed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';

describe('threads and processes', () => {
  const loadProgram = `
    import { loadTiny, ask, generate } from '${new URL('models.ts', import.meta.url)}';
    const model = await loadTiny();
    const prepared = await model.prepareChat(ask);
    const operations = [{ kind: 'trim', sequence: 0, from: 0 }];
    const answer = () => generate(model, { prepared, operations }, { sequence: 0, count: 5 });`;

  const runWorker = (code: string) =>
    new Promise<unknown>((resolve, reject) => {
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
      let message: unknown;
      worker.on('message', (value) => {
        message = value;
        if (value === 'terminate') void worker.terminate();
      });
      worker.on('error', reject);
      worker.on('exit', () => resolve(message));
    });

  it('runs engines in several worker threads at once', async () => {
    const post = `import { parentPort } from 'node:worker_threads'; ${loadProgram}`;
    const code = `${post} parentPort.postMessage(await answer()); await model.close();`;
    const answers = await Promise.all([runWorker(code), runWorker(code), runWorker(code)]);
    expect(answers[0]).toHaveLength(5);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('runs in one worker after another, in a process that never loads the addon itself', () => {
    const worker = `data:text/javascript,${encodeURIComponent(`${loadProgram} await answer(); await model.close();`).replaceAll("'", '%27')}`;
    const code = `import { Worker } from 'node:worker_threads';
      for (let round = 0; round < 3; round++) {
        await new Promise((resolve) => new Worker(new URL('${worker}')).on('exit', resolve));
      }
      console.error('still here');`;
    expect(spawnCapture(code)).toMatchObject({ status: 0, stderr: 'still here\n' });
  });

  it('survives a worker that exits with its engine open, idle or during a step', async () => {
    const post = `import { parentPort } from 'node:worker_threads'; ${loadProgram}`;
    await runWorker(`${post} parentPort.postMessage('terminate'); setInterval(() => {}, 1000);`);
    await runWorker(`${post} parentPort.postMessage('terminate'); while (true) await answer();`);
    await runWorker(`${post} process.exit(0);`);
  });

  const runProcess = (code: string) =>
    execFileSync(process.execPath, ['--expose-gc', '--input-type=module-typescript', '-e', code], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 20_000,
    });

  it('lets the process end with an engine open, and prints nothing', () => {
    expect(runProcess(`${loadProgram} await answer();`)).toBe('');
    expect(runProcess(`${loadProgram} answer(); process.exit(0);`)).toBe('');
  });

  it('frees an unreachable engine', () => {
    const code = `${loadProgram.replace('const model', 'let model').replace('const prepared', 'let prepared')}
      await answer();
      model = undefined; prepared = undefined;
      for (let round = 0; round < 5; round++) { gc(); await new Promise((resolve) => setTimeout(resolve, 10)); }
      console.log('done');`;
    expect(runProcess(code)).toBe('done\n');
  });

  it('leaves out threads that get no core, and tries them again', () => {
    // Steps for one and a half seconds: how many were computed by how many threads.
    const code = `${loadProgram.replace('loadTiny()', 'loadTiny({}, { threads: 4 })')}
      const steps = {};
      const row = { sequence: 0, position: 0, tokens: Int32Array.of(1), sample: true };
      for (const end = performance.now() + 1500; performance.now() < end; ) {
        const { threads } = await model.step({ operations, rows: [row] });
        steps[threads] = (steps[threads] ?? 0) + 1;
      }
      await model.close();
      console.log(JSON.stringify(steps));`;
    const cpu = /Cpus_allowed_list:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]!;
    const node = [process.execPath, '--input-type=module-typescript', '-e', code];
    const steps = JSON.parse(execFileSync('taskset', ['--cpu-list', cpu, ...node], { encoding: 'utf8' }));
    const { 1: alone = 0, ...others } = steps as Record<string, number>;
    const tried = Object.values(others).reduce((sum, count) => sum + count, 0);
    expect(tried).toBeGreaterThan(0);
    expect(alone).toBeGreaterThan(10 * tried);
  });

  it('prints nothing of a caller on stderr', () => {
    const code = `${loadProgram}
      for (const jsonSchema of ['{"type": "string", "pattern": "SECRET["}', '{"type": "string", "minLength": 100000}']) {
        await model.prepareChat({ ...ask, jsonSchema }).catch(() => {});
      }
      await model.close();`;
    const { stderr } = spawnCapture(code);
    expect(stderr).toBe('');
  });
});

function spawnCapture(code: string) {
  return spawnSync(process.execPath, ['--input-type=module-typescript', '-e', code], {
    encoding: 'utf8',
    timeout: 20_000,
  });
}
