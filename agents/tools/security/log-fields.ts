/** Log formats with named fields (JSON, key=value): the meaning of each field, and the values that identify events. */

import type { Range } from '../text/span.ts';
import { accountOf, addressOf, type LogEvent, type LogRecord, recordOf } from './log-record.ts';
import { findLogTime } from './log-times.ts';
import { isSystemLogon, windowsEvents } from './windows-events.ts';

/** By name in lower case; nested names are joined with dots. */
export type Fields = ReadonlyMap<string, string>;

const names = {
  time: 'eventtime|@timestamp|timestamp|time|ts|timecreated|timegenerated|createddatetime|published|date|datetime|creationtime|utctime'.split(
    '|',
  ),
  actor:
    'useridentity.username|useridentity.sessioncontext.sessionissuer.username|targetusername|winlog.event_data.targetusername|userprincipalname|actor.alternateid|properties.userprincipalname|userid|username|user.name|user|actor|srcuser|duser|suser|account'.split(
      '|',
    ),
  source:
    'sourceipaddress|ipaddress|source.ip|src_ip|srcip|client.ipaddress|properties.ipaddress|callerIpAddress|clientip|client_ip|remip|remote_ip|source_ip|src|ip|remote_addr|winlog.event_data.ipaddress|rhost'
      .toLowerCase()
      .split('|'),
  target: 'dstip|dst_ip|dst|destination.ip|dest_ip'.split('|'),
  port: 'dstport|dst_port|dpt|destination.port|dest_port'.split('|'),
  host: 'computer|devname|hostname|host.name|host|winlog.computer_name|device_name'.split('|'),
  code: 'eventid|event_id|winlog.event_id|event.code'.split('|'),
} as const;

const first = (fields: Fields, wanted: readonly string[]) => {
  for (const name of wanted) {
    const value = fields.get(name);
    if (value !== undefined && value !== '' && value !== '-') return value;
  }
  return undefined;
};

interface FieldRule {
  readonly event: LogEvent;
  /** All must match. */
  readonly when: Readonly<Record<string, RegExp>>;
}

const denied = /^(?:AccessDenied\w*|UnauthorizedOperation|Client\.UnauthorizedOperation|AccessDeniedException)$/;

/**
 * The first rule whose conditions are met decides. @see AWS CloudTrail event names; Fortinet log reference; Entra ID and Okta
 * sign-in logs
 */
const rules: readonly FieldRule[] = [
  { event: 'access-denied', when: { errorcode: denied } },
  { event: 'failed-login', when: { eventname: /^ConsoleLogin$/, 'responseelements.consolelogin': /^Failure$/ } },
  { event: 'successful-login', when: { eventname: /^ConsoleLogin$/, 'responseelements.consolelogin': /^Success$/ } },
  { event: 'account-created', when: { eventname: /^CreateUser$/, errorcode: /^$/ } },
  { event: 'account-deleted', when: { eventname: /^DeleteUser$/, errorcode: /^$/ } },
  { event: 'access-key-created', when: { eventname: /^CreateAccessKey$/, errorcode: /^$/ } },
  { event: 'policy-attached', when: { eventname: /^(?:Attach|Put)(?:User|Role|Group)Policy$/, errorcode: /^$/ } },
  {
    event: 'logging-disabled',
    when: { eventname: /^(?:StopLogging|DeleteTrail|DeleteFlowLogs|StopConfigurationRecorder)$/, errorcode: /^$/ },
  },
  { event: 'group-member-added', when: { eventname: /^AddUserToGroup$/, errorcode: /^$/ } },
  { event: 'password-changed', when: { eventname: /^(?:ChangePassword|UpdateLoginProfile)$/, errorcode: /^$/ } },
  { event: 'malware-detected', when: { subtype: /^(?:virus|antivirus)$/, eventtype: /^(?:infected|virus|botnet)?$/ } },
  { event: 'failed-login', when: { logdesc: /login failed|login fail/i } },
  { event: 'failed-login', when: { action: /^(?:login|logon|ssl-login-fail)$/i, status: /^fail/i } },
  { event: 'successful-login', when: { action: /^(?:login|logon)$/i, status: /^success/i } },
  { event: 'failed-login', when: { action: /^ssl-login-fail$/ } },
  { event: 'successful-login', when: { action: /^tunnel-up$/, user: /^.{1,80}$/ } },
  {
    event: 'blocked-connection',
    when: { type: /^traffic$/, action: /^(?:deny|denied|block|blocked|drop|dropped|reject)$/i },
  },
  {
    event: 'blocked-connection',
    when: { srcip: /./, subtype: /^(?:forward|local|)$/, action: /^(?:deny|denied|drop|dropped|reject)$/i },
  },
  { event: 'blocked-connection', when: { src: /./, action: /^(?:deny|denied|block|blocked|drop|dropped|reject)$/i } },
  { event: 'blocked-connection', when: { log_subtype: /^(?:denied|drop)$/i } },
  { event: 'failed-login', when: { userprincipalname: /./, 'status.errorcode': /^[1-9]\d*$/ } },
  { event: 'successful-login', when: { userprincipalname: /./, 'status.errorcode': /^0$/ } },
  { event: 'failed-login', when: { eventtype: /^user\.session\.start$/, 'outcome.result': /^FAILURE$/ } },
  { event: 'successful-login', when: { eventtype: /^user\.session\.start$/, 'outcome.result': /^SUCCESS$/ } },
  { event: 'failed-login', when: { operation: /^UserLoginFailed$/ } },
  { event: 'successful-login', when: { operation: /^UserLoggedIn$/ } },
];

/** @returns undefined for an object without a time */
export function recordOfFields(
  fields: Fields,
  range: Range,
  line: string,
  isDayFirst: boolean | undefined,
): LogRecord | undefined {
  const time =
    findLogTime(first(fields, names.time) ?? '', isDayFirst) ??
    findLogTime(`date=${fields.get('date') ?? ''} time=${fields.get('time') ?? ''}`, isDayFirst) ??
    findLogTime(line.slice(0, 120), isDayFirst);
  if (time === undefined) return undefined;
  const windows = windowsEvents.get(Number(first(fields, names.code)));
  const event =
    windows?.event ??
    rules.find(({ when }) => Object.entries(when).every(([name, pattern]) => pattern.test(fields.get(name) ?? '')))
      ?.event;
  const subject = fields.get('subjectusername') ?? fields.get('winlog.event_data.subjectusername');
  const actor =
    windows?.actor === 'none'
      ? undefined
      : (accountOf(windows?.actor === 'subject' && subject !== undefined ? subject : first(fields, names.actor)) ??
        (fields.get('useridentity.type') === 'Root' ? 'root' : undefined));
  const target = first(fields, names.target);
  return recordOf({
    ...range,
    time,
    event: event === undefined || isSystemLogon(event, actor) ? undefined : event,
    actor: event === 'blocked-connection' ? undefined : actor,
    source: addressOf(first(fields, names.source)),
    host: first(fields, names.host),
    target: target === undefined ? undefined : `${target} ${first(fields, names.port) ?? ''}`.trim(),
    count: 1,
    id: fields.has('eventname') ? fields.get('eventid') : undefined,
    isCloud: fields.has('eventsource') && fields.has('eventname') ? true : undefined,
  });
}

const pairsMax = 120;

/** `{"a":{"b":1}}` → `a.b`. @returns undefined for text that is not an object */
export function fieldsOfJson(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = new Map<string, string>();
  const visit = (object: object, prefix: string, depth: number) => {
    for (const [name, inner] of Object.entries(object)) {
      if (fields.size >= pairsMax) return;
      const path = `${prefix}${name.toLowerCase()}`;
      if (typeof inner === 'object' && inner !== null && depth < 4) visit(inner, `${path}.`, depth + 1);
      else if (inner !== null && !fields.has(path)) fields.set(path, String(inner).slice(0, 400));
    }
  };
  visit(value, '', 0);
  return fields;
}

/** `date=2026-10-05 devname="FGT-OSL-01"`. @returns undefined for a line with fewer than four pairs */
export function fieldsOfPairs(line: string): Fields | undefined {
  const fields = new Map<string, string>();
  for (const match of line.matchAll(/(?<![\w"])([A-Za-z_][\w.-]{0,40})=(?:"([^"]{0,400})"|([^\s"]{0,200}))/g)) {
    const name = match[1]!.toLowerCase();
    if (!fields.has(name)) fields.set(name, match[2] ?? match[3] ?? '');
    if (fields.size >= pairsMax) break;
  }
  return fields.size < 4 ? undefined : fields;
}
