/** `cloister compute announce`: sends system news to every account, as events and webhooks of the compute service. */
import { type Announcement, announce } from '@cloister/compute/store/announcements';
import { openComputeStore } from '@cloister/compute/store/store';
import { type SystemEventKind, systemEventKinds } from '@cloister/compute/store/tables';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';
import { readCommandConfig } from '@cloister/server/program/config';
import { withAccounts } from '../accounts/open-accounts.ts';

const settingFlags = ['state-dir', 'database-url', 'config'] as const;
const textCharsMax = 1_000;
/** ISO 8601 with a UTC offset, since a local time is ambiguous. */
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** @throws {ServerError} ERR_USAGE, ERR_CONFIG · @throws {AccountError} */
export async function announceNews(args: string[], io: CommandIo): Promise<number> {
  const { announcement, json, settingArgs } = readCall(args);
  const { config } = readCommandConfig(settingArgs, io);
  await withAccounts(config, async ({ database }) => {
    const accountCount = await announce(await openComputeStore(database), announcement);
    io.stdout.write(
      json ? `${JSON.stringify({ accounts: accountCount })}\n` : `announced to ${accountCount} accounts\n`,
    );
  });
  return exitCodes.ok;
}

function readCall(args: string[]): { announcement: Announcement; json: boolean; settingArgs: string[] } {
  const { values, positionals } = parse(args);
  const [word = '', text, ...more] = positionals;
  const kind = systemEventKinds.find((one) => one === `system.${word}`);
  const words = systemEventKinds.map((one) => one.replace('system.', ''));
  if (kind === undefined || text === undefined || more.length > 0) {
    throw usage(`announce takes a kind (${words.join(', ')}) and a text in quotes`);
  }
  if (!isText(text)) throw usage(`the text must be one line of 1 to ${textCharsMax} characters`);
  const startsAt = readTime(values.starts, '--starts');
  const endsAt = readTime(values.ends, '--ends');
  if (startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt)
    throw usage('--ends must be after --starts');
  return {
    announcement: { kind: kind satisfies SystemEventKind, text, startsAt, endsAt },
    json: values.json === true,
    settingArgs: settingFlags.flatMap((flag) => (values[flag] === undefined ? [] : [`--${flag}`, values[flag]])),
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  return parseCommandArgs(args, {
    command: 'compute',
    options: {
      starts: text,
      ends: text,
      json: { type: 'boolean' },
      'state-dir': text,
      'database-url': text,
      config: text,
    },
  });
}

function isText(text: string): boolean {
  return text.trim() !== '' && text.length <= textCharsMax && !/\p{Cc}/u.test(text);
}

/** @returns the time in UTC with milliseconds, so that the strings sort in chronological order */
function readTime(value: string | undefined, flag: string): string | undefined {
  if (value === undefined) return undefined;
  if (timePattern.test(value) && !Number.isNaN(Date.parse(value))) return new Date(value).toISOString();
  throw usage(`${flag} must be a time such as 2026-12-01T22:00:00Z`);
}

function usage(message: string) {
  return usageError(message, 'compute');
}
