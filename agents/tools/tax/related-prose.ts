/** Transactions with related parties in sentences: "Alder GmbH purchased goods of EUR 18.4 million from Alder Parts Ltd". */
import { parseRational } from '../financial/rational.ts';
import { findAmounts } from '../text/amounts.ts';
import { companyIn } from './companies.ts';
import { foldText } from './fold.ts';
import type { Layout } from './layout.ts';
import { aboutGroup } from './related-lists.ts';
import { type RelatedTransaction, transactionType } from './related-parties.ts';
import { taxSentences } from './sentences.ts';

const prior =
  /\b(?:prior year|previous year|last year|budget|forecast|planned|expected|vorjahr|plan|threshold|limit|would|could|if|annee precedente|exercice precedent|anno precedente|ejercicio anterior|vorig jaar)\b/;

/** A finite verb after "and" begins a transaction of its own, and so does a sentence behind "… Ltd.". */
const nextTransaction =
  /[;]|(?<=\.)\s(?=\p{Lu}\p{Ll}*\s[\p{Ll}\d])|(?:,? and|,? und|,? et|,? e|,? y|,? en) (?=(?:it |also |has |sie |die gesellschaft )?(?:paid|received|purchased|bought|sold|charged|granted|rendered|provided|billed|invoiced|earned|zahlte|erhielt|bezog|verkaufte|lieferte|berechnete|a paye|a recu|a achete|a vendu|a verse|pagado|vendio|compro|pagato|venduto|acquistato))/u;

/** "With 5.5% interest rate": a term of a loan. */
const interestRate =
  /(?:with|at|zu|mit|au) (?:an? |einem? )?(?:annual |fixed )?(?:\d[\d.,]* ?% )?(?:interest rate|rate of interest|zinssatz|taux d'interet)[^;,]*/g;
/** The amount of a loan directly behind its name. */
const grantedLoan =
  /\b(?:loan|darlehen|pret|prestito|finanziamento|prestamo|lening|kredit) (?:of|von|in hohe von|de|di|por|van) (?:[a-z]{3}|€|£|\$) ?\d[^;]*\b(?:provided|granted|extended|gewahrt|ausgereicht|accorde|consenti|concesso|concedido|verstrekt)/;
const distributed =
  /\b(?:distributed|paid|received|declared|ausgeschuttet|gezahlt|erhalten|verse|recu|distribuit[oi]|pagat[oi]|repartid[oa]s?|pagad[oa]s?|uitgekeerd|betaald)\b/;

const partyLead =
  /(?<!\p{L})(?:from|to|by|with|von|vom|an|an die|bei|durch|de la société|auprès de|par|à|de|da|dalla|dal|a|con|van|aan|bij|fra|från|til|till|od|do)\s(?=\p{Lu})/gu;

/**
 * A clause with one amount and one party other than the documenting entity, of which the words tell type and direction; anything
 * less certain is left out.
 */
export function proseTransactions({ document }: Layout): RelatedTransaction[] {
  const { text, decimalMark } = document;
  const sentences = taxSentences(document);
  if (!aboutGroup.test(foldText(text.slice(0, 60_000)))) return [];
  const [own] = companiesIn(text.slice(0, 20_000));
  const plain = (name: string) => name.replace(/\.$/u, '');
  const isOwn = (name: string) => own !== undefined && plain(name) === plain(own);
  const latest = Math.max(0, ...[...text.matchAll(/(?<!\d)20[0-4]\d(?!\d)/g)].map(([year]) => Number(year)));
  return sentences.flatMap((sentence): RelatedTransaction[] => {
    if (sentence.end - sentence.start > 500) return [];
    const shown = text.slice(sentence.start, sentence.end).replaceAll(/[\n\t]/g, ' ');
    return shown.split(nextTransaction).flatMap((clause): RelatedTransaction[] => {
      const folded = foldText(clause);
      const years = [...clause.matchAll(/(?<!\d)20[0-4]\d(?!\d)/g)].map(([year]) => Number(year));
      if (prior.test(folded) || years.some((year) => year < latest)) return [];
      const amounts = findAmounts(clause, { decimalMark }).filter(({ currency }) => currency !== undefined);
      const parties = partiesIn(clause).filter((name) => !isOwn(name));
      const [amount] = amounts;
      const [counterparty] = parties;
      const named = transactionType(folded.replace(interestRate, ' '));
      const type = named === 'other' ? tradeIn(folded) : named;
      if (amounts.length !== 1 || parties.length !== 1 || amount === undefined || counterparty === undefined) return [];
      // Another company as the subject: the transaction is not one of the documenting entity.
      const subjects = companiesIn(clause.slice(0, clause.indexOf(counterparty)));
      if (type !== 'loan' && subjects.some((subject) => !isOwn(subject))) return [];
      const value = parseRational(amount.value);
      const isStated =
        (type !== 'loan' || grantedLoan.test(folded)) && (type !== 'dividend' || distributed.test(folded));
      if (type === undefined || type === 'other' || !isStated || value === undefined) return [];
      const unit = { zeros: 0, ...(amount.currency === undefined ? {} : { currency: amount.currency }) };
      return [{ counterparty, type, amount: value, unit, start: sentence.start, end: sentence.end }];
    });
  });
}

/** "Bought packaging from": goods whose name says nothing. */
function tradeIn(folded: string): 'goods-sale' | 'goods-purchase' | 'other' {
  if (
    /\b(?:shares?|stake|business|land|building|property|assets?|anteile?|grundstuck|parts|actions|acciones|azioni|aandelen)\b/.test(
      folded,
    )
  )
    return 'other';
  if (/\b(?:bought|purchased|kaufte|bezog|a achete|compro|ha acquistato|kocht)\b/.test(folded)) return 'goods-purchase';
  return /\b(?:sold|verkaufte|a vendu|vendio|ha venduto|verkocht)\b/.test(folded) ? 'goods-sale' : 'other';
}

/** Names with a legal form, in the order of the text. */
function companiesIn(text: string): string[] {
  const shape =
    /\p{Lu}[\p{L}\d&.'-]*(?: (?:&|und|et|i|e|y|\p{Lu}[\p{L}\d&.'/-]*|[a-z]\.[a-z]\.[a-z]?\.?|sp\.|z o\.o\.)){1,7}/gu;
  return [...text.matchAll(shape)].flatMap(([name]) => companyIn(name) ?? []);
}

/** "EUR 14,344 thousand were purchased from Alder AG" is no name. */
function isName(name: string): boolean {
  return !/^(?:EUR|GBP|USD|CHF|PLN|SEK|NOK|DKK) |\d[.,]\d|(?<!\p{L})(?!(?:und|et|and|of|de|der|des|du|di|do|da|en|och|og|van|von|für|for|z|the|le|la)(?!\p{L}))\p{Ll}{3,} (?!z |r)\p{Ll}{2,}/u.test(
    name,
  );
}

function partiesIn(clause: string): string[] {
  const names = [...clause.matchAll(partyLead)].flatMap((lead) => {
    const rest = clause.slice(lead.index + lead[0].length);
    const name = companyIn(rest);
    return name === undefined || !rest.startsWith(name.slice(0, 6)) || !isName(name) ? [] : [name];
  });
  return [...new Set(names)];
}
