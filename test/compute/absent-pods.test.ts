import { expect, it } from 'vitest';
import { schedule } from '../../compute/store/jobs.ts';
import { describeStores } from '../support/accounts/account-stores.ts';
import { hourMs, worlds } from '../support/compute/compute-world.ts';

describeStores('a running pod that its engine does not show', (store) => {
  const open = worlds(store);

  it('remains if the next check finds it, also after a second absence (C-141)', async () => {
    const world = await open();
    const id = await world.account('acme', 50_000_000);
    const { id: podId } = await world.deploy(id);
    await world.pass(0);
    const pod = world.engine.pods.get(podId)!;
    for (let time = 0; time < 3; time++) {
      // As after a restart of the engine: the first list lacks the pod, the next one contains it.
      world.engine.pods.delete(podId);
      await schedule(world.store.db, [{ kind: 'follow', subject: podId, runAt: world.now }]);
      await world.pass(0);
      world.engine.pods.set(podId, pod);
      await world.pass(hourMs);
      expect(await world.pod(podId)).toMatchObject({ state: 'running', absences: 0 });
    }
    expect(await world.wrongs()).toEqual([]);
  });
});
