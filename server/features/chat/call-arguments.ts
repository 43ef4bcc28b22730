/** Checks the arguments of earlier tool calls, which chat templates parse. Pure. */
import { refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';

/**
 * @param text as a client sent it back; empty for a tool without parameters
 * @param path in the body, for errors
 * @returns the text of a JSON object
 * @throws {ServerError} ERR_REQUEST_INVALID, without the text
 */
export function readArguments(text: string, path: string): string {
  if (text === '') return '{}';
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return refusePlace(path, 'is not complete JSON: send the whole text of a JSON object, or leave out the call');
  }
  return isPlainObject(read) ? text : refusePlace(path, 'must be the text of a JSON object');
}
