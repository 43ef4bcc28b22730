import { stat } from 'node:fs/promises';
import { type CatalogueEntry, locateFile } from '@cloister/models/catalogue/catalogue';
import { type ListedModel, readModelList } from '@cloister/models/catalogue/model-list';
import { sumBytes } from '@cloister/models/hub/pull';
import { exitCodes, table, usageError } from '@cloister/server/program/command';
import { formatBytes } from '@cloister/server/program/progress';
import { readFlags, type Subcommand, settingHelp } from './models-setting.ts';

export const listHelp = `Usage: cloister models list [--json]

Lists the models of the catalogues. CATALOGUE is "shipped" for models that come with Cloister, "state" for those of the
state folder, and "file" with --catalogue. ALIASES are other names that requests may use. ON DISK compares file sizes
only; cloister models verify compares digests. PRICE is in US dollars per million tokens, prompt / completion; for image
models, per image and per denoising step. JSON output uses whole micro-dollars.

${settingHelp}`;

const columns = ['ID', 'KIND', 'SIZE', 'CONTEXT', 'PRICE', 'PLANS', 'SOURCE', 'ON DISK', 'CATALOGUE', 'ALIASES'];

export const listModels: Subcommand = async (args, io) => {
  const command = 'models list';
  const { values, positionals, setting } = readFlags(args, { command, io, options: { json: { type: 'boolean' } } });
  if (positionals.length > 0) throw usageError(`expected no argument, got ${positionals[0]}`, command);
  const models = await readModelList(setting.places);
  const rows = await Promise.all(
    models.map(async (model) => ({
      ...model.entry,
      catalogue: model.origin,
      aliases: model.aliases,
      onDisk: await isOnDisk(model),
    })),
  );
  if (values.json) {
    io.stdout.write(`${JSON.stringify({ catalogue: setting.cataloguePath, models: rows }, null, 2)}\n`);
  } else if (rows.length === 0) {
    io.stdout.write(`${setting.cataloguePath} has no models; see: cloister models add --help\n`);
  } else {
    const cells = rows.map((row) => [
      row.id,
      row.kind,
      formatBytes(sumBytes(row.files)),
      String(row.contextLength),
      priceOf(row),
      row.plans.join(','),
      sourceName(row),
      row.onDisk ? 'yes' : 'no',
      row.catalogue,
      row.aliases.join(','),
    ]);
    io.stdout.write(table([columns, ...cells]));
  }
  return exitCodes.ok;
};

function priceOf({ kind, pricing }: CatalogueEntry): string {
  const { promptPerMillion, completionPerMillion, perImage = 0, perStep = 0 } = pricing;
  if (kind === 'onnx-image') return `${dollars(perImage)} / image + ${dollars(perStep)} / step`;
  if (kind !== 'llama-text') return dollars(promptPerMillion);
  return `${dollars(promptPerMillion)} / ${dollars(completionPerMillion)}`;
}

async function isOnDisk({ entry, folders }: ListedModel): Promise<boolean> {
  const sizes = await Promise.all(
    entry.files.map((file) =>
      stat(locateFile(entry, file, folders)).then(
        ({ size }) => size === file.bytes,
        () => false,
      ),
    ),
  );
  return sizes.every(Boolean);
}

function sourceName({ source }: CatalogueEntry): string {
  switch (source.kind) {
    case 'hub':
      return `hf:${source.repository}@${source.revision.slice(0, 12)}`;
    case 'url':
      return new URL(source.urls[0]!).host;
    case 'path':
      return 'path';
  }
}

/** Formats with at least two decimals and no further trailing zeros. */
function dollars(microDollars: number): string {
  return (microDollars / 1e6).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1');
}
