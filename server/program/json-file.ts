/** Reads JSON files that an operator writes. Messages say what to look at, and quote nothing of the file, which may hold secrets. */
import { readFileSync } from 'node:fs';
import { notJson } from '@cloister/models/files/json-fields';
import { ServerError } from '../http/errors.ts';

/** @param name of the file, for messages · @throws {ServerError} ERR_CONFIG unless the file holds a JSON object */
export function readJsonFile(path: string, name: string = path): Readonly<Record<string, unknown>> {
  const failed = (reason: string, cause?: unknown) => new ServerError('ERR_CONFIG', `${name} ${reason}`, { cause });
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw failed(`cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw failed(notJson(cause), cause);
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content };
  throw failed('must contain a JSON object');
}
