/** The brand names of a record and the ingredients that they stand for. */
import type { AgentDocument } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import type { Span } from '../text/span.ts';
import { findDrugMentions, foldName } from './drug-mentions.ts';
import { drugs } from './drugs.ts';

/** Each brand once, with its ingredient: in the word of the document where it gives that next to the brand. */
export function findBrands(documents: readonly AgentDocument[]): { brand: string; ingredient: string; span: Span }[] {
  const found = new Map<string, { brand: string; ingredient: string; span: Span }>();
  for (const document of documents.map(readDocument)) {
    const mentions = findDrugMentions(document);
    for (const [index, { drug, written, isBrand, ...range }] of mentions.entries()) {
      const key = written.toLowerCase();
      if (!isBrand || found.has(key)) continue;
      const before = mentions[index - 1];
      const isNext =
        before?.drug.name === drug.name &&
        !before.isBrand &&
        /^[\s(\t,/=-]{0,4}$/.test(document.text.slice(before.end, range.start));
      found.set(key, {
        brand: written,
        ingredient: isNext ? before.written : ingredientOf(drug.name),
        span: document.spanOf(range),
      });
    }
  }
  return [...found.values()];
}

/** The international name, with the American one or another where they differ: "paracetamol (acetaminophen)". */
function ingredientOf(name: string): string {
  const [, second] = drugs.find((drug) => drug.name === name)?.names ?? [];
  const isOther = second?.kind === 'substance' && foldName(second.written) !== foldName(name);
  return isOther ? `${name} (${second.written})` : name;
}
