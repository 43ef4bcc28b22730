/**
 * Delivers an account's events to one webhook: signed as Standard Webhooks (I-066), in order, retried until accepted or
 * abandoned. Delivery is at least once; receivers recognize duplicates by their `webhook-id`.
 */
import { Webhook } from 'standardwebhooks';
import type { SecretBox } from '../base/secrets.ts';
import { type Again, after, type Control, retryAfter } from '../control/control.ts';
import { type FeedEvent, readFeed } from '../store/events.ts';
import { findWebhook, giveUp, moveCursor, type WebhookRow } from '../store/webhooks.ts';
import { type GuardOptions, guardDestination } from './guard.ts';
import { post } from './post.ts';

export interface DeliverOptions extends GuardOptions {
  readonly secrets: SecretBox;
}

/** Delays of the retries, about 17 hours in all; then the event becomes a dead letter. */
const retrySeconds = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800] as const;
const timeoutMs = 10_000;
/** Events per run of the job; bounds its duration. */
const eventsPerRun = 10;

/** @param attempt number of the attempt at the oldest pending event, from 1 */
export async function deliverEvents(
  { store, note }: Control,
  webhookId: string,
  { attempt, ...options }: DeliverOptions & { attempt: number },
): Promise<Again> {
  const webhook = await findWebhook(store.db, webhookId);
  if (webhook === undefined) return undefined;
  const position = { accountId: webhook.account_id, after: webhook.cursor, limit: eventsPerRun };
  const events = await readFeed(store.db, position);
  for (const event of events) {
    const failure = await send(webhook, event, { ...options, at: new Date(await store.now()) });
    if (failure === undefined) {
      await moveCursor(store.db, webhookId, event);
      // A new run resets the count of attempts for the next event.
      if (attempt > 1) return after(0);
      continue;
    }
    const waitS = retrySeconds[attempt - 1];
    note('webhook delivery failed', { webhook: webhookId, attempt, reason: failure });
    if (waitS !== undefined) return retryAfter(waitS * 1000);
    await giveUp(store, { id: webhookId, event, attempts: attempt, reason: failure });
    return after(0);
  }
  // Events recorded during a retry do not schedule another run, so run again after one.
  return events.length === eventsPerRun || attempt > 1 ? after(0) : undefined;
}

/** @returns undefined if accepted; otherwise the reason: an HTTP status, an error code or a word */
async function send(
  webhook: WebhookRow,
  event: FeedEvent,
  { secrets, at, ...guard }: DeliverOptions & { at: Date },
): Promise<string | undefined> {
  const body = JSON.stringify(webhookBody(event));
  const secret = secrets.open(webhook.sealed_secret, { purpose: `webhook:${webhook.id}` });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Cloister-Webhooks',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(event.id, at, body),
  };
  try {
    const destination = await guardDestination(webhook.url, guard);
    const status = await post(destination, { headers, body, signal: AbortSignal.timeout(timeoutMs) });
    return status >= 200 && status < 300 ? undefined : String(status);
  } catch (error) {
    const { name, code } = error as { name?: string; code?: unknown };
    return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code)
      ? code
      : name === 'TimeoutError'
        ? 'timeout'
        : 'failed';
  }
}

/** The JSON of an event, in webhooks and in the feed. */
export function webhookBody({ id, sequence, kind, podId, at, data }: FeedEvent) {
  return { id, sequence, type: kind, timestamp: new Date(at).toISOString(), data: { pod_id: podId ?? null, ...data } };
}
