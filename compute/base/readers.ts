/** Readers of what reaches this service: bodies of tenants and the operator's file. */
import { ServerError } from '@cloister/server/http/errors';
import { type Mismatch, mismatchText } from '@cloister/server/schema/mismatch';
import { SchemaReader } from '@cloister/server/schema/schema-reader';
import { ComputeError, notCharged } from './errors.ts';

/** A refusal names a field that is not known, since it may be a misspelling of one that is (C-026). */
const rules = { showsNames: true, takesNul: false } as const;

/** @throws {ComputeError} INVALID_REQUEST */
export const bodyReader = new SchemaReader({
  ...rules,
  refuse(mismatch) {
    throw new ComputeError('INVALID_REQUEST', refusalText(mismatch));
  },
});

/** Of what would rent a machine. @throws {ComputeError} INVALID_REQUEST, which says that nothing was charged */
export const deployReader = new SchemaReader({
  ...rules,
  refuse(mismatch) {
    throw notCharged('INVALID_REQUEST', refusalText(mismatch));
  },
});

/** @throws {ServerError} ERR_CONFIG, which names the member that is wrong */
export const fileReader = new SchemaReader({
  ...rules,
  refuse(mismatch) {
    throw new ServerError('ERR_CONFIG', refusalText(mismatch, 'the file'));
  },
});

/** @param whole what the mismatch is in */
function refusalText(mismatch: Mismatch, whole = 'the request body'): string {
  const { path, got } = mismatch;
  if (got !== 'nothing') return mismatchText(mismatch, whole);
  return `${path === '' ? whole : `\`${path}\``} is missing`;
}
