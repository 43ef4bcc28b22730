/** `npm run contract`: writes the column of tests into the pages of the contract. */
import { readCitations } from './citations.ts';
import { writePages } from './rows.ts';

writePages(readCitations());
