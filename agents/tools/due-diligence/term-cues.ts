/** The words that name the terms of a financing or a sale, in English, German, French, Spanish and Dutch. */
import { anyAlphabet, type WordPattern } from './word-bounds.ts';

export type MoneyTerm =
  | 'pre-money'
  | 'post-money'
  | 'investment'
  | 'price-per-share'
  | 'valuation-cap'
  | 'qualified-financing'
  | 'purchase-price';
export type RateTerm = 'option-pool' | 'discount' | 'interest' | 'dividend';

export interface Cue<Term, Words = WordPattern> {
  readonly term: Term | undefined;
  readonly words: Words;
}

/** A cue without a term marks an amount of another kind. */
const money: readonly Cue<MoneyTerm, RegExp>[] = [
  {
    term: 'valuation-cap',
    words:
      /\b(?:(?:pre|post)[- ]?money )?valuation cap\b|\bcap on (?:the )?valuation\b|\bmaximum valuation\b|\bvaluation ceiling\b|\b(?:maximale|höchste) bewertung|\bhöchstbewertung|\bvalorisation maxim\S*|\bvaloración máxima|\bmaximale waardering|\bvalutazione massima|(?<=\blower of\b[^;]{0,140})\bvaluation of\b|\bbewertungs-?(?:obergrenze|cap|deckel|grenze)|\bplafond de valorisation|\bcap de valorisation|\b(?:tope|límite|techo) de valoración|\bwaarderings-?(?:plafond|cap)|\b(?:post|pre)[- ]?money cap\b/gi,
  },
  {
    term: 'pre-money',
    words:
      /\bpr[eé][- ]?money(?:[- ](?:equity )?(?:valuation|bewertung|waardering))?\b(?! (?:valuation )?cap| option| safe| holder| shareholder| capitali)|\bvalorisation (?:d['’]entrée|avant|pr[eé])|\bvaloración (?:previa|pre)|(?<=^.{0,3})(?:avant l[’'](?:opération|investissement|augmentation)|before the (?:investment|round|financing)|vor der (?:runde|finanzierungsrunde|kapitalerhöhung|finanzierung)|antes de la (?:ronda|ampliación|inversión)|v[oó][oó]r de (?:ronde|investering))/gi,
  },
  {
    term: 'post-money',
    words:
      /\bpost[- ]?money(?:[- ](?:equity )?(?:valuation|bewertung|waardering))?\b(?! (?:valuation )?cap| option| safe| holder| shareholder| (?:fully[- ]diluted )?capitali)|(?<=^.{0,3})(?:après(?: l[’'](?:opération|investissement|augmentation))?(?=\s*(?:$|\.))|after the (?:investment|round|financing)|nach der (?:runde|finanzierungsrunde|kapitalerhöhung|finanzierung)|después de la (?:ronda|ampliación|inversión)|na de (?:ronde|investering))/gi,
  },
  {
    term: 'qualified-financing',
    words:
      /\b(?:next )?(?:qualified|qualifying) (?:equity )?financing\b|\bgross proceeds of\b|\b(?:total|aggregate|net|cash) (?:gross )?proceeds\b|\b(?:equity )?financing(?: round)?\b[^.;$€£]{0,60}\bat least\b|\bround of at least\b|\bfinanzierungsrunde\b[^.;€]{0,60}\bmindestens\b|\bkapitalerhöhung\b[^.;€]{0,60}\bmindestens\b|\b(?:levée de fonds|tour de (?:table|financement)|augmentation de capital)\b[^.;€]{0,60}\b(?:au moins|minimum|supérieur|excédant)\b|\b(?:ronda|ampliación de capital)\b[^.;€]{0,60}\b(?:al menos|mínimo|superior|no inferior)\b|\b(?:financieringsronde|kapitaalronde|investeringsronde)\b[^.;€]{0,60}\b(?:ten minste|tenminste|minimaal|minstens)\b|\baumento di capitale\b[^.;€]{0,60}\b(?:almeno|minimo|superiore|non inferiore)\b|\bqualifizierte[nr]? (?:finanzierung|eigenkapital|kapital)\S*|\bfinancement qualifié|\blevée qualifi\S*|\b(?:financiación|ronda) (?:c?ualificada|calificada)|\bgekwalificeerde (?:financiering|ronde)/gi,
  },
  {
    term: 'price-per-share',
    words:
      /\boriginal (?:(?:issue|purchase|subscription) )?price\b|\bsubscription price\b|\b(?:purchase |subscription |issue |conversion )?price per (?:\S+ ){0,2}(?:share|unit)|\bper[- ]share price\b|\bshare price\b|\bissue price\b|\bOIP\b|\bausgabe(?:preis|betrag)|\bpreis (?:je|pro) (?:\S+ )?(?:anteil|aktie|geschäftsanteil)|\bprix (?:unitaire|par action|d'émission|de souscription (?:unitaire|par action))|\bprecio (?:por|de) (?:acción|participación|emisión|suscripción)|\b(?:prijs|koers) per aandeel|\buitgifteprijs|(?<=^.{0,3})\bper (?:[^\s,;]{1,14} ){0,3}share\b|(?<=^.{0,3})(?:l[’']une|chacune|each|apiece|je stück|pro stück|cada una|per stuk)\b|(?<=^.{0,3})\bpar action\b|(?<=^.{0,3})\bpor (?:acción|participación)\b|(?<=^.{0,3})\bper (?:aandeel|anteil)\b|(?<=^.{0,3})\b(?:je|pro) (?:aktie|anteil|geschäftsanteil)/gi,
  },
  {
    term: 'investment',
    words:
      /\bamount (?:to be )?raised\b|\bamount of (?:the )?(?:investment|financing|round)\b|\b(?:total |aggregate )?(?:investment|subscription|funding|financing|round|loan|offering|note) (?:amount|size|sum|monies)\b|\b(?:total|aggregate) (?:investment|round|raise|financing|subscription|proceeds to the company)\b|\bnew money\b|\bpurchase amount\b|\bprincipal (?:sum|amount)\b|\binvest(?:s|ing)? (?:an aggregate(?: amount)? of|a total of|up to)?|\binvestment of\b|\bprincipal of\b|\braise of\b|\bsize of (?:the )?round\b|\b(?:gesamt)?(?:investitions?|beteiligungs?|darlehens?|finanzierungs?|investment)-?(?:summe|betrag|volumen|höhe)|\bgesamtinvestition|\bnennbetrag des darlehens|\bdarlehen (?:in höhe von|(?:über|von) insgesamt)|\bprincipal:|\bleisten\b[^.;€]{0,90}\b(?:insgesamt|zusammen)|\binvestier(?:en|t)\b(?: insgesamt)?|\bapport(?:ent|era|eront|erán)\b|\baportar(?:án|á)\b|\bverseront?\b|\bmontant (?:de l[’'](?:investissement|augmentation)|total|(?:de la )?levée|investi|du prêt|(?:en )?principal|de la souscription|nominal)|\binvestissement (?:total|de)\b|\bimporte (?:de la (?:inversión|ronda)|principal|total|del préstamo|nominal)|\binversión (?:total|de)\b|\bimporto (?:complessivo|totale|del (?:prestito|finanziamento))|\binbreng\b|\bbareinlage|\bapport en numéraire|\baportación dineraria|\bhoofdsom|\b(?:totale )?investering(?:sbedrag)?\b|\bleningbedrag|\bpurchase price of (?:this|the) (?:safe|note)/gi,
  },
  {
    term: 'purchase-price',
    words:
      /(?<!original |initial |conversion )\b(?:total |aggregate |base |initial |headline |fixed |cash )?purchase price\b(?! per)|\b(?:total |aggregate |cash )consideration\b|(?<=["“])consideration(?=["”] (?:means|shall mean))|\bconsideration (?:for the (?:sale|shares)|under the (?:spa|agreement|sale and purchase agreement)|payable)\b|\b(?:acquires?|buys?|purchases?|erwirbt|acquiert|acquerra|adquiere|adquirirá|acquista|acquisterà|verwerft|koopt|nabywa|nabędzie|förvärvar|adquire)\b[^.;€$£]{0,24}\b(?:100 ?%|all (?:of )?the (?:issued )?shares|sämtliche \S*anteile|la totalité|la totalidad|il 100 ?%|wszystkie)[^.;€$£]{0,60}\b(?:for|für|pour|por|per|voor|za|för)(?= )|\bthe price (?:is|shall be|amounts to)\b|\b(?:gesamt|fest|basis|grund)?kaufpreis(?:es)?\b|\bprix (?:de (?:vente|cession|base|acquisition)|d[’']achat)\b|\bprecio (?:total )?(?:de (?:la )?(?:compra(?:venta)?|venta|adquisición)|base|fijo)\b|\bkoop(?:prijs|som)\b|\b(?:pour|moyennant) un prix (?:global |total |ferme )?de\b|\ble prix (?:est|s[’']élève)|\bil prezzo\b(?! (?:per|di (?:emissione|sottoscrizione)))|\bprezzo (?:di (?:acquisto|cessione|vendita|compravendita)|complessivo)|\bel precio (?:es|será|asciende)|\bvalues the (?:group|company|target|business) at\b|\boverdrachtsprijs/gi,
  },
  {
    term: undefined,
    words:
      /\bpar value\b|\bnominal(?: value)?\b|\bnennwert|\bvaleur nominale|\bvalor nominal|\bnominale waarde|\b(?:strike|exercise)(?: price)?\b|\bescrow\b|\bretention\b|\btreuhand\S*|\bteilbetrag|\bhinterleg\S*|\bséquestre|\bdepósito|\bearn-?out\b|\bpenalt\S*|\bvertragsstrafe|\bfees?\b|\bexpenses\b|\bcosts\b|\bkosten\b|\bfrais\b|\bgastos\b|\brevenue\b|\bebitda\b|\bnet debt\b|\bcash (?:of|balance)\b|\bliabilit\S*|\bhaft\S*|\bplafond\b|\bresponsab\S*|\baansprakelijk\S*|\blimited to\b|\bin excess of\b|\bexceed\S*|\bindebtedness\b|\bthreshold\b|\bdefault\b|\bdividend\S*|\bas lead\b|\btranche\b|\bdeposit\b|\bstichting\b|\bworking capital\b|\bdamages\b|\bclaim\S*\b|\bunrestricted\b|\badjust\S*|\bdrawn\b|\brent\b/gi,
  },
];

const rates: readonly Cue<RateTerm, RegExp>[] = [
  {
    term: 'option-pool',
    words:
      /\b(?:employee |unallocated |available |stock |share )?(?:option|equity|employee|incentive|esop) (?:incentive )?(?:pool|plan|reserve|scheme)\b|\b(?:esop|vsop)\b|\bpool\b|\bmitarbeiterbeteiligung\S*|\boptionspool|\bpool d[’']options|\b(?:pool|plan|enveloppe) (?:de )?bspce|\bpool de opciones|\bplan de (?:opciones|incentivos)|\boptie-?(?:pool|plan)|\bmedewerkersparticipatie\S*/gi,
  },
  {
    term: 'discount',
    words:
      /(?<=^.{0,3})\bdes (?:[^%;.]{0,60} )?(?:anteils|ausgabe|aktien|bezugs)preises\b|\bdiscount(?:ed)?(?: rate| price| factor)?\b|\b(?:wandlungs)?(?:abschlag|rabatt)\w*|\bnachlass\b|\bdécote\b|\bdescuento\b|\bsconto\b|\bridott[oa] del\b|\bkorting\b|\bverminderd met\b|(?<=\bprice\b[^.;]{0,40})\breduced by\b|\bless\b(?= \w+ per)|\bmultiplied by\b|(?<=^.{0,3})of the (?:lowest |cash )?(?:purchase |subscription |issue )?price (?:paid |payable )?(?:per|by|of|in)\b/gi,
  },
  {
    term: 'interest',
    words:
      /\binterest\b(?! cover| in | of the| rate cover)|\bzins(?:en|satz|es)?\b|\bverzins\S*|\bintérêts?\b|\btaux d[’']intérêt|\binterés(?:es)?\b|\binteress[ei]\b|\btasso d[’']interesse|\brente(?:voet|percentage)?\b|\bcoupon\b/gi,
  },
  {
    term: 'dividend',
    words: /\bdividends?\b|\b(?:vorzugs|vorab)?dividende[ns]?\b|\bdividendos?\b|\bpreferred return\b/gi,
  },
  {
    term: undefined,
    words:
      /\b(?:default|penalty) (?:rate|interest)\b|\bin default\b|\bverzuim\b|\bhandelsrente\b|\bstatutory\b|\bverzug\S*|\bmaximum\b|\busury\b|\bshall never exceed|\bvot(?:es?|ing)\b|\bmajority\b|\bmehrheit\b|\bmajorité\b|\bmayoría\b|\bmeerderheid\b|\bstimm\S*|\bown(?:s|ed|ership)\b|\btax(?:es)?\b|\bsteuer\S*|\bunvested\b|\bvest(?:s|ed)?\b|\bholders? of\b|\bcustomer\b|\brevenue\b|\bcover\b|\bof the (?:preferred|shares)\b|\bbore\b|\bretenci\S*|\bwithholding\b|\bin arrears\b|\bredemption\b/gi,
  },
];

/** Labels of a line whose first amount they name: "Round: up to £8.4m in two tranches". */
const labels: readonly Cue<MoneyTerm, RegExp>[] = [
  {
    term: 'investment',
    words:
      /^(?:(?:total|size of the|this|funding|financing|investment|seed|series \w+|finanzierungs|gesamte|levée|tour de) ?)*(?:round|raise|amount|financing|investment|runde|finanzierung|investition|beteiligung|tour|investissement|montant|ronda|importe|inversión|ronde|investering|bedrag)(?: size| amount)?\b/gi,
  },
];

export const moneyLabels = labels.map(({ term, words }): Cue<MoneyTerm> => ({ term, words: anyAlphabet(words) }));
export const moneyCues = money.map(({ term, words }): Cue<MoneyTerm> => ({ term, words: anyAlphabet(words) }));
export const rateCues = rates.map(({ term, words }): Cue<RateTerm> => ({ term, words: anyAlphabet(words) }));
