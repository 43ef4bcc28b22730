/** Log formats with named fields (JSON, key=value): the meaning of each field, and the values that identify events. */

import type { Range } from '../text/span.ts';
import { eventOfWords } from './event-words.ts';
import { accountOf, addressOf, type LogEvent, type LogRecord, type LogTime, recordOf } from './log-record.ts';
import { findLogTime } from './log-times.ts';
import { messageRecord } from './message-record.ts';
import { isSystemLogon, windowsEvents } from './windows-events.ts';

/** By name in lower case; nested names are joined with dots. */
export type Fields = ReadonlyMap<string, string>;

/** Names of fields, in the spelling of `normalName`, from the most specific. */
const names = {
  time:
    'eventtime @timestamp timestamp time ts timecreated timegenerated createddatetime published datetime dateandtime ' +
    'creationtime realtimetimestamp utctime requestreceivedtimestamp receivetimestamp edgestarttimestamp starttime eventtimestamp _time when logged ' +
    'timestamputc timeutc zeit zeitstempel zeitpunkt horodatage dateheure fecha fechahora tijdstip dataora date datum',
  actor:
    'useridentity.username useridentity.sessioncontext.sessionissuer.username targetusername winlog.eventdata.targetusername ' +
    'userprincipalname actor.alternateid actor.email properties.userprincipalname protopayload.authenticationinfo.principalemail ' +
    'user.username requestparameters.username userid username user.name userdisplayname csusername user login acct actor actorname ' +
    'srcuser suser duser sourceuser dstuser targetuser targetaccount account accountname principal email userkey benutzer ' +
    'benutzername konto kontoname utilisateur compte usuario cuenta utente gebruiker',
  source:
    'sourceipaddress ipaddress source.ip client.ip srcip client.ipaddress properties.ipaddress calleripaddress clientip remip ' +
    'remoteip remoteaddr remoteaddress sourceip sourceaddress sourcenetworkaddress protopayload.requestmetadata.callerip callerip ' +
    'sourceips.0 httprequest.clientip httprequest.remoteip actoripaddress actorip client.ipaddr id.origh cip clientaddress src ip ' +
    'addr ipaddr saddr winlog.eventdata.ipaddress rhost request.remoteip request.remoteaddr clientrequestip quellip quelle ' +
    'quelladresse adresseip adresse origen source clienthost',
  target: 'dstip dst destination.ip destip destinationip dstaddr destinationaddress id.resph daddr targetip sip zielip',
  port: 'dstport dpt destination.port destport destinationport id.respp dport targetport sport2 zielport',
  host: 'computer computername devname hostname host.name host winlog.computername devicename device machine node server rechner',
  code: 'eventid winlog.eventid event.code eventcode ereignisid',
  /** What happened, and how it ended. */
  event:
    'event.action eventname operation operationname event eventtype action activity activitytype displaymessage methodname ' +
    'protopayload.methodname op type category eventcategory subcategory logdesc rulename signature alert.signature threatname name ' +
    'ereignis aktion evenement evento accion',
  outcome:
    'event.outcome outcome.result outcome result results res status authresult authsuccess eventresult resulttype resultdescription ' +
    'ergebnis resultat resultado esito reason failurereason error errormessage',
  message: 'message msg log event.original rawmessage raw description details text meldung beschreibung',
  program: 'process.name program syslogidentifier appname ident comm syslogprogram tag service.name',
  pid: 'process.pid pid procid syslogpid',
  query: 'csuriquery querystring url.query query',
  status:
    'scstatus status statuscode httpstatus responsestatus response.status edgeresponsestatus responsecode responsestatus.code httpresponsecode code',
  path: 'csuristem uri requesturi path url request.uri request.url requestpath clientrequesturi clientrequestpath httprequest.uri httprequest.requesturl request requesturl urlpath url.path resource',
} as const;
const lists = Object.fromEntries(
  Object.entries(names).map(([kind, list]) => [kind, list.split(' ')]),
) as unknown as Readonly<Record<keyof typeof names, readonly string[]>>;

/** `Source IP`, `source_ip` and `srcIP (v4)` are compared without case, blanks, hyphens and underscores. */
const normalName = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\([^)]*\)|[^a-z0-9.@]/g, '');

/** Looks up values by any of the names of a meaning. */
function lookup(fields: Fields): (kind: keyof typeof names) => string | undefined {
  const known = new Map<string, string>();
  for (const [name, value] of fields) {
    const normal = normalName(name);
    if (value !== '' && value !== '-' && !known.has(normal)) known.set(normal, value);
  }
  return (kind) => {
    for (const name of lists[kind]) {
      const value = known.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

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
  { event: 'failed-login', when: { signinerrorcode: /^[1-9]\d*$/, status: /^fail/i } },
  { event: 'successful-login', when: { signinerrorcode: /^0$/, status: /^success/i } },
  { event: 'failed-login', when: { userprincipalname: /./, 'status.errorcode': /^[1-9]\d*$/ } },
  { event: 'successful-login', when: { userprincipalname: /./, 'status.errorcode': /^0$/ } },
  { event: 'failed-login', when: { eventtype: /^user\.session\.start$/, 'outcome.result': /^FAILURE$/ } },
  { event: 'successful-login', when: { eventtype: /^user\.session\.start$/, 'outcome.result': /^SUCCESS$/ } },
  { event: 'failed-login', when: { operation: /^UserLoginFailed$/ } },
  { event: 'failed-login', when: { auth_success: /^F$/ } },
  { event: 'successful-login', when: { auth_success: /^T$/ } },
  { event: 'successful-login', when: { operation: /^UserLoggedIn$/ } },
];

/** @returns undefined for an object without a time */
export function recordOfFields(
  fields: Fields,
  range: Range,
  line: string,
  isDayFirst: boolean | undefined,
): LogRecord | undefined {
  const get = lookup(fields);
  const time = timeOf(fields, get('time'), line, isDayFirst);
  if (time === undefined) return undefined;
  const windows = windowsEvents.get(Number(get('code')));
  const declared =
    windows?.event ??
    rules.find(({ when }) => Object.entries(when).every(([name, pattern]) => pattern.test(fields.get(name) ?? '')))
      ?.event;
  const program = declared === undefined ? programRecord(get, range, time) : undefined;
  if (program !== undefined) return program;
  const isOfSystem = systemProgram.test(get('program') ?? '');
  const web = declared === undefined ? webErrorOf(get) : undefined;
  const event =
    declared ??
    web?.event ??
    (web === undefined && !isDeclared(fields) && !isOfSystem ? eventOfNames(fields, get) : undefined);
  const subject = fields.get('subjectusername') ?? fields.get('winlog.event_data.subjectusername');
  const actor =
    windows?.actor === 'none'
      ? undefined
      : (accountOf(windows?.actor === 'subject' && subject !== undefined ? subject : get('actor')) ??
        (fields.get('useridentity.type') === 'Root' ? 'root' : undefined));
  const target = get('target');
  return recordOf({
    ...range,
    time,
    event: event === undefined || isSystemLogon(event, actor) ? undefined : event,
    actor: event === 'blocked-connection' ? undefined : actor,
    source: addressOf(get('source')?.replace(/^\[?([\da-f.:]+)\]?:\d{1,5}$/i, '$1')),
    host: get('host'),
    target: web?.target ?? (target === undefined ? undefined : `${target} ${get('port') ?? ''}`.trim()),
    count: 1,
    id: fields.has('eventname') ? fields.get('eventid') : undefined,
    isCloud:
      (fields.has('eventsource') && fields.has('eventname')) || fields.has('protopayload.methodname')
        ? true
        : undefined,
  });
}

/** Programs whose messages are all listed: their further words name no event. */
const systemProgram =
  /^(?:sshd(?:-session)?|sudo|su|login|cron|crond|kernel|systemd(?:-\w+)?|useradd|userdel|usermod|groupadd|passwd|chpasswd|audit\w*|dovecot|postfix\/\w+|CRON)$/;

/** A collector wraps the message of a program: `{"process": {"name": "sshd"}, "message": "Accepted password for …"}`. */
function programRecord(get: ReturnType<typeof lookup>, range: Range, time: LogTime): LogRecord | undefined {
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
function timeOf(fields: Fields, written: string | undefined, line: string, isDayFirst: boolean | undefined) {
  const epoch = /^(1\d{9})(?:\.\d{1,9}|\d{3}|\d{6})?$/.exec(written ?? '')?.[1];
  const iso = epoch === undefined ? written : new Date(Number(epoch) * 1000).toISOString();
  return (
    findLogTime(iso ?? '', isDayFirst) ??
    findLogTime(`${fields.get('date') ?? ''} ${fields.get('time') ?? ''}`, isDayFirst) ??
    findLogTime(`date=${fields.get('date') ?? ''} time=${fields.get('time') ?? ''}`, isDayFirst) ??
    findLogTime(line.slice(0, 120), isDayFirst)
  );
}

/** Parts of a request that only an attack has. */
export const attackInPath =
  /\.\.(?:\/|%2f)|union(?:\s|%20|\+)|\/\.(?:env|git|aws|ssh)|wp-login|phpmyadmin|cgi-bin|etc\/passwd|eval-stdin|\/actuator|%27|<script|\$\{jndi/i;

/** A response with a path and a status is a request to a web server, and from 400 on an error. */
function webErrorOf(
  get: ReturnType<typeof lookup>,
): { readonly event?: LogEvent; readonly target?: string } | undefined {
  const [status, path] = [get('status'), get('path')];
  if (status === undefined || path === undefined || !/^[1-5]\d\d$/.test(status)) return undefined;
  if (Number(status) < 400) return {};
  const query = get('query');
  const attack = query !== undefined && attackInPath.test(query) ? `?${query.slice(0, 100)}` : '';
  return { event: 'web-request-error', target: `${status} ${path.slice(0, 100)}${attack}` };
}

/** The fields that name the event and its outcome; the message only if they say nothing. */
function eventOfNames(fields: Fields, get: ReturnType<typeof lookup>): LogEvent | undefined {
  const [event, outcome, message] = [get('event'), get('outcome'), get('message')];
  const ended = outcome === undefined ? '' : outcomeWord(outcome);
  const named = event === undefined ? undefined : eventOfWords(`${event} ${ended}`);
  if (named !== undefined) return named;
  if (
    event !== undefined &&
    get('target') !== undefined &&
    /^(?:block\w*|drop\w*|den(?:y|ied)|reject\w*|discard\w*|reset[- ]\w+)$/i.test(fields.get('action') ?? event)
  )
    return 'blocked-connection';
  return message === undefined ? undefined : eventOfWords(message);
}

/** Zeek writes F and T, auditd 0 and 1, others a reason. */
function outcomeWord(outcome: string): string {
  if (/^(?:f|false|0|no|non|nein|ko|failure)$/i.test(outcome)) return 'failed';
  return /^(?:t|true|1|yes|oui|ja|ok)$/i.test(outcome) ? 'success' : outcome.slice(0, 80);
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
