/**
 * Tax treatments that an invoice states for itself: reverse charge, intra-Community supply, export and others. General terms
 * are excluded.
 */
import type { Range } from '../text/span.ts';
import { foldText, phraseShape } from './fold.ts';
import type { Layout } from './layout.ts';

export type NoteKind =
  | 'reverse-charge'
  | 'intra-community-supply'
  | 'export'
  | 'exempt'
  | 'margin-scheme'
  | 'self-billing'
  | 'small-business'
  | 'cash-accounting'
  | 'split-payment';

export interface InvoiceNote extends Range {
  readonly note: NoteKind;
}

const cues: readonly (readonly [NoteKind, RegExp])[] = (
  [
    [
      'reverse-charge',
      'reverse charge|reverse charged|autoliquidation|auto liquidation|tva due par le preneur|steuerschuldnerschaft des leistungsempfangers|steuerschuld geht auf den leistungsempfanger uber|steuerschuldner ist der leistungsempfanger|ubergang der steuerschuld|umkehrung der steuerschuld|bezugsteuer|inversione contabile|inversion del sujeto pasivo|inversion sujeto pasivo|btw verlegd|verlegde btw|verleggingsregeling|omvendt avgiftsplikt|omvendt betalingspligt|omvendt avgift|omvand skattskyldighet|omvand betalningsskyldighet|omvand moms|odwrotne obciazenie|preneseni danove povinnosti|prenesena danova povinnost|prenesenie danovej povinnosti|prenos danovej povinnosti|dan odvede zakaznik|autoliquidacao|iva autoliquidacao|kaannetty verovelvollisuus|kaannetty arvonlisaverovelvollisuus|forditott adozas|taxare inversa|prijenos porezne obveze|obrnjena davcna obveznost|recipient is liable for the vat|customer is liable for the vat|customer to account for the vat|recipient accounts for the vat|vat to be accounted for by the customer|article 196|articles 44 and 196|articles 44 et 196|art 283 2 du cgi',
    ],
    [
      'intra-community-supply',
      'intra community supply|intra community delivery|intracommunity supply|intra eu supply|intra community supplies|innergemeinschaftliche lieferung|innergemeinschaftlichen lieferung|innergemeinschaftlicher lieferung|innergem lieferung|ig lieferung|livraison intracommunautaire|livraisons intracommunautaires|cessione intracomunitaria|cessione intra ue|entrega intracomunitaria|adquisicion intracomunitaria|acquisition intracommunautaire|innergemeinschaftlicher erwerb|intra community acquisition|acquisto intracomunitario|intracommunautaire levering|intracommunautaire leveringen|icl|icp|wewnatrzwspolnotowa dostawa|wdt|unionsintern leverans|eu leverans|gemenskapsintern|eu salg|momsfrit eu salg|dodani zbozi do jineho clenskeho statu|intrakomunitarni|transmissao intracomunitaria|yhteisomyynti|article 138|artikel 138|articolo 41|art 41 dl|art 41 d l|art 262 ter|262 ter i',
    ],
    [
      'export',
      'export delivery|export supply|export of goods|exported goods|zero rated export|export outside the eu|ausfuhrlieferung|steuerfreie ausfuhr|exportation|exonere de tva article 262 i|esportazione|cessione all esportazione|exportacion|exportacion de bienes|uitvoer|export buiten de eu|eksport|eksport towarow|vyvoz|export varor|article 146|exportacao',
    ],
    [
      'exempt',
      'vat exempt|exempt from vat|exempt supply|exempt supplies|tax exempt|steuerfrei|steuerfrei nach|steuerbefreit|umsatzsteuerfrei|umsatzsteuerbefreit|unecht steuerbefreit|exonere de tva|exoneration de tva|exoneree|exonere|tva exoneree|esente iva|operazione esente|esente art|esente|exento de iva|exenta|operacion exenta|exenta de iva|exento|vrijgesteld van btw|btw vrijgesteld|vrijgesteld|zwolnione z vat|zwolniony|zwolnienie|zwolnione|osvobozeno od dph|osvobozene plneni|osvobozeno|oslobodene od dane|momsfri|momsfritt|momsfritaget|undantag fran skatteplikt|undantagen fran moms|fritatt for mva|unntatt mva|isento de iva|isento|ausgenommen von der steuer|von der steuer ausgenommen|veroton',
    ],
    [
      'margin-scheme',
      'margin scheme|differenzbesteuerung|differenzbesteuert|sonderregelung fur gebrauchtgegenstande|gebrauchtgegenstande sonderregelung|regime de la marge|regime particulier biens d occasion|regime del margine|regimen especial de los bienes usados|rebu|margeregeling|procedura marzy|vinstmarginalbeskattning|vmb|marginmoms|avansesystem|brugtmoms|zvlastni rezim|regime da margem|regime dos bens em segunda mao|25a ustg',
    ],
    [
      'self-billing',
      'self billing|self billed|self billed invoice|self billing invoice|gutschriftsverfahren|abrechnung im gutschriftsverfahren|gutschrift im sinne des|autofacturation|autofacture|facturation par le preneur|autofatturazione|autofattura|facturacion por el destinatario|factuur uitgereikt door afnemer|self billing factuur|samofakturowanie|samofakturovani|vystaveno odberatelem|vystavi odberatel|vyhotovenie faktury odberatelom|sjalvfakturering|selvfakturering|autofacturacao',
    ],
    [
      'small-business',
      'kleinunternehmer|kleinunternehmerregelung|kleinunternehmerin|tva non applicable|franchise en base|franchise de tva|regime de la franchise|kleineondernemersregeling|kleine ondernemersregeling|regime forfettario|regime forfetario|bijzondere vrijstellingsregeling|small business scheme|small enterprise|small undertaking|regime de isencao|neplatce dph|nie som platitelom dph|not registered for vat|not vat registered|alanyi adomentes|zwolnienie podmiotowe|art 113|19 ustg|19 abs 1 ustg|art 293 b|article 293 b',
    ],
    [
      'cash-accounting',
      'cash accounting|cash accounting scheme|cash basis|istversteuerung|ist versteuerung|versteuerung nach vereinnahmten entgelten|besteuerung nach vereinnahmten entgelten|tva sur les encaissements|tva acquittee sur les encaissements|tva acquittee d apres les encaissements|iva per cassa|criterio de caja|regimen especial del criterio de caja|kasstelsel|metoda kasowa|iva de caixa|penzforgalmi elszamolas',
    ],
    ['split-payment', 'mechanizm podzielonej platnosci|podzielona platnosc|split payment|scissione dei pagamenti|mpp'],
  ] as const
).map(([note, phrases]) => [note, phraseShape(phrases)] as const);

/** A statement about something other than this invoice, a condition, or a denial. */
const generalWords = phraseShape(
  'nessun*|none|ninguno|ninguna|brak|zadna|zaden|keiner|keines|certains|certaines|some|einige|alcuni|alcune|algunos|algunas|sommige|niektore|nektere|noen|visse|sono indicate|are indicated|are marked|marked with|gekennzeichnet|signalees|aangeduid|operazioni in regime|riguarda|concerne|betrifft|concerns|not|no|nicht|kein|keine|non|pas|aucun|aucune|sans objet|n v t|nvt|niet|geen|ikke|inte|ej|nie|zadny|ne|neni|nejsou|no es aplicable|no aplica|nao|does not|n/a|where|if|when|whenever|unless|only|wenn|falls|sofern|soweit|setzen|setzt|voraus|voraussetzung|nur|bei|gelten|gilt|konnen|kann|lorsque|en cas|si|sous reserve|uniquement|seulement|peut|peuvent|mits|indien|wanneer|alleen|uitsluitend|kun|bare|dersom|hvis|om|benyttet ikke|endast|wylacznie|tylko|jezeli|jesli|dotyczy|pouze|pokud|solo|solamente|cuando|soltanto|qualora|se|apenas|quando|may|might|could|would|should|seria|estaria|serait|sarebbe|ware|waere|zou|bylby|byloby|such as|must|general terms|other member states|andere mitgliedstaaten|kunden in|customers in|anderer mitgliedstaaten|movimientos|sin movimientos|specimen|example|supplies to|sales to|exports|exports are|deliveries to|are exempt|are zero rated|are subject|is subject|lieferungen an|lieferungen in|lieferungen ins|leistungen an|lieferungen sind|ausfuhren|sind steuerfrei|sont exonerees|sont exoneres|exportations|livraisons sont|les livraisons|les prestations|leveringen aan|leveringen|leveranser till|leveranser|leveringer til|dostawy do|dodavky do|cessioni verso|le cessioni|las entregas|entregas a|customers|kunden|clients|clienti|clientes|klanten|kunder|auf wunsch|on request|applies to|applies where|apply to|gilt fur|gelten fur|anwendbar auf|vorbehaltlich|provided that|s applique aux|si applica|se aplica a|van toepassing op|gjelder|galler for|dotyczy',
);
/** "… relates to some goods; this invoice contains none." */
const deniedHere =
  /\b(?:this|present|diese[rsn]?|vorliegende[rn]?|presente|cette|questa|esta|deze|denne|niniejsza|tato) (?:[a-z]+ )?(?:invoice|document|rechnung|facture|fattura|documento|factura|factuur|faktura|faktury)\b[^.;]{0,30}\b(?:no|none|not|keine?|nicht|pas|aucune?|non|nessun[ao]?|ninguna?|geen|niet|ingen|ikke|nie|zadn[aey])\b|\b(?:keine|none|nessun[ao]|aucune?|ninguna?|geen|ingen) (?:[a-z]+ ){0,3}(?:in dieser|in this|nel presente|nella presente|dans la presente|en esta|in deze|pa denne)\b/;
/** The heading of general terms. */
const generalTerms =
  /\b(?:(?:general |standard )?terms (?:and|&) conditions|conditions of sale|(?:allgemeine )?(?:geschafts|verkaufs|liefer|zahlungs)(?:- und \w+)?bedingungen|agb|conditions generales(?: de vente)?|cgv|condizioni generali(?: di vendita)?|condiciones generales|algemene (?:verkoop)?voorwaarden|almindelige betingelser|allmanna villkor|alminnelige vilkar|ogolne warunki|obchodni podminky|condicoes gerais)\b/;
const affirming = /^(?:no|n|non|ne)$/;

/**
 * Each kind once, where it is stated first.
 * @param ranges lines or cells of the invoice · @param others numbers of other invoices: a sentence that names one speaks of it
 */
export function findNotes(layout: Layout, ranges: readonly Range[], others: readonly string[] = []): InvoiceNote[] {
  const found = new Map<NoteKind, InvoiceNote>();
  const { sentences, text } = layout.document;
  for (const range of ranges) {
    let terms: number | undefined;
    for (const sentence of sentencesIn(text, sentences, range)) {
      if (sentence.end - sentence.start > 700) continue;
      const shown = text.slice(sentence.start, sentence.end);
      if (others.some((number) => shown.includes(number))) continue;
      const folded = foldText(shown).replaceAll('\n', ' ');
      // The sentences of general terms, up to an empty line.
      const goesOn = terms !== undefined && !/\n\s*\n/.test(text.slice(terms, sentence.start));
      terms = goesOn || generalTerms.test(folded) ? sentence.end : undefined;
      if (terms !== undefined || deniedHere.test(folded)) continue;
      for (const [note, shape] of cues) {
        if (found.has(note)) continue;
        const match = shape.exec(folded);
        if (match === null || !isOfThisInvoice(folded, match)) continue;
        found.set(note, {
          note,
          start: sentence.start + match.index,
          end: sentence.start + match.index + match[0].length,
        });
      }
    }
  }
  return withoutSecondary([...found.values()]);
}

function* sentencesIn(text: string, sentences: readonly Range[], { start, end }: Range): Iterable<Range> {
  let low = 0;
  let high = sentences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sentences[middle]!.end <= start) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < sentences.length && sentences[at]!.start < end; at += 1) {
    const sentence = sentences[at]!;
    const next = sentences[at + 1];
    // "Exempt under s. 6 VATA. § 6-9 …": the abbreviation before a section number does not end the sentence.
    const goesOn =
      next !== undefined &&
      next.start - sentence.end < 3 &&
      next.end - sentence.start < 600 &&
      /(?<!\p{L})\p{L}{1,5}\.$/u.test(text.slice(sentence.end - 8, sentence.end)) &&
      /^[§\d]/.test(text.slice(next.start, next.start + 1));
    yield { start: Math.max(start, sentence.start), end: Math.min(end, goesOn ? next.end : sentence.end) };
  }
}

/** "TVA non applicable, art. 293 B" and "not registered for VAT" are negations that state a treatment. */
function isOfThisInvoice(folded: string, match: RegExpExecArray): boolean {
  const clauseStart =
    Math.max(
      folded.lastIndexOf(';', match.index),
      folded.lastIndexOf('|', match.index),
      folded.lastIndexOf('\t', match.index),
    ) + 1;
  const ends = [';', '|', '\t'].map((mark) => folded.indexOf(mark, match.index)).filter((at) => at !== -1);
  const clause = folded.slice(clauseStart, Math.min(folded.length, ...ends));
  const rest = clause
    .replace(match[0], ' ')
    .replace(
      /\b(?:n[°o]|nr|no)\.? ?(?=\d)|\bno vat (?:is )?(?:charged|applied)\b|\bno tax (?:is )?charged\b|\bkeine umsatzsteuer\b|\bkein(?:e|en)? (?:umsatz|mehrwert)?steuer(?:ausweis)?\b|\bohne\b|\bkeine? (?:ust|mwst)\b|\bwird (?:daher )?nicht (?:berechnet|ausgewiesen|erhoben)\b|\bnicht (?:gesondert )?(?:berechnet|ausgewiesen|erhoben)\b|\bnon (?:imponibil[ei]|soggett[oa])\b|\bnon addebitata\b|\bgem(?:ass)?\.?\b|\bno sujet[oa]\b|\bnot (?:charged|subject to vat)\b|\bvat (?:is )?not charged\b|\bif not\b|\bsi\.? ?(?=\d)|\bse\b(?=[ -]?\d)|\bne \(/g,
      ' ',
    );
  const words = generalWords.exec(rest);
  if (words === null) return true;
  return affirming.test(words[0]) && /\d/.test(rest.slice(words.index, words.index + 8));
}

/** The reason for a small business exemption or an exempt cross-border supply is not a further exemption. */
function withoutSecondary(notes: readonly InvoiceNote[]): InvoiceNote[] {
  const has = (note: NoteKind) => notes.some((each) => each.note === note);
  const isSpecial =
    has('small-business') ||
    has('intra-community-supply') ||
    has('export') ||
    has('reverse-charge') ||
    has('margin-scheme');
  return notes.filter(({ note }) => !(note === 'exempt' && isSpecial));
}
