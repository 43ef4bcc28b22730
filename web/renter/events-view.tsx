/** What happened to the account and its pods, as it happens. */
import { formatTime } from '../parts/format.ts';
import { events } from './live.ts';
import type { FeedEvent } from './renter-api.ts';

const titles: Readonly<Record<string, string>> = {
  'pod.provisioning': 'is being prepared',
  'pod.running': 'runs',
  'pod.failed': 'failed',
  'pod.stopped': 'stopped',
  'balance.low': 'The balance lasts for less than an hour',
  'balance.exhausted': 'The balance is exhausted: all pods were stopped',
  'refund.posted': 'A refund was booked',
  'system.notice': 'Notice of the operator',
  'system.maintenance': 'Maintenance',
  'system.incident': 'Incident',
  'system.resolved': 'Incident resolved',
};

export function EventsView() {
  return (
    <section>
      <h1>Events</h1>
      <p class="fine">
        The last {200}, updated every ten seconds. A <a href="#webhooks">webhook</a> gets them as they happen.
      </p>
      <EventList count={200} />
    </section>
  );
}

/** @param props.podId shows only the events of one pod */
export function EventList({ count, podId }: { readonly count: number; readonly podId?: string }) {
  const found = events.value.filter(({ data }) => podId === undefined || data.pod_id === podId).slice(0, count);
  if (found.length === 0) return <p class="fine">None.</p>;
  return (
    <ol class="events" aria-live="polite">
      {found.map((event) => (
        <li key={event.id}>
          <time dateTime={event.timestamp}>{formatTime(event.timestamp)}</time>
          <span>{sentenceOf(event)}</span>
        </li>
      ))}
    </ol>
  );
}

function sentenceOf({ type, data }: FeedEvent) {
  const { pod_id: pod, name, ...others } = data;
  const title = titles[type] ?? type;
  const details = Object.entries(others)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`);
  return (
    <>
      {pod !== null && type.startsWith('pod.') ? (
        <>
          <strong>{name ?? pod}</strong> {title}
        </>
      ) : (
        title
      )}
      {details.length > 0 && <span class="fine"> {details.join(', ')}</span>}
    </>
  );
}
