/** One log record in a form that is the same for every log format. */
import type { Range } from '../text/span.ts';

export type LogEvent =
  | 'failed-login'
  | 'successful-login'
  | 'sudo'
  | 'sudo-denied'
  | 'account-created'
  | 'account-deleted'
  | 'account-locked'
  | 'password-changed'
  | 'group-member-added'
  | 'log-cleared'
  | 'logging-disabled'
  | 'service-installed'
  | 'access-key-created'
  | 'policy-attached'
  | 'access-denied'
  | 'blocked-connection'
  | 'web-request-error'
  | 'malware-detected';

export interface LogTime {
  /** `2026-03-09`; absent if the log has no year. */
  readonly date?: string;
  /** `03-09`, if the log has no year. */
  readonly day?: string;
  /** 24-hour clock, as printed: `02:14:05`. */
  readonly time: string;
}

export interface LogRecord extends Range {
  readonly time?: LogTime;
  readonly event?: LogEvent;
  /** The account that logs in or acts, without its domain. */
  readonly actor?: string;
  /** Address that the event came from. */
  readonly source?: string;
  /** The host that wrote the record. */
  readonly host?: string;
  /** Address, port or path at which the event was directed. */
  readonly target?: string;
  /** How often the event happened. */
  readonly count: number;
  /** Process and id; equal for records that may report the same event. */
  readonly group?: string;
  /** Reliability of the program within a group; a lower rank is more reliable. */
  readonly witness?: string;
  /** Identifies a record that may be delivered twice. */
  readonly id?: string;
  /** Number of the session, which a device repeats on each line about one login. */
  readonly session?: string;
  /** A step of a login after its first, such as a second factor. */
  readonly isFurtherStep?: true;
  readonly isCloud?: true;
  /** Written by a network device. */
  readonly isDevice?: true;
  readonly isWindows?: true;
  /** Only the words of the line name the event, which prose may do too. */
  readonly isWorded?: true;
}

/** Without undefined members, so that records can be compared and serialised. */
export function recordOf(fields: { readonly [Name in keyof LogRecord]: LogRecord[Name] | undefined }): LogRecord {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as LogRecord;
}

const addressShape = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})$/i;

/** @returns undefined for "-", service names and anything else that is not an address */
export function addressOf(written: unknown): string | undefined {
  if (typeof written !== 'string') return undefined;
  const address = written.trim().replace(/^::ffff:/i, '');
  return addressShape.test(address) && address.length >= 3 ? address : undefined;
}

/** `HALDEN\m.berge` and `m.berge` are one account. */
export function accountOf(written: unknown): string | undefined {
  if (typeof written !== 'string') return undefined;
  const name = written.trim().slice(0, 120).replace(/^.*\\/, '');
  return name === '' || /^(?:-|n\/a|null|unknown)$/i.test(name) ? undefined : name;
}
