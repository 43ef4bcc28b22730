/** Classifies the contents of a table cell by form alone. */

const number =
  /^[+\-−–(△▲]{0,2}(?:[€$£¥]|US\$|[A-Z]{3}[ \u00a0])?[ \u00a0]{0,4}[+\-−–(]{0,2}[€$£¥]?[ \u00a0]{0,2}\d[\d.,'’ \u00a0\u202f\u2009]{0,40}[)%\-−]{0,2}(?:[ \u00a0]?(?:%|[€$£¥]|[A-Z]{3}|Kč))?[)*†‡]{0,2}$/u;

/** An amount, a percentage, or a dash that means zero. */
export function isNumberCell(text: string): boolean {
  if (text.length === 1) return (text >= '0' && text <= '9') || text === '-' || text === '–' || text === '—';
  // "£000" is a unit.
  return text.length <= 60 && /\d/.test(text) && number.test(text) && !/^(?:[€$£¥]|[A-Z]{3} ?)['’]?000s?$/.test(text);
}

const period =
  /^(?:(?:[QH][1-4]|[1-4][QH]|9M|6M|3M)[ \u00a0/-]{0,2})?(?:FY[ \u00a0]?)?(?:(?:19|20)\d\d)(?:[/–-](?:20)?\d\d)?[AEFB]?\*?$|^FY[ \u00a0]?\d\d[AEFB]?$|^(?:[QH][1-4]|[1-4][QH])[ \u00a0/-]?(?:FY)?'?\d\d$/iu;
const date =
  /^(?:\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2,4}|(?:19|20)\d\d[-/]\d\d(?:[-/]\d\d)?|\p{L}{3,9}\.? \d{1,2}, ?(?:19|20)\d\d|\d{1,2}\.? \p{L}{3,9}\.? (?:19|20)\d\d|\p{L}{3,9}\.? (?:19|20)\d\d)$/u;
/** Pattern of the name of a month or its abbreviation, in lower case. */
export const monthName =
  '(?:jan|gen|ene|sty|f[eé][bv]|lut|m[aä]r|mrz|maa|apr|avr|abr|kwi|ma[ijy]|mei|mag|jun|jui|giu|cze|jul|lug|lip|aug|aoû|ago|sie|sep|set|wrz|o[ck]t|ott|out|paź|nov|lis|de[csz]|d[ée]c|dic|gru)\\p{L}{0,7}\\.?';
/** "January - June 2024", "1 Jan to 30 Jun 2025", "janvier à juin 2025". */
const monthRange = new RegExp(
  `^(?:\\d{1,2}\\.? )?${monthName}(?: \\d{1,2},?)?(?: (?:19|20)\\d\\d)? ?(?:[-–—/]|to|until|bis|à|au|al?|till?|do|t/m|tot) ?(?:\\d{1,2}\\.? )?${monthName}(?: \\d{1,2},)? (?:19|20)\\d\\d$`,
  'iu',
);
const span =
  /\b(?:(?:three|six|nine|twelve|3|6|9|12) months|(?:\d\d|(?:four|thir)teen|(?:twenty|thirty|forty|fifty)(?:[- ]\p{L}{3,5})?)[- ]weeks? (?:ended|ending)|(?:fiscal |financial |calendar )?(?:years?|quarters?) (?:ended|ending)|as (?:of|at)|(?:current|prior|previous|this|last) (?:year|period)|berichtsjahr|vorjahr|běžné období|minulé období|exercice n)\b/iu;

/** "1° semestre 2025", "3. Quartal 2024", "Tredje kvartalet 2025", "6 mois 2025", "7m to Oct-25". */
const partOfYear =
  /^(?:(?:[1-4]|I{1,3}|IV|\p{L}{4,9})(?:st|nd|rd|th|\.º?|er|e|[eè]me|º|°|:[ae])? )?(?:quarter|quartal|trimestre|semestre|halbjahr|half(?:[- ]year)?|kwartaal|halfjaar|kvartal(?:et)?|halvår(?:et)?|kwarta[łl]|p[óo][łl]rocze)(?: [1-4])?(?: (?:of |de |des |van |do )?(?:(?:19|20)\d\d)(?:[/–-]\d\d)?)$|^(?:\d{1,2}|three|six|nine|twelve) ?(?:m|months?|monate|mois|meses|mesi|maanden|mån(?:ader)?|måneder)(?: (?:to|to end|ended|ending|bis|au|al|a|tot|t\.o\.m\.))?(?: (?:\d{1,2} )?\p{L}{3,9})?[ -]['’]?(?:\d\d|(?:19|20)\d\d)$/iu;

/** Most cells contain none of these characters and are not examined further. */
const periodHint = /\d\d|year|quarter|months|weeks|period|jahr|období|exercice/i;

/** "2024", "Q1 2024", "December 31, 2024", "31.12.2024", "Year ended December 31, 2024", "prior year". */
export function findPeriodHeading(text: string): boolean {
  if (text.length > 80 || text.length < 4 || !periodHint.test(text)) return false;
  return period.test(text) || date.test(text) || span.test(text) || monthRange.test(text) || partOfYear.test(text);
}

/** "Q1", "2. Quartal", "Kv 3", "First quarter", "T2": a part of a year that a heading above or next to it names. */
const bareParts =
  /^(?:[QT][1-4]|[1-4][QT]|[HS][12]|kv\.? ?[1-4]|[1-4](?:st|nd|rd|th|\.|er|e|[eè]me|º|°|:[ae])? ?(?:quarter|qtr\.?|quartal|trimestre|trim\.?|kwartaal|kvartal(?:et)?|kwarta[łl])|(?:first|second|third|fourth) quarter)$/iu;

export function isPartOfYear(text: string): boolean {
  return text.length <= 20 && bareParts.test(text);
}

const unitBehind =
  /[ ,([]{1,3}(?:in |en )?(?:[TKkMm]?(?:EUR|USD|GBP|CHF|CAD|SEK|NOK|DKK|JPY)|US\$|C\$|[€$£¥]|kr|Mio\.?|Mrd\.?)(?:[ '’]?000s?|[mkM]|bn| ?(?:millions?|thousands?|Mio\.?|Tsd\.?))?[)\]]?$/u;
const remarkBehind =
  /[ (]{1,2}(?:restated|unaudited|audited|revised|angepasst|ungepr[üu]ft|gepr[üu]ft|retrait[ée]|non audit[ée])\)?\*?$/iu;

/**
 * "2024 TEUR", "31.12.2024 (£m)", "2023 (restated)": a period with its unit, which is a heading and not an amount if it is next
 * to another period.
 */
export function isPeriodWithUnit(text: string): boolean {
  if (text.length > 60 || !/\d{4}/.test(text)) return false;
  const bare = text.replace(remarkBehind, '').replace(unitBehind, '').replace(remarkBehind, '');
  return bare !== text && (period.test(bare) || date.test(bare));
}

const scenario =
  /(?<!\p{L})(?:actuals?|act|ist|real|r[ée]el|r[ée]alis[ée]|consuntivo|werkelijk|budget|bgt|bud|plan|ppto|begroot|forecast|fcst|ytd|cumul[ée]?|cum|kum|acum|progr(?:essivo)?|py|month|mois|monat|mese|mes|proj(?:ected|ection)?|ltm|ttm|fye|hye|ye|(?:3|6|9|12)m)\.?(?!\p{L})/giu;
const shortMonth = /^(?:\d{1,2}[- ])?\p{L}{3,9}\.?[- ’']{1,2}(?:\d{2}|\d{4})$/u;

/** "Actual Mar-25", "Budget avr-25", "31-May-25": column headings of monthly reports. */
export function isScenarioPeriod(text: string): boolean {
  if (text.length > 40 || !/\d{2}$|\d{2} /.test(text)) return false;
  const bare = text.replace(scenario, ' ').replace(/ {2,}/g, ' ').trim();
  return shortMonth.test(bare) || period.test(bare) || date.test(bare);
}

/** "3.24x", "max 3.50x", "min. 12 %": a figure with its unit, and perhaps a word. */
export function isMeasure(text: string): boolean {
  return /^(?:\p{L}{3,12}\.? |[<>≤≥] ?)?\d{1,3}(?:[.,]\d{1,2})? ?(?:x|×|%)$/iu.test(text);
}

/** "2025 revenue", "Umsatz 2024": words with a year and no other number. */
export function isDatedLabel(text: string): boolean {
  return text.length <= 36 && /^(?:(?:19|20)\d\d [^\d.]{3,30}|[^\d.]{3,30} (?:19|20)\d\d)$/u.test(text);
}
