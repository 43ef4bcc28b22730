/** `cloister config`: shows the configuration that `cloister serve` would use, and checks it. */
import { type CommandIo, exitCodes, table, usageError } from '@cloister/server/program/command';
import { examineConfig } from '@cloister/server/program/config';
import { fileProblems } from '@cloister/server/program/config-files';
import { flagName, type SettingName, settings, variableName } from '@cloister/server/program/settings';
import { shownValue } from '@cloister/server/program/shown-config';
import { suggestion } from '@cloister/server/program/suggestion';

const help = `Usage: cloister config show [options]
       cloister config check [options]

Both read the configuration as \`cloister serve\` does and accept all of its options.
show prints every setting, its value and where the value was given: as a flag, a variable, a key of the file, or nowhere
(default). Of secrets it prints only that they are set.
check validates all settings, the files that they name and the models of the catalogue, prints every problem and exits with
78 if there is one.

  --config <file>  JSON file of settings [CLOISTER_CONFIG]
  --json           print JSON
`;

type Examined = ReturnType<typeof examineConfig>;

/** @returns 0, or 78 if the configuration has a problem · @throws {ServerError} ERR_USAGE */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const [name = '', ...rest] = args;
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  if (name !== 'show' && name !== 'check') {
    throw usageError(
      `config takes show or check, got ${name || 'nothing'}${suggestion(name, ['show', 'check'])}`,
      'config',
    );
  }
  const examined = examineConfig({ args: rest, env: io.env, cwd: io.cwd }, { extra: ['json'] });
  const misused = examined.problems.find(({ code }) => code === 'ERR_USAGE');
  if (misused !== undefined) throw usageError(misused.message, 'config');
  const [extra] = examined.positionals;
  if (extra !== undefined) throw usageError(`${name} takes no argument, got ${extra}`, 'config');
  const json = examined.flags.has('json');
  return name === 'show' ? show(examined, io, { json }) : await check(examined, io, { json });
}

function show(examined: Examined, io: CommandIo, { json }: { json: boolean }): number {
  const rows = Object.keys(settings).map((key) => {
    const name = key as SettingName;
    return { name, value: shownValue(name, examined.config[name]), from: examined.origins[name] };
  });
  if (json) {
    const shown = Object.fromEntries(rows.map(({ name, value, from }) => [name, { value, from }]));
    io.stdout.write(`${JSON.stringify({ file: examined.file ?? null, settings: shown }, null, 2)}\n`);
  } else {
    const cells = rows.map(({ name, value }) => [name, value === null ? '-' : String(value), place(name, examined)]);
    io.stdout.write(table([['SETTING', 'VALUE', 'FROM'], ...cells]));
  }
  return report(
    examined.problems.map(({ message }) => message),
    examined,
    io,
  );
}

/** Where the operator finds the value. */
function place(name: SettingName, { origins, file }: Examined): string {
  switch (origins[name]) {
    case 'flag':
      return `flag --${flagName(name)}`;
    case 'environment':
      return `environment ${variableName(name)}`;
    case 'file':
      return `file ${file}`;
    case 'default':
      return 'default';
  }
}

async function check(examined: Examined, io: CommandIo, { json }: { json: boolean }): Promise<number> {
  const ofSettings = examined.problems.map(({ message }) => message);
  const problems = [...ofSettings, ...fileProblems(examined.config)];
  // With wrong settings, the models that the default configuration names would be checked.
  if (problems.length === 0) problems.push(...(await modelProblems(examined, io)));
  if (json) {
    io.stdout.write(`${JSON.stringify({ problems, warnings: examined.warnings })}\n`);
    return problems.length === 0 ? exitCodes.ok : exitCodes.configuration;
  }
  if (problems.length === 0) io.stdout.write('the configuration is valid\n');
  return report(problems, examined, io);
}

/** The first problem of the catalogue and the models. */
async function modelProblems({ config }: Examined, { cwd }: CommandIo): Promise<string[]> {
  const { planModels } = await import('@cloister/server/start/model-plan');
  return await planModels(config, { cwd }).then(
    () => [],
    (error: Error) => [error.message],
  );
}

function report(problems: readonly string[], { warnings }: Examined, { stderr }: CommandIo): number {
  for (const warning of warnings) stderr.write(`cloister: warning: ${warning}\n`);
  for (const problem of problems) stderr.write(`cloister: ${problem}\n`);
  return problems.length === 0 ? exitCodes.ok : exitCodes.configuration;
}
