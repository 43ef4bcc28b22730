import { useEffect, useState } from 'preact/hooks';
import { show } from '../parts/page.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { endpointGroups, type OpenApiDocument } from '../reference/document.ts';
import { EndpointView } from '../reference/endpoint-view.tsx';

function Reference() {
  const { answer, problem } = useAnswer<OpenApiDocument>('/v1/openapi.json');
  const [filter, setFilter] = useState('');
  useEffect(() => {
    // A link to an operation opens it.
    const target = document.getElementById(location.hash.slice(1));
    if (!(target instanceof HTMLDetailsElement)) return;
    target.open = true;
    target.scrollIntoView();
  }, [answer]);
  if (problem !== undefined) return <p class="notice bad">{problem}</p>;
  if (answer === undefined) return <p role="status">Loading the description…</p>;
  const words = filter.toLowerCase();
  const groups = [...endpointGroups(answer)].map(([name, endpoints]) => ({
    name,
    endpoints: endpoints.filter(({ path, operation }) => `${path} ${operation.summary}`.toLowerCase().includes(words)),
  }));
  return (
    <>
      <h1>API reference</h1>
      <p>
        Base address <code>{location.origin}/v1</code>, version {answer.info.version}.{' '}
        <a href="/v1/openapi.json" download="openapi.json">
          OpenAPI document
        </a>
      </p>
      <p>{answer.info.description}</p>
      <p>
        <label>
          Find <input type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        </label>
      </p>
      {groups
        .filter(({ endpoints }) => endpoints.length > 0)
        .map(({ name, endpoints }) => (
          <section key={name}>
            <h2>{name}</h2>
            {endpoints.map((endpoint) => (
              <EndpointView key={endpoint.operation.operationId} endpoint={endpoint} document={answer} />
            ))}
          </section>
        ))}
    </>
  );
}

show(Reference);
