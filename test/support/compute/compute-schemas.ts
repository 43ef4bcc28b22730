/** Holds values against the schemas of the compute service, as the service itself holds bodies against them. */
import type { TSchema } from 'typebox';
import { ComputeError } from '../../../compute/base/errors.ts';
import { bodyReader } from '../../../compute/base/readers.ts';

/** The refusal of the value, or undefined where it fits. */
export function findMismatch(schema: TSchema, value: unknown): string | undefined {
  try {
    bodyReader.read(schema, value);
  } catch (error) {
    if (error instanceof ComputeError) return error.message;
    throw error;
  }
  return undefined;
}
