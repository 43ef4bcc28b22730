/** Which catalogues a configuration uses, and which of them commands change. */
import { shippedCataloguePath } from '@cloister/models/catalogue/catalogue';
import type { CataloguePlaces } from '@cloister/models/catalogue/model-list';
import type { Config } from './config.ts';
import { statePaths } from './state-folder.ts';

/**
 * The shipped catalogue and that of the state folder; a catalogue that the operator names replaces both. The last one is
 * that which commands change.
 */
export function cataloguePlaces(config: Pick<Config, 'catalogue' | 'stateDir'>): CataloguePlaces {
  const { catalogue: own, modelsFolder } = statePaths(config);
  if (config.catalogue !== undefined) return { catalogues: [{ origin: 'file', path: config.catalogue }], modelsFolder };
  return {
    catalogues: [
      { origin: 'shipped', path: shippedCataloguePath },
      { origin: 'state', path: own },
    ],
    modelsFolder,
  };
}
