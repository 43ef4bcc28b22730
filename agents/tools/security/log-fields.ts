/** Records of log formats with named fields (JSON, key=value, tables), and the values that identify events. */

import type { Range } from '../text/span.ts';
import { blockedWord, eventOfWords, isFailure } from './event-words.ts';
import { type Fields, lookup, normalName, valuesOf } from './field-names.ts';
import { accountOf, addressOf, type LogEvent, type LogRecord, type LogTime, recordOf } from './log-record.ts';
import { findLogTime } from './log-times.ts';
import { messageRecord } from './message-record.ts';
import { accountIn, addressIn } from './message-words.ts';
import { isSystemAccount, isSystemLogon, windowsEvents } from './windows-events.ts';

type Lookup = ReturnType<typeof lookup>;

interface FieldRule {
  readonly event: LogEvent;
  /** All must match. */
  readonly when: Readonly<Record<string, RegExp>>;
}

const denied = /^(?:AccessDenied\w*|UnauthorizedOperation|Client\.UnauthorizedOperation|AccessDeniedException)$/;

/**
 * By names in the spelling of `normalName`. The first rule whose conditions are met decides. @see AWS CloudTrail event names;
 * Fortinet log reference; Entra ID and Okta sign-in logs
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
  { event: 'blocked-connection', when: { 'alert.action': /^(?:blocked|dropped|rejected)$/i } },
  { event: 'blocked-connection', when: { logsubtype: /^(?:denied|drop)$/i } },
  { event: 'account-created', when: { cfgpath: /^(?:system\.admin|user\.local)$/i, action: /^add$/i } },
  { event: 'account-deleted', when: { cfgpath: /^(?:system\.admin|user\.local)$/i, action: /^delete$/i } },
  {
    event: 'password-changed',
    when: { cfgpath: /^(?:system\.admin|user\.local)$/i, action: /^edit$/i, cfgattr: /^passw(?:or)?d\b/i },
  },
  {
    event: 'logging-disabled',
    when: { cfgpath: /^log\.[\w.-]{1,40}$/i, cfgattr: /^status\[(?:enable)?->disable\]/i },
  },
  { event: 'failed-login', when: { signinerrorcode: /^[1-9]\d*$/, status: /^fail/i } },
  { event: 'successful-login', when: { signinerrorcode: /^0$/, status: /^success/i } },
  { event: 'failed-login', when: { userprincipalname: /./, 'status.errorcode': /^[1-9]\d*$/ } },
  { event: 'successful-login', when: { userprincipalname: /./, 'status.errorcode': /^0$/ } },
  { event: 'failed-login', when: { category: /^SignInLogs$/i, resulttype: /^[1-9]\d*$/ } },
  { event: 'successful-login', when: { category: /^SignInLogs$/i, resulttype: /^0$/ } },
  { event: 'failed-login', when: { authsuccess: /^F$/ } },
  { event: 'successful-login', when: { authsuccess: /^T$/ } },
];

/** @returns undefined for an object without a time */
export function recordOfFields(
  fields: Fields,
  range: Range,
  line: string,
  isDayFirst: boolean | undefined,
): LogRecord | undefined {
  const get = lookup(fields);
  // The audit log of Kubernetes has a record for each stage of a request.
  if (/^(?:RequestReceived|ResponseStarted)$/.test(fields.get('stage') ?? '')) return undefined;
  const time = timeOf(fields, get, line, isDayFirst);
  if (time === undefined) return undefined;
  const windows = windowsEvents.get(Number(get('code')));
  const declared = windows?.event ?? ruledEvent(fields);
  const program = declared === undefined ? programRecord(get, range, time) : undefined;
  if (program !== undefined) return program;
  const isOfSystem = systemProgram.test(get('program') ?? '');
  const web = declared === undefined ? webErrorOf(fields, get) : undefined;
  const isNamed = web === undefined && !isDeclared(fields) && !isOfSystem;
  const named = declared === undefined && isNamed ? eventOfNames(fields, get) : undefined;
  const event = declared ?? web?.event ?? named?.event;
  const subject = get('subject');
  const written =
    windows?.actor === 'subject' && subject !== undefined
      ? subject
      : isLogin(event)
        ? (accountIn(named?.words ?? '') ?? get('actor'))
        : get('actor');
  const actor =
    windows?.actor === 'none'
      ? undefined
      : (accountOf(written) ?? (fields.get('useridentity.type') === 'Root' ? 'root' : undefined));
  const target = get('target');
  return recordOf({
    ...range,
    time,
    event: event === undefined || isSystemLogon(event, actor) ? undefined : event,
    actor: event === 'blocked-connection' || event === 'account-locked' || isSystemAccount(actor) ? undefined : actor,
    source: addressOf(withoutPort(get('source'))) ?? addressIn(named?.words ?? '') ?? addressIn(fields.get('ui') ?? ''),
    host: get('host'),
    target: web?.target ?? (target === undefined ? undefined : `${target} ${get('port') ?? ''}`.trim()),
    count: 1,
    id: fields.has('eventname') ? fields.get('eventid') : undefined,
    session: get('session'),
    isFurtherStep: furtherStep.test(valuesOf(fields, 'event').join(' ')) ? true : undefined,
    isDevice: fields.has('devname') || fields.has('dvchost') || fields.has('cfgpath') ? true : undefined,
    isWindows: windows === undefined ? undefined : true,
    isCloud:
      (fields.has('eventsource') && fields.has('eventname')) || fields.has('protopayload.methodname')
        ? true
        : undefined,
  });
}

/** Steps of a login after the password, and uses of the session. */
const furtherStep =
  /(?:mfa|factor|\botp\b|\bsso\b|single.?sign.?on|verify|policy[._ ]?evaluat|evaluate_sign_on|gateway-|token|consent)/i;

const withoutPort = (address: string | undefined) => address?.replace(/^\[?([\da-f.:]+)\]?:\d{1,5}$/i, '$1');

const isLogin = (event: LogEvent | undefined) => event === 'failed-login' || event === 'successful-login';

function ruledEvent(fields: Fields): LogEvent | undefined {
  const byName = new Map([...fields].map(([name, value]) => [normalName(name), value] as const));
  return rules.find(({ when }) => Object.entries(when).every(([name, pattern]) => pattern.test(byName.get(name) ?? '')))
    ?.event;
}

/** Programs whose messages are all listed: their further words name no event. */
const systemProgram =
  /^(?:sshd(?:-session)?|sudo|su|login|cron|crond|kernel|systemd(?:-\w+)?|useradd|userdel|usermod|groupadd|passwd|chpasswd|audit\w*|dovecot|postfix\/\w+|CRON)$/;

/** A collector wraps the message of a program: `{"process": {"name": "sshd"}, "message": "Accepted password for …"}`. */
function programRecord(get: Lookup, range: Range, time: LogTime): LogRecord | undefined {
  const message = get('message');
  if (message === undefined) return undefined;
  const [program, pid] = [get('program'), get('pid')];
  const line = program === undefined ? message : `${program}${pid === undefined ? '' : `[${pid}]`}: ${message}`;
  const record = messageRecord(line, range, time);
  return record === undefined ? undefined : recordOf({ ...record, host: record.host ?? get('host') });
}

/** In CloudTrail the names of events are those of the API, and the rules above are complete. */
const isDeclared = (fields: Fields) => fields.has('eventsource') && fields.has('eventname');

/** Epoch seconds are those of UTC. */
function timeOf(fields: Fields, get: Lookup, line: string, isDayFirst: boolean | undefined): LogTime | undefined {
  const written = get('time');
  const epoch = /^(1\d{9})(?:\.\d{1,9}|\d{3}|\d{6})?$/.exec(written ?? '')?.[1];
  const iso = epoch === undefined ? written : new Date(Number(epoch) * 1000).toISOString();
  const [day, clock] = [get('day') ?? '', get('clock') ?? ''];
  return (
    findLogTime(iso ?? '', isDayFirst) ??
    findLogTime(`${day} ${clock}`, isDayFirst) ??
    findLogTime(`date=${fields.get('date') ?? ''} time=${fields.get('time') ?? ''}`, isDayFirst) ??
    findLogTime(line.slice(0, 120), isDayFirst)
  );
}

/** Parts of a request that only an attack has. */
export const attackInPath =
  /\.\.(?:\/|%2f)|union(?:\s|%20|\+)|\/\.(?:env|git|aws|ssh)|wp-login|phpmyadmin|cgi-bin|etc\/passwd|eval-stdin|\/actuator|%27|<script|\$\{jndi/i;

/** A response with a path and a status is a request to a web server, and from 400 on an error. */
function webErrorOf(fields: Fields, get: Lookup): { readonly event?: LogEvent; readonly target?: string } | undefined {
  const status = valuesOf(fields, 'status').find((value) => /^[1-5]\d\d$/.test(value));
  const path = get('path');
  // The requests of an audit log are operations, and their status is an outcome.
  if (status === undefined || path === undefined || fields.has('verb')) return undefined;
  if (Number(status) < 400) return {};
  const query = get('query');
  const attack = query !== undefined && attackInPath.test(query) ? `?${query.slice(0, 100)}` : '';
  return { event: 'web-request-error', target: `${status} ${path.slice(0, 100)}${attack}` };
}

interface NamedEvent {
  readonly event: LogEvent;
  /** The words that name it, which may also name its account and address. */
  readonly words: string;
}

/** The fields that name the event and its outcome; the message only if they say nothing. */
function eventOfNames(fields: Fields, get: Lookup): NamedEvent | undefined {
  const operation = [fields.get('verb'), fields.get('objectref.resource'), fields.get('objectref.subresource')];
  const named = [
    ...(fields.has('verb') ? [operation.join(' ')] : []),
    ...[...new Set([...valuesOf(fields, 'event'), get('event') ?? ''])].filter((value) => /\p{L}{3}/u.test(value)),
  ].slice(0, 5);
  const ended = outcomeOf(fields, get);
  const ofWords = (words: string) => {
    const event = eventOfWords(`${words} ${ended.words}`);
    return event === undefined ? undefined : { event, words };
  };
  const found =
    named.map(ofWords).find((one) => one !== undefined) ?? (named.length > 1 ? ofWords(named.join(' ')) : undefined);
  const isRefused = found === undefined || !isLogin(found.event);
  if (ended.isRefused && isRefused) return { event: 'access-denied', words: '' };
  // What failed did not happen.
  if (found !== undefined) return !isLogin(found.event) && ended.isFailed && isChange(found.event) ? undefined : found;
  // Formats that declare failed logins as an event of their own have no outcome for the others.
  if (named.some((word) => loginAlone.test(word)) && ended.words === '' && !ended.isFailed)
    return { event: 'successful-login', words: '' };
  const isBlocked = named.some((word) => blockedAlone.test(word.trim())) || blockedAlone.test(get('outcome') ?? '');
  if (isBlocked && (get('target') !== undefined || fields.has('httprequest.clientip')))
    return { event: 'blocked-connection', words: '' };
  const message = get('message');
  return message === undefined ? undefined : ofMessage(message);
}

function ofMessage(message: string): NamedEvent | undefined {
  const event = eventOfWords(message);
  return event === undefined ? undefined : { event, words: message };
}

const loginAlone = /^(?:user[\s_.-]?)?(?:log[\s_-]?(?:in|on)|sign[\s_-]?in)$/i;
const blockedAlone = new RegExp(`^${blockedWord}$`, 'iu');
const isChange = (event: LogEvent) =>
  !/^(?:access-denied|blocked-connection|malware-detected|account-locked)$/.test(event);

interface Outcome {
  readonly words: string;
  readonly isFailed: boolean;
  /** Whether a permission was missing. */
  readonly isRefused: boolean;
}

const refusal = /^(?:403|7|access_?denied\w*|permission_?denied|forbidden|\w*unauthori[sz]ed\w*)$/i;

/** The code 7 of gRPC is a missing permission, 0 and none success. @see google.rpc.Code */
function outcomeOf(fields: Fields, get: Lookup): Outcome {
  const codes = [...fields].flatMap(([name, value]) =>
    /(?:^|\.)(?:status\.code|responsestatus\.(?:code|reason)|error_?code|errorcode|error\.code)$/.test(name)
      ? [value]
      : [],
  );
  const written = get('outcome');
  // Zeek writes F and T, auditd 0 and 1, others a reason.
  const words =
    written === undefined
      ? ''
      : /^(?:f|false|0|no|non|nein|ko|failure)$/i.test(written)
        ? 'failed'
        : /^(?:t|true|1|yes|oui|ja|ok)$/i.test(written)
          ? 'success'
          : written.slice(0, 80);
  return {
    words,
    isFailed: isFailure(words) || codes.some((code) => !/^(?:0|2\d\d|ok|success)?$/i.test(code)),
    isRefused: codes.some((code) => refusal.test(code)) || refusal.test(written ?? ''),
  };
}
