/** The account's balance and its event feed. */
import { Type } from '@cloister/server/schema/type';
import { closed } from '../base/schemas.ts';
import { type Operation, ok, operation } from '../http/operation.ts';
import { boolean, integer, number, text, time } from '../schemas/basics.ts';
import { chargeList } from '../schemas/pods.ts';
import { readFeed } from '../store/events.ts';
import { readBalance } from '../store/ledger.ts';
import { countActivePods, listBilledPods } from '../store/pods.ts';
import { chargeEntry } from '../views/pods.ts';
import { webhookBody } from '../webhooks/deliver.ts';

const event = Type.Object({ id: text, sequence: integer, type: text, timestamp: time, data: Type.Object({}) }, closed);

const topUpUrl = Type.Union([Type.String(), Type.Null()], {
  description: "address of the operator's payment page; null if not configured",
});
const eventPosition = Type.String({ pattern: '^\\d{1,15}$', description: 'the `next` of an earlier response' });
const eventsPerPage = 100;
const chargePosition = Type.String({
  pattern: '^\\d{1,15}\\.[\\w-]{1,64}$',
  description: 'the `next` of an earlier response',
});
const chargesPerPage = 50;

export function accountOperations(base: string): Operation[] {
  return [
    operation({
      method: 'GET',
      path: `${base}/balance`,
      id: 'getBalance',
      summary: 'Balance and number of active pods',
      access: 'balance',
      answers: {
        200: Type.Object(
          { success: boolean, balance: number, currency: text, active_pods: integer, top_up_url: topUpUrl },
          closed,
        ),
      },
      async handle({ service: { control, options }, accountId }) {
        const { db } = control.store;
        const available = await readBalance(db, accountId);
        return ok({
          success: true,
          // Rounded down (C-094): the displayed balance never exceeds the actual one.
          balance: Math.floor(available / 100) / 10_000,
          currency: 'USD',
          active_pods: await countActivePods(db, accountId),
          top_up_url: options.topUpUrl,
        });
      },
    }),
    operation({
      method: 'GET',
      path: `${base}/charges`,
      id: 'listCharges',
      summary: 'What each pod cost, newest first, also after it ended; pass `next` as ?before= for the next page',
      access: 'balance',
      query: { before: chargePosition },
      answers: { 200: chargeList },
      errors: [400],
      async handle({ service, accountId, query: { before } }) {
        const [createdAt, id = ''] = before?.split('.') ?? [];
        const position = createdAt === undefined ? undefined : { createdAt: Number(createdAt), id };
        const { db } = service.control.store;
        const pods = await listBilledPods(db, { accountId, before: position, limit: chargesPerPage });
        const last = pods.length < chargesPerPage ? undefined : pods.at(-1)!;
        return ok({ charges: pods.map(chargeEntry), next: last ? `${last.created_at}.${last.id}` : null });
      },
    }),
    operation({
      method: 'GET',
      path: `${base}/events`,
      id: 'listEvents',
      summary: 'Events after ?after=, oldest first; pass `next` as ?after= for the next page',
      access: 'pods',
      query: { after: eventPosition },
      answers: { 200: Type.Object({ events: Type.Array(event), next: integer }, closed) },
      errors: [400],
      async handle({ service, accountId, query: { after = '0' } }) {
        const events = await readFeed(service.control.store.db, {
          accountId,
          after: Number(after),
          limit: eventsPerPage,
        });
        return ok({ events: events.map(webhookBody), next: events.at(-1)?.sequence ?? Number(after) });
      },
    }),
  ];
}
