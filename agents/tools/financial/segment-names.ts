/** Names of segments, regions and product groups in the rows and headings of notes, and the measure that a label states. */
import { itemOfLabel } from './labels.ts';
import { type LineItem, normaliseName } from './line-items.ts';

export type SegmentItem = 'revenue' | 'result';

export const segmentTopic =
  /\bsegment|gesch[äa]ftsfeld|gesch[äa]ftsbereich|secteurs? (?:op[ée]rationnel|d.activit)|segmento|settori? (?:operativ|di attivit)|bedrijfssegment|by (?:segment|region|geograph|product|division|business|market|channel|country)|geograph|nach (?:region|segment|produkt|bereich|l[äa]nder|gesch)|par (?:zone|secteur|activit|r[ée]gion|pays)|por (?:segmento|zona|[áa]rea|l[íi]nea)|per (?:area|settore|divisione|segment|regio|land)|disaggregat|divisions?\b|sparten|segment(?:et|en|er|os|i|y|ów)?\b|r[öo]relsegren|aff[äa]rsomr[åa]d|forretningsomr[åa]d|virksomhedsomr[åa]d|driftssegment|por (?:regi[ãa]o|produto|mercado)|wed[łl]ug|perioden? per|per (?:omr[åa]de|region|marknad|marked)|gesch[äa]ftseinheit|liiketoiminta-alue/iu;
const revenueWord =
  /\b(?:revenues?|net sales|sales|turnover|umsatz|umsatze|umsatzerlose|erlose|nettoumsatz|aussenumsatz|aussenumsatze|chiffre d affaires|ventes|ventas|ingresos|cifra de negocios|ricavi|fatturato|omzet|netto omzet|nettoomsattning\w*|omsattning\w*|intakter|nettoomsaetning\w*|omsaetning\w*|driftsinntekter|omsetning\w*|liikevaihto|przychody|vendas|volume de negocios|receitas|erlos|ertrage aus|produits des activites)\b/;
const resultWord =
  /\b(?:operating (?:income|profit|result|loss|earnings)|segment (?:result|profit|income|operating income|ebit|ebitda|contribution|adjusted ebitda|earnings|loss|margin contribution)|ebit|ebitda|adjusted ebit|adjusted ebitda|betriebsergebnis|segmentergebnis|ergebnis|contribution|resultat (?:operationnel|sectoriel|d exploitation)|resultado(?: de explotacion| operativo| del segmento)?|risultato(?: operativo| di settore)?|bedrijfsresultaat|segmentresultaat|rorelseresultat|segmentresultat\w*|driftsresultat|resultat af primaer drift|resultat|liikevoitto|wynik (?:operacyjny|segmentu)|zysk operacyjny|resultado operacional|operatives ergebnis|trading profit|profit|result)\b/;
const excludedName =
  /^(?:sub ?total|total|totale|totaal|summe|gesamt|konzern|group|consolidated|company|koncern|konsern|elim|ej fordelat|ofordelat|ufordelt|elimination|intersegment|inter segment|intersegment|corporate(?! (?:banking|clients|customers|travel|solutions|events))|unallocated|central(?:$| (?:costs?|functions?|services|overheads?|office|items?|expenses?|corporate|group))|zentral(?:e|er|es)?(?:$| (?:funktionen|dienste|kosten|bereiche))|holding|uberleitung|reconcil|konsolidierung|sonstiges? konsolid|adjustments?|other reconciling|exceptional|amorti[sz]ation|depreciation|restructuring|impairment|goodwill|interest|finance|income before|profit before|net income|less|change|in |of which|davon|autres produits|other (?:operating )?(?:income|revenue|revenues)$|hors groupe|ensemble|gruppo|operating (?:income|profit|loss)|share of|stock based|share based|acquisition (?:costs?|related)|acquisitions?$|transaction (?:costs?|related)|foreign exchange|general and admin|non allocated|nicht zugeordnet|headquarter|notes?\b|(?:segmentergebnis|segment result|segment profit|ergebnis|umsatzerlose|umsatz|revenues?|sales|result|resultat|resultado|risultato)$)/;
export const excludedAnywhere =
  /\b(?:charges?|write (?:offs?|downs?)|impairments?|litigation|settlements?|severance|wertminderung\w*|wertberichtigung\w*|elimination\w*|elim|eliminierung\w*|intersegment\w*|unallocated|konsolidierung\w*|corporate (?:costs|expenses?|and)|margin|marge|%|percent|growth|employees|assets|capex|depreciation|capital expenditure)\b/;

export function isTotal(name: string): boolean {
  return /^(?:total|totalt|totale|totaal|summe|summa|sum|suma|razem|i alt|gesamt|konzern|group|consolidated|gruppe|groupe|gruppo|grupo|groep|koncernen|koncern|konsern|konsernet)\b/.test(
    name,
  );
}

export function isSegmentName(name: string): boolean {
  return (
    name.length >= 2 &&
    name.length <= 70 &&
    /[a-z]/.test(name) &&
    !excludedName.test(name) &&
    !excludedAnywhere.test(name) &&
    itemOfLabel(name) === undefined
  );
}

/** Whether the text mentions only one of the two. */
function onlyItem(name: string): SegmentItem | undefined {
  const [revenue, result] = [revenueWord.test(name), resultWord.test(name)];
  return revenue === result ? undefined : revenue ? 'revenue' : 'result';
}

/** The only measure that the nearest caption with a measure mentions. */
export function itemOfCaptions(captions: readonly string[]): SegmentItem | undefined {
  const name = captions.map(normaliseName).findLast((each) => revenueWord.test(each) || resultWord.test(each));
  return name === undefined ? undefined : onlyItem(name);
}

export function wordOf(name: string): SegmentItem | undefined {
  if (/\b(?:assets|liabilities|vermogen|schulden|capex|depreciation|employees|expenses?|costs?)\b/.test(name))
    return undefined;
  if (resultWord.test(name) && !/^(?:sales|revenue)/.test(name)) return 'result';
  return revenueWord.test(name) ? 'revenue' : namedMeasure(name);
}

/** The measure that the tables of names know, without the year and the day of a heading. */
function namedMeasure(name: string): SegmentItem | undefined {
  const item = itemOfLabel(name.replace(/\b(?:19|20)\d\d\b|\b(?:q[1-4]|h[12]|fy)\b/g, ' '));
  if (item === 'revenue') return 'revenue';
  return item !== undefined && results.has(item) ? 'result' : undefined;
}

const results: ReadonlySet<LineItem> = new Set<LineItem>([
  'ebit',
  'ebitda',
  'adjusted_ebitda',
  'adjusted_operating_income',
  'recurring_operating_income',
]);

/** "Umsatz Sensorik", "EBIT Drives", in a table of segments. */
export function measureAndName(label: string): { name: string; item: SegmentItem } | undefined {
  const match =
    /^(revenues?|net sales|sales|turnover|umsatz(?:erl[öo]se)?|chiffre d['’]affaires|ventas|ricavi|omzet|ebitda|ebit|segment result|operating (?:profit|income|result)|betriebsergebnis|segmentergebnis|r[ée]sultat op[ée]rationnel|resultado de explotaci[óo]n|risultato operativo|bedrijfsresultaat) (?:of |von |de |del |des |van |in |im )?(\p{Lu}[^\d]{1,50})$/iu.exec(
      label.trim(),
    );
  if (match === null || !/^\p{Lu}/u.test(match[2]!) || !isSegmentName(normaliseName(match[2]!))) return undefined;
  return {
    name: match[2]!,
    item: /^(?:rev|net|sales|turn|ums|chif|vent|ric|omz)/i.test(match[1]!) ? 'revenue' : 'result',
  };
}

/** "Freight - external revenues", "Revenue – Tableware", "Tableware: segment profit". */
export function splitLabel(label: string): { name: string; item: SegmentItem } | undefined {
  const match = /^(.{2,60}?)(?: [-–—] |: )(.{2,60})$/u.exec(label.replace(/\([^()]{0,60}\)/g, ' ').trim());
  if (match === null) return undefined;
  const [left, right] = [normaliseName(match[1]!), normaliseName(match[2]!)];
  const [leftItem, rightItem] = [wordOf(left), wordOf(right)];
  if (rightItem !== undefined && leftItem === undefined && isSegmentName(left))
    return { name: match[1]!, item: rightItem };
  if (leftItem !== undefined && rightItem === undefined && isSegmentName(right))
    return { name: match[2]!, item: leftItem };
  return undefined;
}

/** "1. Ventes de biens - France (1)" is France. */
export function nameOf(label: string): string {
  const bare = label
    .replace(/\([^()]{0,60}\)|[*¹²³†]/g, ' ')
    .replace(/^\s{0,4}(?:\d{1,2}|[a-zA-Z])[.)]\s{1,4}/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return bare
    .replace(/[:–—-]\s*$/, '')
    .replace(/^(?:ventas|ventes|sales of|revenue from|umsatz|ricavi) (?:de |des |d['’]|van )?(?=\S{3})/iu, '')
    .trim()
    .slice(0, 80);
}

/** Whether the rows add up to the total in every column, and the columns in which they do not although they do in another. */
