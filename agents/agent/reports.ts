/** Runs an agent's tools over a turn's documents. Pure, as the tools are. */
import type { Agent, AgentDocument, AgentTool, ToolFindings } from './agent.ts';

/** The findings of one tool of an agent. */
export interface ToolReport {
  readonly name: string;
  readonly version: string;
  readonly findings: ToolFindings;
  /** Whether the findings go to the model. False if a question without documents gives the same findings as an empty text. */
  readonly isTelling: boolean;
}

/** Texts with at least this total length (UTF-16 units) count as documents, regardless of the tools' findings. */
const documentUnitsMin = 1_500;

/** @param onTool called before each tool; may throw to stop */
export function reportsOf(
  { tools }: Pick<Agent, 'tools'>,
  documents: readonly AgentDocument[],
  onTool: () => void = () => undefined,
): readonly ToolReport[] {
  const units = documents.reduce((sum, { text }) => sum + text.length, 0);
  return tools.map((tool) => {
    onTool();
    const findings = tool.run(documents);
    const isTelling = units >= documentUnitsMin || findings.digest.join('\n') !== digestOfNothing(tool);
    return { name: tool.name, version: tool.version, findings, isTelling };
  });
}

/** The findings of one tool in a text that the model passed to it; always shown to the model. */
export function reportOfCall(tool: AgentTool, documents: readonly AgentDocument[]): ToolReport {
  return { name: tool.name, version: tool.version, findings: tool.run(documents), isTelling: true };
}

const digestsOfNothing = new WeakMap<AgentTool, string>();

function digestOfNothing(tool: AgentTool): string {
  const known = digestsOfNothing.get(tool);
  if (known !== undefined) return known;
  const digest = tool.run([]).digest.join('\n');
  digestsOfNothing.set(tool, digest);
  return digest;
}
