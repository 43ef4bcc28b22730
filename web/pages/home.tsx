import { useState } from 'preact/hooks';
import type { List, Model } from '../api/answers.ts';
import { session } from '../api/session.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { verdictOf } from '../parts/evidence.tsx';
import { formatCount } from '../parts/format.ts';
import { show } from '../parts/page.tsx';
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
      {isSignedIn && <Models />}
      <Snippets />
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
  { title: 'Price', cell: priceOf },
];

function Models() {
  const { answer, problem } = useAnswer<List<Model>>('/v1/models');
  if (problem !== undefined) return <p class="notice bad">{problem}</p>;
  if (answer === undefined) return <p role="status">Loading the models…</p>;
  return (
    <section>
      <h2>Models of your plan</h2>
      <DataTable caption="Models of your plan" columns={modelColumns} rows={answer.data} keyOf={({ id }) => id} />
    </section>
  );
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

const snippets: Readonly<Record<string, (origin: string) => string>> = {
  curl: (origin) => `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $CLOISTER_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "MODEL", "messages": [{"role": "user", "content": "Hello!"}]}'`,
  'OpenAI for JavaScript': (origin) => `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: 'clst_…' });
const answer = await client.chat.completions.create({
  model: 'MODEL',
  messages: [{ role: 'user', content: 'Hello!' }],
});
console.log(answer.choices[0].message.content);`,
  'OpenAI for Python': (origin) => `from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["CLOISTER_API_KEY"])
answer = client.chat.completions.create(
    model="MODEL", messages=[{"role": "user", "content": "Hello!"}]
)
print(answer.choices[0].message.content)`,
  'verified fetch': (origin) => `import { attestedFetch } from '@cloister/attestation';
import OpenAI from 'openai';

// Sends nothing until the hardware quote satisfies your policy, and seals every body.
const fetch = attestedFetch(policy, { seal: true });
const client = new OpenAI({ baseURL: '${origin}/v1', fetch, apiKey: 'clst_…' });`,
  'verifying proxy': (origin) => `# A local address for programs in any language; it forwards to verified servers only.
npx cloister-verify proxy ${origin} --policy policy.json
curl http://127.0.0.1:8444/v1/models -H "Authorization: Bearer $CLOISTER_API_KEY"`,
};

function Snippets() {
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
      </div>
      <CodeBlock text={snippets[name]!(location.origin)} label="snippet" />
    </section>
  );
}

show(Home);
