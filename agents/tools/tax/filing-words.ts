/** Tax filings and payments by their names in the languages and on the forms of Europe. */
import { phraseShape } from './fold.ts';

export type FilingKind =
  | 'vat-return'
  | 'ec-sales-list'
  | 'intrastat'
  | 'corporate-tax-return'
  | 'corporate-tax-payment'
  | 'withholding-tax-return'
  | 'country-by-country-report'
  | 'local-file'
  | 'master-file'
  | 'globe-information-return'
  | 'dac6-report'
  | 'dividend-payment'
  | 'other-filing';

/** The more special kinds first. */
const kinds: readonly (readonly [FilingKind, RegExp])[] = (
  [
    [
      'globe-information-return',
      'globe information return|globe informatieaangifte*|globe information report|globe infobericht|globe meldung|informations globe|comunicazione globe|globe return|gir|globe report|pillar two information return|pillar two return|pillar 2 return|mindeststeuer bericht|mindeststeuerbericht|mindeststeuererklarung|globe erklarung|declaration globe|globe aangifte|globe melding|declaracion informativa globe',
    ],
    [
      'country-by-country-report',
      'country by country report*|cbc notification*|cbcr notification*|country by country notification|cbc report*|cbcr|cbc reporting|country by country filing|cbc bericht*|cbcr meldung|2258 sd|formulaire 2258|informe cbc|rapporto cbc|landerbezogene* bericht*|landerbezogener bericht|declaration pays par pays|reporting pays par pays|rendicontazione paese per paese|informe pais por pais|modelo 231|landenrapport|land for land rapport*|land for land rapportering|raport wedlug krajow|cbc r',
    ],
    [
      'master-file',
      'master file|master file documentation|masterdoku*|stammdoku*|documento maestro|dossier principal|fascicolo principale|masterfile|stammdokumentation|fichier principal|documentation groupe|hoofddossier|dokumentacja grupowa',
    ],
    [
      'local-file',
      'local file|local file documentation|fichero local|dossier local|fascicolo locale|documentazione nazionale|landendossier|lokal dokumentasjon|localfile|landesspezifische* unternehmensbezogene* dokumentation|landesspezifische dokumentation|fichier local|documentation locale|lokaal dossier|lokalna dokumentacja|transfer pricing documentation|transaktionsmatrix|verrechnungspreisdokumentation|documentation des prix de transfert',
    ],
    [
      'dac6-report',
      'meldpflichtige constructie*|meldingsplichtige constructie*|grensoverschrijdende constructie*|constructie|meccanismo transfrontaliero|mecanismo transfronterizo|schemat podatkowy|schematu podatkowego|preskranicni usporadani|rapporteringspliktig* arrangement*|dac6*|hallmark*|dac 6 kennzeichen|reporting of the arrangement|mitteilung grenzuberschreitende*|mandatory disclosure|dac 6|reportable arrangement*|cross border arrangement*|arrangement|mdr report*|grenzuberschreitende* gestaltung*|dispositif transfrontiere|meldepflichtige* gestaltung*',
    ],
    [
      'ec-sales-list',
      'ec sales list*|vies|vies statement*|vies return*|vies declaration*|ecsl|ic sales list|intra community sales list|des declaration|declaration europeenne de services|etat recapitulatif tva|inf vat ue|esl|recapitulative statement*|zusammenfassende meldung*|zm|etat recapitulatif|modelo 349|elenco riepilogativo|opgaaf icp|icp listing*|icp list|opgaaf intracommunautaire*|icp opgaaf|icp opgave|icl opgave|periodisk sammanstallning|eu salgsliste|eu salg uden moms|vat ue|souhrnne hlaseni|declaracao recapitulativa|intracommunity listing*|intra community listing*|intra community statement*|ic listing*',
    ],
    ['intrastat', 'intrastat*|emebi|enquete emebi|declaration d echanges de biens'],
    [
      'withholding-tax-return',
      'retenue a la source declaration*|declaration de retenue*|declaration n° 2777|versamento delle ritenute|ritenute f24|versamento ritenute|liquidacion de retenciones|declaracion de retenciones|autoliquidacion de retenciones|aangifte bronheffing|bronheffing aangifte|anmeldung der kapitalertragsteuer|anmeldung des steuerabzugs|steuerabzugsanmeldung|deklaracja podatku u zrodla|withholding tax return*|dwt return*|dividend withholding tax return*|interest withholding tax return*|royalty withholding tax return*|kapest anmeldung*|form ct61|ct61|wht return*|withholding tax declaration*|withholding return|kapitalertragsteueranmeldung*|kapitalertragsteuer anmeldung|quellensteueranmeldung|quellensteuerabrechnung|quellensteuer anmeldung|steuerabzug nach 50a|anmeldung nach 50a|50a anmeldung|modello 770|formulaire 2777|declaration n 2777|declaration 2777|2777 sd|2494 sd|modelo 111|modelo 115|modelo 123|modelo 117|modelo 190|modello cu|form 1042 s|form 945|pit 4r|pit 8ar|cit 6ar|ift 2|modelo 30|aangifte bedrijfsvoorheffing|aangifte roerende voorheffing|formulier 273|declaration de retenue a la source|modelo 216|modelo 296|aangifte dividendbelasting|aangifte bronbelasting|dividendbelasting aangifte|ift 2r|cit 6r|form 1042|verrechnungssteuer formular|kupongskatt*|kildeskatteoppgave',
    ],
    [
      'corporate-tax-payment',
      'corporation tax prepayment*|corporate income tax prepayment*|prepayment of corporat*|second instalment of corporat*|zaliczka na podatek dochodowy od osob prawnych|corporate tax payment|corporate income tax payment|corporation tax payment|corporate income tax advance*|corporate tax advance*|corporate income tax instalment*|corporate tax instalment*|corporation tax instalment*|corporation tax first instal*|corporation tax second instal*|corporation tax third instal*|corporation tax fourth instal*|corporate income tax first instal*|corporate income tax second instal*|corporate tax first instal*|corporate tax second instal*|first instalment of corporat*|second instalment of corporat*|corporation tax payment*|corporate tax prepayment*|cit advance*|cit instalment*|cit prepayment|advance corporate tax|advance payment of corporate*|advance payment of corporation*|payment of corporation tax|payment of corporate*|balance of corporation tax|instalment of corporate*|instalment of corporation*|quarterly instalment*|preliminary tax|preliminary tax instal*|quarterly instalment payment*|kst vorauszahlung*|gewst vorauszahlung*|steuervorauszahlung*|ertragsteuervorauszahlung*|terminskatt|vpb voorlopige|zaloha dppo|zaloha na dppo|korperschaftsteuervorauszahlung*|korperschaftsteuer vorauszahlung*|gewerbesteuervorauszahlung*|vorauszahlung korperschaftsteuer|vorauszahlungen korperschaftsteuer|vorauszahlung|acompte is|acompte d is|acompte d impot sur les societes|acompte impot*|solde is|solde d is|pago fraccionado|modelo 202|acconto ires|saldo ires|secondo acconto|primo acconto|voorlopige aanslag vpb|voorlopige aanslag*|forskuddsskatt|aconto skat|acontoskat|zaliczka cit|zaliczka na cit|zaloha na dan z prijmu|pagamento por conta|f skatt|preliminarskatt',
    ],
    [
      'corporate-tax-return',
      'corporate tax return*|corporate income tax return*|corporation tax return*|corporation tax filing|corporate tax filing|form ct1|form 1120|form 1120 f|2065 sd|kst erklarung*|gewst erklarung*|korperschaftsteuer erklarung*|ertragsteuererklarung*|declaration 2065|zeznanie roczne cit|corporation tax self assessment|company tax return|cit return*|ct600|ct return|ct1|income tax return|tax return of the company|korperschaftsteuererklarung*|korperschaftssteuererklarung*|korperschaftsteuer aangifte|korperschaftsteueraangifte|vennootschapsbelasting aangifte|aangifte korperschaftsteuer|declaration d is|bolagsskatt*|selskabsskat*|impozit pe profit|tarsasagi ado|porez na dobit|gewerbesteuererklarung*|steuererklarung*|jahressteuererklarung|liasse fiscale|declaration de resultat*|declaration is|declaration d impot sur les societes|modelo 200|impuesto sobre sociedades|modello redditi|redditi sc|dichiarazione dei redditi|aangifte vennootschapsbelasting|aangifte vpb|vpb aangifte|vennootschapsbelasting*|skattemelding*|selskapsskatt*|selvangivelse*|oplysningsskema|inkomstdeklaration*|cit 8|zeznanie cit*|priznani k dani z prijmu*|priznani dppo|modelo 22|declaration of corporate*',
    ],
    [
      'vat-return',
      'vat return*|vat quarter*|vat3|vat3 return*|vat 3 return*|form vat3|vat100|ust jahreserklarung*|ust erklarung*|umsatzsteuer jahreserklarung*|mwst erklarung*|declaration de la tva|declaration ca3|declaration de tva ca3|iva trimestral|autoliquidacion iva|comunicazione liquidazioni periodiche|comunicazione iva|ob aangifte|mva oppgjor|deklaracji vat|kontrolni hlaseni|vat declaration*|vat filing|umsatzsteuervoranmeldung*|umsatzsteuer voranmeldung*|ust voranmeldung*|ust va|uva|umsatzsteuererklarung*|umsatzsteuerjahreserklarung|mwst abrechnung*|declaration de tva|declaration tva|ca3|modelo 303|modelo 390|modelo 322|vat 100|formulaire ca3|ca12|declaracion de iva|declaracion iva|dichiarazione iva|liquidazione iva|lipe|btw aangifte*|aangifte omzetbelasting|aangifte btw|mva melding*|mva oppgave|momsdeklaration*|momsangivelse*|skattedeklaration moms|deklaracja vat|jpk v7*|jpk*|priznani k dph|danove priznani dph|declaracao de iva|declaracao periodica|alv ilmoitus',
    ],
    [
      'dividend-payment',
      'dividend payment|payment of the dividend|dividend payable|dividend paid|dividend is payable|dividend will be paid|dividend was paid|dividend is paid|dividendenzahlung|auszahlung der dividende|dividende wird|dividende wurde|mise en paiement|paiement du dividende|versement du dividende|pagamento del dividendo|pago del dividendo|utbetaling av utbytte|utbyttet utbetales|betaling van het dividend|dividend betaald|wyplata dywidendy',
    ],
    [
      'other-filing',
      'return of trading details|rtd return|tpr c|tpr p|tpr|informacja tpr*|istanza di rimborso|istanza*|domanda di rimborso|modelo 036|modelo 037|solicitud de devolucion|verzoekschrift|skarga na decyzj*|wniosek o zwrot|zadost o vraceni|antrag auf erstattung|antrag auf vergutung|pedido de reembolso|overklagande|begaran om aterbetalning|declaration d existence|declaration de l etablissement*|appeal*|objection*|einspruch*|klage|reclamation|recours|ricorso|recurso|bezwaar*|beroep|odwolanie|odvolani|klage over|refund claim*|claim for refund|refund application*|erstattungsantrag*|vergutungsantrag*|vat refund|demande de remboursement|notification|disclosure|registration|payroll tax return*|wage tax return*|lohnsteueranmeldung*|lohnsteuer anmeldung*|digital services tax return|dst return|capital duty|stamp duty return|excise return|qdmtt return*|domestic top up tax return*|advance pricing agreement application|apa application|apa request|mutual agreement request|map request|oss return*|one stop shop*|insurance premium tax return|property tax return|grunderwerbsteueranzeige|aussensteuererklarung|tax return*|annual return|beps notification|transparency register|extension request|fristverlangerung*',
    ],
  ] as const
).map(([kind, phrases]) => [kind, phraseShape(phrases)] as const);

/** "Déclaration n° 2257-SD", "Form 8802": a form whose number no kind above knows. */
const numberedForm =
  /(?<![a-z])(?:declaration|form|formulaire|formular|formulier|vordruck|modelo|modello|skjema|blankett)\s?(?:n[°or.]{0,3}\s?)?\d{2,5}/;

/** "Withholding tax on professional income: return and payment". */
const withholdingReturn =
  /\b(?:(?:withholding|wage) tax|precompte professionnel|bedrijfsvoorheffing)\b.{0,60}\b(?:returns?|declaration|aangifte)\b/;

/** @returns the kind that is named, and where */
export function kindIn(folded: string): { readonly kind: FilingKind; readonly index: number } | undefined {
  const withholding = withholdingReturn.exec(folded);
  if (withholding !== null) return { kind: 'withholding-tax-return', index: withholding.index };
  for (const [kind, shape] of kinds) {
    const index = shape.exec(folded)?.index;
    if (index !== undefined) return { kind, index };
  }
  const index = numberedForm.exec(folded)?.index;
  return index === undefined ? undefined : { kind: 'other-filing', index };
}

/** What one obligation names together: "the master file and the local file", else the one kind. */
export function kindsIn(folded: string): FilingKind[] {
  const first = kindIn(folded);
  if (first === undefined || first.kind === 'withholding-tax-return') return first === undefined ? [] : [first.kind];
  const named = kinds
    .flatMap(([kind, shape]) => {
      const match = shape.exec(folded);
      return match === null ? [] : [{ kind, start: match.index, end: match.index + match[0].length }];
    })
    .sort((a, b) => a.start - b.start);
  const joined: FilingKind[] = [];
  for (const [at, { kind, end }] of named.entries()) {
    const next = named[at + 1];
    if (next === undefined || !joining.test(folded.slice(end, next.start))) continue;
    for (const each of [kind, next.kind]) if (!joined.includes(each)) joined.push(each);
  }
  return joined.length === 0 ? [first.kind] : joined;
}

const joining =
  /^(?:s|en)? ?(?:,|and|&|und|sowie|et|e|y|en|og|och|i|a|\/|as well as|ainsi que)(?: (?:the|of|der|die|das|den|le|la|les|il|lo|el|los|het|de))? ?$/;
