/** Read tenants' request bodies and the operator's file by their schemas. */
import { ServerError } from '@cloister/server/http/errors';
import { type Mismatch, mismatchText } from '@cloister/server/schema/mismatch';
import { SchemaReader } from '@cloister/server/schema/schema-reader';
import { ComputeError, notCharged } from './errors.ts';

/** A refusal names an unknown field, since it may be a misspelling of a known one (C-026). */
const rules = { showsNames: true, takesNul: false } as const;

/** @throws {ComputeError} INVALID_REQUEST */
export const bodyReader = new SchemaReader({
  ...rules,
  refuse(mismatch) {
    throw new ComputeError('INVALID_REQUEST', refusalText(mismatch));
  },
});

/** For deploys. @throws {ComputeError} INVALID_REQUEST, which says that nothing was charged */
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
