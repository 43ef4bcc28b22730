/** Labels of rows as companies print them: "B. II. Trade receivables (note 4), net". */
import { itemNamed, type LineItem, nameWordsMax, normaliseName } from './line-items.ts';

/** The item that a label names, enumerators, parentheses and units aside. */
export function itemOfLabel(label: string): LineItem | undefined {
  if (label.length > 160 || !/\p{L}/u.test(label)) return undefined;
  const words = normaliseName(withoutParentheses(label)).split(' ');
  for (let start = 0; start < Math.min(words.length, 4); start += 1) {
    if (start > 0 && !leading.test(words[start - 1]!)) break;
    for (let end = words.length; end > start && words.length - end < 5; end -= 1) {
      if (end < words.length && !trailing.test(words[end]!)) break;
      const item = end - start > nameWordsMax ? undefined : itemNamed(words.slice(start, end).join(' '));
      if (item !== undefined) return item;
    }
  }
  return undefined;
}

/** As `isLossName`, for a label as printed. */
export function isLossLabel(label: string): boolean {
  return isLossName(normaliseName(withoutParentheses(label)));
}

/** Whether a normalised name says that the amount beside it is a loss even without a sign: "net loss", not "net income (loss)". */
export function isLossName(name: string): boolean {
  return lossShape.test(name) && !resultShape.test(name);
}

const lossShape = /\b(?:loss|deficit|jahresfehlbetrag|fehlbetrag|perte|ztrata)\b/;
const resultShape = /\b(?:profit|income|earnings|gain|jahresuberschuss|benefice|resultat|zisk|vysledek)\b/;

/** Enumerators before and units behind a label that are no part of its name. */
const leading = /^(?:[a-z]|[ivx]{1,5}|\d{1,3}|less|total|summe|celkem|davon)$/;
const trailing =
  /^(?:total|net|gross|celkem|gesamt|eur|usd|gbp|czk|kc|chf|teur|keur|thousands?|millions?|mio|mil|tis|m|note|notes|\d{1,2}|000|restated|unaudited|in|s)$/;

function withoutParentheses(label: string): string {
  return label.replace(/\([^()]{0,80}\)|\[[^[\]]{0,80}\]/g, ' ');
}
