import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentDirectory, agents } from '../../agents/registry.ts';

/** Two pages of neutral text, in which no tool should find anything. */
const plain = Array.from(
  { length: 40 },
  (_, k) => `${k}. On 3 May 2024 the parties met and paid EUR 1,${k}00.00.`,
).join('\n\n');

describe('the agents', () => {
  it('are found by their slug', () => {
    const directory = agentDirectory();
    expect(directory.size).toBe(agents.length);
    for (const agent of agents) expect(directory.get(agent.slug)).toBe(agent);
  });

  it.each(agents.map((agent) => [agent.slug, agent] as const))('include %s with a prompt and tools', (slug, agent) => {
    expect(slug).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(agent.prompt).toBe(readFileSync(new URL(`../../agents/${slug}/prompt.md`, import.meta.url), 'utf8'));
    expect(agent.prompt.length).toBeGreaterThan(1_500);
    expect(agent.prompt.length).toBeLessThan(8_000);
    expect(agent.defaults.maxTokens).toBe(4096);
    expect(agent.defaults.temperature).toBeGreaterThanOrEqual(0);
    expect(agent.defaults.temperature).toBeLessThanOrEqual(1);
    expect(agent.tools.length).toBeGreaterThan(0);
    expect(new Set(agent.tools.map(({ name }) => name)).size).toBe(agent.tools.length);
    for (const { name } of agent.tools) expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    expect(agent.reportSchema).toMatchObject({ type: 'object' });
  });

  it.each(agents.map((agent) => [agent.slug, agent] as const))(
    'include tools of %s that are deterministic',
    (_slug, agent) => {
      for (const tool of agent.tools) {
        const documents = [
          { message: 0, text: plain },
          { message: 2, text: 'Review this.' },
        ];
        const once = JSON.stringify(tool.run(documents));
        expect(JSON.stringify(tool.run(documents))).toBe(once);
        expect(once.length).toBeLessThan(100_000);
        expect(() => tool.run([])).not.toThrow();
      }
    },
  );
});
