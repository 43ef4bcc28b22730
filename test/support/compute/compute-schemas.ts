/** Validates values against the schemas of the compute service, as the service validates bodies. */
import type { TSchema } from 'typebox';
import { ComputeError } from '../../../compute/base/errors.ts';
import { bodyReader } from '../../../compute/base/readers.ts';

/** @returns the validation error of the value, or undefined if it is valid */
export function findMismatch(schema: TSchema, value: unknown): string | undefined {
  try {
    bodyReader.read(schema, value);
  } catch (error) {
    if (error instanceof ComputeError) return error.message;
    throw error;
  }
  return undefined;
}
