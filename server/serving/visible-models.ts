/** The served models that an account's plan has, and their prices on this plan. */
import type { Pricing } from '@cloister/accounts/base/money';
import { type Plan, planHasModel } from '@cloister/accounts/plans/plans';
import type { Surface } from '@cloister/accounts/store';
import type { ModelDirectory, ServedModel } from './served-model.ts';

/** The surfaces of each kind of model. */
const surfacesOf: Readonly<Record<ServedModel['kind'], readonly Surface[]>> = {
  chat: ['chat', 'confidential'],
  embedding: ['embeddings'],
  reranker: ['embeddings'],
  image: ['images'],
};

/** @param surface if given, only models served on these routes · @returns in the order of the server's model list */
export function modelsOfPlan(
  plan: Plan,
  { models, surface }: { models: ModelDirectory; surface?: Surface },
): readonly ServedModel[] {
  return [...models.values()].filter(({ id, kind, terms: { plans } }) =>
    surfacesOf[kind].some(
      (one) => (surface === undefined || one === surface) && planHasModel(plan, { surface: one, id, plans }),
    ),
  );
}

/**
 * Prices on this plan in US dollars: `prompt` and `completion` per million tokens, `image` for each image, and `step` for each of
 * its denoising steps.
 */
export function describePrices({ kind, terms }: ServedModel, { pricePercent }: Plan) {
  const dollars = (microDollars = 0) => (microDollars * pricePercent) / 100 / 1_000_000;
  const { promptPerMillion, completionPerMillion, perImage, perStep }: Pricing = terms.pricing;
  switch (kind) {
    case 'chat':
      return { prompt: dollars(promptPerMillion), completion: dollars(completionPerMillion) };
    case 'embedding':
    case 'reranker':
      return { prompt: dollars(promptPerMillion) };
    case 'image':
      return { image: dollars(perImage), step: dollars(perStep) };
  }
}
