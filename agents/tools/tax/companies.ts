/** Company names in forms and tables: recognised by their legal form, or by the address below them. */

/** Legal forms of companies in Europe, which end a name. */
const legalForm =
  /(?:^|[\s,\u00a0])(?:gGmbH|GmbH(?: & Co\.? ?KG(?:aA)?)?|mbH|AG(?: & Co\.? KG)?|KGaA|SE(?: & Co\.? KG(?:aA)?)?|KG|OHG|UG(?: \(haftungsbeschränkt\))?|e\.? ?K\.?|e\.? ?U\.?|eG|GbR|PartG(?: mbB)?|e\.V\.|Genossenschaft|Ltd\.?|Limited|LLC|LLP|L\.L\.C\.|Inc\.?|Corp\.?|Corporation|plc|PLC|P\.L\.C\.|DAC|CLG|UC|Teoranta|SAS|SASU|S\.A\.S\.?(?:U\.)?|SARL|S\.A\.R\.L\.|S\.à r\.l\.|Sàrl|SA|S\.A\.(?:U\.)?|S\.A|EURL|SNC|SCI|SCOP|S\.r\.l\.(?: unipersonale)?|Srl|SRL|S\.R\.L\.|S\.p\.A\.|SpA|S\.P\.A\.|S\.n\.c\.|S\.a\.s\.|Soc\. Coop\.|S\.L\.(?:U\.)?|SLU?|S\.L|S\.Coop\.?|C\.B\.|Lda\.?|Unipessoal,? Lda\.?|B\.V\.|BV|N\.V\.|NV|V\.O\.F\.|VOF|C\.V\.|CV|BVBA|SPRL|CVBA|U\.A\.|AS|ASA|ANS|DA|SA|A\/S|ApS|I\/S|K\/S|P\/S|AB|Aktiebolag|HB|KB|Oy|Oyj|Ky|Tmi|OÜ|AS|SIA|UAB|AB|MB|s\.r\.o\.|spol\. s ?r\.? ?o\.|a\.s\.|v\.o\.s\.|k\.s\.|z\.s\.|Sp\. ?z ?o\. ?o\.(?: Sp\. ?k\.| sp\. ?k\.)?|sp\. ?z ?o\. ?o\.|Spółka z o\.o\.|Sp\. ?[jkp]\.|S\.K\.A\.|s\.c\.|Kft\.?|Zrt\.?|Nyrt\.?|Bt\.?|d\.o\.o\.|d\.d\.|j\.d\.o\.o\.|EOOD|OOD|AD|ЕООД|ООД|SRL|S\.C\.|A\.E\.|Α\.Ε\.|Ε\.Π\.Ε\.|Ι\.Κ\.Ε\.|Pty Ltd|Stiftung|Foundation|S\.C\.A\.|SCA|S\.C\.R\.L\.|SCRL|& Co\.?|& Cie\.?|et Cie\.?|y C[ií]a\.?|& Sons|& Daughters?|& Söhne|& Sohn|& Fils|et Fils|& Figli|e Figli|& Hijos|e Hijos|& Zonen|& Zoon|& Sønn(?:er)?|& Sønner|& Söner)(?=$|[\s,.;:()·|/–—-])/gu;

const words = /^(?:[\p{Lu}\d„"'(]|\p{Ll}\p{Lu})/u;

/**
 * Up to its legal form: "Alder Consulting GmbH, Ring 4" gives only the company. @returns undefined if no legal form ends a name
 */
export function companyIn(text: string): string | undefined {
  const shown = text.slice(0, 160);
  const matches = [...shown.matchAll(legalForm)].filter(({ index }) => index > 1);
  // The first legal form ends the name, unless the next one continues it ("GmbH & Co. KG", "Sp. z o.o. Sp. k.").
  const [first, ...rest] = matches;
  if (first === undefined) return undefined;
  let end = first.index + first[0].length;
  for (const next of rest) {
    if (next.index - end > 3 || /[,;|·–—]/.test(shown.slice(end, next.index))) break;
    end = next.index + next[0].length;
  }
  if (/^[.)]/.test(shown.slice(end)) && /\.\p{L}$|[a-z]$/u.test(shown.slice(0, end)) && shown[end] === ')') end += 1;
  const name = cleanName(shown.slice(0, end));
  return name.length >= 4 && words.test(name) && name.split(' ').length <= 12 && !/\b(?:IBAN|BIC|Bank)\b/.test(name)
    ? name
    : undefined;
}

/** Without bullets and quotes at its ends, and with single blanks. */
export function cleanName(text: string): string {
  return text
    .replace(/\s{1,40}/g, ' ')
    .replace(/^[\s*_"„“”'·|:–—-]{1,8}/, '')
    .replace(/[\s*_"„“”'·|:;,–—-]{1,8}$/, '')
    .trim();
}

export function endsWithForm(text: string): boolean {
  const last = [...text.slice(0, 160).matchAll(legalForm)].at(-1);
  return last !== undefined && last.index + last[0].length >= Math.min(160, text.trimEnd().length) - 1;
}

/** A line that consists of a legal form or begins with one: the end of a name from the previous line. */
export function beginsWithForm(text: string): boolean {
  const first = text.slice(0, 60).matchAll(legalForm).next().value;
  return first !== undefined && first.index === 0;
}

/** Postcode and town in the notation of European states, or a street with its number. */
const town =
  /(?:^|[\s,·|])(?:(?:[A-Z]{1,2}-)?\d{4,5}[ \u00a0]{1,2}\p{Lu}|\d{4} ?[A-Z]{2}[ ]+\p{Lu}|(?:PL-)?\d{2}-\d{3} \p{Lu}|(?:SE-|CZ-|SK-)?\d{3} \d{2}[ ]{1,2}\p{Lu}|\d{4}-\d{3} \p{Lu}|LV-\d{4}|LT-\d{5}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?!\p{L})|[A-Z]\d{2} ?(?=\d{0,3}[A-Z])[A-Z\d]{4}(?![\p{L}\d])|[A-Z]\d[A-Z] \d[A-Z]\d|\p{Lu}\p{L}+, [A-Z]{2} \d{5})/u;
const street =
  /(?:stra(?:ß|ss)e|str\.|gasse|weg|platz|allee|ring|ufer|damm|gatan|vägen|gata|vegen|veien|gate|vej|gade|straat|laan|kade|plein|singel|dijk|weg|katu|tie|utca|út|ulica|ul\.|al\.|pl\.|náměstí|nám\.|třída|rue|avenue|av\.|boulevard|bd|chemin|quai|place|via|viale|piazza|corso|calle|c\/|avda|plaza|paseo|rua|avenida|travessa|largo|street|road|avenue|lane|park|estate|house|court|drive|square|quay|terrace|promenade|unit|suite|p\.?o\.? box|postfach|postboks|box|bp|apartado)(?!\p{L})|\p{L}{3,}\s\d{1,4}[a-z]?(?:\/\d+)?\s*$/iu;

export function isTownLine(text: string): boolean {
  return text.length <= 140 && town.test(text);
}

export function isAddressLine(text: string): boolean {
  return text.length <= 160 && (town.test(text) || (street.test(text) && /\d/.test(text)));
}
