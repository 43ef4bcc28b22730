/** VAT numbers without the prefix of their country, identified by a label. */
import type { Range } from '../text/span.ts';
import { phraseShape } from './fold.ts';
import { labelsOf } from './labels.ts';
import type { Layout } from './layout.ts';

interface NationalForm {
  readonly country: string;
  /** The words before the number, or above its column. */
  readonly label: RegExp;
  readonly shape: RegExp;
  /** Words that the whole text must also contain. */
  readonly context?: RegExp;
}

const britain =
  /£|\bGBP\b|United Kingdom|England|Scotland|Wales|\bHMRC\b|Companies House|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/;

const forms: readonly NationalForm[] = [
  {
    country: 'PL',
    label: phraseShape('nip'),
    shape: /^\d{3}[ -]?\d{3}[ -]?\d{2}[ -]?\d{2}(?!\d)|^\d{3}-\d{2}-\d{2}-\d{3}(?!\d)/,
  },
  { country: 'IT', label: phraseShape('p iva|p lva|partita iva|piva|partita i v a'), shape: /^\d{11}(?!\d)/ },
  {
    country: 'ES',
    label: phraseShape('nif|cif|nif iva|nif cif|cif nif|n i f|c i f'),
    shape: /^(?:[A-HJNP-SUVW][ -]?\d{2}[. ]?\d{3}[. ]?\d{2}-?[0-9A-J]|\d{8}-?[A-Z]|[XYZKLM]-?\d{7}-?[A-Z])(?![A-Z\d])/,
  },
  {
    country: 'PT',
    label: phraseShape('nif|nipc|contribuinte|n contribuinte|contribuinte n|n i f'),
    shape: /^\d{3} ?\d{3} ?\d{3}(?![\dA-Z])/,
  },
  { country: 'NL', label: phraseShape('btw*|vat*'), shape: /^\d{4}\.?\d{2}\.?\d{3}\.?B\.?\d{2}(?!\d)/ },
  { country: 'BE', label: phraseShape('btw*|tva|tva n|n tva'), shape: /^[01]\d{3}\.\d{3}\.\d{3}(?!\d)/ },
  {
    country: 'NO',
    label: phraseShape(
      'org nr|orgnr|org no|organisasjonsnr|organisasjonsnummer|foretaksregisteret|foretaksnr|mva|mva nr|vat*|no',
    ),
    shape: /^\d{3} ?\d{3} ?\d{3}(?= ?MVA(?![A-Za-z]))/,
  },
  { country: 'GB', label: phraseShape('vat*'), shape: /^\d{3} ?\d{4} ?\d{2}(?: ?\d{3})?(?!\d)/, context: britain },
  { country: 'IE', label: phraseShape('vat*'), shape: /^\d{7}[A-W][A-I]?(?![A-Z\d])/ },
  { country: 'EL', label: phraseShape('afm|αφμ|α φ μ'), shape: /^\d{9}(?!\d)/ },
  {
    country: 'DK',
    label: phraseShape('moms nr|momsnr|moms reg nr|se nr|cvr se nr|se cvr nr'),
    shape: /^\d{2} ?\d{2} ?\d{2} ?\d{2}(?!\d)/,
  },
  {
    country: 'SE',
    label: phraseShape('moms*|momsreg nr|momsregistreringsnummer|vat*'),
    shape: /^\d{6}-?\d{4} ?01(?!\d)/,
  },
  { country: 'HU', label: phraseShape('adoszam'), shape: /^\d{8}(?=-\d-\d{2}(?!\d))/ },
];

export interface NationalNumber {
  readonly country: string;
  readonly range: Range;
  /** Without separators. */
  readonly body: string;
}

const start = /(?<![A-Za-z\d.,/-])(?:\d|[A-Z]-?\d{2})/g;
const mayHold = /\d{2}[ .-]?\d{2}/;

/** In the order of the text. */
export function nationalNumbers(layout: Layout): NationalNumber[] {
  const usable = forms.filter(({ context }) => context === undefined || context.test(layout.document.text));
  const found: NationalNumber[] = [];
  for (const line of layout.lines) {
    for (const segment of line.segments) {
      if (segment.text.length > 400 || !mayHold.test(segment.text)) continue;
      for (const match of segment.text.matchAll(start)) {
        const at = segment.start + match.index;
        if (at < (found.at(-1)?.range.end ?? 0)) continue;
        const rest = segment.text.slice(match.index, match.index + 24);
        const fitting = usable.filter(({ shape }) => shape.test(rest));
        if (fitting.length === 0) continue;
        const form = formOf(layout, segment, at, fitting);
        if (form === undefined) continue;
        const shown = form.shape.exec(rest)![0];
        found.push({
          country: form.country,
          range: { start: at, end: at + shown.length },
          body: shown.replace(/[^A-Z\d]/g, ''),
        });
      }
    }
  }
  return found;
}

function formOf(
  layout: Layout,
  segment: Parameters<typeof labelsOf>[1],
  at: number,
  fitting: readonly NationalForm[],
): NationalForm | undefined {
  for (const { folded, place } of labelsOf(layout, segment, { start: at, end: at + 1 })) {
    // The label directly precedes the number: "NIP: ", "P.IVA e C.F. ", "VAT Reg No ".
    const tail = place === 'own' ? folded.slice(-44) : folded;
    const clause = place === 'own' ? tail.split(/[|;·]|, /).at(-1)! : tail;
    const form = fitting.find(({ label }) => label.test(clause));
    if (form === undefined) continue;
    const match = new RegExp(form.label.source, 'g');
    const end = [...clause.matchAll(match)].at(-1)!;
    const after = clause.slice(end.index + end[0].length);
    const isDirect =
      /^[\s:.#°º-]{0,6}(?:(?:reg[a-z]*|id[a-z-]*|n[or°º]?|nr|number|nummer|no|numero|e|c\.? ?f|cod\.? ?fisc\.?|codice fiscale|iva|cif|nif|eu|ue|sprzedawcy|nabywcy|klanta?|kunde|cliente|fornitore|proveedor|emisor)[\s.:/-]{0,4}){0,4}$/.test(
        after,
      );
    if (isDirect || place !== 'own') return form;
  }
  return undefined;
}
