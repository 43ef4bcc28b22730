/** The account's money, and what happened to it and to its pods. */
import { Type } from '@cloister/server/schema/type';
import { closed } from '../base/schemas.ts';
import { type Operation, ok, operation } from '../http/operation.ts';
import { boolean, integer, number, text, time } from '../schemas/basics.ts';
import { readFeed } from '../store/events.ts';
import { readBalance } from '../store/ledger.ts';
import { countActivePods } from '../store/pods.ts';
import { webhookBody } from '../webhooks/deliver.ts';

const event = Type.Object({ id: text, sequence: integer, type: text, timestamp: time, data: Type.Object({}) }, closed);

const topUpUrl = Type.Union([Type.String(), Type.Null()], {
  description: 'where the operator takes payments; null where none is configured',
});
const eventPosition = Type.String({ pattern: '^\\d{1,15}$', description: 'the `next` of an earlier answer' });
const eventsPerPage = 100;

export function accountOperations(base: string): Operation[] {
  return [
    operation({
      method: 'GET',
      path: `${base}/balance`,
      id: 'getBalance',
      summary: 'What is left, and how many pods are paid for',
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
          // Rounded down (C-094): nobody is shown money that they do not have.
          balance: Math.floor(available / 100) / 10_000,
          currency: 'USD',
          active_pods: await countActivePods(db, accountId),
          top_up_url: options.topUpUrl,
        });
      },
    }),
    operation({
      method: 'GET',
      path: `${base}/events`,
      id: 'listEvents',
      summary: 'What happened after ?after=, oldest first; ask again with `next` for more',
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
