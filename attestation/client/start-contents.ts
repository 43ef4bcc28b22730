/** Reads the contents of start log events. Valid only once the log has replayed to RTMR3. Pure. */
import type { StartEvent } from '../eventlog/start-log.ts';

/** The parsed content of the first event of that name, or undefined. */
export function contentOf(events: readonly StartEvent[], name: string): unknown {
  const event = events.find((one) => one.name === name);
  return event === undefined ? undefined : parsedContent(event.content);
}

/** The content parsed as JSON, or the content itself if it is not JSON. */
export function parsedContent(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return content;
  }
}

/** An own member of an object; undefined if the value is not an object or has no such member. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
