/**
 * The model of the tests of tools and coding agents: a transformer that recites a call of the first tool it knows among those that
 * a request offers, and a closing sentence once the tool has answered. The server runs it like any other model: it renders the
 * template, tokenizes, decodes, and parses the call.
 */
import { writeGguf } from '../support/models/gguf.ts';
import { randomTransformer } from '../support/models/random-transformer.ts';
import { reciteScript, scriptPieces } from '../support/models/scripted-transformer.ts';
import { byteLevelTokenizer } from '../support/models/tokenizers.ts';
import { hermesTemplate } from '../support/server/chat-templates.ts';
import { city, sunny } from './client.ts';

/** What agents write to `notes.txt`. */
export const written = 'seven plus five';
export const fileName = 'notes.txt';

/** Arguments of the call, by the name of the tool: a tool of the tests, of Claude Code, and of Codex. */
const calls: Readonly<Record<string, object>> = {
  get_weather: { city },
  Write: { file_path: fileName, content: written },
  exec_command: { cmd: `echo ${written} > ${fileName}` },
};
const plainAnswer = 'Good day to you.';

/** 64 wide, so that an agent's prompt of 60,000 tokens takes seconds. */
const shape = {
  architecture: 'llama',
  ...{ layers: 1, width: 64, heads: 1, keyValueHeads: 1, headWidth: 64, feedForward: 64 },
  ...{ context: 131_072, tied: false },
} as const;
const end = '<|im_end|>';
const control = [end, '<|im_start|>', '<|endoftext|>'];
const afterTool = '<recite:answer>';
/** The only token that several scripts share: the end of the answer follows it in each. */
const callEnd = '"}}</tool_call>';
const isOwn = (piece: Uint8Array) => Buffer.from(piece).toString() !== callEnd;
const markOf = (tool: string) => `<recite:${tool}>`;

/** Writes the model as GGUF. */
export function writeScriptedModel(path: string): void {
  const scripts = [
    // A prompt without tools ends with a line end.
    { start: 'Ċ', text: plainAnswer },
    { start: afterTool, text: sunny },
    ...Object.entries(calls).map(([name, args]) => ({
      start: markOf(name),
      text: `<tool_call>\n${JSON.stringify({ name, arguments: args })}</tool_call>`,
    })),
  ];
  const taken = new Set<string>();
  const recitals = scripts.map(({ start, text }) => {
    const pieces = scriptPieces(text, [callEnd], taken);
    for (const piece of pieces.filter(isOwn)) taken.add(Buffer.from(piece).toString());
    return { start, pieces };
  });
  const marks = [...scripts.map(({ start }) => start).slice(1), callEnd];
  const tokenizer = byteLevelTokenizer({
    ...{ merges: [], marks, control },
    pieces: recitals.flatMap(({ pieces }) => pieces.filter(isOwn)),
  });
  const options = { name: 'scripted', tokenizer, template: template(), type: 'F16', seed: 1 } as const;
  const [first, ...others] = recitals;
  writeGguf(path, reciteScript(randomTransformer(shape, options), { ...first!, tokenizer, end, others }));
}

/** Hermes' template, whose last token selects the script. */
function template(): string {
  const ending = "{{- '<|im_start|>assistant\\n' }}";
  const selected = Object.keys(calls).map(
    (name) => `{%- if tool.function.name == '${name}' %}{%- set script.mark = '${markOf(name)}' %}{%- endif %}`,
  );
  const marked = `${ending}
    {%- set script = namespace(mark='') %}
    {%- for tool in tools or [] %}${selected.join('')}{%- endfor %}
    {%- if messages[-1].role == 'tool' %}{{- '${afterTool}' }}{%- else %}{{- script.mark }}{%- endif %}`;
  if (!hermesTemplate.includes(ending)) throw new RangeError('the template ends in another way');
  return hermesTemplate.replace(ending, () => marked);
}
