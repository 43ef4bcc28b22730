/** One pod: address, host key, ports, logs and events, and its release. */
import { useEffect } from 'preact/hooks';
import { call } from '../api/request.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { Drawer } from '../parts/drawer.tsx';
import { formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useChange } from '../parts/use-change.ts';
import { EventList } from './events-view.tsx';
import { events, reload as reloadPods } from './live.ts';
import { costOf, hardware, PodState, protection } from './pod-facts.tsx';
import { api, type PodDetails } from './renter-api.ts';

const refreshMs = 10_000;

export function PodDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { answer: pod, problem, reload } = useAnswer<PodDetails>(api(`pods/${id}`));
  const { failure, attempt } = useChange(reloadPods);
  // An event may be about this pod.
  const [newest] = events.value;
  useEffect(() => void reload(), [newest?.id]);
  const release = async () => {
    if (!confirm('Release the pod? Its disk is erased. What is unused of the first hour is returned.')) return;
    if (await attempt(() => call(api(`pods/${id}`), { method: 'DELETE' }))) onClose();
  };
  return (
    <Drawer title={pod?.name ?? 'Pod'} onClose={onClose}>
      <Problem text={problem} />
      <Problem text={failure} />
      {pod === undefined ? (
        <p role="status">Loading the pod…</p>
      ) : (
        <>
          <p>
            <PodState pod={pod} />
          </p>
          <Address pod={pod} />
          <Facts pod={pod} id={id} />
          {pod.provider === 'standard' && pod.provider_status === 'running' && <Logs id={id} />}
          <h3>Events</h3>
          <EventList count={20} podId={pod.id} />
          <p>
            <button type="button" class="danger" onClick={() => void release()}>
              Release the pod
            </button>
          </p>
        </>
      )}
    </Drawer>
  );
}

function Address({ pod }: { readonly pod: PodDetails }) {
  if (pod.ssh_command === null) return <p class="fine">The SSH line appears when the machine has an address.</p>;
  return (
    <>
      <h3>SSH</h3>
      <CodeBlock text={pod.ssh_command} label="SSH line" />
      {pod.ssh_host_key === null ? (
        <p class="fine">
          {pod.provider === 'confidential'
            ? 'The host key is made inside the machine, which nobody outside can read. Read it from the first connection, and verify the machine there.'
            : 'The host key is not known yet.'}
        </p>
      ) : (
        <p>
          Host key, to compare at the first connection: <code class="digest">{pod.ssh_host_key}</code>
        </p>
      )}
    </>
  );
}

function Facts({ pod, id }: { readonly pod: PodDetails; readonly id: string }) {
  return (
    <dl class="facts">
      <dt>ID</dt>
      <dd class="digest">{id}</dd>
      {pod.gpu_type !== undefined && (
        <>
          <dt>Machine</dt>
          <dd>{hardware(pod)}</dd>
        </>
      )}
      <dt>Protection</dt>
      <dd>{protection(pod)}</dd>
      <dt>Cost so far</dt>
      <dd>{costOf(pod)}</dd>
      <dt>Since</dt>
      <dd>{formatTime(pod.created_at)}</dd>
      {pod.hard_stop_at !== null && (
        <>
          <dt>Ends</dt>
          <dd>{formatTime(pod.hard_stop_at)}</dd>
        </>
      )}
      {pod.ports.length > 0 && (
        <>
          <dt>Ports</dt>
          <dd>
            {pod.ports.map(({ port, protocol, host, host_port: hostPort }) => (
              <div key={`${port}/${protocol}`}>
                {port}/{protocol} at{' '}
                <code>
                  {host}:{hostPort}
                </code>
              </div>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}

function Logs({ id }: { readonly id: string }) {
  const { answer, problem, reload } = useAnswer<{ text: string; truncated: boolean }>(api(`pods/${id}/logs`));
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && void reload(), refreshMs);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <section>
      <h3>Log</h3>
      <Problem text={problem} />
      {answer !== undefined && (
        <>
          {answer.text === '' ? (
            <p class="fine">The pod has printed nothing.</p>
          ) : (
            <CodeBlock text={answer.text} label="log" />
          )}
          <p class="fine">{answer.truncated ? 'The end of the log' : 'The last lines'}, updated every ten seconds.</p>
        </>
      )}
    </section>
  );
}
