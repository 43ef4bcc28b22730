/** Serializes callers' JSON schemas within limits of depth and size. */
import { ServerError } from '../../http/errors.ts';

/** Maximum depth of a JSON schema; later stages recurse per level. */
const schemaDepthMax = 64;
/** The limit of the grammar compiler (`native/src/grammar/schema_document.cc`). */
const schemaBytesMax = 256 * 1024;

/** The JSON text of a schema. @throws if it is nested too deep or too long */
export function schemaText(schema: unknown, path: string): string {
  if (isDeeperThan(schema, schemaDepthMax)) {
    throw new ServerError('ERR_REQUEST_INVALID', `\`${path}\` must not be nested more than ${schemaDepthMax} deep`);
  }
  const text = JSON.stringify(schema);
  const bytes = Buffer.byteLength(text);
  if (bytes <= schemaBytesMax) return text;
  throw new ServerError(
    'ERR_REQUEST_INVALID',
    `\`${path}\` must have at most ${schemaBytesMax} bytes as JSON, got ${bytes}`,
  );
}

/** Recurses at most `depthMax` levels. */
function isDeeperThan(value: unknown, depthMax: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const values = Object.values(value);
  if (depthMax === 0) return values.length > 0;
  return values.some((one) => isDeeperThan(one, depthMax - 1));
}
