/** The agent for tax departments and advisers: invoices, transfer pricing, rates, deadlines, VAT ids, DAC6, Pillar Two. */
import { readFileSync } from 'node:fs';
import type { Agent } from '../agent/agent.ts';
import type { Vocabulary } from '../agent/vocabulary.ts';
import {
  hallmarkTool,
  invoiceTool,
  pillarTwoTool,
  rateBridgeTool,
  taxStatementsTool,
  transferPricingTool,
  vatIdTool,
} from '../tools/tax/tools.ts';
import facts from './facts.json' with { type: 'json' };
import { reportSchema } from './report-schema.ts';
import { toolFacts } from './tool-facts.ts';

export const taxAnalyst: Agent = {
  slug: 'tax-analyst',
  name: 'Tax & Transfer Pricing',
  industry: 'Tax',
  version: '1.0.0',
  prompt: readFileSync(new URL('prompt.md', import.meta.url), 'utf8'),
  defaults: { temperature: 0.08, maxTokens: 4096 },
  // Ordered by the amount of money that usually depends on each.
  tools: [transferPricingTool, pillarTwoTool, rateBridgeTool, taxStatementsTool, hallmarkTool, invoiceTool, vatIdTool],
  reportSchema,
  facts: facts as Vocabulary,
  toolFacts,
};
