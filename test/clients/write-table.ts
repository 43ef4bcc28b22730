/** `npm run clients:table` runs the suite and then this, which writes the table of `results.json` into `docs/reference/clients.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pagePath, readResults, renderTable, withTable } from './results.ts';

writeFileSync(pagePath, withTable(readFileSync(pagePath, 'utf8'), renderTable(readResults())));
