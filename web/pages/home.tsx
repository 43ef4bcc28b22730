import { useState } from 'preact/hooks';
import type { List, Model } from '../api/answers.ts';
import { session } from '../api/session.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { verdictOf } from '../parts/evidence.tsx';
import { formatCount } from '../parts/format.ts';
import { show } from '../parts/page.tsx';
import { snippets } from '../parts/snippets.ts';
import { useAnswer } from '../parts/use-answer.ts';
import { serverProof } from '../proof/server-proof.ts';

function Home() {
  const { text, tone } = verdictOf(serverProof.value);
  const isSignedIn = session.value !== undefined && session.value !== 'unknown';
  return (
    <>
      <section class="hero">
        <h1>Models that answer inside a confidential machine</h1>
        <p class="lead">
          This server runs chat, embedding and image models and nine document agents. It stores no prompts and no
          answers, and proves with a hardware quote which code and which weights answered.
        </p>
        <p class="row">
          <a class="button primary" href={isSignedIn ? '/chat' : '/sign-in'}>
            {isSignedIn ? 'Open the chat' : 'Sign in'}
          </a>
          <a class="button" href="/reference">
            API reference
          </a>
          <span class={`verdict ${tone}`} role="status">
            <span class="dot" aria-hidden="true" />
            {text}
          </span>
        </p>
      </section>
      {isSignedIn ? <Models /> : <Snippets model="MODEL" />}
    </>
  );
}

const modelColumns: readonly Column<Model>[] = [
  {
    title: 'Model',
    cell: ({ id, description }) => (
      <>
        <code>{id}</code>
        <div class="fine">{description}</div>
      </>
    ),
  },
  { title: 'State', cell: ({ status }) => status },
  {
    title: 'Context',
    isNumber: true,
    cell: ({ context_length: length }) => (length === undefined ? '–' : formatCount(length)),
  },
  { title: 'Price', isProse: true, cell: priceOf },
];

function Models() {
  const { answer, problem } = useAnswer<List<Model>>('/v1/models');
  if (problem !== undefined) return <p class="notice bad">{problem}</p>;
  if (answer === undefined) return <p role="status">Loading the models…</p>;
  return (
    <>
      <section>
        <h2>Models of your plan</h2>
        <DataTable caption="Models of your plan" columns={modelColumns} rows={answer.data} keyOf={({ id }) => id} />
      </section>
      <Snippets model={answer.data.find(isChatModel)?.id ?? 'MODEL'} />
    </>
  );
}

function isChatModel({ capabilities }: Model): boolean {
  return !capabilities?.images && !capabilities?.embeddings;
}

function priceOf({ pricing = {} }: Model): string {
  const { prompt, completion, image, step } = pricing;
  const parts = [
    prompt === undefined ? '' : `$${prompt} per million prompt tokens`,
    completion === undefined ? '' : `$${completion} per million answer tokens`,
    image === undefined ? '' : `$${image} per image`,
    step === undefined ? '' : `$${step} per step`,
  ].filter((part) => part !== '');
  return parts.join(', ') || 'free';
}

function Snippets({ model }: { readonly model: string }) {
  const [name, setName] = useState('curl');
  return (
    <section>
      <h2>Connect</h2>
      <div class="row">
        <label>
          Client{' '}
          <select value={name} onChange={(event) => setName(event.currentTarget.value)}>
            {Object.keys(snippets).map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        </label>
        <span class="fine">
          <code>CLOISTER_API_KEY</code> is a key of yours: <a href="/usage#keys">make one</a>.
        </span>
      </div>
      <CodeBlock text={snippets[name]!({ origin: location.origin, model })} label="snippet" />
    </section>
  );
}

show(Home);
