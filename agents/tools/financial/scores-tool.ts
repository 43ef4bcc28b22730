/** Altman Z, Z′ and Z″, Piotroski F and Beneish M for the two newest periods. Numbers in results are exact decimals as text. */
import type { AgentTool } from '../../agent/agent.ts';
import { type AltmanModel, type AltmanScore, altmanModels, altmanOf } from './altman.ts';
import { type BeneishScore, beneishFormula, beneishOf, beneishThreshold } from './beneish.ts';
import { type PiotroskiScore, piotroskiOf } from './piotroski.ts';
import { readStatements } from './statements.ts';

export const scoresTool: AgentTool = {
  name: 'financial_scores',
  version: '1',
  purpose: 'Computes Altman Z, Piotroski F and Beneish M. Text: a table of items of two periods.',
  run(documents) {
    const statements = readStatements(documents);
    const periods = statements.periods.slice(0, 2);
    const altman = periods.flatMap((period) =>
      altmanModels.map((model) => ({ period, model, score: altmanOf(statements, model, period) })),
    );
    const piotroski = periods.map((period) => ({ period, score: piotroskiOf(statements, period) }));
    const beneish = periods.map((period) => ({ period, score: beneishOf(statements, period) }));
    const lines = [
      ...altman.map(altmanLine),
      ...piotroski.filter(({ score }) => score.computed > 0).map(piotroskiLine),
      ...beneish.map(beneishLine),
    ];
    return {
      result: {
        altman: altman.map(({ period, model: { id, formula, bounds, for: use }, score }) => ({
          model: id,
          for: use,
          formula,
          bounds,
          period,
          ...score,
        })),
        piotroski: piotroski.map(({ period, score }) => ({
          period,
          ...score,
          signals: score.signals.map((signal) => ({ ...signal })),
        })),
        beneish: beneish.map(({ period, score }) => ({
          formula: beneishFormula,
          threshold: beneishThreshold,
          period,
          ...score,
        })),
      },
      // Computed scores come first; missing inputs are reported for the newest period only.
      digest: [
        ...lines.filter((line) => !isMissing(line)),
        ...lines.filter((line) => isMissing(line) && line.includes(` ${periods[0]}: `)),
      ],
    };
  },
};

function isMissing(line: string): boolean {
  return line.includes(': not computable');
}

function altmanLine({ period, model, score }: { period: string; model: AltmanModel; score: AltmanScore }): string {
  const name = `Altman ${model.id} ${period}`;
  if ('not_computable' in score) return `${name}: not computable: ${score.not_computable}`;
  return `${name}: ${score.value}, ${score.zone} zone (bounds ${model.bounds.join(' and ')}, for ${model.for})`;
}

function piotroskiLine({ period, score }: { period: string; score: PiotroskiScore }): string {
  const failed = score.signals.flatMap(({ id, passed }) => (passed === false ? [id] : []));
  const left = failed.length === 0 ? '' : `; not passed: ${failed.join(', ')}`;
  return `Piotroski F ${period}: ${score.passed} passed, ${score.computed} of 9 signals computable${left}`;
}

function beneishLine({ period, score }: { period: string; score: BeneishScore }): string {
  if ('not_computable' in score) return `Beneish M ${period}: not computable: ${score.not_computable}`;
  const position = score.above_threshold ? 'above' : 'not above';
  return `Beneish M ${period}: ${score.value}, ${position} the threshold of ${beneishThreshold}`;
}
