/** One operation of the API: parameters, body, answers, and a form that sends it. */
import { useState } from 'preact/hooks';
import { CodeBlock } from '../parts/code-block.tsx';
import {
  answerOf,
  type Endpoint,
  exampleIn,
  headerOf,
  jsonSchema,
  type OpenApiDocument,
  type Parameter,
  resolve,
  type Schema,
  typeText,
} from './document.ts';
import { exampleOf } from './example.ts';

/** How this page calls the API that it describes. */
export interface Caller {
  /** What a call needs, in words. */
  readonly access: (endpoint: Endpoint) => string;
  /** Whether the person may try an endpoint now. */
  readonly canTry: (endpoint: Endpoint) => boolean;
  /** Where the person signs in. */
  readonly signInPath: string;
  readonly send: (path: string, init: RequestInit) => Promise<Response>;
}

interface EndpointProps {
  readonly endpoint: Endpoint;
  readonly document: OpenApiDocument;
  readonly caller: Caller;
}

export function EndpointView({ endpoint, document, caller }: EndpointProps) {
  const { method, path, operation } = endpoint;
  const body = jsonSchema(operation.requestBody?.content);
  return (
    <details class="endpoint" id={operation.operationId}>
      <summary>
        <span class={`method ${method}`}>{method.toUpperCase()}</span> <code>{path}</code>{' '}
        <span class="fine">{operation.summary}</span>
        {operation.deprecated && <span class="verdict caution"> deprecated</span>}
      </summary>
      <p>{caller.access(endpoint)}</p>
      {(operation.parameters ?? []).length > 0 && <Parameters list={operation.parameters!} document={document} />}
      {body !== undefined && (
        <>
          <h4>Body</h4>
          <Fields schema={body} document={document} depth={0} />
          <Example value={exampleIn(operation.requestBody?.content, document)} />
        </>
      )}
      <h4>Answers</h4>
      {Object.entries(operation.responses).map(([status, given]) => {
        const answer = answerOf(given, document);
        const schema = jsonSchema(answer.content);
        return (
          <details key={status}>
            <summary>
              <code>{status}</code> {answer.description}
            </summary>
            {schema !== undefined && <Fields schema={schema} document={document} depth={0} />}
            {answer.headers !== undefined && (
              <dl class="facts">
                {Object.entries(answer.headers).map(([name, one]) => {
                  const header = headerOf(one, document);
                  return [
                    <dt key={name}>{name}</dt>,
                    <dd key={`${name} text`}>
                      {typeText(header.schema, document)}. {header.description}
                    </dd>,
                  ];
                })}
              </dl>
            )}
            <Example value={exampleIn(answer.content, document)} />
          </details>
        );
      })}
      <TryIt endpoint={endpoint} document={document} caller={caller} />
    </details>
  );
}

function Example({ value }: { readonly value: unknown }) {
  if (value === undefined) return null;
  return <CodeBlock text={JSON.stringify(value, null, 2)} label="example" />;
}

function Parameters({ list, document }: { readonly list: readonly Parameter[]; readonly document: OpenApiDocument }) {
  return (
    <>
      <h4>Parameters</h4>
      <dl class="facts">
        {list.map(({ name, in: place, required, schema, description }) => [
          <dt key={name}>
            <code>{name}</code>
          </dt>,
          <dd key={`${name} text`}>
            in the {place}
            {required && ', required'}: {typeText(schema, document)} {description ?? schema.description}
          </dd>,
        ])}
      </dl>
    </>
  );
}

const depthMax = 4;

/** The fields of an object; deeper ones fold. */
function Fields({ schema, document, depth }: { schema: Schema; document: OpenApiDocument; depth: number }) {
  const { schema: known } = resolve(schema, document);
  const { properties, required = [], items, anyOf, oneOf } = known;
  const alternatives = anyOf ?? oneOf;
  if (items !== undefined) return <Fields schema={items} document={document} depth={depth} />;
  if (alternatives !== undefined) {
    const objects = alternatives.filter((one) => resolve(one, document).schema.properties !== undefined);
    return objects.map((one, index) => <Fields key={index} schema={one} document={document} depth={depth} />);
  }
  if (properties === undefined) return known.description === undefined ? null : <p>{known.description}</p>;
  return (
    <>
      {known.description !== undefined && <p>{known.description}</p>}
      <dl class="facts">
        {Object.entries(properties).map(([name, field]) => [
          <dt key={name}>
            <code>{name}</code>
            {required.includes(name) && <span class="fine"> required</span>}
          </dt>,
          <dd key={`${name} text`}>
            {typeText(field, document)}
            {field.default !== undefined && `, default ${JSON.stringify(field.default)}`}
            {resolve(field, document).schema.deprecated && ', deprecated'}. {field.description}
            {hasFields(field, document) && depth < depthMax && <Folded {...{ schema: field, document, depth }} />}
          </dd>,
        ])}
      </dl>
    </>
  );
}

/** Built when it is opened: schemas may refer to themselves. */
function Folded({ schema, document, depth }: { schema: Schema; document: OpenApiDocument; depth: number }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>fields</summary>
      {isOpen && <Fields schema={schema} document={document} depth={depth + 1} />}
    </details>
  );
}

function hasFields(schema: Schema, document: OpenApiDocument): boolean {
  const { schema: known } = resolve(schema, document);
  const inside = [known.items, ...(known.anyOf ?? known.oneOf ?? [])].filter((one) => one !== undefined);
  return known.properties !== undefined || inside.some((one) => resolve(one, document).schema.properties !== undefined);
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

const shownCharactersMax = 20_000;

function TryIt({ endpoint, document, caller }: EndpointProps) {
  const { method, path, operation } = endpoint;
  const body = jsonSchema(operation.requestBody?.content);
  const [sent, setSent] = useState<Sent>();
  const [isBusy, setIsBusy] = useState(false);
  if (!caller.canTry(endpoint)) {
    return (
      <p>
        <a href={caller.signInPath}>Sign in</a> to try it here.
      </p>
    );
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setIsBusy(true);
    try {
      const response = await caller.send(pathOf(path, operation.parameters ?? [], fields), {
        method: method.toUpperCase(),
        ...(body !== undefined && {
          body: String(fields.get('body')),
          headers: { 'content-type': 'application/json' },
        }),
      });
      setSent({ status: response.status, text: readable(await response.text()) });
    } catch {
      setSent({ status: 0, text: 'The server cannot be reached.' });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <details>
      <summary>Try it</summary>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        {(operation.parameters ?? [])
          .filter((parameter) => parameter.in !== 'header')
          .map(({ name, required }) => (
            <label key={name}>
              {name} <input name={`parameter ${name}`} required={required === true} />
            </label>
          ))}
        {body !== undefined && (
          <label>
            Body
            <textarea name="body" rows={8} spellcheck={false} class="mono">
              {JSON.stringify(exampleOf(body, document), null, 2)}
            </textarea>
          </label>
        )}
        <p>
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? 'Sending…' : 'Send'}
          </button>
        </p>
      </form>
      {sent !== undefined && (
        <div role="status">
          <p>
            Status <code>{sent.status}</code>
          </p>
          <CodeBlock text={sent.text} label="answer" />
        </div>
      )}
    </details>
  );
}

function pathOf(path: string, parameters: readonly Parameter[], fields: FormData): string {
  const given = (name: string) => String(fields.get(`parameter ${name}`) ?? '');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given(name)));
  const query = parameters.filter((parameter) => parameter.in === 'query' && given(parameter.name) !== '');
  const text = new URLSearchParams(query.map(({ name }) => [name, given(name)])).toString();
  return text === '' ? filled : `${filled}?${text}`;
}

function readable(text: string): string {
  const short = text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
  try {
    return text.length > shownCharactersMax ? short : JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return short;
  }
}
