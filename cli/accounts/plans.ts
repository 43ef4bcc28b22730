/** `cloister plans`: lists, creates and changes plans, also while a server runs on the same database. */
import { formatDollars, parseDollars } from '@cloister/accounts/base/money';
import { type Surface, surfaces } from '@cloister/accounts/plans/plans';
import type { Plan, PlanChange } from '@cloister/accounts/store';
import { type CommandIo, table, usageError } from '@cloister/server/program/command';
import {
  type AccountSubcommand,
  databaseHelp,
  noArgument,
  onlyArgument,
  runAccountCommand,
} from './account-command.ts';

const command = 'plans';

const help = `Usage: cloister plans list
       cloister plans show <plan>
       cloister plans create <plan> [field flags]
       cloister plans set <plan> <field flags>

create adds a plan; fields without a flag are unlimited. set changes the given fields of an existing plan. Changes apply
from the next request, without a restart. A numeric limit may be "unlimited".

  --title <text>                   display name
  --description <text>             description for display
  --models <surface=id,id;…>       models of a surface (chat, embeddings, images, confidential); a surface without a list
                                   has every model whose catalogue entry lists the plan
  --context-tokens-max <n>         tokens of prompt and output together
  --requests-per-minute <n>        requests per minute
  --requests-per-day <n>           requests per day
  --tokens-per-month <n>           tokens per month
  --concurrent-requests-max <n>    requests in flight at the same time
  --price-percent <n>              percentage of the model's price to charge; 0 means that tokens are included
  --monthly-price <dollars>        displayed price, which is not charged; "none" removes it
  --priority <n>                   -100 to 100; requests with a higher priority run first
${databaseHelp}  --json                print JSON
`;

/** Flags with a whole number or "unlimited", and the plan field that each one sets. */
const numbers = {
  'context-tokens-max': 'contextTokensMax',
  'requests-per-minute': 'requestsPerMinute',
  'requests-per-day': 'requestsPerDay',
  'tokens-per-month': 'tokensPerMonth',
  'concurrent-requests-max': 'concurrentRequestsMax',
  'price-percent': 'pricePercent',
  priority: 'priority',
} as const satisfies Record<string, keyof Plan>;

/** @throws {ServerError} ERR_USAGE, ERR_CONFIG · @throws {AccountError} */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const texts = [...Object.keys(numbers), 'title', 'description', 'models', 'monthly-price'];
  return await runAccountCommand({ name: command, help, subcommands: { list, show, create, set }, texts }, args, io);
}

const list: AccountSubcommand = async (accounts, call, io) => {
  noArgument(call, { name: 'list', command });
  print(await accounts.listPlans(), call.json, io);
};

const show: AccountSubcommand = async (accounts, call, io) => {
  const id = onlyArgument(call, { takes: 'show takes the ID of a plan', command });
  print(await accounts.findPlan(id), call.json, io);
};

const create: AccountSubcommand = async (accounts, call, io) => {
  const id = onlyArgument(call, { takes: 'create takes the ID of the new plan', command });
  print(await accounts.createPlan({ id, change: readChange(call.values), now: Date.now() }), call.json, io);
};

const set: AccountSubcommand = async (accounts, call, io) => {
  const id = onlyArgument(call, { takes: 'set takes the ID of a plan', command });
  const change = readChange(call.values);
  if (Object.keys(change).length === 0)
    throw usageError('set takes at least one field flag, for example --priority', command);
  print(await accounts.changePlan({ id, change, now: Date.now() }), call.json, io);
};

function readChange(values: Readonly<Record<string, string | undefined>>): PlanChange {
  const change: Record<string, unknown> = {};
  for (const [flag, field] of Object.entries(numbers)) {
    const text = values[flag];
    if (text !== undefined) change[field] = readNumber(flag, text);
  }
  const { title, description, models, 'monthly-price': price } = values;
  if (title !== undefined) change.title = title;
  if (description !== undefined) change.description = description;
  if (models !== undefined) change.models = readModels(models);
  if (price !== undefined) change.monthlyPrice = price === 'none' ? null : parseDollars(price);
  return change;
}

function readNumber(flag: string, text: string): number | null {
  if (text === 'unlimited') return null;
  if (/^-?\d+$/.test(text)) return Number(text);
  throw usageError(`--${flag} must be a whole number or "unlimited", got ${text}`, command);
}

function readModels(text: string): Plan['models'] {
  const parts = text.split(';').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [surface = '', ids, ...more] = part.split('=').map((word) => word.trim());
      if (!isSurface(surface) || ids === undefined || more.length > 0) {
        throw usageError(
          `--models must be surface=id,id;… with a surface of ${surfaces.join(', ')}, got ${part}`,
          command,
        );
      }
      return [surface, ids.split(',').filter((id) => id !== '')];
    }),
  );
}

function isSurface(name: string): name is Surface {
  return (surfaces as readonly string[]).includes(name);
}

function print(shown: Plan | readonly Plan[], json: boolean, { stdout }: CommandIo): void {
  if (json) {
    stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    return;
  }
  const plans = 'id' in shown ? [shown] : shown;
  const rows = plans.map((plan) => [
    plan.id,
    plan.title,
    number(plan.contextTokensMax),
    number(plan.requestsPerMinute),
    number(plan.requestsPerDay),
    number(plan.tokensPerMonth),
    number(plan.concurrentRequestsMax),
    `${plan.pricePercent}%`,
    plan.monthlyPrice === undefined ? '-' : formatDollars(plan.monthlyPrice),
    String(plan.priority),
    Object.entries(plan.models)
      .map(([surface, ids]) => `${surface}=${ids.join(',')}`)
      .join(';') || 'by catalogue',
  ]);
  const heading = [
    'ID',
    'TITLE',
    'CONTEXT',
    'PER MINUTE',
    'PER DAY',
    'TOKENS',
    'AT A TIME',
    'PRICE',
    'MONTHLY',
    'PRIORITY',
  ];
  stdout.write(table([[...heading, 'MODELS'], ...rows]));
}

function number(value: number | undefined): string {
  return value === undefined ? 'unlimited' : String(value);
}
