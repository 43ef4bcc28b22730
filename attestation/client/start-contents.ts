/** Reads what events of a start log hold. Pure; nothing of it is believed before the log gave RTMR3. */
import type { StartEvent } from '../eventlog/start-log.ts';

/** The JSON of the first event of that name; undefined where there is none. */
export function contentOf(events: readonly StartEvent[], name: string): unknown {
  const event = events.find((one) => one.name === name);
  return event === undefined ? undefined : parsedContent(event.content);
}

/** The JSON that a content holds, or the content itself. */
export function parsedContent(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return content;
  }
}

/** A member of an object's own; undefined where it has none, or the value is no object. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
