/** Records of the messages of Unix programs and firewalls. */
import type { Range } from '../text/span.ts';
import { eventOfWords } from './event-words.ts';
import { messageNeedles, messageShapes } from './log-messages.ts';
import { accountOf, addressOf, type LogRecord, recordOf } from './log-record.ts';
import { accountIn, addressIn } from './message-words.ts';

/** @returns undefined for a line that no pattern matches */
export function messageRecord(line: string, range: Range, time: LogRecord['time']): LogRecord | undefined {
  if (!messageNeedles.test(line)) return undefined;
  for (const { event, pattern, witness } of messageShapes) {
    const groups = pattern.exec(line)?.groups;
    if (groups === undefined && !pattern.test(line)) continue;
    const repeated = /message repeated (\d{1,6}) times/.exec(line)?.[1];
    const count = Math.min(100_000, Number(groups?.count ?? repeated ?? 1));
    return recordOf({
      ...range,
      time,
      event,
      actor: accountOf(groups?.actor),
      source: addressOf(groups?.source),
      target: groups?.target,
      host: hostOf(line),
      count,
      isDevice: line.includes('%ASA-') || line.includes('%FTD-') || line.includes('%SEC') ? true : undefined,
      group: witness === undefined ? undefined : (groupOf(line) ?? peerOf(line, groups)),
      witness,
    });
  }
  return undefined;
}

/** Program and process id; auditd writes the id alone. */
function groupOf(line: string): string | undefined {
  const program = /(?<![\w.-])([\w./-]{2,40})(?:\([\w:-]{1,30}\))?\[(\d{1,9})\]/.exec(line.slice(0, 200));
  if (program !== null) return `${program[1]}[${program[2]}]`;
  const audited = /^type=\w{1,30} .{0,120}?(?<!\w)pid=(\d{1,9})/.exec(line.slice(0, 240))?.[1];
  return audited === undefined ? undefined : `audit[${audited}]`;
}

/** The word between the time and the program of a syslog line. */
export function hostOf(line: string): string | undefined {
  return /^(?:<\d{1,3}>)?(?:\d )?(?:[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?) ([A-Za-z][\w.-]{1,60}) [\w./-]{2,40}(?:\([\w:-]{1,30}\))?(?:\[\d{1,9}\])?:/.exec(
    line,
  )?.[1];
}

/** Without process ids: the account and the address of the attempts on a device, the address of those on a program. */
function peerOf(line: string, groups: Readonly<Record<string, string | undefined>> | undefined): string | undefined {
  if (line.includes('%ASA-')) return `asa ${groups?.actor ?? ''} ${groups?.source ?? ''}`;
  return /(?<![\w.-])sshd:/.test(line.slice(0, 200)) && groups?.source !== undefined
    ? `sshd ${groups.source}`
    : undefined;
}

/** Programs whose messages `messageShapes` lists: their further words name no event. */
export const listedProgram =
  /(?:^|\s)(?:sshd(?:-session)?|sudo|su|login|cron|crond|CRON|kernel|systemd(?:-\w+)?|useradd|userdel|usermod|groupadd|passwd|chpasswd|audit\w*|dovecot|postfix\/[\w/-]+|filterlog|fail2ban[\w.-]*)(?:\(\S{1,40}\))?(?:\[\d{1,9}\])?:\s|%(?:ASA|FTD|SEC)|^type=|\[(?:error|warn|crit|notice|alert)\] \d+#\d+:|\[client /;
const opening =
  /^(?:<\d{1,3}>\d?\s?)?\W{0,2}(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d?[./-]\d\d?[./-]\d{4}|\[?\d\d\/[A-Z][a-z]{2}\/\d{4}|[A-Z][a-z]{2} [ \d]\d)[T :,]{1,2}\d\d?:\d\d(?::\d\d)?(?:[.,]\d{1,9})?\S{0,8}/;

/** A line of any program that begins with its time, whose words name a login or an act, and an account or an address. */
export function wordedRecord(line: string, range: Range, time: LogRecord['time']): LogRecord | undefined {
  const begin = opening.exec(line)?.[0];
  if (begin === undefined || listedProgram.test(line.slice(0, 160))) return undefined;
  const message = line.slice(begin.length);
  const event = eventOfWords(message);
  if (event === undefined) return undefined;
  const isLogin = event === 'failed-login' || event === 'successful-login';
  const [actor, source] = [isLogin ? accountIn(message) : undefined, addressIn(message)];
  if (actor === undefined && source === undefined) return undefined;
  return recordOf({ ...range, time, event, actor, source, host: hostOf(line), count: 1, isWorded: true });
}
