/** A process that moves accounts and reports its progress, to be killed in the middle. */
import { accountsFamily } from '../../../accounts/database/migrations.ts';
import type { DatabaseAddress } from '../../../accounts/store.ts';
import { moveAccounts } from '../../../accounts/transfer/move.ts';
import { migrateCompute } from '../../../compute/store/migration.ts';

export interface MoveTask {
  readonly from: DatabaseAddress;
  readonly to: DatabaseAddress;
}

process.once('message', async ({ from, to }: MoveTask) => {
  const compute = {
    table: 'compute_migration',
    migrate: (db: unknown, kind: 'sqlite' | 'postgres') => migrateCompute(db as never, kind),
  } as const;
  await moveAccounts({
    from,
    to,
    families: [accountsFamily, compute],
    onProgress: (progress) => void process.send?.(progress),
  });
  process.disconnect();
});
