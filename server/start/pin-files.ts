/** Pins models that were named by file as a catalogue pins its own: on a platform, all weights are measured. */
import { dirname } from 'node:path';
import type { CatalogueEntry, ModelFolders } from '@cloister/models/catalogue/catalogue';
import { pinPath } from '@cloister/models/hub/pin-path';
import type { Config } from '../program/config.ts';
import { statePaths } from '../program/state-folder.ts';
import type { PlannedModel } from './model-plan.ts';

/**
 * Reads every byte of those files, draft models included. Models from a catalogue are returned unchanged.
 * @throws {ModelError} ERR_FILE_MISSING, ERR_FILE_CHANGED
 */
export async function pinFiles(
  plans: readonly PlannedModel[],
  { config, signal }: { config: Config; signal: AbortSignal },
): Promise<readonly PlannedModel[]> {
  const pinOne = async (plan: PlannedModel): Promise<PlannedModel> => {
    const draft = plan.draft && (await pinOne(plan.draft));
    if (plan.pinned !== undefined) return { ...plan, draft };
    const folders = { catalogueFolder: dirname(plan.path), modelsFolder: statePaths(config).modelsFolder };
    return { ...plan, draft, pinned: { entry: await pin(plan, { folders, signal, config }), folders } };
  };
  return await Promise.all(plans.map(pinOne));
}

/** Available on every plan and free of charge, like a file without an entry. */
async function pin(
  { id, kind, path }: PlannedModel,
  { folders, signal, config }: { folders: ModelFolders; signal: AbortSignal; config: Config },
): Promise<CatalogueEntry> {
  const { source, files, facts } = await pinPath({ kind: 'path', path }, { folders, signal });
  const contextLength = facts.contextLength ?? config.context;
  return {
    id,
    kind,
    source,
    files,
    contextLength,
    maxOutputTokens: contextLength,
    name: facts.name ?? id,
    capabilities: facts.capabilities,
    pricing: { promptPerMillion: 0, completionPerMillion: 0 },
    plans: ['*'],
  };
}
