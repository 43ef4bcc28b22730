/** The account's money, and what happened to it and to its pods. */
import { objectOf } from '../base/json-schema.ts';
import { type Operation, ok } from '../http/operation.ts';
import { boolean, integer, listOf, number, text, textOrNull, time } from '../schemas/basics.ts';
import { readFeed } from '../store/events.ts';
import { readBalance } from '../store/ledger.ts';
import { countActivePods } from '../store/pods.ts';
import { webhookBody } from '../webhooks/deliver.ts';

export const eventSchema = objectOf({
  id: text,
  sequence: integer,
  type: text,
  timestamp: time,
  data: { type: 'object' },
});

const topUpUrl = { ...textOrNull, description: 'where the operator takes payments; null where none is configured' };
const eventsPerPage = 100;

export function accountOperations(base: string): Operation[] {
  return [
    {
      method: 'GET',
      path: `${base}/balance`,
      id: 'getBalance',
      summary: 'What is left, and how many pods are paid for',
      access: 'balance',
      answers: {
        200: objectOf({
          success: boolean,
          balance: number,
          currency: text,
          active_pods: integer,
          top_up_url: topUpUrl,
        }),
      },
      async handle({ service: { control, options }, accountId }) {
        const { db } = control.store;
        const available = await readBalance(db, accountId);
        return ok({
          success: true,
          // Rounded down (C-094): nobody is shown money that they do not have.
          balance: Math.floor(available / 100) / 10_000,
          currency: 'USD',
          active_pods: await countActivePods(db, accountId),
          top_up_url: options.topUpUrl,
        });
      },
    },
    {
      method: 'GET',
      path: `${base}/events`,
      id: 'listEvents',
      summary: 'What happened after ?after=, oldest first; ask again with `next` for more',
      access: 'pods',
      query: { after: { type: 'string', pattern: '^\\d{1,15}$', description: 'the `next` of an earlier answer' } },
      answers: { 200: objectOf({ events: listOf(eventSchema), next: integer }) },
      errors: [400],
      async handle({ service, accountId, query: { after = '0' } }) {
        const events = await readFeed(service.control.store.db, {
          accountId,
          after: Number(after),
          limit: eventsPerPage,
        });
        return ok({ events: events.map(webhookBody), next: events.at(-1)?.sequence ?? Number(after) });
      },
    },
  ];
}
