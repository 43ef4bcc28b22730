/** The agents in `GET /v1/confidential/models` (I-045, I-046, I-050, I-051, I-055). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentDirectory } from '../../../../agents/registry.ts';
import { inlineTools } from '../../../support/agents/test-agent.ts';
import { type AttestedApp, startAttestedApp } from '../../../support/server/attested-app.ts';
import { modelId } from '../../../support/server/test-app.ts';

/** Slug, name, industry: the eight of the contract and the ninth, added by a decision. */
const nine = [
  ['contract-analyst', 'Contract Analyst', 'Legal'],
  ['financial-analyst', 'Financial Analyst', 'Finance'],
  ['compliance-officer', 'Compliance Officer', 'GRC'],
  ['medical-analyst', 'Medical Records Analyst', 'Healthcare'],
  ['due-diligence', 'Due Diligence Analyst', 'M&A'],
  ['cybersecurity-analyst', 'Cybersecurity Analyst', 'Security'],
  ['hr-analyst', 'HR & Workplace Analyst', 'HR'],
  ['tax-analyst', 'Tax & Transfer Pricing', 'Tax'],
  ['eu-legal', 'EU Legal Assistant', 'Legal'],
] as const;

interface Listed {
  readonly id: string;
  readonly object: string;
  readonly type: string;
  readonly name: string;
  readonly industry: string | null;
  readonly context_length: number;
  readonly max_output_tokens: number;
  readonly pricing: unknown;
  readonly capabilities: Readonly<Record<string, boolean>>;
  readonly defaults: { readonly temperature: number; readonly max_tokens: number };
}

let running: AttestedApp;
let list: { readonly object: string; readonly data: readonly Listed[] };

beforeAll(async () => {
  const agents = agentDirectory();
  const prints = new Map([...agents.keys()].map((id) => [id, { id, promptSha256: '', toolsSha256: '' }]));
  running = await startAttestedApp({ confidential: { agents, prints, tools: inlineTools([...agents.values()]) } });
  list = JSON.parse((await running.get('/v1/confidential/models', running.secret)).text);
});

afterAll(() => running.close());

describe('the shipped agents', () => {
  it('are the eight agents of the contract and the EU law agent (I-050, I-051)', () => {
    const listed = list.data.filter(({ type }) => type === 'agent');
    expect(listed.map(({ id, name, industry }) => [id, name, industry])).toEqual(nine.map((one) => [...one]));
  });

  it.each(nine)('%s defaults to low temperature and 4,096 tokens (I-045, I-046)', (slug) => {
    const { temperature, max_tokens } = list.data.find(({ id }) => id === slug)!.defaults;
    expect(temperature).toBeGreaterThanOrEqual(0.08);
    expect(temperature).toBeLessThanOrEqual(0.12);
    expect(max_tokens).toBe(4096);
  });
});

describe('the list', () => {
  it("has OpenAI's list format, with the agents before the TEE models (I-055)", () => {
    expect(list.object).toBe('list');
    expect(list.data.map(({ id }) => id)).toEqual([...nine.map(([slug]) => slug), modelId]);
  });

  it('states prices, limits and capabilities of every entry (I-055)', () => {
    for (const entry of list.data) {
      expect(entry).toMatchObject({
        object: 'model',
        name: expect.any(String),
        context_length: 4096,
        max_output_tokens: 4096,
        pricing: { prompt: 1, completion: 2 },
        capabilities: { streaming: true, tools: true },
      });
    }
    expect(list.data.at(-1)).toMatchObject({ type: 'model', industry: null });
  });
});
