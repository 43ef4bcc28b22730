/** What the list and the details of pods say alike. */
import { formatMoney } from '../parts/format.ts';
import type { Pod } from './renter-api.ts';

export function PodState({ pod }: { readonly pod: Pick<Pod, 'provider_status' | 'ssh_banner'> }) {
  const { provider_status: status, ssh_banner: answers } = pod;
  const [tone, text] =
    status === 'running'
      ? answers
        ? ['good', 'running']
        : ['caution', 'running, SSH does not answer yet']
      : status === 'failed'
        ? ['bad', 'failed']
        : ['caution', status];
  return (
    <span class={`verdict ${tone}`}>
      <span class="dot" aria-hidden="true" />
      {text}
    </span>
  );
}

export function hardware({ gpu_type: type, gpu_count: count }: Pick<Pod, 'gpu_type' | 'gpu_count'>): string {
  if (count === 0) return type === '' ? 'no GPU' : type;
  return count === 1 ? type : `${count} × ${type}`;
}

export function protection({
  confidential_compute: isConfidential,
  warning,
}: Pick<Pod, 'confidential_compute' | 'warning'>) {
  if (isConfidential) return 'Intel TDX: the memory is encrypted';
  return warning ?? 'none: the host can read the memory';
}

export function costOf({ billed, held, hourly_price: price }: Pick<Pod, 'billed' | 'held' | 'hourly_price'>): string {
  const hold = held > 0 ? `, ${formatMoney(held * 1e6)} held for the first hour` : '';
  return `${formatMoney(billed * 1e6)}${hold} (${formatMoney(price * 1e6)} an hour)`;
}
