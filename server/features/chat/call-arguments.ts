/** Checks the arguments of earlier tool calls, which chat templates parse. Pure. */
import { refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';

/** Whether a text is a whole JSON object, or empty as for a tool without parameters. */
export function areWhole(text: string): boolean {
  return faultOf(text) === undefined;
}

/**
 * @param text as a client sent it back; empty for a tool without parameters
 * @param path in the body, for errors
 * @returns the text of a JSON object
 * @throws {ServerError} ERR_REQUEST_INVALID, without the text
 */
export function readArguments(text: string, path: string): string {
  const fault = faultOf(text);
  return fault === undefined ? text || '{}' : refusePlace(path, fault);
}

function faultOf(text: string): string | undefined {
  try {
    return isPlainObject(JSON.parse(text || '{}')) ? undefined : 'must be the text of a JSON object';
  } catch {
    return 'is not complete JSON: send the whole text of a JSON object, or leave out the call';
  }
}
