/**
 * The issuer of an invoice by its registration: laws of many states require that a company's letters state its capital, register
 * or registered office, which the issuer prints in the footer as often as in the letterhead.
 */
import type { Range } from '../text/span.ts';
import { cleanName, companyIn } from './companies.ts';
import type { InvoicePart } from './invoice-parts.ts';
import { isSame, labelAt, looksLikeName } from './invoice-party-words.ts';
import { type Layout, rightOf, type Segment } from './layout.ts';

export interface InvoiceIssuer extends Range {
  readonly name: string;
  /** The line with the registration. */
  readonly line: number;
}

/** Statements about an issuer's own company; a buyer's block contains tax numbers, but not these. */
const registration =
  /\bau capital (?:social )?(?:de|variable)\b|\bcapital social\b|\bsiege social\b|\br\.?c\.?s\.? (?:[a-z]{3,}|[ab] ?\d)|\bregistered office\b|\bregistered in (?:england|scotland|wales|ireland|northern)|\bamtsgericht\b|\bregistergericht\b|\bhandelsregister\b|\bhr[ab] ?\d|\bfirmenbuch|\bgeschaftsfuhr|\bsitz der gesellschaft\b|\bcapitale sociale\b|\bcap\. ?soc\b|\bregistro (?:delle )?imprese\b|\br\.?e\.?a\.? ?(?:n\.? ?)?[a-z]{2}[ -]?\d|\bregistro mercantil\b|\binscrita en\b|\bkapital zakladowy\b|\bsad rejonowy\b|\bspisova znacka\b|\bzapsan[ay] v\b|\bcapital social\b|\bconservatoria\b|\bforetaksregisteret\b|\bstyrelsens sate\b/;

/** Maximum number of lines of a footer above the registration. */
const footerLinesMax = 3;

/** @param buyer the buyer that a label names */
export function findIssuer(layout: Layout, { from, to }: InvoicePart, buyer?: string): InvoiceIssuer | undefined {
  for (const line of layout.lines.slice(from, to)) {
    for (const segment of line.segments) {
      if (!registration.test(segment.folded) || isOfBuyer(layout, segment)) continue;
      const issuer = nameIn(segment) ?? nameAbove(layout, segment, from);
      if (issuer !== undefined && !isSame(issuer.name, buyer)) return issuer;
    }
  }
  return undefined;
}

const society =
  /\b(?:soci[ée]t[ée]|firma|firm|company|empresa|societ[àa])[ \u00a0](?=\p{Lu})([^,;|()·–—]{2,80}?)(?=,|;|\s[–—|·-]|\s?\(|\sau\scapital|\sSARL|\sS\.?A\.?S|$)/iu;

/** "Société Alder au capital de 7 622 €", "Alder SAS – RCS Lyon B 123". */
function nameIn(segment: Segment): InvoiceIssuer | undefined {
  const { text, line } = segment;
  const titled = society.exec(text)?.[1];
  const name = titled === undefined || !/^\p{Lu}/u.test(titled) ? companyIn(text) : cleanName(titled);
  // "Gesellschafter: U. Alder · AG Ulm": "AG" is a court there.
  if (
    name === undefined ||
    name.includes(':') ||
    !looksLikeName(name) ||
    /^(?:sarl|sas|sa|gmbh|ltd|capital)\b/i.test(name)
  )
    return undefined;
  const start = segment.start + Math.max(0, text.indexOf(name));
  return { name, line, start, end: start + name.length };
}

/** A company or a short name on one of the lines above, without an empty line between them. */
function nameAbove(layout: Layout, segment: Segment, from: number): InvoiceIssuer | undefined {
  for (let at = segment.line; at > from && at > segment.line - footerLinesMax; at -= 1) {
    if (layout.lines[at]!.follows !== 'line') return undefined;
    const above = layout.lines[at - 1]!;
    const [only] = above.segments;
    if (only === undefined || above.segments.length > 1 || labelAt(only) !== undefined) continue;
    const company = companyIn(only.text);
    const isShort = only.text.length <= 48 && only.text.split(' ').length <= 5 && !/[:\d.;]/.test(only.text);
    if (company === undefined && !isShort) continue;
    const name = company ?? cleanName(only.text);
    if (!looksLikeName(name)) continue;
    const start = only.start + Math.max(0, only.text.indexOf(name));
    return { name, line: above.index, start, end: start + name.length };
  }
  return undefined;
}

/** In the block below a buyer's label, which may state the buyer's register. */
function isOfBuyer(layout: Layout, segment: Segment): boolean {
  for (let at = segment.line; at >= 0 && at > segment.line - 8; at -= 1) {
    const line = layout.lines[at]!;
    const label = line.segments.find(
      (each) => Math.abs(each.from - segment.from) <= 8 && labelAt(each)?.side === 'buyer',
    );
    if (label !== undefined) return rightOf(layout, segment) !== undefined || label.line !== segment.line;
    if (line.follows !== 'line') return false;
  }
  return false;
}
