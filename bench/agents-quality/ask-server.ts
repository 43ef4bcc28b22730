/** Asks the model behind a server's agents for the facts of the labelled documents. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentSet, readDocuments } from './documents.ts';
import { answerPath } from './listed-facts.ts';

export interface AskedServer {
  /** Base URL of the confidential surface: `https://host/v1/confidential`. */
  readonly url: string;
  readonly key: string;
}

/** Documents that have an answer are not asked again. @throws Error with the server's refusal */
export async function askServer(
  { url, key }: AskedServer,
  { folder, slug, set }: { folder: string; slug: string; set: DocumentSet },
): Promise<void> {
  mkdirSync(join(folder, slug), { recursive: true });
  for (const document of readDocuments(slug, set)) {
    const path = answerPath(folder, slug, document);
    if (existsSync(path)) continue;
    const started = performance.now();
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: slug,
        messages: [{ role: 'user', content: document.text }],
        response_format: { type: 'agent_facts' },
        max_tokens: tokensMax,
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${slug}, ${document.name}: ${response.status} ${text}`);
    const { choices, usage, agent } = JSON.parse(text) as Answer;
    if (!agent.context.complete) {
      console.log(`${slug}, ${document.name}: left out, because the model's context does not hold it`);
      continue;
    }
    writeFileSync(path, choices[0]!.message.content);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`${slug}, ${document.name}: ${usage.completion_tokens} tokens, ${seconds} s`);
  }
}

/** The longest list of the recorded answers has about 8,000. */
const tokensMax = 12_000;

interface Answer {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: { readonly completion_tokens: number };
  readonly agent: { readonly context: { readonly complete: boolean } };
}
