/** The tax analyst's other tools: VAT ids, DAC6 hints, Pillar Two. Numbers in results are decimal texts. */

import type { AgentTool, Json } from '../../agent/agent.ts';
import { documentsOnly } from '../../document/corpus.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { type Rational, toPercent, toText } from '../financial/rational.ts';
import { countOnce, place, toFindings } from '../findings.ts';
import { bounded, excerpt } from '../text/span.ts';
import { countryOf } from './countries.ts';
import { findHallmarkHints, type HallmarkHint, hallmarks } from './dac6.ts';
import { findHallmarkFindings } from './hallmark-findings.ts';
import { findJurisdictions, type GlobeItem, type JurisdictionFigures } from './jurisdictions.ts';
import { readLayout } from './layout.ts';
import { findStatedTopUps, type StatedTopUp } from './pillar-statements.ts';
import { computeTopUp, type TopUp } from './pillar-two.ts';
import { findVatIds } from './vat-ids.ts';

export { rateBridgeTool } from './bridge-tool.ts';
export { invoiceTool } from './invoice-tool.ts';
export { taxStatementsTool } from './statements-tool.ts';
export { transferPricingTool } from './transfer-pricing-tool.ts';

/** Every VAT id with its verdict; wrong ones first in the digest. */
export const vatIdTool: AgentTool = {
  name: 'vat_ids',
  version: '2',
  purpose: 'Checks the check digits of VAT ids. Text: the ids.',
  run(documents) {
    const all = documents.map(readLayout).flatMap((layout) => {
      const found = countOnce(findVatIds(layout), ({ number }) => number);
      return found.map((id) => ({ document: layout.document, id }));
    });
    const ids = bounded(all, 100);
    const wrong = all.filter(({ id }) => id.verdict !== 'valid');
    return toFindings(
      {
        note: 'A number with valid check digits may be unregistered: only VIES knows which numbers are registered.',
        ids: ids.items.map(({ document, id }) => ({
          country: id.country,
          number: id.number,
          verdict: id.verdict,
          count: id.count,
          ...document.spanOf(id),
        })),
        ids_more: ids.more,
      },
      all.length === 0
        ? []
        : [
            ...wrong.map(
              ({ document, id }) => `${id.number}: ${id.verdict.replaceAll('_', ' ')} ${place(document.spanOf(id))}`,
            ),
            `${all.length - wrong.length} VAT ids have right check digits: ${
              all
                .filter(({ id }) => id.verdict === 'valid')
                .slice(0, 10)
                .map(({ id }) => id.number)
                .join(', ') || 'none'
            }`,
          ],
      20,
    );
  },
};

/** Maximum number of hallmarks with a finding. */
const assessedMax = 60;

/** Maximum number of hints per hallmark in the result; all are counted. */
const hintsMax = 8;

/** Words that hint at DAC6 hallmarks, grouped by hallmark. */
export const hallmarkTool: AgentTool = {
  name: 'dac6_hallmark_hints',
  version: '2',
  purpose:
    'Finds words that hint at DAC6 hallmarks, and hallmarks that the text finds met or not met. Text: an arrangement or its assessment.',
  run(documents) {
    const hints = documentsOnly(documents)
      .map(readDocument)
      .flatMap((document) => findHallmarkHints(document.text).map((hint) => ({ document, hint })));
    const groups = hallmarks.flatMap((hallmark) => {
      const own = hints.filter(({ hint }) => hint.hallmark === hallmark);
      return own.length === 0 ? [] : [{ hallmark, own }];
    });
    const assessed = bounded(
      documents
        .map(readLayout)
        .flatMap((layout) => findHallmarkFindings(layout).map((finding) => ({ document: layout.document, finding }))),
      assessedMax,
    ).items;
    return toFindings(
      {
        source: 'Directive 2011/16/EU, Annex IV (DAC6); hints from the wording, not findings that a hallmark is met',
        assessed: assessed.map(({ document, finding }) => ({
          id: finding.id,
          status: finding.status,
          ...document.spanOf(finding),
        })),
        hallmarks: groups.map(({ hallmark, own }) => ({
          id: hallmark.id,
          title: hallmark.title,
          main_benefit_test: hallmark.mainBenefitTest,
          count: own.length,
          hints: own
            .slice(0, hintsMax)
            .map(({ document, hint }) => ({ ...document.spanOf(hint), excerpt: excerpt(document.text, hint, 120) })),
        })),
      },
      [
        ...assessed.map(
          ({ document, finding }) =>
            `The text finds ${finding.id} ${finding.status} ${place(document.spanOf(finding))}`,
        ),
        ...groups.map(({ hallmark, own }) => {
          const [first] = own as [{ document: Document; hint: HallmarkHint }, ...unknown[]];
          const test = hallmark.mainBenefitTest ? '; only with the main benefit test' : '';
          return `${hallmark.id} ${hallmark.title}: ${own.length} hints${test}; "${excerpt(first.document.text, first.hint, 60)}" ${place(first.document.spanOf(first.hint))}`;
        }),
      ],
    );
  },
};

/** The GloBE top-up of every jurisdiction that has income and covered taxes. */
export const pillarTwoTool: AgentTool = {
  name: 'pillar_two_top_up',
  version: '2',
  purpose:
    'Computes Pillar Two top-up tax, and reads the rates and taxes that the text states by jurisdiction. Text: a table with fiscal year, jurisdiction, income, covered taxes, payroll and tangible assets.',
  run(documents) {
    const all = documents
      .map(readDocument)
      .flatMap((document) => findJurisdictions(document).map((figures) => ({ document, figures })));
    const rows = bounded(all, 60).items.map(({ document, figures }) => ({
      document,
      figures,
      topUp: topUpOf(figures),
    }));
    const stated = bounded(
      documents
        .map(readLayout)
        .flatMap((layout) => findStatedTopUps(layout).map((found) => ({ document: layout.document, found }))),
      60,
    ).items;
    return toFindings(
      {
        stated: stated.map(({ document, found }) => ({
          country: found.country,
          effective_rate_percent: found.rate === undefined ? null : toText(found.rate),
          top_up_tax: found.tax === undefined ? null : toText(found.tax, 2),
          currency: found.currency ?? null,
          ...document.spanOf(found),
        })),
        formula:
          'top-up = max(0, 15 % − covered taxes / income) × max(0, income − payroll × rate − tangible assets × rate) + additional − domestic top-up',
        jurisdictions: rows.map(({ document, figures, topUp }) => ({
          name: figures.name.slice(0, 60).toWellFormed(),
          fiscal_year: figures.fiscalYear ?? null,
          inputs: Object.fromEntries([...figures.figures].map(([item, value]) => [inputNames[item], toText(value, 2)])),
          ...('missing' in topUp
            ? { not_computable: `${topUp.missing} missing` }
            : topUpJson(topUp, figures, statedTaxOf(stated, figures))),
          ...document.spanOf(figures),
        })),
      },
      [
        ...rows.map(({ figures, topUp }) => topUpLine(figures, topUp)),
        ...stated.map(
          ({ document, found }) =>
            `The text states for ${found.country.toUpperCase()}: ETR ${found.rate === undefined ? '-' : toText(found.rate)} %, top-up tax ${found.tax === undefined ? '-' : toText(found.tax, 2)} ${place(document.spanOf(found))}`,
        ),
      ],
    );
  },
};

const inputNames: Readonly<Record<GlobeItem, string>> = {
  income: 'net_globe_income',
  coveredTaxes: 'adjusted_covered_taxes',
  payroll: 'eligible_payroll',
  tangibleAssets: 'eligible_tangible_assets',
  additionalTopUp: 'additional_top_up',
  domesticTopUp: 'domestic_top_up',
  averageRevenue: 'average_revenue',
  averageIncome: 'average_income',
};

function topUpOf({ figures, fiscalYear }: JurisdictionFigures): TopUp | { readonly missing: string } {
  const income = figures.get('income');
  const coveredTaxes = figures.get('coveredTaxes');
  if (income === undefined) return { missing: 'net GloBE income' };
  if (coveredTaxes === undefined) return { missing: 'adjusted covered taxes' };
  if (fiscalYear === undefined) return { missing: 'fiscal year (it decides the carve-out rates)' };
  const rest = Object.fromEntries([...figures].filter(([item]) => item !== 'income' && item !== 'coveredTaxes'));
  return computeTopUp({ fiscalYear, income, coveredTaxes, ...rest });
}

/** The tax that the text itself states for the jurisdiction. */
function statedTaxOf(
  stated: readonly { readonly found: StatedTopUp }[],
  { name }: JurisdictionFigures,
): Rational | undefined {
  const country = countryOf(name);
  return stated.find(({ found }) => found.country === country && found.tax !== undefined)?.found.tax;
}

/** Without payroll and assets the exclusion is unknown: what is computed is then the most that can be due. */
function topUpJson(
  topUp: TopUp,
  { figures }: JurisdictionFigures,
  stated: Rational | undefined,
): { readonly [key: string]: Json } {
  const hasExclusion = figures.has('payroll') || figures.has('tangibleAssets');
  return {
    effective_rate_percent: topUp.effectiveRate === undefined ? null : toPercent(topUp.effectiveRate, 2),
    top_up_rate_percent: toPercent(topUp.topUpRate, 2),
    payroll_rate_percent: toPercent(topUp.payrollRate),
    tangible_rate_percent: toPercent(topUp.tangibleRate),
    substance_exclusion: toText(topUp.substanceExclusion, 2),
    excess_profit: toText(topUp.excessProfit, 2),
    top_up_tax: hasExclusion || stated === undefined ? toText(topUp.topUpTax, 2) : null,
    top_up_tax_max: hasExclusion ? null : toText(topUp.topUpTax, 2),
    stated_top_up_tax: stated === undefined ? null : toText(stated, 2),
    de_minimis: topUp.deMinimis ?? null,
    notes: topUp.notes,
  };
}

function topUpLine({ name, fiscalYear }: JurisdictionFigures, topUp: TopUp | { readonly missing: string }): string {
  const who = `${name.slice(0, 40)} ${fiscalYear ?? ''}`.trim();
  if ('missing' in topUp) return `${who}: top-up not computable: ${topUp.missing} missing`;
  const rate = topUp.effectiveRate === undefined ? 'no rate (no income)' : `ETR ${toPercent(topUp.effectiveRate, 2)} %`;
  const relief = topUp.deMinimis ? ' (0 if the de minimis exclusion is elected)' : '';
  return `${who}: ${rate}, top-up rate ${toPercent(topUp.topUpRate, 2)} %, exclusion ${toText(topUp.substanceExclusion, 2)}, excess profit ${toText(topUp.excessProfit, 2)}, top-up tax ${toText(topUp.topUpTax, 2)}${relief}`;
}
