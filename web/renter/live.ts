/** Pods, balance and events, kept up to date while the page is visible. An event reloads pods and balance at once. */
import { effect, signal } from '@preact/signals';
import { call, reasonOf } from '../api/request.ts';
import { noteEnded, session } from '../api/session.ts';
import { api, type ComputeBalance, type FeedEvent, type Pod } from './renter-api.ts';

export const pods = signal<readonly Pod[] | undefined>(undefined);
export const balance = signal<ComputeBalance | undefined>(undefined);
/** The newest first, at most `eventsMax`. */
export const events = signal<readonly FeedEvent[]>([]);
/** A sentence; undefined if the last requests succeeded. */
export const problem = signal<string | undefined>(undefined);

/** The API never limits a client that asks at this interval. */
const pollMs = 10_000;
/** What changes without an event: the cost of pods. */
const costMs = 60_000;
const eventsMax = 200;
const eventsPerPage = 100;
/** Pages of one poll; the next poll continues. */
const pagesMax = 5;

let position = 0;
let reloadedAtMs = 0;

/** Reloads pods and balance. */
export async function reload(): Promise<void> {
  reloadedAtMs = Date.now();
  try {
    [pods.value, balance.value] = await Promise.all([
      call<readonly Pod[]>(api('pods')),
      call<ComputeBalance>(api('balance')),
    ]);
    problem.value = undefined;
  } catch (error) {
    noteEnded(error);
    problem.value = reasonOf(error);
  }
}

/** Polls for as long as somebody is signed in. */
export function follow(): void {
  let timer: number | undefined;
  let account: string | undefined;
  effect(() => {
    const current = session.value;
    const next = current === 'unknown' ? undefined : current?.account;
    if (next === account) return;
    account = next;
    clearInterval(timer);
    [pods.value, balance.value, events.value, position] = [undefined, undefined, [], 0];
    if (account === undefined) return;
    void poll(true);
    timer = window.setInterval(() => void poll(), pollMs);
  });
  document.addEventListener('visibilitychange', () => account !== undefined && void poll());
}

async function poll(isFirst = false): Promise<void> {
  if (document.hidden) return;
  const hasNews = await readEvents();
  if (isFirst || hasNews || Date.now() - reloadedAtMs >= costMs) await reload();
}

async function readEvents(): Promise<boolean> {
  let hasNews = false;
  try {
    for (let page = 0; page < pagesMax; page++) {
      const { events: found, next } = await call<{ events: FeedEvent[]; next: number }>(
        api(`events?after=${position}`),
      );
      // Another poll may have read the same page.
      const news = found.filter(({ sequence }) => sequence > position);
      position = Math.max(position, next);
      if (news.length > 0) events.value = [...news.reverse(), ...events.value].slice(0, eventsMax);
      hasNews ||= news.length > 0;
      if (found.length < eventsPerPage) break;
    }
  } catch (error) {
    noteEnded(error);
    problem.value = reasonOf(error);
  }
  return hasNews;
}
