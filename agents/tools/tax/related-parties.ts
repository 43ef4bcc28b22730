/** Transactions with related parties in the documented year, from tables of controlled transactions and sentences on balances. */
import { parseRational, type Rational } from '../financial/rational.ts';
import { findAmounts } from '../text/amounts.ts';
import type { Range } from '../text/span.ts';
import { cleanName, companyIn } from './companies.ts';
import { columnHeads, type Figure, figureRow } from './figure-rows.ts';
import { foldText, phraseShape } from './fold.ts';
import type { Layout, Segment } from './layout.ts';
import { taxSentences } from './sentences.ts';
import { type TableUnit, unitOfTable } from './unit-of-table.ts';

export type TransactionType =
  | 'goods-sale'
  | 'goods-purchase'
  | 'service-income'
  | 'service-expense'
  | 'royalty-income'
  | 'royalty-expense'
  | 'interest-income'
  | 'interest-expense'
  | 'loan'
  | 'guarantee-fee'
  | 'dividend'
  | 'other';

export interface RelatedTransaction extends Range {
  readonly counterparty: string;
  readonly type: TransactionType;
  readonly amount: Rational;
  readonly unit: TableUnit;
}

const subjects: readonly (readonly [string, RegExp])[] = (
  [
    [
      'guarantee-fee',
      'guarantee*|garantie*|burgschaft*|avalprovision|aval|cautionnement|garanzia|garanzie|fideiussion*|garantia*|aval|borgstilling*|borgtocht*|garantstelling|kaution*|borgen|garanti*|poreczeni*|gwarancj*|zaruk*|ruceni|fianca',
    ],
    [
      'dividend',
      'dividend*|dividende*|ausschuttung*|gewinnausschuttung|utbytte|utdelning|dywidend*|dividendo*|udbytte',
    ],
    [
      'royalty',
      'royalt*|licence*|license*|lizenz*|trade mark*|trademark*|redevance*|licenc*|canone*|canon|patent fee*|know how|lisens*|licens*|licentie*|patent*|marque*|marke|marken|marchi*|marca|marcas|merk|varemerke*|varumarke*|oplat* licencyjn*|licencj*|naleznosci licencyjn*|znak* towarow*|knowhow',
    ],
    [
      'interest',
      'interest*|interets|zins*|darlehenszins*|schuldzins*|kreditzins*|interet*|interess*|interes*|rente*|ranta|rantor|odsetk*|urok*|juros',
    ],
    [
      'loan',
      'loan*|darlehen*|pret|prets|emprunt*|avance en compte courant|mutuo|prestito|finanziamento|prestamo*|lening*|lan|lanebelop|cash pool*|credit facility|pozyczk*|kredyt*|zapujck*|uver*|emprestimo*|financiering|lan|kredit*|credit|depot*|deposit*',
    ],
    [
      'service',
      'service*|support|technical assistance|assistance technique|assistance|assistenza|asistencia|technische unterstutzung|unterstutzungsleistung*|bistand|management fee*|cost allocation*|shared service*|recharge*|administration|consulting|contract research|research and development|r d|r & d|commission*|dienstleistung*|umlage*|verwaltungskosten*|konzernumlage*|kostenumlage*|auftragsforschung|lohnfertigung|prestation*|frais de gestion|management fees|servizi*|servicios|diensten|tjenester|tjanster|uslug*|sluzb*|wsparci*|doradztw*|administracj*|tjenesteyd*|radgivning|adviesdiensten|beheervergoeding|doorbelasting*|toll manufacturing|contract manufacturing|logistics',
    ],
    [
      'goods',
      'goods|warenlieferung*|lieferung*|product*|spare part*|material*|raw material*|component*|merchandise|inventory|finished|purchase*|sale|sales|supply|ware|waren|warenbezug|wareneinkauf|warenverkauf|erzeugnisse|ersatzteile|rohstoffe|marchandise*|produit*|achat*|vente*|merci|beni|prodotti|acquisto|vendita|mercancias|compras|ventas|goederen|inkoop|verkoop|varer|varor|kjop*|salg|inkop|forsaljning|kob|zakup*|sprzedaz*|towar*|wyrob*|material*|surowc*|zbozi|vyrobk*|prodej|nakup|materia|componenti|composants|componentes|onderdelen|grondstoffen|rastoff*|ravaror|mercadorias|vendas',
    ],
  ] as const
).map(([subject, phrases]) => [subject, phraseShape(phrases)] as const);

const incoming = phraseShape(
  'sale*|sold|rendered|billed|invoiced|recharged to|facture*|fatturat*|facturad*|in rechnung gestellt|weiterbelastet an|berechnet an|gefactureerd|fakturert|fakturerad|refacture*|percus|percue*|encaisse*|provided|income|received from|charged to|granted|earned|supplied to|receivable|verkauf*|erbracht*|ertrag*|ertrage|erhaltene zinsen|vereinnahmt*|an|vente*|rendu*|fourni*|produit|produits|vendita|vendite|resi|prestati|proventi|attivi|ventas|prestados|ingresos|verkoop|geleverd|opbrengst*|salg|ytet|inntekt*|forsaljning|intakt*|sprzedaz|swiadczon*|przychod*|sprzedan*|dostaw*|udzielon*|prodej|vynos*|ricavo|ricavi|receita*|intakter|indtaegt*|indtegt*|revenue*|ingreso|recette*|erlos*',
);
const outgoing = phraseShape(
  'purchase*|bought|pays|payments made|zahlt|bezahlt|verse a|betaalt|interets verses|verse|verses|versee|versees|supporte*|corrisposti|pagati|satisfechos|abonados|berechnet von|weiterbelastet von|received|paid|expense*|payable|charged by|incurred|cost|costs|bezug*|einkauf*|bezogen*|aufwand|aufwendungen|gezahlt*|empfangen*|erhaltene|von|achat*|recus|recues|paye*|charge|charges|acquisto|acquisti|ricevuti|oneri|passivi|compras|recibidos|gastos|pagado*|inkoop|ontvangen|betaald*|kosten|kjop|kjopt|mottatt|kostnad*|betalt|inkop|zakup*|nabyt*|nabycie|koszt*|zaplacon*|poniesion*|otrzymane uslugi|naklad*|naklady|gasto|coste|costo|costi|custo*|omkostning*|utgift*|lasten|depense*|kop|koop',
);

const received =
  /\b(?:received|receivable|earned|erhaltene?n?|vereinnahmte?n?|recue?s?|percue?s?|encaissee?s?|ricevut[eio]|incassat[eio]|recibid[ao]s|cobrad[ao]s|ontvangen|mottatt[e]?|erholdt|modtaget|modtagne|otrzyman[a-z]{1,2}|prijate|recebid[ao]s)\b/;

/** What is received for a service is income, unlike the service that is received. */
const fee =
  /\b(?:fees?|commissions?|remuneration|vergutung[a-z]*|honorar[a-z]*|redevances?|compens[io]|honorarios|vergoeding[a-z]*)\b/;

/** @param folded the words of a transaction · @returns undefined if they do not say whether it is income or expense */
export function transactionType(folded: string): TransactionType | undefined {
  const subject = subjects.find(([, shape]) => shape.test(folded))?.[0];
  if (subject === undefined) return 'other';
  if (subject === 'guarantee-fee' || subject === 'dividend') return subject;
  // "Interest on loan received" is paid for a loan that was received.
  const text = folded.replace(
    /\b(?:on|for|from|auf|fur|sur|su|sobre|op|pa|av|for) (?:the |a )?(?:intercompany |group )?(?:loans?|darlehen|prets?|emprunts?|prestit[oi]|prestamos?|lening|lan)\b(?: (?:received|taken|erhalten[a-z]*|recus?))?/,
    (shown) => (/received|taken|erhalt|recu/.test(shown) ? ' expense ' : ' '),
  );
  // Interest and royalties that are received are income; goods and services that are received are expenses.
  const isPayment = subject === 'interest' || subject === 'royalty' || (subject === 'service' && fee.test(text));
  const isReceived = isPayment && received.test(text);
  const [isIn, isOut] = isReceived ? [true, false] : [incoming.test(text), outgoing.test(text)];
  const income = isIn && !isOut ? true : isOut && !isIn ? false : undefined;
  if (subject === 'loan') return 'loan';
  if (income === undefined) {
    if (subject === 'goods')
      return /\b(?:purchase|bezug|einkauf|achat|acquist|compra|inkoop|kjop|inkop|zakup)/.test(text)
        ? 'goods-purchase'
        : /\b(?:sale|verkauf|vente|vendit|venta|verkoop|salg|sprzeda)/.test(text)
          ? 'goods-sale'
          : undefined;
    return undefined;
  }
  if (subject === 'goods') return income ? 'goods-sale' : 'goods-purchase';
  return `${subject}-${income ? 'income' : 'expense'}` as TransactionType;
}

/** A heading or label above or before related parties. */
export const partyLabel = phraseShape(
  'counterparty|counterparties|related party|related parties|associated enterprise|affiliate|group company|party|partner|gegenpartei|verbundenes unternehmen|nahestehende person|nahestehende personen|entreprises liees|nahestehendes unternehmen|gesellschaft|geschaftspartner|konzerngesellschaft|partie liee|entreprise liee|societe|contrepartie|controparte|societa|parte correlata|entidad vinculada|contraparte|parte vinculada|gelieerde partij|verbonden partij|tegenpartij|naerstaende part|motpart|nærstående|narstaende|podmiot powiazany|podmiot*|kontrahent*|strona transakcji|partner transakcji|spojena osoba|obchodni partner|entidade relacionada|company|entity|lender|recipient|supplier|customer',
);
const transactionHead = phraseShape(
  'transaction*|type|nature|description|category|art der transaktion|geschaftsvorfall|transaktion|art|geschaftsart|operation|nature de la transaction|tipo|operazione|natura|operacion|aard|transactie|transaksjon*|transaktion*|rodzaj*|transakcj*|przedmiot*|tytul|opis|objet|oggetto|objeto|concepto|gegenstand|onderwerp|gjenstand|avser|subject|predmet|leistung|prestation|prestazione|omschrijving|beskrivelse|beskrivning|popis|druh transakce|natureza|descricao',
);

export function findRelatedTransactions(layout: Layout): RelatedTransaction[] {
  return [...tableTransactions(layout), ...balances(layout)];
}

function tableTransactions(layout: Layout): RelatedTransaction[] {
  const found: RelatedTransaction[] = [];
  for (let at = 0; at < layout.lines.length; at += 1) {
    const head = layout.lines[at]!.segments;
    const party = head.find(
      (segment) => segment.text.length < 50 && partyLabel.test(segment.folded) && !/\d/.test(segment.text),
    );
    const kind = head.find(
      (segment) => segment !== party && segment.text.length < 50 && transactionHead.test(segment.folded),
    );
    if (party === undefined || kind === undefined || head.length < 3) continue;
    const unit = unitOfTable(layout, at, at);
    let last: readonly Segment[] = [];
    for (let row = at + 1; row < Math.min(layout.lines.length, at + 80); row += 1) {
      const line = layout.lines[row]!;
      if (line.segments.length === 1 && line.segments[0]!.text.length > 80) break;
      const cells = line.segments;
      const transaction = rowAt(layout, row, cells, last, { head, party, kind });
      if (transaction === 'goes on') last = cells;
      else {
        last = [];
        if (transaction !== undefined) found.push({ ...transaction, unit });
        else if (line.follows === 'gap' && cells.length < 3) break;
      }
    }
  }
  return found;
}

type Row = Omit<RelatedTransaction, 'unit'>;

interface Heads {
  readonly head: readonly Segment[];
  readonly party: Segment;
  readonly kind: Segment;
}

/** A row, or the first line of one that continues on the next line. */
function rowAt(
  layout: Layout,
  index: number,
  cells: readonly Segment[],
  before: readonly Segment[],
  { head, party, kind }: Heads,
): Row | 'goes on' | undefined {
  const under = (list: readonly Segment[], head: Segment) =>
    list.find(
      (cell) =>
        cell.grid === head.grid &&
        Math.min(cell.to, head.to) > Math.max(cell.from, head.from) &&
        /\p{L}{2}/u.test(cell.text),
    );
  const name = under(cells, party) ?? under(before, party);
  const words = [under(before, kind), under(cells, kind)]
    .map((cell) => cell?.folded ?? '')
    .join(' ')
    .trim();
  const row = figureRow(layout, layout.lines[index]!, name === undefined ? '' : name.text, 'any');
  if (row === undefined || row.figures.length === 0) return name !== undefined && words !== '' ? 'goes on' : undefined;
  if (
    name === undefined ||
    words === '' ||
    /third part|third-part|tiers|terzi|terceros|derden|tredjepart|podmiot[a-z]* niepowiazan|independen|unabhangig|onafhankelijk|uavhengig|oberoende|nespojen|not controlled|dritte|total|summe|unrelated/.test(
      `${name.folded} ${words}`,
    )
  )
    return undefined;
  const figure = yearFigure(layout, row.line, row.figures, head);
  if (figure?.value === undefined || figure.value.numerator === 0n) return undefined;
  // "Income | Expense": the heading of the figure has the direction that the words of the row leave open.
  const title = head.find((each) => isUnder(each, figure.segment))?.folded ?? '';
  const type = typeOf(words, row.folded) ?? transactionType(`${words} ${title}`);
  if (type === undefined) return undefined;
  const { value } = figure;
  const amount = value.numerator < 0n ? { ...value, numerator: -value.numerator } : value;
  return {
    counterparty: companyIn(name.text) ?? cleanName(name.text),
    type,
    amount,
    start: name.start,
    end: figure.end,
  };
}

function isUnder(title: Segment, { grid, from, to }: Segment): boolean {
  return title.grid === grid && Math.min(title.to, to) > Math.max(title.from, from);
}

/** Details missing in the transaction cell may be in another cell of the row: "paid", "income". */
function typeOf(words: string, row: string): TransactionType | undefined {
  const type = transactionType(words);
  return type === undefined || type === 'other' ? (transactionType(row) ?? type) : type;
}

const amountHead = phraseShape(
  'amount*|value|total|volume|turnover|consideration|betrag*|wert|volumen|summe|montant*|valeur|importo|importi|valore|importe*|valor|bedrag*|waarde|belop*|kwota|wartosc|castka|eur|usd|gbp|chf|nok|sek|dkk|pln|czk|teur|k eur|keur|keuro|eur m|eur million|meur|eur thousand|in eur|€',
);

/** The figure below the latest year; else below the heading of amounts; else the only one. */
function yearFigure(
  layout: Layout,
  line: number,
  figures: readonly Figure[],
  head: readonly Segment[],
): Figure | undefined {
  const amounts = figures.filter(({ isPercent }) => !isPercent);
  const heads = columnHeads(layout, { line, label: '', folded: '', figures, start: 0, end: 0 }, amounts, 60);
  let best = 0;
  for (const [index, { year }] of heads.entries())
    if (year !== undefined && (heads[best]!.year === undefined || year > heads[best]!.year!)) best = index;
  if (amounts.length < 2 || heads[best]?.year !== undefined) return amounts[best];
  const titled = amounts.filter(({ segment }) =>
    head.some(
      (title) =>
        isUnder(title, segment) &&
        (amountHead.test(title.folded) ||
          incoming.test(title.folded) ||
          outgoing.test(title.folded) ||
          /[€£$]/.test(title.text)),
    ),
  );
  const isInGrid = amounts.every(({ segment }) => segment.grid !== 0);
  // Of columns for income and expense, the one that is filled.
  return titled.find(({ value }) => value !== undefined) ?? titled[0] ?? (isInGrid ? undefined : amounts[0]);
}

const stands =
  /\b(?:stood at|amounted to|amounts to|outstanding|balance of|at year-end|at year end|valutierte|betrug|belief sich|valutiert|s'elevait a|ammontava a|ascendia a|bedroeg|bedraagt|utgjorde|wynosil[a-z]*|wynosi|s'eleve a|s'elevent a|se monte a|ammonta a|asciende a|betragt|belauft sich|stands at|is outstanding|utgjor|uppgar till|uppgick till)\b/;
const prior =
  /\b(?:prior year|previous year|budget|forecast|planned|vorjahr|plan|threshold|below|limit|foresees|exercice precedent|anno precedente|seuil|inferieur|budgete|sotto la soglia|umbral)\b/;

/** "The loan from Alder AB stood at EUR 5.6 million at year-end." */
function balances({ document }: Layout): RelatedTransaction[] {
  const { text } = document;
  const sentences = taxSentences(document);
  return sentences.flatMap((sentence): RelatedTransaction[] => {
    if (sentence.end - sentence.start > 500) return [];
    const shown = text.slice(sentence.start, sentence.end).replaceAll('\n', ' ');
    const folded = foldText(shown);
    if (
      !/\b(?:loan|darlehen|kredit|pret|emprunt|avance|prestito|finanziamento|mutuo|prestamo|lening|lan|pozyczk[a-z]*|kredyt[a-z]*|zapujck[a-z]*|uver[a-z]*|emprestimo|guarantee|garantie|dividend[a-z]*)\b/.test(
        folded,
      ) ||
      !stands.test(folded)
    )
      return [];
    const lead =
      /(?<!\p{L})(?:from|of|to|with|by|der|von|an|bei|de la societe|de la société|aupres de|auprès de|accordé par|consenti par|de|da|di|presso|con|van|bij|fra|fran|från|av|od|u)\s(?=\p{Lu})/u.exec(
        shown,
      );
    const counterparty = lead === null ? undefined : companyIn(shown.slice(lead.index + lead[0].length));
    const [amount] = findAmounts(shown, { decimalMark: document.decimalMark }).filter(
      ({ start }) => !prior.test(folded.slice(Math.max(0, start - 40), start)),
    );
    const value = amount === undefined ? undefined : parseRational(amount.value);
    if (counterparty === undefined || value === undefined || amount === undefined || prior.test(folded.slice(0, 30)))
      return [];
    const unit = { zeros: 0, ...(amount.currency === undefined ? {} : { currency: amount.currency }) };
    const type = /guarantee|garantie/.test(folded) ? 'guarantee-fee' : /\bdividend/.test(folded) ? 'dividend' : 'loan';
    return [{ counterparty, type, amount: value, unit, start: sentence.start, end: sentence.end }];
  });
}
