/** Sentences of a report with their items and amounts, and whether they state reported figures of this company. */
import { type FoundAmount, findAmounts } from '../text/amounts.ts';
import { parseNumber } from '../text/numbers.ts';
import type { Range } from '../text/span.ts';
import { beginsItem, itemNamed, type LineItem, nameWordsMax, normaliseName } from './line-items.ts';
import { isLossName } from './loss-names.ts';
import { multiply, parseRational, type Rational, rational, toText } from './rational.ts';
import { remembered } from './remembered.ts';
import { dollars } from './units.ts';

/** Longer sentences are not prose but tables without line breaks or machine output. */
export const sentenceCharactersMax = 1_200;

/**
 * Keeps the length: line breaks become blanks, and the halves of a hyphenated word are joined and followed by blanks. "$75
 * mil-\
 * lion" becomes "$75 million  ".
 */
export const flattened = remembered((text: string): string =>
  text
    .replace(/(\p{Ll})-\n[ \t]{0,40}(\p{Ll}{1,20})/gu, (all, before: string, rest: string) =>
      `${before}${rest}`.padEnd(all.length),
    )
    .replace(
      /\s([ \t]{1,40}|(?<=\n)[ \t]{0,40})(\d\S{0,20}(?: \S{1,12}){1,2}|\S{1,40})/gu,
      (all, _blanks, next: string) => ` ${next}`.padEnd(all.length),
    )
    .replace(/\t/g, ';')
    .replace(/[\n\r\u00a0]/g, ' '),
);

const word = (alternatives: string) => new RegExp(`(?<![\\p{L}])(?:${alternatives})(?![\\p{L}])`, 'iu');

/** Suppositions, plans and examples are not figures. */
export const supposition = word(
  'would|could|might|were to|pro forma|no (?:supera|excede)\\p{L}*|ne d[ée]passe\\p{L}*|nicht überschr\\p{L}*|non (?:supera|eccede)\\p{L}*|niet overschr\\p{L}*|' +
    'hypothetical(?:ly)?|scenario|assuming|assumption|sensitivity|ambition|aspiration|by way of example|for example|for instance|' +
    'illustrative|illustration|if enacted|plan(?:entwurf|zahlen|umsatz|ansatz)|budget(?:entwurf|zahlen|ansatz)|had (?:it|we|the|been|currenc\\p{L}+|no)|basis points?|up to|maximum of|at least|threshold|exceed(?:s|ed)?|' +
    'w(?:ü|ue)rden?|h(?:ä|ae)tten?|w(?:ä|ae)ren?|k(?:ö|oe)nnten?|falls|szenario|beispiel(?:sweise)?|angenommen|überschreitet|mindestens|h[öo]chstens|' +
    'pourrait|aurait|serait|seraient|progresserait|augmentait|hypoth[èe]se|par exemple|si le|si les|si la|' +
    'skulle|ville|kunne|m[óo]g[łl]\\p{L}*by|by[łl]oby|poderia|seria|podr[íi]a|ser[íi]a|caer[íi]an?|habr[íi]a|hip[óo]tesis|si se|por ejemplo|potrebbe|sarebbe|ipotesi|avrebbe|zou|zouden|indien|stel dat|bijvoorbeeld',
);
export const forwardLooking = word(
  'räknar|förväntar|förväntas|bedömer|utsikter|prognosen|forventer|forventes|venter|forventninger|oczekuj\\p{L}*|przewiduj\\p{L}*|prognoz\\p{L}*|estima|perspetivas|odotta\\p{L}*|arvioi|guided|expects?|expected|expecting|outlook|guidance|forecasts?|anticipates?|anticipated|projects|projected|plans? to|aims?|will be|we see|guides?|guiding|reaffirms?|raises?|' +
    'erwarte[nt]?|erwartet|rechne[nt]|prognos\\p{L}*|ausblick|planen|plant(?! and (?:equipment|machinery))|voraussichtlich|' +
    'pr[ée]voit|pr[ée]voyons|vise|visons|table sur|tablons|ambitionne|attend|attendons|perspectives|anticipe|pr[ée]vision|' +
    'prev[ée]|prevemos|espera|esperamos|previsi[óo]n|perspectivas|prevede|prevediamo|attende|previsione|verwacht(?:en)?|vooruitzichten|prognose',
);
const notForward =
  /\b(?:than|as|was|were) (?:we (?:had )?|previously |originally )?expected\b|\bis expected to be (?:recogni|collected)/i;
/** Others than the company itself. */
const otherEntity = word(
  'moderbolagets?|moderselskabets?|morselskapets?|konkurrent(?:er|erna|en)?|dotterbolag(?:et)?|datterselskab(?:et)?|datterselskap(?:et)?|tochtergesellschaft|the subsidiary|our subsidiary|filiale|controllata|empresa-m[ãa]e|sp[óo][łl]ka zale[żz]na|whose|rivals?|competing|former parent|parent company|its parent|our parent|competitors?|peers?|industry|industry-wide|association|market as a whole|claimant|plaintiff|' +
    'customers? reported|joint venture|associates?|associate|acquiree|target company|predecessor|carriers|analysts?|consensus|[üu]bernahme (?:von|der|des)|acquisition de|adquisici[óo]n de|acquisizione di|overname van|' +
    'muttergesellschaft|mutterunternehmens?|wettbewerbers?|wettbewerbern|konkurrent(?:en)?|kl[äa]gers?|beteiligung an|verbands?|verbandes|schwellenwert|branche|' +
    'soci[ée]t[ée] m[èe]re|concurrents?|fili[èe]re|holding|consolidation de|chiffre d.affaires consolid[ée]|' +
    'competidor(?:es)?|matriz|sector|concorrente|controllante|capogruppo|concurrent(?:en)?|moedermaatschappij|branchevereniging',
);
const ownParent =
  /\b(?:owners|holders|shareholders|anteilseigner|actionnaires|propri[ée]taires)\s(?:of the |des |der |de la )(?:parent|mutter|soci[ée]t[ée] m[èe]re)\w*/giu;

export function isForward(sentence: string): boolean {
  return forwardLooking.test(sentence) && !notForward.test(sentence);
}

/** "Revenue grew": a sentence about a period that has ended, also below the heading of an outlook. */
export const pastTense = word(
  'grew|rose|fell|was|were|increased|decreased|declined|improved|reached|came to|stood at|amounted to|totall?ed|betrug|betrugen|stieg|stiegen|sank|sanken|lag|lagen|erreichte|wuchs|wurde|' +
    's.est élevée?|s.élevait|a atteint|a progressé|a augmenté|a reculé|était|ascendió|creció|aumentó|alcanzó|fue|disminuyó|ammontava|(?:è|sono) (?:cresciut|aumentat|diminuit|stat)[oaie]|ha raggiunto|' +
    'bedroeg|steeg|daalde|groeide|uppgick|ökade|minskade|blev|udgjorde|steg|faldt|utgjorde|økte|wyni(?:ósł|osła|osły)|wzr(?:ósł|osła|osły)|spad(?:ł|ła|ły)|cresceu|cresceram|ascendeu|atingiu|foi|diminuiu',
);

/** "Between €245m and €255m": a reported figure is no range. */
const rangeShape =
  /(?<!\p{L})(?:between|zwischen|entre|tra|fra|tussen|mellan|mellem|mellom|między) {1,2}(?:rund |about |US)?(?:[€$£]|[A-Z]{3} )?\d[^.;]{0,24} (?:and|und|et|y|e|en|och|og|a) {1,2}(?:[€$£]|[A-Z]{3} )?\d/iu;

/** Whether amounts of the sentence can be figures of the company. */
export const isReported = remembered(
  (sentence: string): boolean =>
    !supposition.test(sentence) &&
    !rangeShape.test(sentence) &&
    !isForward(sentence) &&
    !otherEntity.test(sentence.replace(ownParent, ' ')),
);

export function isOfOthers(sentence: string): boolean {
  return otherEntity.test(sentence.replace(ownParent, ' '));
}

export interface ProseAmount extends FoundAmount {
  /** "5 million", not "5,000,000". */
  readonly isScaled: boolean;
}

/** Whether an amount may be in the currency: it names none, or the same, or "$" for any dollar. */
export function isInCurrency({ currency: own }: ProseAmount, written: string, currency: string | undefined): boolean {
  return (
    own === undefined ||
    currency === undefined ||
    own === currency ||
    (own === 'USD' && dollars.has(currency) && !/U\.?S|dollar/i.test(written))
  );
}

const scaleWord =
  /(?:thousand|thsd|tsd|tausend|millions?|millionen|mio|mill|mil|mln|milliers|milliards?|billions?|bn|mrd|mld|millones|milioni|miliardi|miles|migliaia|miljoen|miljard|duizend|[kmb]€?)(?:\.|\s|$|\b)/iu;
const scaledShape =
  /(?<![\p{L}\d.,])(\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,3}(?:,\d{1,3})?|\d{1,9}(?:[.,]\d{1,3})?)[ \u00a0]{1,3}(thousand|miljoner|millioner|miljarder|milliarder|milh[õo]es|milhares|tusen|tys\.?|millions?|millionen|mio|mil|mln|billions?|bn|mrd|mld|milliards?|milliers|millones|milioni|miliardi|miles|migliaia|miljoen|miljard|duizend|M€|k€|Md€)(?![\p{L}\d])/giu;
/** "TEUR 640", "T€ 640", "41,3 M€", "KEUR 12". */
const prefixedShape =
  /(?<![\p{L}\d])([TKM])(?:EUR|€|CHF|USD|GBP|SEK)[ \u00a0]{0,2}(\d[\d.,'’ ]{0,20}\d|\d)|(?<!\d[ \u00a0]?)(\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,3}(?:,\d{1,3})?|\d[\d.,'’]{0,20}\d|\d)[ \u00a0]{0,2}([TKM])(?:EUR|€|CHF|SEK|NOK|DKK|kr)(?!\p{L})|(\d[\d.,]{0,20})[ \u00a0]{0,2}([kM]|Md)€/gu;

/**
 * Amounts with a currency, and numbers with only a multiplier, in text order.
 *
 * @param text flattened · @param declaredZeros powers of ten of amounts without a multiplier, if the document declares them
 */
export function findProseAmounts(text: string, decimalMark: '.' | ',' | undefined, declaredZeros = 0): ProseAmount[] {
  const found: ProseAmount[] = findAmounts(text, { decimalMark }).map((amount) => {
    const isScaled = scaleWord.test(text.slice(amount.start, amount.end).replace(/^[^\d]{0,8}[\d.,'’ ]{1,30}/u, ''));
    // Prices have decimals, and are not in the unit of the statements.
    const value = isScaled || declaredZeros === 0 ? undefined : wholeNumber(amount.value);
    return value === undefined
      ? { ...amount, isScaled }
      : { ...amount, value: toText(multiply(value, rational(10n ** BigInt(declaredZeros)))), isScaled: true };
  });
  const add = (match: RegExpMatchArray, number: string, zeros: number, currency?: string) => {
    const parsed = parseNumber(number.trim(), { decimalMark });
    const value = parsed === undefined ? undefined : parseRational(parsed.value);
    if (value === undefined) return;
    const end = match.index! + match[0].length;
    const overlapping = found.findIndex((amount) => amount.start < end && amount.end > match.index!);
    const amount: ProseAmount = {
      start: match.index!,
      end,
      value: toText(
        multiply(
          value,
          zeros < 0 ? { numerator: 1n, denominator: 10n ** BigInt(-zeros) } : rational(10n ** BigInt(zeros)),
        ),
      ),
      isScaled: true,
      ...(currency === undefined ? {} : { currency }),
    };
    if (overlapping === -1) found.push(amount);
    else if (!found[overlapping]!.isScaled) {
      const known = found[overlapping]!;
      const code = currency ?? known.currency;
      found[overlapping] = {
        ...amount,
        start: Math.min(known.start, amount.start),
        end: Math.max(known.end, end),
        ...(code === undefined ? {} : { currency: code }),
      };
    }
  };
  for (const match of text.matchAll(prefixedShape)) {
    const mark = match[1] ?? match[4] ?? match[6]!;
    const zeros = mark === 'M' ? 6 : mark === 'Md' ? 9 : 3;
    const code = /(EUR|CHF|USD|GBP|SEK|NOK|DKK)/.exec(match[0])?.[1] ?? (match[0].endsWith('kr') ? undefined : 'EUR');
    add(match, (match[2] ?? match[3] ?? match[5])!, zeros, code);
  }
  for (const match of text.matchAll(scaledShape)) {
    const unit = match[2]!;
    const zeros = /^(?:billion|bn|mrd|mld|milliard|miliard|miljard|Md€)/i.test(unit)
      ? 9
      : /^(?:t|k€|millier|milhares|miles|miglia|duizend)/i.test(unit)
        ? 3
        : 6;
    const behind = text.slice(match.index + match[0].length, match.index + match[0].length + 12);
    const code = /^\s{0,2}(?:de |di |d.)?(?:€|EUR|euro)/i.test(behind) || unit.includes('€') ? 'EUR' : undefined;
    add(match, match[1]!, zeros, code);
  }
  for (const match of text.matchAll(penceShape)) add(match, match[1]!, -2, 'GBP');
  return found.sort((a, b) => a.start - b.start);
}

/** An amount of at least three digits without decimals. */
function wholeNumber(value: string): Rational | undefined {
  return /^-?\d{3,}$/.test(value) ? parseRational(value) : undefined;
}

/**
 * Like `findProseAmounts`; where no amount has a unit, numbers with separated thousands are amounts in the only unit of the document:
 * "Cash was 7,412 against a required minimum of 5,000".
 */
export function findScaledAmounts(
  text: string,
  decimalMark: '.' | ',' | undefined,
  { zeros, declaredZeros }: { readonly zeros: readonly number[]; readonly declaredZeros: number },
): readonly ProseAmount[] {
  const found = findProseAmounts(text, decimalMark, declaredZeros);
  const scaled = zeros.filter((each) => each > 0);
  if (found.length > 0 || scaled.length !== 1) return found;
  return [...text.matchAll(groupedShape)].flatMap((match): ProseAmount[] => {
    const value = parseRational(match[0].replace(/\D/g, ''));
    if (value === undefined) return [];
    const whole = toText(multiply(value, rational(10n ** BigInt(scaled[0]!))));
    return [{ start: match.index, end: match.index + match[0].length, value: whole, isScaled: true }];
  });
}

const groupedShape =
  /(?<![\p{L}\d.,:/'’-])\d{1,3}(?:,\d{3}|\.\d{3}|['’]\d{3}|[ \u00a0]\d{3}){1,3}(?![\d:]|[.,]\d|\s?%)/gu;

/** "41.2 pence", "12.4p" */
const penceShape = /(?<![\p{L}\d.,£])(\d{1,4}(?:\.\d{1,2})?) ?(?:pence|p)(?![\p{L}\d])/gu;

export interface FoundItem extends Range {
  readonly item: LineItem;
  readonly isLoss: boolean;
  /** "Earnings per share before and after dilution": basic and diluted. */
  readonly isPair?: boolean;
}

/** "by EUR 2 million", "$12 million lower", "an increase of $3 million": changes, not levels. */
export function isChange(sentence: string, { start, end }: Range): boolean {
  const before = sentence.slice(Math.max(0, start - 40), start);
  return (changeBefore.test(before) && !levelBefore.test(before)) || changeAfter.test(sentence.slice(end, end + 24));
}

/** "Est de", "fue de", "ein Gewinn von": the preposition introduces a level and not the size of a change. */
const levelBefore =
  /(?<!\p{L})(?:est|sont|[ée]tait|[ée]taient|fut|furent|ressort(?:ent)?|fue|fueron|es|son|era|eran|foi|foram|[ée]|s[ãa]o|[èe] stat[oiae]|montants?|importe|montante|importo|valeur|valor|valore|b[ée]n[ée]fices?|pertes?|exc[ée]dent|d[ée]ficit|beneficios?|p[ée]rdidas?|utili?|utile|perdit[ae]|lucros?|preju[íi]zos?|ganancias?|winst|verlies|result(?:at|ado|ato)s?|saldo|solde)(?: (?:net(?:to)?|neto|nett[oa]|l[íi]quido|total))? (?:de|d['’]|di|van)\s{1,3}(?:environ |circa |unos |cerca de )?[€$£]?$/iu;

const changeBefore =
  /(?:\b(?:by|up|down|um|de|o|door|met|di|more than|less than|over|exceeding|above|below|per|added|includes?|including|charge of|impairment of)|\b(?:increase|decrease|decline|rise|improvement|reduction|growth|gain|drop|fall|anstieg|r[üu]ckgang|zuwachs|hausse|baisse|aumento|descenso|calo|stijging|daling)(?: of| von| de| di| van)?)\s{1,3}(?:about |some |over |approximately |rund |environ )?[€$£]?$/iu;
const changeAfter =
  /^\s{0,3}(?:lower|higher|more|less|better|worse|above|below|increase|decrease|improvement|charge|impairment|niedriger|h[öo]her|weniger|mehr|de plus|de moins|m[áa]s|menos|in pi[ùu]|meer|minder|hoger|lager)\b/iu;

/**
 * Longest names first; a name counts only if it stands alone, without another noun before it ("deferred revenue") or after it
 * ("revenue growth").
 */
export const findItems = remembered(readItems);

function readItems(sentence: string): readonly FoundItem[] {
  const words = [...sentence.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    name: normaliseName(match[0]),
  }));
  const found: FoundItem[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!beginsItem(words[at]!.name)) continue;
    for (let count = Math.min(nameWordsMax, words.length - at); count > 0; count -= 1) {
      const name = words
        .slice(at, at + count)
        .map((each) => each.name)
        .join(' ');
      const item = name.length < 3 || notInProse.has(name) ? undefined : itemNamed(name);
      if (item === undefined) continue;
      const range = { start: words[at]!.start, end: words[at + count - 1]!.end };
      const before = words[at - 1];
      const after = words[at + count];
      const leads = before === undefined || isMark(sentence.slice(before.end, range.start)) || leading.has(before.name);
      const follows =
        after === undefined || isMark(sentence.slice(range.end, after.start)) || following.test(after.name);
      // "Adjusted profit before tax" differs from "adjusted profit".
      const isBefore =
        /profit$|gewinn$|ergebnis$/.test(name) &&
        /^ (?:before|vor|avant|antes|prima|voor) /i.test(sentence.slice(range.end, range.end + 9));
      const isPart =
        (item === 'revenue' && partShape.test(sentence.slice(range.end, range.end + 24))) ||
        (item === 'cash' && withSecurities.test(sentence.slice(range.end, range.end + 60)));
      // "50.0 % of net sales", "2.1 times EBITDA of the year": the base of a ratio.
      const isBase =
        /(?:%|percent|per cent|percentage|prozent) (?:of|der|des|du|de la) {1,2}(?:the |our |total )?$/iu.test(
          sentence.slice(Math.max(0, range.start - 30), range.start),
        );
      if (leads && follows && !isPart && !isBase && !isBefore) {
        const both =
          item === 'eps_basic' || item === 'eps_diluted' ? bothDilutions.exec(sentence.slice(range.end)) : null;
        const end = range.end + (both?.[0].length ?? 0);
        const own = item === 'ppe' && invested.test(sentence.slice(0, range.start)) ? 'capex' : item;
        found.push({
          item: own,
          isLoss: isLossName(name),
          start: range.start,
          end,
          ...(both === null ? {} : { isPair: true }),
        });
      }
      at += count - 1;
      break;
    }
  }
  return found;
}

const bothDilutions =
  /^,? ?\(?(?:before and after dilution|basic and diluted|vor und nach verwässerung|unverwässert und verwässert)/iu;

/** "We invested £27.8m in property, plant and equipment": a payment and not a balance. */
const invested =
  /(?<!\p{L})(?:invest(?:ed|ment of|ments of)|spen[dt]|investiert\p{L}*|investi|invirti\p{L}+|investito|ge[iï]nvesteerd) (?:[^.;]|\.\d){0,64} (?:in|on|en|dans|in die|in den) (?:the |new |our )?$/iu;

/** Single words with many other meanings in sentences. */
const notInProse = new Set(
  (
    'profit|loss|tax|steuern|clients|clienti|clientes|crediti|debiti|vorderingen|creances|dettes|schulden|passiven|aktiven|stock|stocks|debtors|' +
    'creditors|provisions|fournisseurs|proveedores|impots|imposte|belastingen|benefice|liabilities|contract liabilities|consumos|part du groupe|' +
    'owners of the parent|shareholders of the company|owners of the company|dividends|provisiones|ruckstellungen|verbindlichkeiten|' +
    'depreciation|income taxes paid|taxation|securities|revenus|utdelning|cash and equivalents|term loan non current'
  ).split('|'),
);

/** "Revenue from service contracts", "sales in Germany": a part of the item. */
const partShape =
  /^ {1,3}(?:(?:from|aus|mit|per|to) (?![€$£\d])(?!EUR|USD|GBP|CHF)|in (?!(?:H[öo]he|fiscal|the|our|20\d\d|Q[1-4]|H[12]|FY|line|January|February|March|April|May|June|July|August|September|October|November|December)\b)\p{Lu}|of (?!(?:about|approximately|some|between|roughly|nearly|around|just|only|more|over|US)\b)\p{L})/u;

/** "Cash, cash equivalents and marketable securities": more than cash. */
const withSecurities =
  /^(?:,? (?:and )?(?:cash equivalents|restricted cash))?,? {1,2}(?:and|und|et|y|e|en) {1,2}(?:(?:short[- ]term|current|marketable|liquid|other|kurzfristigen?) )?(?:deposits|investments?|(?:debt )?securities|wertpapieren?|placements|valeurs mobili|inversiones|titoli|beleggingen|effecten)/iu;

/** Whether two words are separated by more than a blank, a hyphen or an apostrophe. */
function isMark(between: string): boolean {
  return /[^\s'’-]/.test(between);
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words that may precede the name of an item without changing its meaning. */
const leading = words(
  'the a an our its their this that konzern gesellschaft unternehmen statutory nach weiterhin nunmehr jetzt aktuell now currently again desormais ahora ora nu unverandert nun ihre seine ihren seinen konsolidierte konsolidierten konsolidierter vom vise d s dem fur total group groups consolidated annual quarterly yearly company companys s full year overall reported record ' +
    'higher lower and or with held holds had has have in generated achieved recorded reported posted of while where whereas as to was were is on after left times expect expects expected expecting forecast forecasts anticipate anticipates project projects plan plans for ' +
    'die der das den dem ein eine einen einem des im und mit sowie betrug betrugen war waren erzielte hatte bei unser unsere erwartet erwarten erwarteten einen eine fur vorstand board management verwaltungsrat geschaftsfuhrung direktion wir we rechnet rechnen ' +
    'le la les l un une du de des et avec notre son ' +
    'el los las una con nuestro su il lo gli i uno e con nostro het een en de onze ' +
    'till for var ar i pa av och koncernens bolagets vart var hos fra til og pr konsernets koncernen o os as um uma do da dos das nosso grupa spolka w z na ' +
    'cini cinil cinily byl byla byly a v cely celkovy celkove nas nase jeji s dosahl dosahla ' +
    '2019 2020 2021 2022 2023 2024 2025 2026 2027 2028 q1 q2 q3 q4 h1 h2',
);
/** Words that may follow it: a verb, a preposition, a number, a currency. */
const following =
  /^(?:\d.*|var|under|vid|er|udgor|udgjor|belober|wynosi\w*|osiagn\w*|zwiekszyl\w*|zmniejszyl\w*|uksztaltowal\w*|atteignent|atteignait|valent|vaut|represent\w*|totalis\w*|montent|monte|passe\w*|diminu\w*|baiss\w*|augment\w*|etaient|fut|furent|ressortait|ammontava\w*|raggiung\w*|risulta\w*|attesta\w*|cresce\w*|si|situ\w{1,4}|crece\w*|aumenta\w*|registro|cerro|alcanza\w*|asciend\w+|fueron|son|es|suma\w*|supuso|supone|betragt|betragen|liegt|liegen|beziffer\w*|ergab\w*|erreicht|ist|sind|nahm\w*|bedraagt|bedragen|is|zijn|komt|kwamen|nam|namen|liep\w*|voksede|uppgar|okar|minskar|ligger|fixou|situou|totalizou|totalizaram|atinge|registou|ended|closed|climbed|jumped|slipped|advanced|edged|represented|stands|amount|se|eur|usd|gbp|chf|cad|sek|czk|pln|us|teur|keur|was|were|is|are|of|for|in|at|to|from|and|or|guidance|outlook|forecast|should|uppgick|okade|minskade|blev|steg|sjonk|till|pa|av|och|exklusive|inklusive|utgjorde|belob|udgjorde|faldt|endte|okte|falt|ble|til|og|foi|foram|ascendeu|ascenderam|atingiu|atingiram|cresceu|cresceram|aumentou|diminuiu|do|da|no|na|em|wyniosl\w*|wzrosl\w*|spadl\w*|w|z|rose|increased|amounted|amounts|reached|total\w{0,5}|came|stood|fell|declined|decreased|grew|dropped|went|improved|narrowed|widened|remained|took|as|on|during|by|up|down|will|would|had|has|this|last|after|before|that|which|excluding|including|attributable|net|approximately|about|around|between|zwischen|entre|tra|tussen|war|waren|betrug|betrugen|belief|lag|lagen|stieg|stiegen|sank|sanken|erreichte|erreichten|ging|erhohte|verringerte|verbesserte|wuchs|beliefen|von|vom|im|der|des|und|zum|auf|um|hohe|compris|comprise|sont|ressortent|comprendid[oa]|compres[oaie]|a|ont|est|etait|s|se|de|du|des|en|au|pour|et|atteint|ressort|progresse|recule|fue|alcanzo|ascendio|ascendieron|crecio|aumento|se|disminuyo|hasta|por|y|e|ha|hanno|sono|pari|ammonta|ammontano|raggiunto|cresciuto|di|del|nel|al|bedroeg|bedroegen|steeg|daalde|kwam|over|per|van|was|cinil|cinila|cinily|cini|byl|byla|bylo|byly|dosahl|dosahla|dosahly|vzrostl|vzrostla|vzrostly|klesl|klesla|klesly|ve|v|za|k|ke|ve vysi|m)$/;
