/** Readers that validate request bodies and the operator's file against their schemas. */
import { ServerError } from '@cloister/server/http/errors';
import { type Mismatch, mismatchText } from '@cloister/server/schema/mismatch';
import { SchemaReader } from '@cloister/server/schema/schema-reader';
import { ComputeError, notCharged } from './errors.ts';

/** Errors name unknown fields, since an unknown field may be a misspelling (C-026). */
const rules = { showsNames: true, takesNul: false } as const;

/** @throws {ComputeError} INVALID_REQUEST */
export const bodyReader = new SchemaReader({
  ...rules,
  refuse(mismatch) {
    throw new ComputeError('INVALID_REQUEST', refusalText(mismatch));
  },
});

/** Reads the bodies of deploys. @throws {ComputeError} INVALID_REQUEST, with `charged: false` */
export const deployReader = new SchemaReader({
  ...rules,
  refuse(mismatch) {
    throw notCharged('INVALID_REQUEST', refusalText(mismatch));
  },
});

/** @throws {ServerError} ERR_CONFIG, naming the invalid member */
export const fileReader = new SchemaReader({
  ...rules,
  refuse(mismatch) {
    throw new ServerError('ERR_CONFIG', refusalText(mismatch, 'the file'));
  },
});

/** @param whole name of the document that contains the mismatch */
function refusalText(mismatch: Mismatch, whole = 'the request body'): string {
  const { path, got } = mismatch;
  if (got !== 'nothing') return mismatchText(mismatch, whole);
  return `${path === '' ? whole : `\`${path}\``} is missing`;
}
