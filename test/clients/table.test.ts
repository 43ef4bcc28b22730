import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lockedVersion, pagePath, readResults, renderTable, withTable } from './results.ts';

const results = readResults();

describe('the table of clients in docs/reference/clients.md', () => {
  it('shows the recorded results (npm run clients:table)', () => {
    const page = readFileSync(pagePath, 'utf8');
    expect(page).toBe(withTable(page, renderTable(results)));
  });

  it.each(results)('shows the version of $package that the lock file installs (npm run clients:table)', (result) => {
    expect(result.version).toBe(lockedVersion(result.package));
  });

  it('records no area that failed', () => {
    const failed = results.filter(({ works }) => Object.values(works).includes(false));
    expect(failed.map(({ client }) => client)).toEqual([]);
  });
});

describe('renderTable', () => {
  it('shows what works, what fails, and what a client does not have', () => {
    const works = { text: true, tools: false, images: true };
    const table = renderTable([{ client: 'Some client', package: 'some-client', version: '1.2.3', works }]);
    expect(table.split('\n').at(-1)).toBe('| Some client | `some-client` | 1.2.3 | yes | – | no | – | – | images |');
  });
});
