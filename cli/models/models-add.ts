import { basename } from 'node:path';
import {
  type CatalogueEntry,
  idForFile,
  type ModelCapability,
  modelCapabilities,
  updateCatalogue,
  withEntry,
} from '@cloister/models/catalogue/catalogue';
import { readModelList } from '@cloister/models/catalogue/model-list';
import { buildEntry, parseReference, pinWeights } from '@cloister/models/hub/add';
import { sumBytes } from '@cloister/models/hub/pull';
import { exitCodes, usageError } from '@cloister/server/program/command';
import { formatBytes } from '@cloister/server/program/progress';
import { readFlags, type Subcommand, settingHelp, withRemote } from './models-setting.ts';

export const addHelp = `Usage: cloister models add <source> [options]

Adds a model to the catalogue and pins each file by its SHA-256. For a split GGUF, name any one part.
Adding an existing ID again pins the files anew; fields without an option keep their values.

Sources:
  hf:owner/name[@revision]:file.gguf   one file of a Hugging Face repository (revision: branch, tag or commit [main])
  hf:owner/name[@revision][:file]      a repository with one model: a diffusers pipeline in ONNX (model_index.json),
                                       or an embedding model in ONNX (file: path of its graph [onnx/model.onnx])
  url:https://host/file.gguf           any HTTPS address; downloaded once to compute the digest unless --sha256 is given
  [path:]path/to/file.gguf or folder   a local file, or a folder with the layout of an hf: repository; used in place

Options:
  --id <id>                  model ID for requests; ends in -TEE [the file's or repository's name plus -TEE]
  --name <text>              display name [from the file]
  --context <tokens>         context length: prompt and output together [from the file, else 4096]
  --max-output <tokens>      maximum output tokens of a request [--context]
  --prompt-price <usd>       US dollars per million prompt tokens, for example 0.15 [0]
  --completion-price <usd>   US dollars per million completion tokens [0]
  --image-price <usd>        US dollars per image [0]
  --step-price <usd>         US dollars per denoising step of an image [0]
  --guidance <scale>         default guidance scale of images, 0 to 20 [7.5]
  --steps <count>            default number of denoising steps, 1 to 150 [50]
  --capabilities <list>      some of ${modelCapabilities.join(',')}
  --plans <list>             plans that may use the model, separated by commas; "*" for all [*]
  --sha256 <digest>          expected SHA-256 of a url: source
  --json                     print the catalogue entry as JSON
${settingHelp}
Environment: HF_TOKEN for private and gated repositories, CLOISTER_HUB for a mirror, HTTPS_PROXY for a proxy.
Next step: cloister models pull <id>
`;

const options = {
  id: { type: 'string' },
  name: { type: 'string' },
  context: { type: 'string' },
  'max-output': { type: 'string' },
  'prompt-price': { type: 'string' },
  'completion-price': { type: 'string' },
  'image-price': { type: 'string' },
  'step-price': { type: 'string' },
  guidance: { type: 'string' },
  steps: { type: 'string' },
  capabilities: { type: 'string' },
  plans: { type: 'string' },
  sha256: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const addModel: Subcommand = async (args, io, hooks) => {
  const { values, positionals, setting } = readFlags(args, { command: 'models add', io, options });
  const [source, ...more] = positionals;
  if (source === undefined || more.length > 0) {
    throw usageError(`expected one source, got ${positionals.length}`, 'models add');
  }
  const given = parseGiven(values);
  const reference = parseReference(source, io.cwd);
  const pinned = await withRemote(io, hooks, (remote) =>
    pinWeights(reference, {
      ...remote,
      folders: setting.folders,
      sha256: values.sha256?.toLowerCase(),
      signal: hooks.signal,
      onBytes: ({ file, ...bytes }) => remote.progress.report({ label: `hashing ${basename(file)}`, ...bytes }),
    }),
  );
  const id = given.id ?? idForFile(pinned.stem);
  const { prompt, completion, perImage, perStep, ...details } = given;
  const shipped = (await readModelList({ ...setting.places, catalogues: setting.places.catalogues.slice(0, -1) })).find(
    ({ entry }) => entry.id === id,
  );
  setting.makeStateFolder();
  const { models } = await updateCatalogue(setting.cataloguePath, (catalogue) => {
    const previous = catalogue.models.find((model) => model.id === id) ?? shipped?.entry;
    const pricing = {
      promptPerMillion: prompt ?? previous?.pricing.promptPerMillion ?? 0,
      completionPerMillion: completion ?? previous?.pricing.completionPerMillion ?? 0,
      perImage: perImage ?? previous?.pricing.perImage,
      perStep: perStep ?? previous?.pricing.perStep,
    };
    const image = details.image && { ...previous?.image, ...details.image };
    const changed = { ...details, ...(image ? { image } : {}), id, pricing };
    return withEntry(catalogue, buildEntry(pinned, { previous, given: changed }));
  });
  const entry = models.find((model) => model.id === id)!;
  io.stdout.write(values.json ? `${JSON.stringify(entry, null, 2)}\n` : describe(entry, setting.cataloguePath));
  return exitCodes.ok;
};

function describe(entry: CatalogueEntry, cataloguePath: string): string {
  const lines = [
    `${entry.id} is in ${cataloguePath}: ${entry.name}, ${entry.contextLength} tokens of context`,
    ...entry.files.map(({ path, sha256, bytes }) => `  ${path}  ${formatBytes(bytes)}  SHA-256 ${sha256}`),
    ...(entry.source.kind === 'path'
      ? []
      : [`Next: cloister models pull ${entry.id}   (${formatBytes(sumBytes(entry.files))})`]),
  ];
  return `${lines.join('\n')}\n`;
}

type Values = { readonly [Flag in keyof typeof options]?: string | boolean | undefined };
type Given = { -readonly [Field in keyof CatalogueEntry]?: CatalogueEntry[Field] } & {
  prompt?: number;
  completion?: number;
  perImage?: number;
  perStep?: number;
};

/** @returns only the fields with an option; the others keep their value or default */
function parseGiven(values: Values): Given {
  const given: Given = {};
  const text = (flag: keyof typeof options): string | undefined => values[flag] as string | undefined;
  const { id, name, plans } = { id: text('id'), name: text('name'), plans: text('plans') };
  if (id !== undefined && !id.endsWith('-TEE')) throw usageError(`--id must end in -TEE, got ${id}`, 'models add');
  const sha256 = text('sha256');
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) {
    throw usageError('--sha256 must be 64 hexadecimal digits', 'models add');
  }
  if (id !== undefined) given.id = id;
  if (name !== undefined) given.name = name;
  if (plans !== undefined) given.plans = items(plans);
  if (values.context !== undefined) given.contextLength = tokens('--context', text('context')!);
  if (values['max-output'] !== undefined) given.maxOutputTokens = tokens('--max-output', text('max-output')!);
  if (values['prompt-price'] !== undefined) given.prompt = microDollars('--prompt-price', text('prompt-price')!);
  if (values['completion-price'] !== undefined) {
    given.completion = microDollars('--completion-price', text('completion-price')!);
  }
  if (values['image-price'] !== undefined) given.perImage = microDollars('--image-price', text('image-price')!);
  if (values['step-price'] !== undefined) given.perStep = microDollars('--step-price', text('step-price')!);
  const [guidance, steps] = [text('guidance'), text('steps')];
  if (guidance !== undefined || steps !== undefined) {
    given.image = {
      ...(guidance === undefined ? {} : { guidanceScale: within('--guidance', guidance, { min: 0, max: 20 }) }),
      ...(steps === undefined ? {} : { steps: Math.trunc(within('--steps', steps, { min: 1, max: 150 })) }),
    };
  }
  if (values.capabilities !== undefined) given.capabilities = items(text('capabilities')!).map(capability);
  return given;
}

function items(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function capability(name: string): ModelCapability {
  const known = modelCapabilities.find((one) => one === name);
  if (known !== undefined) return known;
  throw usageError(`--capabilities takes ${modelCapabilities.join(', ')}, got ${name}`, 'models add');
}

function tokens(flag: string, value: string): number {
  if (/^[1-9]\d{0,7}$/.test(value)) return Number(value);
  throw usageError(`${flag} must be a whole number of tokens, got ${value}`, 'models add');
}

function within(flag: string, value: string, { min, max }: { min: number; max: number }): number {
  const number = /^\d{1,3}(?:\.\d{1,3})?$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw usageError(`${flag} must be a number from ${min} to ${max}, got ${value}`, 'models add');
}

/** Parses digits instead of a floating-point number: 0.1 USD is exactly 100000. */
function microDollars(flag: string, value: string): number {
  const [, dollars, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(value) ?? [];
  if (dollars !== undefined) return Number(dollars) * 1_000_000 + Number(fraction.padEnd(6, '0'));
  throw usageError(`${flag} must be US dollars with at most 6 decimals, got ${value}`, 'models add');
}
