import { expect, it } from 'vitest';
import { agentDirectory } from '../../../../agents/registry.ts';

const report = `# Search outage - March 4, 2026

On March 4, 2026, the search service experienced an outage lasting 2 hours and 12 minutes, from 09:40 to 11:52 UTC.

## Timeline

- **09:40 UTC** - The writer database is saturated
- **09:47 UTC** - Pods begin failing connections
- **10:05 UTC** - Incident declared
- **11:52 UTC** - Service fully restored

## Action items

- **Retry budget**: Limit the retries of the connection pool
- **Probe configuration changes**: Remove failing pods within seconds
- Dana Okafor: Write the runbook
- Platform team: Alert on saturation
`;

function results(text: string): string {
  const { tools } = agentDirectory().get('cybersecurity-analyst')!;
  return JSON.stringify(tools.map((tool) => tool.run([{ message: 0, text }]).result));
}

it('takes start, end and length of an outage from the sentence that states them', () => {
  const found = results(report);
  expect(found).toMatch(/"point":"start"[^}]*"time":"09:40"/);
  expect(found).toMatch(/"point":"mitigation"[^}]*"time":"11:52"/);
  expect(found).toMatch(/"minutes":132/);
});

it('reads a person or a team before a colon as the owner of an action, but not its title', () => {
  const found = results(report);
  const owners = [...found.matchAll(/"owner":"([^"]+)"/g)].map(([, owner]) => owner);
  expect(owners).toEqual(['Dana Okafor', 'Platform team']);
});
