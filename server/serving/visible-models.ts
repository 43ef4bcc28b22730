/** Which served models an account's plan has, and what they cost it. */
import type { Pricing } from '@cloister/accounts/base/money';
import { type Plan, planHasModel } from '@cloister/accounts/plans/plans';
import type { Surface } from '@cloister/accounts/store';
import type { ModelDirectory, ServedModel } from './served-model.ts';

/** Where a model of each kind can be asked. */
const surfacesOf: Readonly<Record<ServedModel['kind'], readonly Surface[]>> = {
  chat: ['chat', 'confidential'],
  embedding: ['embeddings'],
  image: ['images'],
};

/** In the order in which they are served. @param surface narrows to models that can be asked there */
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
 * What an account on this plan pays, in US dollars: `prompt` and `completion` per million tokens, `image` for each picture and
 * `step` for each of its denoising steps.
 */
export function describePrices({ kind, terms }: ServedModel, { pricePercent }: Plan) {
  const dollars = (microDollars = 0) => (microDollars * pricePercent) / 100 / 1_000_000;
  const { promptPerMillion, completionPerMillion, perImage, perStep }: Pricing = terms.pricing;
  switch (kind) {
    case 'chat':
      return { prompt: dollars(promptPerMillion), completion: dollars(completionPerMillion) };
    case 'embedding':
      return { prompt: dollars(promptPerMillion) };
    case 'image':
      return { image: dollars(perImage), step: dollars(perStep) };
  }
}
