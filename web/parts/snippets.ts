/** Programs that call this server, filled in with its address, a model and, if it was just made, a key. */

export interface SnippetFacts {
  readonly origin: string;
  /** A chat model of the person's plan. */
  readonly model: string;
  /** Undefined: the snippet reads the key from the environment. */
  readonly key?: string;
}

/** A development server issues its own certificate, in its state folder. */
const developmentCertificate = '.cloister/certificate.pem';

const isDevelopment = (origin: string) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(origin).hostname);

export function curlSnippet({ origin, model, key }: SnippetFacts): string {
  const trust = isDevelopment(origin) ? `--cacert ${developmentCertificate} ` : '';
  return `curl ${trust}${origin}/v1/chat/completions \\
  -H "Authorization: Bearer ${key ?? '$CLOISTER_API_KEY'}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello!"}]}'`;
}

export const snippets: Readonly<Record<string, (facts: SnippetFacts) => string>> = {
  curl: curlSnippet,
  'OpenAI for JavaScript': ({
    origin,
    model,
  }) => `${trustedBy('//', 'NODE_EXTRA_CA_CERTS', origin)}import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${origin}/openai/v1', apiKey: process.env.CLOISTER_API_KEY });
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello!' }],
});
console.log(answer.choices[0].message.content);`,
  'OpenAI for Python': ({ origin, model }) => `${trustedBy('#', 'SSL_CERT_FILE', origin)}import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/openai/v1", api_key=os.environ["CLOISTER_API_KEY"])
answer = client.chat.completions.create(
    model="${model}", messages=[{"role": "user", "content": "Hello!"}]
)
print(answer.choices[0].message.content)`,
  'verified fetch': ({ origin, model }) => `import { readFileSync } from 'node:fs';
import { attestedFetch, parseEvidencePolicy } from '@cloister/attestation';
import OpenAI from 'openai';

// Sends nothing until the hardware quote satisfies your policy, and seals every body.
const policy = parseEvidencePolicy(readFileSync('policy.json', 'utf8'));
const fetch = attestedFetch(policy, { seal: true });
const client = new OpenAI({ baseURL: '${origin}/openai/v1', fetch, apiKey: process.env.CLOISTER_API_KEY });
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello!' }],
});
console.log(answer.choices[0].message.content);`,
  'verifying proxy': ({
    origin,
    model,
  }) => `# A local address for programs in any language; it forwards to verified servers only.
npx @cloister/proxy ${origin} --policy policy.json
curl http://127.0.0.1:8444/v1/chat/completions \\
  -H "Authorization: Bearer $CLOISTER_API_KEY" -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello!"}]}'`,
};

function trustedBy(comment: string, variable: string, origin: string): string {
  if (!isDevelopment(origin)) return '';
  return `${comment} This server made its own certificate: run with ${variable}=${developmentCertificate}\n`;
}
