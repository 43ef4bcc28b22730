/** Reads bodies and queries of this server: what it does not know is ignored, and `null` counts as absent. */
import { describeValue, Mismatch, mismatchText } from '../schema/mismatch.ts';
import { SchemaReader } from '../schema/schema-reader.ts';
import { ServerError } from './errors.ts';

function refuse(mismatch: Mismatch): never {
  throw new ServerError('ERR_REQUEST_INVALID', mismatchText(mismatch));
}

/** Its refusals are {ServerError} ERR_REQUEST_INVALID; a message may echo numbers but never a string. */
export const bodyReader = new SchemaReader({ nullIsAbsent: true, refuse });

/** Refuses a field for a rule that no schema says. @param expected completes "the field …" */
export function refuseField(path: string, expected: string, value: unknown): never {
  return refuse(new Mismatch(expected, describeValue(value), path));
}
