/** `npm run architecture`: writes the table of rooms into ARCHITECTURE.md, and `exports` into each package.json. */
import { writeExports } from './exports.ts';
import { writePage } from './page.ts';

writeExports();
writePage();
