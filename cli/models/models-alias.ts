import { updateCatalogue, withAlias } from '@cloister/models/catalogue/catalogue';
import { findListed, readModelList } from '@cloister/models/catalogue/model-list';
import { exitCodes, usageError } from '@cloister/server/program/command';
import { readFlags, type Subcommand, settingHelp } from './models-setting.ts';

export const aliasHelp = `Usage: cloister models alias <name> <id>
       cloister models alias <name> --remove

Gives a model another name for requests, for example one that a program already uses; it needs no suffix. Answers,
receipts and bills name the model by its ID. A running server reads the aliases of its models again on SIGHUP.

Options:
  --remove   remove the alias
${settingHelp}`;

export const aliasModel: Subcommand = async (args, io) => {
  const command = 'models alias';
  const { values, positionals, setting } = readFlags(args, { command, io, options: { remove: { type: 'boolean' } } });
  const [name, target, ...more] = positionals;
  if (name === undefined || more.length > 0 || (target === undefined) !== (values.remove === true)) {
    throw usageError('expected a name and the ID of a model, or a name and --remove', command);
  }
  const models = await readModelList(setting.places);
  if (models.some(({ entry }) => entry.id === name)) throw usageError(`${name} is the ID of a model`, command);
  const id = target === undefined ? undefined : findListed(models, target).entry.id;
  setting.makeStateFolder();
  let existed = false;
  await updateCatalogue(setting.cataloguePath, (catalogue) => {
    existed = catalogue.aliases?.some((alias) => alias.name === name) ?? false;
    return withAlias(catalogue, name, id);
  });
  if (id !== undefined) io.stdout.write(`${name} stands for ${id} in ${setting.cataloguePath}\n`);
  else if (existed) io.stdout.write(`${name} is no longer in ${setting.cataloguePath}\n`);
  else throw usageError(`${setting.cataloguePath} has no alias ${JSON.stringify(name)}`, command);
  return exitCodes.ok;
};
