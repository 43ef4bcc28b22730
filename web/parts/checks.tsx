/** The checks of a verification, each with its outcome and reason. */
import type { EvidenceCheck } from '@cloister/attestation/browser';

const marks = { pass: '✓', fail: '✗', 'not-checked': '–' } as const;
const outcomes = { pass: 'holds', fail: 'does not hold', 'not-checked': 'not checked' } as const;

export function Checks({ checks }: { checks: readonly EvidenceCheck[] }) {
  return (
    <ul class="checks">
      {checks.map(({ id, title, outcome, reason, action }) => (
        <li key={id} class={outcome}>
          <span class="mark" aria-hidden="true">
            {marks[outcome]}
          </span>
          <details>
            <summary>
              {title} <span class="hidden">({outcomes[outcome]})</span>
            </summary>
            <p>{reason}</p>
            {outcome !== 'pass' && <p>{action}</p>}
          </details>
        </li>
      ))}
    </ul>
  );
}
