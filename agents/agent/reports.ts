/** Runs an agent's tools over a turn's documents. Pure, as the tools are. */
import type { Agent, AgentDocument, AgentTool, ToolFindings } from './agent.ts';

/** What one tool of an agent found. */
export interface ToolReport {
  readonly name: string;
  readonly version: string;
  readonly findings: ToolFindings;
  /** Whether the model is told of it: not where a question without documents leads to the findings of no text at all. */
  readonly isTelling: boolean;
}

/** UTF-16 units of all texts together from which they are documents, whatever is found in them. */
const documentUnitsMin = 1_500;

/** @param onTool called before each tool; throws to end the work */
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

/** What one tool finds in a text that the model gave it: that is told whatever it is. */
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
