/**
 * Files reviewed by agents in the enclave: a contract as PDF by the contract analyst, and invoices as CSV by the tax analyst. What the
 * tools found, by code, and what the model writes about it.
 *
 *     npm start                                   # prints base URL, key and certificate
 *     BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem node examples/05-agents.ts
 */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import OpenAI from 'openai';

const {
  BASE_URL = 'https://localhost:8443/openai/v1',
  API_KEY,
  CERTIFICATE = '.cloister/certificate.pem',
} = process.env;
if (API_KEY === undefined) throw new Error('set API_KEY to the key that `npm start` prints');

// The certificate of the development authority that issues the server's: trust it as `curl --cacert` does.
// Example 03 verifies the enclave instead, which is what a real document deserves.
setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')]);

/** The members that a chunk or an answer of an agent has in addition to OpenAI's. */
interface ByAgent {
  readonly agent?: {
    readonly slug: string;
    readonly version: string;
    readonly tools: readonly {
      readonly name: string;
      readonly version: string;
      /** Present if the model called the tool; the other tools ran before the model started. */
      readonly called_by?: 'model';
      readonly result: unknown;
    }[];
    /** The documents that message numbers in findings refer to, in a request with files. */
    readonly documents?: readonly { readonly kind?: string; readonly characters?: number }[];
    readonly context: { readonly complete: boolean };
  };
}

interface ClauseChecklist {
  readonly score: number | null;
  readonly clauses: readonly { readonly title: string; readonly status: string; readonly severity: string }[];
}

interface VatNumbers {
  readonly ids: readonly { readonly number: string; readonly verdict: string }[];
}

const client = new OpenAI({ baseURL: `${BASE_URL}/confidential`, apiKey: API_KEY, maxRetries: 5 });
for (const { id, ...entry } of (await client.models.list()).data as (OpenAI.Model & { type?: string })[]) {
  if (entry.type === 'agent') console.log(`agent ${id}`);
}

const review = await ask('contract-analyst', { file: 'contract.pdf', question: 'Review this contract.' });
const checklist = resultOf<ClauseChecklist>(review, 'clause_checklist');
console.log(`risk score ${checklist.score} of 100, ${checklist.clauses.length} clauses:`);
for (const { title, status, severity } of checklist.clauses) {
  console.log(`  ${status.padEnd(7)} ${severity.padEnd(9)} ${title}`);
}

const invoices = await ask('tax-analyst', {
  file: 'invoices.csv',
  question: 'Are the VAT numbers of these customers valid?',
});
for (const { number, verdict } of resultOf<VatNumbers>(invoices, 'vat_ids').ids) console.log(`  ${number} ${verdict}`);

/** Streams the answer of an agent to the terminal. @returns what the agent adds to it */
async function ask(model: string, { file, question }: { file: string; question: string }) {
  const data = readFileSync(new URL(`data/${file}`, import.meta.url), 'base64');
  const stream = await client.chat.completions.create({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'file', file: { filename: file, file_data: data } },
          { type: 'text', text: question },
        ],
      },
    ],
    temperature: 0,
    max_tokens: 300,
    stream: true,
  });
  console.log(`\n${file}:`);
  let agent: ByAgent['agent'];
  for await (const chunk of stream as AsyncIterable<OpenAI.ChatCompletionChunk & ByAgent>) {
    process.stdout.write(chunk.choices[0]?.delta.content ?? '');
    agent = chunk.agent ?? agent;
  }
  if (agent === undefined) throw new Error('the answer came from no agent');
  const { kind, characters } = agent.documents?.[0] ?? {};
  console.log(`\n\n${agent.slug} ${agent.version}, ${kind} of ${characters} characters`);
  if (!agent.context.complete) console.log('the model saw passages of it, the tools all of it');
  return agent;
}

function resultOf<Result>({ tools }: NonNullable<ByAgent['agent']>, name: string): Result {
  return tools.find((tool) => tool.name === name && tool.called_by === undefined)?.result as Result;
}
