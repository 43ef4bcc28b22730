import { agentDirectory } from '../../../agents/registry.ts';

/** The result of an agent's tool for one message. @param agent its slug */
export function runTool(agent: string, tool: string, text: string): Readonly<Record<string, unknown>> {
  const found = agentDirectory()
    .get(agent)!
    .tools.find(({ name }) => name === tool)!;
  return found.run([{ message: 0, text }]).result as Readonly<Record<string, unknown>>;
}

/** The items of a list in a tool's result. */
export function itemsOf<Item = Readonly<Record<string, unknown>>>(list: unknown): readonly Item[] {
  return (list as { readonly items: readonly Item[] }).items;
}
