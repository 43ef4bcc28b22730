/**
 * Words that hint at the hallmarks of reportable cross-border arrangements. A hint marks a passage for review, not a hallmark
 * that is met.
 * @see Council Directive 2011/16/EU, Annex IV, as inserted by Council Directive (EU) 2018/822 (DAC6); titles in our own words
 */
import { compilePhrases, findPhrases } from '../text/phrases.ts';
import type { Range } from '../text/span.ts';
import { splitWords } from '../text/words.ts';

export interface Hallmark {
  readonly id: string;
  readonly title: string;
  /** Reportable only if a tax advantage is a main benefit (Annex IV, part I). */
  readonly mainBenefitTest: boolean;
  readonly phrases: readonly string[];
}

export interface HallmarkHint extends Range {
  readonly hallmark: Hallmark;
}

/** Phrases as one text, so that the table stays readable. */
const list = (phrases: string) => phrases.split(', ');

export const hallmarks: readonly Hallmark[] = [
  {
    id: 'A1',
    title: 'confidentiality towards other intermediaries or the authorities',
    mainBenefitTest: true,
    phrases: list(
      'not ~3 disclose ~8 tax authorit*, confidential* ~8 tax authorit*, ' +
        'confidentiality ~8 arrangement, not ~2 disclose ~6 tax structure, ' +
        'not ~2 disclose ~6 tax advantage, keep ~4 structure confidential',
    ),
  },
  {
    id: 'A2',
    title: 'fee that depends on the tax advantage',
    mainBenefitTest: true,
    phrases: list(
      'success fee ~10 tax, contingen* fee ~10 tax, fee ~8 tax sav*, fee ~8 tax advantage, ' +
        'fee ~8 tax benefit, percentage of the tax, percent ~3 tax sav*',
    ),
  },
  {
    id: 'A3',
    title: 'standardised documentation or structure',
    mainBenefitTest: true,
    phrases: list(
      'standardised ~3 documentation, standardized ~3 documentation, standard ~2 tax structure, ' +
        'off the shelf ~3 structure, template structure, without substantial* customi*',
    ),
  },
  {
    id: 'B1',
    title: 'buying a loss-making company to use its losses',
    mainBenefitTest: true,
    phrases: list(
      'loss making ~8 acqui*, acqui* ~6 loss making, acqui* ~8 tax loss*, utilis* ~4 tax loss*, ' +
        'utiliz* ~4 tax loss*, use ~4 tax losses, loss carry forwards ~8 acqui*, ' +
        'discontinu* ~6 main activity',
    ),
  },
  {
    id: 'B2',
    title: 'income turned into capital, gifts or lower-taxed revenue',
    mainBenefitTest: true,
    phrases: list(
      'conver* ~5 income into capital, conver* ~4 income ~4 capital gain*, ' +
        'conver* ~4 dividend* ~4 capital, dividend* ~4 into ~3 capital gain*, ' +
        'reclassif* ~6 income ~6 capital',
    ),
  },
  {
    id: 'B3',
    title: 'circular transactions, round-tripping',
    mainBenefitTest: true,
    phrases: list(
      'round trip*, circular ~2 transaction*, circular ~2 flow*, circular ~2 financing, ' +
        'back to back ~3 loan*, offsetting transactions',
    ),
  },
  {
    id: 'C1',
    title: 'deductible cross-border payments to associated enterprises that are little or not taxed',
    mainBenefitTest: true,
    phrases: list(
      'deductible ~8 payment*, zero corporate tax, no corporate ~2 tax, zero rate, almost zero, ' +
        'non cooperative jurisdiction*, preferential ~2 tax regime, patent box, ' +
        'notional interest deduction, not ~3 tax resident, stateless, hybrid ~2 entit*, ' +
        'hybrid ~2 instrument*, hybrid mismatch*, full exemption from tax, tax exempt ~3 recipient',
    ),
  },
  {
    id: 'C2',
    title: 'depreciation of the same asset in more than one jurisdiction',
    mainBenefitTest: false,
    phrases: list(
      'double ~2 depreciation, depreciation ~8 more than one jurisdiction, ' +
        'depreciat* ~6 both jurisdictions, depreciat* ~6 both countries',
    ),
  },
  {
    id: 'C3',
    title: 'relief from double taxation claimed more than once',
    mainBenefitTest: false,
    phrases: list(
      'double dip*, double tax relief ~6 more than one, foreign tax credit ~6 twice, relief ~6 both jurisdictions',
    ),
  },
  {
    id: 'C4',
    title: 'transfer of assets with a material difference in the amount treated as payable',
    mainBenefitTest: false,
    phrases: list(
      'step up ~6 value, step up in basis, tax basis step up, transfer ~5 assets ~8 different value*, ' +
        'material difference ~8 consideration',
    ),
  },
  {
    id: 'D1',
    title: 'undermining the automatic exchange of financial account information',
    mainBenefitTest: false,
    phrases: list(
      'avoid* ~6 common reporting standard, avoid* ~4 crs, outside ~4 common reporting standard, ' +
        'outside ~3 scope ~3 crs, circumvent* ~6 reporting, not ~3 reportable ~4 crs, ' +
        'not reportable account*',
    ),
  },
  {
    id: 'D2',
    title: 'ownership chains that hide the beneficial owners',
    mainBenefitTest: false,
    phrases: list(
      'nominee shareholder*, nominee director*, bearer shares, beneficial owner* ~6 not ~3 identif*, ' +
        'conceal* ~6 beneficial owner*, opaque ~4 structure, undisclosed ~4 beneficial owner*',
    ),
  },
  {
    id: 'E1',
    title: 'unilateral safe harbour rules',
    mainBenefitTest: false,
    phrases: list(
      'unilateral safe harbour*, unilateral safe harbor*, safe harbour ~4 transfer pric*, ' +
        'safe harbor ~4 transfer pric*',
    ),
  },
  {
    id: 'E2',
    title: 'transfer of hard-to-value intangibles',
    mainBenefitTest: false,
    phrases: list(
      'hard to value intangible*, htvi, no reliable comparables ~8 intangible*, ' +
        'transfer ~6 intangible* ~8 uncertain',
    ),
  },
  {
    id: 'E3',
    title: 'transfer of functions, risks or assets in the group that halves the transferor’s EBIT',
    mainBenefitTest: false,
    phrases: list(
      'business restructuring, transfer of functions, transfer ~3 functions ~3 risks, ' +
        'ebit ~8 less than 50, ebit ~8 below 50, ebit ~8 decreas*, funktionsverlagerung, ' +
        'conversion ~4 limited risk, limited risk distributor',
    ),
  },
];

const compiled = compilePhrases(hallmarks.map((hallmark) => [hallmark, hallmark.phrases] as const));

/** Ordered by position in the text. English, and a few terms that other languages use. */
export function findHallmarkHints(text: string): HallmarkHint[] {
  return findPhrases(splitWords(text), compiled).map(({ label, start, end }) => ({ hallmark: label, start, end }));
}
