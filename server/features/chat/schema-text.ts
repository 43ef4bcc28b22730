/** JSON schemas that callers send, as text and bounded. */
import { ServerError } from '../../http/errors.ts';

/** Levels of a JSON schema or of tool parameters: deeper ones would recurse too far further down. */
const schemaDepthMax = 64;
/** As the grammar compiler takes (`native/src/grammar/schema_document.cc`). */
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

/** Recursive, but never deeper than `depthMax`. */
function isDeeperThan(value: unknown, depthMax: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const values = Object.values(value);
  if (depthMax === 0) return values.length > 0;
  return values.some((one) => isDeeperThan(one, depthMax - 1));
}
