/** HTML's character references, as far as documents use them. */

const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    ensp: ' ',
    emsp: ' ',
    thinsp: '\u2009',
    ndash: '–',
    mdash: '—',
    minus: '−',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    laquo: '«',
    raquo: '»',
    hellip: '…',
    bull: '•',
    middot: '·',
    sect: '§',
    para: '¶',
    copy: '©',
    reg: '®',
    trade: '™',
    deg: '°',
    plusmn: '±',
    times: '×',
    micro: 'µ',
    frac12: '½',
    euro: '€',
    pound: '£',
    yen: '¥',
    cent: '¢',
    le: '≤',
    ge: '≥',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    eacute: 'é',
    egrave: 'è',
    agrave: 'à',
    ccedil: 'ç',
  }),
);

const shape = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,9}));/y;

/** @returns undefined where no reference begins at the position, or one that is not known */
export function decodeReference(
  text: string,
  at: number,
): { readonly text: string; readonly length: number } | undefined {
  shape.lastIndex = at;
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [whole, decimal, hexadecimal, name] = match;
  const shown =
    name === undefined ? fromCode(Number.parseInt(decimal ?? hexadecimal!, decimal ? 10 : 16)) : named.get(name);
  return shown === undefined ? undefined : { text: shown, length: whole.length };
}

function fromCode(code: number): string | undefined {
  const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
