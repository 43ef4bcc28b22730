/** The pods that run now: how to reach them and what they cost. */
import { useState } from 'preact/hooks';
import { CodeBlock } from '../parts/code-block.tsx';
import { formatMoney } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { Tiles } from '../parts/tiles.tsx';
import { EventList } from './events-view.tsx';
import { balance, pods, problem } from './live.ts';
import { PodDrawer } from './pod-drawer.tsx';
import { costOf, hardware, PodState, protection } from './pod-facts.tsx';
import type { Pod } from './renter-api.ts';

const eventsShown = 6;

export function PodsView() {
  const [shown, setShown] = useState<string>();
  const list = pods.value;
  return (
    <section>
      <h1>Pods</h1>
      <Problem text={problem.value} />
      <Figures />
      {list === undefined && problem.value === undefined && <p role="status">Loading the pods…</p>}
      {list?.length === 0 && (
        <div class="welcome">
          <h2>No pod runs</h2>
          <p>A pod is a machine of your own, paid by the second.</p>
          <p>
            <a class="button primary" href="#machines">
              Choose a machine
            </a>
          </p>
        </div>
      )}
      <div class="pods">
        {(list ?? []).map((pod) => (
          <PodCard key={pod.id} pod={pod} onOpen={() => setShown(pod.id)} />
        ))}
      </div>
      <h2>Last events</h2>
      <EventList count={eventsShown} />
      <p>
        <a href="#events">All events</a>
      </p>
      {shown !== undefined && <PodDrawer id={shown} onClose={() => setShown(undefined)} />}
    </section>
  );
}

function Figures() {
  const current = balance.value;
  if (current === undefined) return null;
  const running = pods.value?.filter(({ status }) => status === 'RUNNING') ?? [];
  const hourly = running.reduce((sum, { hourly_price: price }) => sum + price, 0);
  return (
    <Tiles
      tiles={{
        Balance: formatMoney(current.balance * 1e6),
        'Pods that cost money': String(current.active_pods),
        'Price an hour': formatMoney(hourly * 1e6),
        'Lasts for': hourly > 0 ? formatHours(current.balance / hourly) : '–',
      }}
    />
  );
}

function formatHours(hours: number): string {
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  return hours >= 1 ? `${Math.floor(hours)} h` : `${Math.floor(hours * 60)} min`;
}

function PodCard({ pod, onOpen }: { readonly pod: Pod; readonly onOpen: () => void }) {
  return (
    <article class="card pod" aria-label={pod.name}>
      <header class="row">
        <h2>{pod.name}</h2>
        <PodState pod={pod} />
        <span class="push" />
        <button type="button" onClick={onOpen} aria-haspopup="dialog">
          Details<span class="hidden"> of {pod.name}</span>
        </button>
      </header>
      <dl class="facts">
        <dt>Machine</dt>
        <dd>{hardware(pod)}</dd>
        <dt>Protection</dt>
        <dd>{protection(pod)}</dd>
        <dt>Cost so far</dt>
        <dd>{costOf(pod)}</dd>
      </dl>
      {pod.ssh_command === null ? (
        <p class="fine">The SSH line appears when the machine has an address.</p>
      ) : (
        <CodeBlock text={pod.ssh_command} label="SSH line" />
      )}
    </article>
  );
}
