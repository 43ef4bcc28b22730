/** Reads the headers for the collector, which often contain a token. Errors name lines, never their text. Pure. */
import { ServerError } from '../http/errors.ts';

const headersMax = 32;
const charactersMax = 16 * 1024;

/** @param text one `name: value` in each line; empty lines and lines that begin with # are skipped · @throws {ServerError} ERR_START */
export function readHeaders(text: string): Record<string, string> {
  const refuse = (reason: string): never => {
    throw new ServerError('ERR_START', `--otlp-headers-file: ${reason}`);
  };
  if (text.length > charactersMax) refuse(`the file is longer than ${charactersMax} characters`);
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}):[ \t]*([\x20-\x7e]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return refuse(`line ${index + 1} must be \`name: value\` in ASCII`);
    headers[name] = value.trimEnd();
  }
  if (Object.keys(headers).length > headersMax) refuse(`the file has more than ${headersMax} headers`);
  return headers;
}
