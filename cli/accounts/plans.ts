/** `cloister plans`: shows and changes what accounts may use, while a server runs. */
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

set changes the given fields of a plan that exists; create adds a plan, without limits where no field is given. Changes
hold from the next request on, without a restart. A number may be "unlimited".

  --title <text>                   for people
  --description <text>             for people
  --models <surface=id,id;…>       models of a surface (chat, embeddings, images, confidential); surfaces that are not
                                   named have every model whose catalogue entry lists the plan
  --context-tokens-max <n>         tokens that prompt and answer may hold together
  --requests-per-minute <n>
  --requests-per-day <n>
  --tokens-per-month <n>
  --concurrent-requests-max <n>
  --price-percent <n>              share of the models' prices that is charged; 0: tokens are included
  --monthly-price <dollars>        told to people, not charged; "none" takes it away
  --priority <n>                   -100…100; higher goes first
${databaseHelp}  --json                print JSON
`;

/** Flag → field of a plan, by how its value is read. */
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
  tell(await accounts.listPlans(), call.json, io);
};

const show: AccountSubcommand = async (accounts, call, io) => {
  const id = onlyArgument(call, { takes: 'show takes the id of a plan', command });
  tell(await accounts.findPlan(id), call.json, io);
};

const create: AccountSubcommand = async (accounts, call, io) => {
  const id = onlyArgument(call, { takes: 'create takes the id of the new plan', command });
  tell(await accounts.createPlan({ id, change: readChange(call.values), now: Date.now() }), call.json, io);
};

const set: AccountSubcommand = async (accounts, call, io) => {
  const id = onlyArgument(call, { takes: 'set takes the id of a plan', command });
  const change = readChange(call.values);
  if (Object.keys(change).length === 0) throw usageError('set takes at least one field', command);
  tell(await accounts.changePlan({ id, change, now: Date.now() }), call.json, io);
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
  throw usageError(`--${flag} takes a whole number or "unlimited", got ${text}`, command);
}

function readModels(text: string): Plan['models'] {
  const parts = text.split(';').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [surface = '', ids, ...more] = part.split('=').map((word) => word.trim());
      if (!isSurface(surface) || ids === undefined || more.length > 0) {
        throw usageError(`--models takes surface=id,id with a surface of ${surfaces.join(', ')}`, command);
      }
      return [surface, ids.split(',').filter((id) => id !== '')];
    }),
  );
}

function isSurface(name: string): name is Surface {
  return (surfaces as readonly string[]).includes(name);
}

function tell(what: Plan | readonly Plan[], json: boolean, { stdout }: CommandIo): void {
  if (json) {
    stdout.write(`${JSON.stringify(what, null, 2)}\n`);
    return;
  }
  const plans = 'id' in what ? [what] : what;
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
