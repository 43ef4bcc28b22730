/** Row labels as companies print them: "B. II. Trade receivables (note 4), net". */
import { cashFlowTotal } from './cash-flow-labels.ts';
import { itemNamed, type LineItem, nameWordsMax, normaliseName } from './line-items.ts';
import { isLossName } from './loss-names.ts';
import { maturityOfLabel } from './maturity.ts';
import { remembered } from './remembered.ts';
import { beginsWithCount, dilutedShape, weightedShares } from './share-labels.ts';

/** The item that a label names, without enumerators, parentheses, footnotes and units. */
export const itemOfLabel = remembered(readItem);

function readItem(label: string): LineItem | undefined {
  if (label.length > 160 || !/\p{L}/u.test(label)) return undefined;
  // "Gross margin %" is a rate.
  if (/%|\bpercent|\bin prozent|\bbasis points?/iu.test(label)) return undefined;
  const bare = withoutParentheses(label);
  if (partShape.test(bare)) return undefined;
  const name = normaliseName(bare);
  const [head = '', tail] = splitQualifier(bare);
  return (
    adjustedItem(name) ??
    perShareItem(name) ??
    named(name) ??
    patternItem(name) ??
    (tail === undefined ? undefined : named(normaliseName(head))) ??
    itemInTwoNames(bare)
  );
}

/**
 * "Umsatz / Net sales", "EBIT – Risultato operativo", "Bilanzsumme, Summe Passiva": both sides must name the same item, because
 * "Revenue / employee" is a ratio. "Balance sheet total" is the name of both sides of a balance sheet.
 */
function itemInTwoNames(bare: string): LineItem | undefined {
  const sides = bare.split(twoNames);
  if (sides.length !== 2) return undefined;
  const [first, second] = sides.map((side) => itemOfLabel(side));
  if (first === second) return first;
  const isBalance = [first, second].every((item) => item === 'total_assets' || item === 'total_liabilities_and_equity');
  return isBalance ? 'total_liabilities_and_equity' : undefined;
}

const twoNames = / \/ | [-–—=|] |, /u;

/**
 * "- davon aus Lieferungen und Leistungen" below "II. Forderungen und sonstige Vermögensgegenstände": a label that begins with a
 * preposition continues the first word of the row above it. @returns undefined for other labels
 */
export function continuedLabel(label: string, above: string): string | undefined {
  const rest = normaliseName(withoutParentheses(label.replace(partShape, ' ').replace(enumerated, ' ')));
  const head = normaliseName(above.replace(enumerated, ' ')).split(' ', 1)[0]!;
  return prepositional.test(rest) && headNouns.test(head) ? `${head} ${rest}` : undefined;
}

/** Whether parts of the row may follow, such as those of receivables and liabilities. */
export function hasParts(label: string): boolean {
  return headNouns.test(normaliseName(label.replace(enumerated, ' ')).split(' ', 1)[0]!);
}

const enumerated = /^\s{0,12}(?:[-–—•*]\s{0,4})?\(?(?:[A-Za-z]|[IVX]{1,5}|\d{1,2})[.)]\s{1,4}|^\s{0,12}[-–—•*]\s{1,4}/;
const prepositional =
  /^(?:aus|gegenuber|an|von|from|to|due to|owed to|verso|v|per|da|envers|aupres|sur|con|por|de|aan|op|uit|fra|fran|till|til|z|wobec|a) /;
const headNouns =
  /^(?:forderungen|verbindlichkeiten|ruckstellungen|receivables|payables|liabilities|creditors|debtors|crediti|debiti|creances|dettes|emprunts|deudas|creditos|vorderingen|schulden|fordringar|skulder|tilgodehavender|fordringer|gjeld|gaeld|naleznosci|zobowiazania|dividas|saamiset|velat)$/;

/** The heading above a row, for labels that are meaningless alone: "Basic", "Owners of the parent", "Borrowings". */
export interface LabelContext {
  /** The last row without amounts. */
  readonly section: string;
  /** Whether this heading, or an earlier one, separates current from non-current. */
  readonly maturity: 'current' | 'non_current' | undefined;
}

/** @returns several items if one row gives both: "Basic and diluted earnings per share" */
export function itemsOfRow(label: string, { section, maturity }: LabelContext): LineItem[] {
  const name = normaliseName(withoutParentheses(label));
  const both = bothShares.test(name);
  const part = name.replace(
    /^(?:davon|darunter|of which|thereof|dont|di cui|waarvan|varav|heraf|herav|hvorav|dos quais|de los que|z czego|w tym|josta) /,
    '',
  );
  if (
    partShape.test(label) &&
    (ownersShape.test(part) ||
      patternItem(part) === 'net_income_attributable' ||
      named(part) === 'net_income_attributable' ||
      attributedShape.test(part))
  )
    return ['net_income_attributable'];
  const ownLine = partShape.test(label) ? named(normaliseName(label.replace(partShape, ' '))) : undefined;
  if (ownLine === 'payables' || ownLine === 'receivables') return [ownLine];
  const under = sectionItem(name, section);
  if (under !== undefined) return under === 'none' ? [] : both ? pairOf(under) : [under];
  const item = itemOfLabel(label);
  if (item === undefined) return [];
  if (both) return pairOf(item);
  if (item === 'term_debt') {
    const own = maturityOfLabel(label) === 'non_current' ? 'non_current' : maturity;
    return own === undefined ? [] : [own === 'current' ? 'term_debt' : 'long_term_debt'];
  }
  const due = maturityOfLabel(label) ?? maturity;
  if (due !== undefined && (item === 'total_debt' || item === 'bank_loans') && !/\btotal\b/.test(name))
    return [
      due === 'current' ? 'short_term_debt' : 'long_term_debt',
      ...(/\ball non current\b/.test(name) ? [item] : []),
    ];
  if (maturity === 'non_current' && (item === 'deferred_revenue' || item === 'receivables' || item === 'payables'))
    return [];
  if (maturity === 'current' && item === 'bank_overdrafts') return ['bank_overdrafts'];
  return [item];
}

/** "Of which attributable to shareholders of Korvath SE", below the result. */
const attributedShape =
  /^(?:attributable to|allocated to|auf|zurechenbar|attribuables?|atribuibles?|attribuibil[ei]|atribuivel a|toe te rekenen aan|hanforligt till|henforbart til|przypadajacy) (?!.{0,16}(?:minorit|minderheit|non ?controlling|nicht beherrsch|nicht kontroll|andere)).{0,16}(?:(?:share|stock)holders|owners|equity holders|aktionare|anteilseigner|actionnaires|accionistas|acionistas|azionisti|aandeelhouders|aktieagare|agare|aktionaerer|aksjonaerer|akcjonariusz)/;

const ownersShape =
  /^(?:anteilseigner|aktionare|(?:share|stock)holders|owners|equity holders|actionnaires|proprietaires|azionisti|accionistas|acionistas|aandeelhouders|aktieagare|agare) (?:de[rs]?|du|of|della|dell|del|de la|van|i) (?!.{0,30}(?:minorit|tochter|subsidiar|non ?controlling))/;

const bothShares =
  /\b(?:basic and diluted|diluted and basic|unverwassert und verwassert|unverwassert verwassert|verwassert und unverwassert|de base et dilue|basico y diluido|base e diluito|fore och efter utspadning|basico e diluido|podstawowy i rozwodniony|undiluted and diluted)\b/;

function pairOf(item: LineItem): LineItem[] {
  if (item === 'eps_basic' || item === 'eps_diluted') return ['eps_basic', 'eps_diluted'];
  return item === 'shares_basic' || item === 'shares_diluted' ? ['shares_basic', 'shares_diluted'] : [item];
}

const basicShape =
  /\b(?:basic|before dilution|undiluted|vor verwasserung|avant dilution|voor verwatering|fore utspadning|for udvanding|ikke udvandet|podstawow\w*|laimentamat\w*|unverwassert\w*|de base|basic[oa]s?|base|gewone)\b/;
const perShare =
  /\b(?:per (?:\w+ ){0,2}share|per (?:ordinary |common )?(?:unit|ads)|je (?:\w+ )?aktie|pro aktie|par action|por accion|per azione|per aandeel|per aktie|pr aktie|per aksje|pr aksje|por acao|na akcje|jedna akcje|osakekohtai\w*|eps)\b/;
const shareCount =
  /\b(?:weighted|average|shares used|number of (?:ordinary |common )?shares|anzahl (?:der )?aktien|aktien|nombre (?:moyen )?d actions|numero (?:medio )?de acciones|numero (?:medio )?di azioni|aantal aandelen|antal aktier|antall aksjer|numero (?:medio )?de acoes|liczba akcji|shares outstanding)\b/;

/** "Basic" below "Earnings per share:". @returns "none" if the section excludes the row from its usual item */
function sectionItem(name: string, section: string): LineItem | 'none' | undefined {
  if (section === '') return undefined;
  const above = normaliseName(section);
  if (
    /\b(?:entro l esercizio successivo|entro 12 mesi|within one year|bis zu einem jahr|bis 1 jahr|a moins d un an|a un an au plus)\b/.test(
      name,
    ) ||
    /\b(?:oltre l esercizio successivo|oltre 12 mesi|after (?:more than )?one year|mehr als ein jahr|a plus d un an)\b/.test(
      name,
    )
  ) {
    const borrowings = named(above);
    if (borrowings === 'receivables' || borrowings === 'payables')
      return /\b(?:oltre|after|mehr|plus d)\b/.test(name) ? 'none' : borrowings;
    if (borrowings !== 'bank_loans' && borrowings !== 'total_debt') return 'none';
    return /\b(?:oltre|after|mehr|plus d)\b/.test(name) ? 'long_term_debt' : 'short_term_debt';
  }
  const isShort = name.split(' ').length <= 4;
  if (isShort && (dilutedShape.test(name) || basicShape.test(name)) && !perShare.test(name) && !shareCount.test(name)) {
    const kind = dilutedShape.test(name) && !/\bun(?:verwassert)/.test(name) ? 'diluted' : 'basic';
    if (/\bdividend/.test(above)) return 'none';
    if (shareCount.test(above) && !perShare.test(above)) return `shares_${kind}`;
    if (perShare.test(above))
      return adjustedShape.test(above) ? (kind === 'diluted' ? 'adjusted_eps' : 'none') : `eps_${kind}`;
    return shareCount.test(above) ? `shares_${kind}` : 'none';
  }
  if (named(name) === 'net_income_attributable' || /^attributable to (?:owners|equity|share)/.test(name)) {
    const isProfit =
      attributionShape.test(above) &&
      !/comprehensive|gesamtergebnis|gesamtertrag|global|complessiv|eigenkapital|equity attributable/.test(above);
    return isProfit ? 'net_income_attributable' : 'none';
  }
  return undefined;
}

const attributionShape =
  /\battribut|\bzurechen|\bentfall|\bzuzurechn|\bdavon\b|\bpart\b|\bpertinenz|\bof which\b|\btoe te rekenen|\bprofit for the|\bnet (?:income|profit|result)|\bergebnis|\bhanforlig|\bhenfor|\batribui|\bprzypadaj|\bjakautum|\b(?:arets|periodens) resultat/;

const adjustedShape =
  /\b(?:adjusted|non gaap|underlying|bereinigt\w*|core|normali[sz]ed|headline|recurring|ajuste\w*|ajustad[oa]|rettificat[oa]|justera[dt]e?|justeret|justert|skorygowan\w*|vertailukelpoi\w*|oikaist\w*|recorrente|genormaliseerd\w*|before (?:exceptional|special|non recurring) items|vor sondereffekten|excluding special items)\b/;

/** Adjusted measures are not statement items. */
function adjustedItem(name: string): LineItem | undefined {
  if (!adjustedShape.test(name)) return undefined;
  const rest = name
    .replace(new RegExp(adjustedShape.source, 'g'), ' ')
    .replace(/\b(?:total|attributable to .*)$/, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  if (perShare.test(rest)) return 'adjusted_eps';
  const item = named(rest);
  return item === undefined ? undefined : adjustedItems.get(item);
}

const adjustedItems: ReadonlyMap<LineItem, LineItem> = new Map([
  ['ebitda', 'adjusted_ebitda'],
  ['adjusted_ebitda', 'adjusted_ebitda'],
  ['ebit', 'adjusted_operating_income'],
  ['net_income', 'adjusted_net_income'],
  ['net_income_attributable', 'adjusted_net_income'],
  ['stated_free_cash_flow', 'stated_free_cash_flow'],
  ['stated_net_debt', 'stated_net_debt'],
]);

function perShareItem(name: string): LineItem | undefined {
  if (beginsWithCount.test(name)) return weightedShares(name);
  if (perShare.test(name)) {
    if (
      /\b(?:dividends?|dividende|book value|net assets|price|value|discontinued|continuing|pro forma|authori[sz]ed|par value)\b/.test(
        name,
      ) ||
      adjustedShape.test(name)
    )
      return undefined;
    if (
      !/\b(?:earnings|income|loss|profit|result\w*|ergebnis|gewinn|benefice|resultat|ganancias?|beneficio|utile|winst|eps|vinst|tulos|zysk|wynik|lucro)\b/.test(
        name,
      )
    )
      return undefined;
    if (dilutedShape.test(name) && !/\bunverwassert/.test(name)) return 'eps_diluted';
    return basicShape.test(name) || !/\bassuming\b/.test(name) ? 'eps_basic' : undefined;
  }
  return weightedShares(name);
}

/** "Net income attributable to Halvorsen common stockholders", "Total Halvorsen stockholders' equity". */
function patternItem(name: string): LineItem | undefined {
  if (
    /^(?:consolidated )?(?:net |group )?(?:income|profit|earnings|loss|result)(?: loss| for the (?:year|period|quarter|half year))* (?:attributable|applicable|available) to (?!.{0,12}(?:non ?controlling|minorit))/.test(
      name,
    )
  )
    return 'net_income_attributable';
  if (
    /^(?:auf (?:die )?)?(?:anteilseigner|aktionare|gesellschafter|eigentumer) (?:de[rs] )?.{2,50} entfallende?s?(?: (?:ergebnis|konzernergebnis|periodenergebnis|jahresergebnis))?$/.test(
      name,
    ) ||
    /^(?:konzern|perioden)?ergebnis .{0,20}(?:anteilseigner|aktionare) /.test(name)
  )
    return 'net_income_attributable';
  if (/^total [\p{L}\d ]{2,40} (?:stock|share)holders? (?:s )?equity(?: deficit)?$/u.test(name)) return 'parent_equity';
  if (/^total liabilities\b.{0,60}\b(?:equity|deficit|capital)$/.test(name)) return 'total_liabilities_and_equity';
  if (
    /^(?:cash\b|kassen|finanzmittel|zahlungsmittel|liquide mittel|tresorerie|efectivo|disponibilita|liquide middelen|geldmiddelen|likvida medel|likvider|likvide|kontanter|caixa|srodki pieniezne|rahavarat)/.test(
      name,
    )
  ) {
    if (
      /\b(?:beginning|start|opening|1 january|anfang\w*|ouverture|inicio|inizio|inizial\w*|begin|debut|borjan|ingang|primo|begynnelse|inicial|poczat\w*|alussa)\b/.test(
        name,
      )
    )
      return 'opening_cash';
    if (
      /\b(?:end|close|closing|31 december|ende|jahresende|periodenende|cloture|final|finali|fine|fin|eind|einde|slut|utgang|ultimo|slutt|koniec|koncu|lopussa)\b/.test(
        name,
      )
    )
      return 'closing_cash';
    return cashFlowTotal(name);
  }
  if (/^opening cash|^cash at beginning/.test(name)) return 'opening_cash';
  if (/^closing cash/.test(name)) return 'closing_cash';
  if (/^(?:net )?(?:increase|decrease|change)\b.{0,30}\bin cash\b/.test(name)) return 'change_in_cash';
  if (
    /^(?:effects? of )?(?:foreign )?(?:exchange|currency|foreign exchange)(?: rate)?.{0,30}\bcash\b|^effects? of (?:foreign )?(?:exchange|currency)/.test(
      name,
    )
  )
    return 'currency_effect_on_cash';
  return cashFlowTotal(name);
}

function named(name: string): LineItem | undefined {
  const words = name.split(' ');
  for (let start = 0; start < Math.min(words.length, 5); start += 1) {
    if (start > 0 && !leading.test(words[start - 1]!)) break;
    for (let end = words.length; end > start && words.length - end < 5; end -= 1) {
      if (end < words.length && !trailing.test(words[end]!)) break;
      const item = end - start > nameWordsMax + 4 ? undefined : itemNamed(words.slice(start, end).join(' '));
      if (item !== undefined) return item;
    }
  }
  return undefined;
}

/** "Accounts receivable, net of allowances": words after a comma or dash do not change the item if they qualify it. */
function splitQualifier(label: string): [string, string?] {
  const match =
    /^(.{3,100}?)(?:,| [-–—])\s{0,3}((?:net|gross|less|excluding|excl|including|incl|all|before|after|at|as|principally|primarily|zum|abz[üu]glich|nach|vor|hors|nets?|neto|netto|al netto|na aftrek)\b.{0,100})$/iu.exec(
      label,
    );
  if (match === null) {
    const [, head, tail] = unseparated.exec(label) ?? [];
    return head === undefined ? [label] : [head, tail!];
  }
  // "Interest, before tax" would be another item, and so would a net amount of something else.
  if (/^(?:before|after|vor|nach) (?:tax|steuer)/i.test(match[2]!)) return [label];
  // "Borrowings, net of share repurchases" are flows of cash and not a debt.
  if (
    /\b(?:repurchases?|repayments?|issu(?:es|ed|ances?)|proceeds|redemptions?|tilgung\w*|remboursements?)\b/i.test(
      match[2]!,
    )
  )
    return [label];
  return [match[1]!, match[2]!];
}

/** "Eigenkapital inkl. Minderheiten", "Net debt excluding leases": without a comma, only what does not change the item. */
const unseparated =
  /^(.{3,60}?) ((?:incl(?:uding|usive|\.)?|inkl(?:usive|\.)?|einschl(?:ie[ßs]lich|\.)?|mit|y compris|avec|incluid[oa]s?|incluindo|compres[aeio]|inclusief|med|w tym) (?:minderheit|minorit|fremdanteil|non-controlling|nicht beherrsch|interesses? (?:minorit|que n)|int[ée]r[êe]ts minorit|terzi|aandeel derden|udzia[łl]y niekontr)[^,;]{0,40}|(?:excl(?:uding|\.)?|before|ohne|vor|hors|sans|sin|excluid[oa]s?|excluindo|esclus[aeio]|senza|exclusief|zonder|exkl(?:usive|\.)?|bez) (?:of )?(?:lease|leasing|ifrs ?16|arrendamiento|locations?|loca[çc][õo]es)[^,;]{0,30})$/iu;

/** "davon", "of which": a part of the previous line. */
const partShape =
  /^\s{0,8}(?:[-–—•*]\s{0,4})?(?:davon|darunter|of which|thereof|dont|di cui|de (?:los|las) que|de (?:los|las) cuales|waarvan|varav|heraf|herav|hvorav|dos quais|z czego|w tym|josta|z toho|including)\b/iu;

/** Like `isLossName`, for a label as printed. */
export function isLossLabel(label: string): boolean {
  return isLossName(normaliseName(withoutParentheses(label)));
}

/** Enumerators before a label and units after it that are not part of its name. */
const leading =
  /^(?:[a-z]|[ivx]{1,5}|\d{1,3}|less|plus|add|total|totale|totaal|summe|der|des|celkem|gaap|consolidated|group|konzern|reported|gesamt|by|netto|som|summa|sum|totalt|totala|totalna|razem|suma|ogolem|arets|periodens|koncernens|konsolidert)$/;
const trailing =
  /^(?:total|totale|totaal|net|nets|nette|netto|gross|celkem|gesamt|eur|usd|gbp|czk|kc|chf|cad|sek|teur|keur|thousands?|millions?|mio|mil|tis|m|note|notes|anhang|\d{1,2}|000|restated|unaudited|reported|consolidated|in|s|ii?i?|gaap|expense|razem|ogolem|yhteensa|totalt|alt|i|kr|sek|nok|dkk|pln|msek|tsek|ksek|mkr|tkr|nok|zl)$/;

/** "Résultat par action (dilué)" */
function isDilution(inside: string): boolean {
  const name = normaliseName(inside);
  return (dilutedShape.test(name) || basicShape.test(name)) && name.split(' ').length <= 4;
}

/** "Adjusted operating profit1": the number of a footnote, printed without a blank. */
const attachedMark = /(\p{Ll}{4}|\p{Lu}{4})\d(?:,\d)?(?=\s{0,4}$)/u;

const withoutParentheses = remembered((label: string): string =>
  label
    .replace(/\(([^()]{0,80})\)|\[[^[\]]{0,80}\]/g, (_, inside: string | undefined) =>
      inside !== undefined && isDilution(inside) ? ` ${inside} ` : ' ',
    )
    .replace(/[¹²³⁴⁵⁶⁷⁸⁹†‡*]{1,4}/gu, ' ')
    .replace(attachedMark, '$1')
    .replace(/[:.…\s]{1,40}$/u, ''),
);
