/** A whole OpenAPI document: its operations in groups, with a search. */
import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../parts/problem.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { endpointGroups, type OpenApiDocument } from './document.ts';
import { type Caller, EndpointView } from './endpoint-view.tsx';

interface ReferenceProps {
  /** Of the document, which needs no key. */
  readonly path: string;
  readonly title: string;
  /** Of the heading: 2 below the heading of a console. */
  readonly level?: 1 | 2;
  readonly caller: Caller;
}

export function ReferenceView({ path, title, level = 1, caller }: ReferenceProps) {
  const { answer, problem } = useAnswer<OpenApiDocument>(path);
  const [filter, setFilter] = useState('');
  useEffect(() => {
    // A link to an operation opens it.
    const target = document.getElementById(location.hash.slice(1));
    if (!(target instanceof HTMLDetailsElement)) return;
    target.open = true;
    target.scrollIntoView();
  }, [answer]);
  if (problem !== undefined) return <Problem text={problem} />;
  if (answer === undefined) return <p role="status">Loading the description…</p>;
  const words = filter.toLowerCase();
  const groups = [...endpointGroups(answer)].map(([name, endpoints]) => ({
    name,
    endpoints: endpoints.filter((one) => `${one.path} ${one.operation.summary}`.toLowerCase().includes(words)),
  }));
  const [Heading, Group] = level === 1 ? (['h1', 'h2'] as const) : (['h2', 'h3'] as const);
  const base = new URL(answer.servers?.[0]?.url ?? '/', location.origin).href;
  return (
    <>
      <Heading>{title}</Heading>
      <p>
        Base address <code>{base}</code>, version {answer.info.version}.{' '}
        <a href={path} download="openapi.json">
          OpenAPI document
        </a>
      </p>
      <p>{answer.info.description?.replaceAll('`', '')}</p>
      <p>
        <label>
          Find <input type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        </label>
      </p>
      {groups
        .filter(({ endpoints }) => endpoints.length > 0)
        .map(({ name, endpoints }) => (
          <section key={name}>
            <Group>{titleOf(name)}</Group>
            {endpoints.map((endpoint) => (
              <EndpointView key={endpoint.operation.operationId} {...{ endpoint, document: answer, caller }} />
            ))}
          </section>
        ))}
    </>
  );
}

/** `aci` is an abbreviation; other groups are words of a path. */
function titleOf(name: string): string {
  return name === 'aci' ? 'ACI' : name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
}
