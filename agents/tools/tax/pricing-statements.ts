/** Statements of a transfer pricing file about its tests: methods, tested parties, ranges and the position of the results. */
import { fullRows } from '../../document/table.ts';
import { compare, parseRational, type Rational } from '../financial/rational.ts';
import { findPercents } from '../text/percents.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { beginsWithForm, cleanName, companyIn } from './companies.ts';
import { figureRow, figureValue } from './figure-rows.ts';
import { foldText, phraseShape } from './fold.ts';
import type { Layout } from './layout.ts';
import { taxSentences } from './sentences.ts';

export type PricingMethod = 'cup' | 'resale-price' | 'cost-plus' | 'tnmm' | 'profit-split';

export interface AppliedMethod extends Range {
  readonly method: PricingMethod;
  readonly testedParty?: string;
}

export interface StatedTest extends Range {
  readonly lower: Rational;
  readonly median?: Rational;
  readonly upper: Rational;
  readonly result?: Rational;
  readonly position?: 'inside' | 'outside';
}

const methods: readonly (readonly [PricingMethod, RegExp])[] = (
  [
    [
      'tnmm',
      'transactional net margin method|tnmm|net margin method|comparable profits method|cpm|geschaftsvorfallbezogene nettomargenmethode|nettomargenmethode|methode transactionnelle de la marge nette|mtmn|tnmm methode|metodo del margine netto*|metodo del margen neto*|transactionele nettomarge*|transaksjonsbasert nettomargin*|metoda marzy transakcyjnej netto|metoda transakcyjnej marzy netto|nettomarginalmetoden',
    ],
    [
      'cup',
      'comparable uncontrolled price*|cup|cup method|preisvergleichsmethode|prix comparable sur le marche libre|pcml|confronto del prezzo|precio libre comparable|comparable uncontrolled transaction|cut method|marktprijsmethode|sammenlignbare ukontrollerte pris*|porownywalnej ceny niekontrolowanej|marknadsprismetoden',
    ],
    [
      'resale-price',
      'resale price method|resale minus|rpm|wiederverkaufspreismethode|prix de revente|prezzo di rivendita|precio de reventa|wederverkoopprijs*|videresalgspris*|ceny odprzedazy|aterforsaljningsprismetoden',
    ],
    [
      'cost-plus',
      'cost plus method|cost plus|kostenaufschlagsmethode|kostenaufschlagmethode|prix de revient majore|cout majore|costo maggiorato|coste incrementado|cost plus methode|kost pluss*|koszt plus|rozsadnej marzy|kostnadsplusmetoden',
    ],
    [
      'profit-split',
      'profit split*|transactional profit split|gewinnaufteilungsmethode|gewinnteilungsmethode|partage des benefices|ripartizione degli utili|division de beneficios|winstsplitsing*|fortjenestedeling|podzialu zysku|vinstfordelning*',
    ],
  ] as const
).map(([method, phrases]) => [method, phraseShape(phrases)] as const);

const applied = phraseShape(
  'most appropriate|applied|is applied|was applied|apply|applies|used|is used|was used|selected|was selected|is selected|chosen|tested using|tested under|tested by|adopted|relied on|angewendet|angewandt|geeignetste|gewahlt|ausgewahlt|herangezogen|verwendet|zugrunde gelegt|anwendung der|retenue|appliquee|nous appliquons|est appliquee|appliquons|la plus appropriee|utilisee|abbiamo applicato|applichiamo|hemos aplicado|aplicamos|wir wenden|wenden wir|wij passen|vi anvender|stosujemy|applicato|piu appropriato|selezionato|adottato|utilizzato|aplicado|mas apropiado|seleccionado|utilizado|toegepast|meest geschikte|gehanteerd|gekozen|anvendt|mest egnede|benyttet|valgt|tillampats|tillampas|vald|zastosowano|najbardziej odpowiednia|wybrano',
);
const rejected = phraseShape(
  'rejected|not applied|not appropriate|not be applied|cannot be applied|could not be applied|was considered|were considered|not selected|dismissed|discarded|not applicable|not used|verworfen|nicht anwendbar|nicht angewendet|abgelehnt|ausgeschlossen|kam nicht|ecartee|rejetee|non retenue|scartato|non applicabile|rechazado|descartado|verworpen|niet toegepast|niet geschikt|forkastet|ikke anvendt|avvist|forkastats|odrzucono|corroborat*|sanity check|secondary',
);

/** "Until 2022 the cost plus method was used". */
const former =
  /\b(?:until (?:the end of )?(?:fy ?)?20\d\d|formerly|previously|in the past|in (?:earlier|former|prior) years|before 20\d\d|bis (?:ende )?20\d\d|fruher|bisher|jusqu'en 20\d\d|auparavant|hasta 20\d\d|anteriormente|fino al 20\d\d|in passato|tot (?:en met )?20\d\d|voorheen|do 20\d\d|wczesniej|tidigare|tidligere)\b/;

export function findAppliedMethods({ document }: Layout): AppliedMethod[] {
  const { text } = document;
  const sentences = taxSentences(document);
  const found: AppliedMethod[] = [];
  let last: { readonly index: number; readonly at: number } | undefined;
  for (const sentence of sentences) {
    if (sentence.end - sentence.start > 600) continue;
    // Marks of Markdown that enclose several lines stay in the text.
    const shown = text.slice(sentence.start, sentence.end).replaceAll(/[\n\t*]/g, ' ');
    const folded = foldText(shown);
    const tested = testedIn(shown, folded) ?? shortTested(shown, folded, text);
    if (
      tested !== undefined &&
      last !== undefined &&
      sentence.start - last.at < 1_500 &&
      found[last.index]!.testedParty === undefined
    ) {
      found[last.index] = { ...found[last.index]!, testedParty: tested };
    }
    for (const clause of folded.split(/;|, (?:whereas|while|but|and the|wahrend|jedoch|tandis que|mentre)/)) {
      const method = methods.find(([, shape]) => shape.test(clause))?.[0];
      const isLabel =
        /^(?:method(?: applied| selected| used)?|tp method|verrechnungspreismethode|methode|metodo|metode|metoda)\s?[:|-]|^(?:transfer pricing )?method\b.{0,4} /.test(
          clause,
        );
      if (method === undefined || rejected.test(clause) || former.test(clause) || !(applied.test(clause) || isLabel))
        continue;
      const same = found.findIndex(
        (each) =>
          each.method === method &&
          (tested === undefined || each.testedParty === undefined || each.testedParty === tested),
      );
      if (same === -1)
        found.push({
          method,
          start: sentence.start,
          end: sentence.end,
          ...(tested === undefined ? {} : { testedParty: tested }),
        });
      last = { index: same === -1 ? found.length - 1 : same, at: sentence.start };
    }
  }
  return found;
}

const testedCue =
  /tested party|getestete[rns]? (?:partei|gesellschaft|unternehmen)|untersuchte[rns]? unternehmen|partie testee|entite testee|parte testata|soggetto testato|parte analizada|geteste partij|testede part|testpart|testad part|podmiot badany|strona badana|testovana strana/;

/** "Alder is the tested party", of a company that the document names with its legal form. */
function shortTested(shown: string, folded: string, text: string): string | undefined {
  const cue = testedCue.exec(folded);
  if (cue === null) return undefined;
  const name =
    /(\p{Lu}[\p{L}\d&-]+(?: \p{Lu}[\p{L}\d&-]+){0,3}) (?:is|was|ist|war|est|è|es|jest|är|er) (?:selected as |chosen as |the |die |das |la |il |el |l['’]|de |den )*$/u.exec(
      shown.slice(0, cue.index),
    )?.[1];
  if (name === undefined) return undefined;
  const full = [...text.matchAll(new RegExp(String.raw`(?<!\p{L})${name}(?!\p{L})`, 'gu'))]
    .slice(0, 40)
    .flatMap(({ index }) => companyIn(text.slice(index, index + 80).split('\n', 1)[0]!) ?? [])
    .filter((company) => company.startsWith(name) && beginsWithForm(company.slice(name.length)));
  return new Set(full).size === 1 ? full[0] : undefined;
}

/** "Alder GmbH is the tested party", "Tested party: Alder GmbH", "… as the tested party". */
function testedIn(shown: string, folded: string): string | undefined {
  const cue = testedCue.exec(folded);
  if (cue === null) return undefined;
  const behind = shown.slice(cue.index + cue[0].length);
  const label =
    /^\s{0,3}(?:[:|–-]|is|being|ist|est|étant|essendo|siendo|is|er|är|jest|była?|stanowi|to|je|è|e |es |é |was|were|wurde|war|était|era|var|\s)\s{0,3}(?:the |die |la |le )?/.exec(
      behind,
    );
  const after = label === null ? undefined : companyIn(behind.slice(label[0].length));
  const isDirect = after !== undefined && behind.slice(label![0].length).startsWith(after.slice(0, 6));
  if (isDirect) return after;
  const before = shown.slice(0, cue.index);
  if (/\bnot (?:the |selected|chosen)|nicht /i.test(before.slice(-24))) return undefined;
  const names = [
    ...before.matchAll(
      /\p{Lu}[\p{L}\d&.'-]*(?: (?:&|und|et|i|e|y|\p{Lu}[\p{L}\d&.'/-]*|[a-z]\.[a-z]\.[a-z]?\.?|sp\.|z o\.o\.)){1,7}/gu,
    ),
  ].flatMap(([name]) => companyIn(name) ?? []);
  return names.length > 0 ? cleanName(names.at(-1)!) : undefined;
}

const rangeWord =
  /inter-?quartil|quartil|kvartil|kwartyl|interkvartil|arm's length range|fremdvergleichsbandbreite|eingeengte bandbreite|intervalle interquartile|percentile/;
const lowerWord =
  /\b(?:lower|first|1st|25th|q1|unteres|unterer|erstes|1\. quartil|premier|inferieur|inferiore|primo|inferior|primer|eerste|laagste|onderste|nedre|forste|dolny|dolni|pierwszy|minimum of the interquartile)\b/;
const upperWord =
  /\b(?:upper|third|3rd|75th|q3|oberes|oberer|drittes|3\. quartil|troisieme|superieur|superiore|terzo|superior|tercer|derde|bovenste|ovre|tredje|gorny|horni|trzeci)\b/;
const medianWord = /\b(?:median[ae]?|mediane|mediaan|mediana|50th)\b/;
const preliminary =
  /\b(?:preliminary|initial(?:e[ns]?)?|first sample|raw sample|before|previous|prior study|superseded|vorlaufig[a-z]{0,2}|vorherige[a-z]?|ursprunglich[a-z]{0,2}|erste (?:auswahl|stichprobe)|preliminaires?|initiaux|avant|echantillon initial|premiere selection|preliminare|iniziale|campione iniziale|preliminar|muestra inicial|inicial|voorlopig[e]?|aanvankelijk[e]?|eerste selectie|forelopig[e]?|preliminar[a-z]{0,2}|wstepn[a-z]{1,3}|pierwotn[a-z]{1,3}|poczatkow[a-z]{1,3}|puvodni|predbezn[a-z]{1,3})\b/;

export function findStatedTests(layout: Layout): StatedTest[] {
  const ranges = [...columnRanges(layout), ...tableRanges(layout), ...sentenceRanges(layout)].sort(
    (a, b) => a.start - b.start,
  );
  return ranges.map((range, index) =>
    withResult(layout, range, ranges[index + 1]?.start ?? Number.POSITIVE_INFINITY, ranges.length),
  );
}

/** Rows of sets with a column for each quartile; rows of sets that were replaced are left out. */
function columnRanges({ document }: Layout): StatedTest[] {
  return document.tables.flatMap((table): StatedTest[] => {
    const [heads = [], ...rows] = fullRows(table);
    const folded = heads.map(({ text }) => foldText(text));
    const at = (word: RegExp) => folded.findIndex((head) => head.length <= 40 && word.test(head));
    const [lower, median, upper] = [at(lowerWord), at(medianWord), at(upperWord)];
    if (lower < 0 || median < 0 || upper < 0 || new Set([lower, median, upper]).size < 3) return [];
    const own = rows.filter((cells) => !preliminary.test(foldText(cells.map(({ text }) => text).join(' '))));
    return own.flatMap((cells): StatedTest[] => {
      const value = (column: number) => {
        const [percent, ...more] = findPercents(percentText(cells[column]?.text ?? ''), {
          decimalMark: document.decimalMark,
        });
        return percent === undefined || more.length > 0 ? undefined : parseRational(percent.value);
      };
      const [first, second, third] = [value(lower), value(median), value(upper)];
      if (first === undefined || second === undefined || third === undefined) return [];
      if (compare(first, second) > 0 || compare(second, third) > 0) return [];
      const shown = cells.filter(({ text }) => text !== '');
      return [{ lower: first, median: second, upper: third, start: shown[0]!.start, end: shown.at(-1)!.end }];
    });
  });
}

/** The percent sign may stand in the heading. */
const percentText = (text: string) => (/^[-–−]?\d[\d.,]*$/u.test(text.trim()) ? `${text.trim()}%` : text);

/** Rows "Lower quartile", "Median" and "Upper quartile" near each other. */
function tableRanges(layout: Layout): StatedTest[] {
  const found: StatedTest[] = [];
  let parts: { lower?: Rational; median?: Rational; upper?: Rational; start: number; line: number } | undefined;
  for (const line of layout.lines) {
    if (line.end - line.start > 200) continue;
    const row = figureRow(layout, line);
    const value = figureValue(row?.figures.at(-1));
    if (row === undefined || value === undefined) continue;
    const kind = medianWord.test(row.folded)
      ? 'median'
      : !/quartil|kvartil|kwartyl|percentil|q1|q3/.test(row.folded)
        ? undefined
        : lowerWord.test(row.folded)
          ? 'lower'
          : upperWord.test(row.folded)
            ? 'upper'
            : undefined;
    if (kind === undefined) continue;
    if (parts === undefined || line.index - parts.line > 6 || parts[kind] !== undefined)
      parts = { start: line.start, line: line.index };
    parts[kind] = value;
    const { lower, median, upper } = parts;
    if (lower !== undefined && upper !== undefined && median !== undefined && compare(lower, upper) <= 0) {
      found.push({ lower, median, upper, start: parts.start, end: line.end });
      parts = undefined;
    }
  }
  return found;
}

function sentenceRanges({ document }: Layout): StatedTest[] {
  const { text, decimalMark } = document;
  const sentences = taxSentences(document);
  return sentences.flatMap((sentence): StatedTest[] => {
    if (sentence.end - sentence.start > 600) return [];
    const shown = text.slice(sentence.start, sentence.end).replaceAll('\n', ' ');
    const folded = foldText(shown);
    if (!rangeWord.test(folded) || preliminary.test(folded)) return [];
    const found: { lower?: Rational; median?: Rational; upper?: Rational } = {};
    const rest: Rational[] = [];
    /** Those behind the word for the range: "the full range 0.4% to 7.9%, the interquartile range 1.8% to 4.6%". */
    const named: Rational[] = [];
    const cue = rangeWord.exec(folded)!.index;
    let at = 0;
    for (const percent of percentsOf(shown, decimalMark)) {
      const value = parseRational(percent.value);
      const before = folded.slice(at, percent.start);
      at = percent.end;
      if (value === undefined) continue;
      if (medianWord.test(before)) found.median ??= value;
      else if (lowerWord.test(before)) found.lower ??= value;
      else if (upperWord.test(before)) found.upper ??= value;
      else if (!/result|tested|margin of|earned|rate of/.test(before.slice(-40)) || rest.length < 2) {
        rest.push(value);
        if (percent.start > cue) named.push(value);
      }
    }
    if (found.lower === undefined && found.upper === undefined && rest.length >= 2)
      [found.lower, found.upper] = (rest.length > 2 && named.length >= 2 ? named : rest) as [Rational, Rational];
    const { lower, upper, median } = found;
    return lower === undefined || upper === undefined || compare(lower, upper) >= 0
      ? []
      : [{ lower, upper, ...(median === undefined ? {} : { median }), start: sentence.start, end: sentence.end }];
  });
}

/** Percentages, including a number that shares the sign of the second: "2.5 to 5.0 %". */
function percentsOf(shown: string, decimalMark: '.' | ',' | undefined) {
  const spread = shown.replace(
    /(\d[\d.,]*)( ?(?:to|bis|–|-|a|à|al|tot|til|do|und|and|et) ?)(?=\d[\d.,]* ?%)/g,
    (all, number: string, link: string) => `${number}%${link.slice(0, -1)}`.slice(0, all.length).padEnd(all.length),
  );
  return findPercents(spread, { decimalMark });
}

const outside =
  /\b(?:outside|below|above|exceeds|falls short|under the|not within|ausserhalb|unterhalb|oberhalb|liegt unter|liegt uber|en dehors|inferieur|superieur|hors de|al di fuori|inferiore|superiore|fuera|por debajo|por encima|buiten|onder het|boven het|utenfor|utanfor|poza|ponizej|powyzej|mimo)\b/;
const inside =
  /\b(?:inside|within|falls in|lies in|in the interquartile|in line with the range|innerhalb|im interquartil|in der bandbreite|a l'interieur|dans l'intervalle|compris dans|all'interno|nell'intervallo|dentro|binnen|innenfor|inom|w przedziale|miesci sie)\b/;

/** "7.1 % (2024: 6.3 %)", "against 5 % in the year before": what a result is compared with. */
const compared =
  /\((?:[^()%]*\b(?:(?:19|20)\d\d|prior|previous|last year|vorjahr|vj|py|n-1|annee precedente|exercice precedent|anno precedente|ejercicio anterior|vorig jaar|i fjor|foregaende ar|rok poprzedni)\b)[^()%]{0,12}$|\b(?:compared (?:to|with)|against|gegenuber|nach|contre|rispetto a|frente a|tegenover|mot) $/;

/** "5.35 % (2024: 3.05 %; budget: 5.00 %)": what stands in brackets is another year's or a plan's. */
function isInBrackets(shown: string, at: number): boolean {
  const before = shown.slice(0, at);
  return before.lastIndexOf('(') > before.lastIndexOf(')');
}

const resultWord =
  /\b(?:margin|mark-?up|return|result|spread|(?:interest |pool )?rate\b|cost plus|profit|earned|berry|marge|margine|margen|aufschlag|rendite|ergebnis|zinssatz|taux|tasso|tipo|rente|marza|narzut|wynik|oprocentowanie|prirazka|margem|marginal|paslag)/;

/** The only percentage of one of the three sentences before that names a result. */
function resultBefore(
  document: Layout['document'],
  index: number,
  range: StatedTest,
): { readonly parsed: Rational } | undefined {
  const { text, decimalMark } = document;
  const sentences = taxSentences(document);
  for (const { start, end } of sentences.slice(Math.max(0, index - 3), index).reverse()) {
    if (end - start > 400 || (start < range.end && range.start < end)) continue;
    const shown = text.slice(start, end).replaceAll('\n', ' ');
    if (!resultWord.test(foldText(shown))) continue;
    const values = findPercents(shown, { decimalMark }).filter((percent) => !isInBrackets(shown, percent.start));
    const parsed = values.length === 1 ? parseRational(values[0]!.value) : undefined;
    if (parsed !== undefined) return { parsed };
  }
  return undefined;
}

/** The sentence that says where a result stands: the nearest behind the range, else in it. */
function withResult({ document }: Layout, range: StatedTest, until: number, count: number): StatedTest {
  const { text, decimalMark } = document;
  const sentences = taxSentences(document);
  const reach = count === 1 ? 20_000 : 4_000;
  for (let at = indexAt(sentences, range.start) ?? 0; at < sentences.length; at += 1) {
    const sentence = sentences[at]!;
    if (sentence.start < range.start) continue;
    if (sentence.start >= until || sentence.start - range.end > reach) break;
    if (sentence.end - sentence.start > 600) continue;
    const shown = text.slice(sentence.start, sentence.end).replaceAll('\n', ' ');
    const folded = foldText(shown);
    if (!/range|quartil|bandbreite|intervall|kvartil|intervalo|rango|bereik|kwartyl|przedzial|spann/.test(folded))
      continue;
    const isOutside = outside.test(folded);
    if (!isOutside && !inside.test(folded)) continue;
    const position = isOutside && !/not (?:outside|below|above)/.test(folded) ? 'outside' : 'inside';
    const percents = findPercents(shown, { decimalMark });
    const bare = percents.filter(({ start }) => !isInBrackets(shown, start));
    const own = (bare.length > 0 ? bare : percents).flatMap(({ value, start }) => {
      const parsed = parseRational(value);
      return parsed === undefined ||
        compared.test(folded.slice(Math.max(0, start - 40), start)) ||
        [range.lower, range.upper, range.median].some((each) => each !== undefined && compare(each, parsed) === 0)
        ? []
        : [{ parsed, start }];
    });
    const cue = (isOutside ? outside : inside).exec(folded)!.index;
    const result = own.filter(({ start }) => start < cue).at(-1) ?? own[0] ?? resultBefore(document, at, range);
    if (result === undefined) continue;
    const fits =
      compare(result.parsed, range.lower) < 0 || compare(result.parsed, range.upper) > 0 ? 'outside' : 'inside';
    return { ...range, result: result.parsed, position: fits === position ? position : fits };
  }
  return range;
}
