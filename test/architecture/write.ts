/** `npm run architecture`: writes the table of rooms into ARCHITECTURE.md. */
import { writePage } from './page.ts';

writePage();
