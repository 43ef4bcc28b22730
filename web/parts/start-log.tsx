/** The events that a server measured at its start: program, settings, models and agents. */
import type { StartEvent } from '@cloister/attestation/browser';
import { CodeBlock } from './code-block.tsx';

export function StartLog({ events }: { readonly events: readonly StartEvent[] }) {
  return (
    <details>
      <summary>Start log: {events.length} measured events, with program, settings and models</summary>
      {events.map(({ name, content }, index) => (
        <details key={index} class="event">
          <summary>{name}</summary>
          <CodeBlock text={indented(String(content))} />
        </details>
      ))}
    </details>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
