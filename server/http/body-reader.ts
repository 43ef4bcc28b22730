/** Reads bodies and queries of this server. Unknown members are ignored, and `null` counts as absent. */
import { describeValue, Mismatch, mismatchText } from '../schema/mismatch.ts';
import { SchemaReader } from '../schema/schema-reader.ts';
import { ServerError } from './errors.ts';

function refuse(mismatch: Mismatch): never {
  throw new ServerError('ERR_REQUEST_INVALID', mismatchText(mismatch));
}

/** Throws {ServerError} ERR_REQUEST_INVALID; a message may echo numbers but never a string. */
export const bodyReader = new SchemaReader({ nullIsAbsent: true, refuse });

/** Rejects a field by a rule that its schema cannot express. @param expected completes "the field …" */
export function refuseField(path: string, expected: string, value: unknown): never {
  return refuse(new Mismatch(expected, describeValue(value), path));
}

/** As `refuseField`, for a rule that says what the value is. */
export function refusePlace(path: string, expected: string): never {
  return refuse(new Mismatch(expected, undefined, path));
}
