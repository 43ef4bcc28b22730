/** Words for the lines of tax rate reconciliations, folded; in the languages of Europe. */

const tax =
  '(?:income tax(?:es)?|corporation tax|tax(?:es|ation)?|[a-z]*steuern?|[a-z]*steueraufwand[a-z]*|[a-z]*steuerertrag|[a-z]*steuerbelastung|impots?|charge fiscale|fiscalite|impost[aei]|onere fiscale|oneri fiscali|carico fiscale|ires|impuestos?|carga (?:impositiva|fiscal)|cuota|[a-z]*belasting(?:en|last|bate)?|[a-z]*skatt(?:en|er|ekostnad|ekostnader|ekostnaden|kostnad)?|[a-z]*skat(?:ten|teomkostning|teomkostninger)?|podat(?:ek|ku|kiem)|obciazenie podatkowe|dan(?:e|i)?|danovy naklad|impostos?|vero(?:t|kulu)?|adofizetesi kotelezettseg|ado)';
const expectedAdjective =
  '(?:expected|theoretical|notional|computed|calculated|hypothetical|anticipated|erwartete[rsnm]?|zu erwartende[rsnm]?|rechnerische[rsnm]?|theoretische[rsnm]?|fiktive[rsnm]?|kalkulatorische[rsnm]?|theoriques?|theoric[oa]|teoric[aoei]|teoriche|teorisk[ae]?|teoretisk[ae]?|forventet|forventede|forvantad[e]?|beraknad[e]?|beregnet|beregnede|verwachte|berekende|teoretyczn[yaeo][a-z]*|oczekiwan[yae]|teoreticka|ocekavana|vypoctena|prevista|esperad[oa]|laskennallinen|laskennalliset|statutory|applicable|domestic|nominal|gesetzliche[rsnm]?|nominell[a-z]*|wettelijk[e]?)';
const rateNoun =
  '(?:rates?|[a-z]*satz(?:es)?|[a-z]*satzen|taux|[a-z]*tarief|tipo|tipos|aliquot[ae]|[a-z]*sats(?:en|er)?|[a-z]*prosent|[a-z]*procent|stawk[aiy]|stawek|sazb[aeoyu]|taxas?|verokan[a-z]*|kulcs[a-z]*)';
const at =
  "(?:at|zum|mit|bei|auf basis|unter anwendung|auf grundlage|nach|au taux|aux taux|a taux|al|con|tegen|op basis van|volgens|all'|alla|med|enligt|etter|ved|efter|pa|av|af|wedlug|wg|przy|pri|podle|a taxa|a uma taxa|using|based on|multiplied by|applying|on|of|de|per)";

const expected = new RegExp(
  `\\b${expectedAdjective}\\b.{0,60}\\b${tax}\\b|\\b${tax}\\b.{0,60}\\bverokan[a-z]*|\\b${tax}\\b.{0,24}\\b(?:theorique|theoriques|teoric[oaei]|teoriche|theorisch|teoretyczn[a-z]*|teoreticka|teorisk|prevista|esperad[oa])\\b|\\b${tax}\\b.{0,40}\\b${at}\\b.{0,70}(?:${rateNoun}\\b|\\d{1,2}(?:[.,]\\d{1,3})? ?%)|\\b(?:profit|loss|income|result).{0,60}\\b(?:multiplied by|at)\\b.{0,60}\\brate|\\d{1,2}(?:[.,]\\d{1,3})? ?% (?:av|af|on|auf|von|of|skatt|skat|tax|steuer)\\b|^${tax} \\(?\\d{1,2}(?:[.,]\\d{1,3})? ?%|\\b${tax}\\b.{0,30}\\(\\d{1,2}(?:[.,]\\d{1,3})? ?%\\)`,
);
const notStart =
  /^(?:effective|effekt|effects?|tax effects?|impact|difference|different|differing|change|changes|higher|lower|foreign|overseas|other|adjustment|remeasurement|prior|previous|deferred|current tax(?! (?:at|on))|anderung|abweich|auswirkung|unterschied|hohere|niedrigere|auslandisch|sonstige|latente|steuersatz(?:unterschied|anderung|differenz|abweich)|ecart|impatto|differenz|verschil|afwijkende|effet|incidence|virkning|skatteeffekt|wirkung|effetto|efecto|diferencia|wplyw|vliv|ondersteunde|withholding|quellensteuer|non|nicht|tax (?:losses|credits?|exempt|incentives?|rate changes?|free)|steuerfrei|utilisation|recognition|unrecogni|konzernsteuerquote|actual|reported|total|tatsachlich|ausgewiesen)/;

const effectiveWord =
  '(?:effective|effektive[rsnm]?|effektivt?|effektivni|effectief|effectieve|effectif|effectifs|effettiv[ao]|efectiv[ao]|efektywn[a-z]*|efektivni|efetiva|tatsachliche[rsnm]?|efektiivinen)';
const effective = new RegExp(
  `\\b${effectiveWord}\\b.{0,50}${rateNoun}|\\b${rateNoun}\\b.{0,30}\\b${effectiveWord}\\b|\\b(?:konzernsteuerquote|steuerquote|effektiv skatt|belastingdruk|etr)\\b|^taux (?:d'impot )?(?:reel|apparent)|^aliquota (?:media|effettiva)|^tax rate \\(?effective`,
);
const totalAdjective =
  '(?:total|actual|reported|recognised|recognized|effective|ausgewiesene[rsnm]?|tatsachliche[rsnm]?|effektive[rsnm]?|gesamte[rsnm]?|summe|bilanzierte[rsnm]?|reelle?|effective|comptabilise[e]?|totale?s?|totali|effettiv[aeo]|complessiv[aeo]|efectivo|contabilizado|werkelijke|totale|effectieve|arets|redovisad|redovisade|bokfort|samlet|total|sum|faktisk|resultatfort|wykazan[a-z]*|efektywn[a-z]*|razem|lacznie|skutecna|celkova|vykazana|toteutunut|tuloslaskelman)';
const total = new RegExp(
  `^(?:the |im |in |per |consolidated |group |konzern-?abschluss )?.{0,24}\\b${totalAdjective}\\b.{0,40}\\b${tax}\\b|^${tax}\\b.{0,40}\\b${totalAdjective}\\b|^(?:income |corporate |current and deferred |net )*tax(?:es|ation)?(?: on (?:profit|income|continuing)[a-z ]*)? ?\\(?(?:charge|expense|credit|benefit|provision|income)|^(?:income tax(?:es)?|taxation|tax charge|tax)$|^tax (?:expense|charge|credit) |^[a-z]*(?:steueraufwand|steuerertrag)\\b|^(?:ertragsteuern|steuern vom einkommen und (?:vom )?ertrag|steuern vom einkommen)|^(?:charge|produit)(?: \\([^)]*\\))? d'impots?|^impots? (?:sur les|comptabilise|au compte)|^imposte (?:sul reddito|correnti e differite|iscritte|a conto|dell'esercizio)|^(?:gasto|ingreso)(?: \\([^)]*\\))? por impuestos?|^impuesto (?:sobre|reconocido)|^(?:winstbelasting(?:en)?|vennootschapsbelasting|belastingen|belastinglast)(?:$| (?:volgens|in de|over|uit|conform|per))|^skatt(?:ekostnad|ekostnader)(?:$| )|^skat(?:$| af arets)|^arets skat|^skatteomkostning|^podatek dochodowy|^obciazenie podatkowe|^dan z prijmu|^tax per |^income tax (?:as|per|recogni|in )|^(?:total )?(?:provision for|\\(?benefit from\\)?) (?:income )?taxes$|^tax (?:in|recogni[sz]ed in|reported in|as reported|per) |^verot? tuloslaskelmassa|^tuloverot? (?:yhteensa|tuloslaskelmassa)|^(?:imposto|gasto contable por impuesto|impostos) (?:sobre o rendimento|do exercicio|reconhecido)|^gasto contable|^skat af arets|^arets skattekostnad|^skatt pa arets|^totaal belastingen|^(?:celkova )?dan (?:z prijmu )?celkem`,
);
const notTotal =
  /\b(?:not|non|nicht|prior|previous|vorjahr[a-z]*|fruhere[a-z]*|anterieur[a-z]*|precedent[ei]|anteriores|eerdere|tidligere|tidigare|lat ubieglych|minulych|losses|verlust[a-z]*|deficits?|perdite|withholding|quellensteuer[a-z]*|a la source|ritenute|rate changes?|satzanderung[a-z]*|credits?|gutschrift[a-z]*|credits d'impot|credito d'imposta|adjustments?|foreign|auslandisch[a-z]*|other|sonstige[a-z]*|autres|altre|otros|overige|andre|ovriga|pozostale|effects?|auswirkung[a-z]*|difference[a-z]*|differen[a-z]*|unterschied[a-z]*|minimum|mindeststeuer|top-up|erganzungssteuer|exempt|free|frei[a-z]*|income not|deferred tax assets?|latente[a-z]*)\b/;
const profit =
  /\btulos ennen (?:vero|satunnais)|\b(?:(?:profit|loss|income|result|earnings|\(loss\)).{0,30}before (?:income |corporate |group )?tax(?:es|ation)?|pre tax (?:profit|income|result)|accounting profit|profit on ordinary activities|(?:ergebnis|resultat|gewinn|verlust|jahresergebnis|konzernergebnis|konzerngewinn|jahresgewinn|unternehmensergebnis|uberschuss).{0,30} vor (?:[a-z]*steuern|ertragsteuern|steuern)|ebt|(?:resultat|benefice|perte|profit).{0,30} avant impots?|resultat avant|(?:risultato|utile|perdita).{0,30} (?:prima delle|ante|al lordo delle) imposte|(?:resultado|beneficio|perdida).{0,30} antes de impuestos|(?:resultaat|winst|verlies).{0,20} voor (?:[a-z]*belasting(?:en)?)|resultat for (?:skatt[a-z]*|skat)|resultat fore skatt|ordinaert resultat for|(?:zysk|strata|wynik).{0,20} (?:brutto|przed opodatkowaniem)|(?:vysledek|zisk|ztrata).{0,30} pred zdanenim|tulos ennen veroja)\b|pre-tax (?:profit|income|result|loss)/;
const subtotal =
  /^(?:sub ?-?total|zwischensumme|sous-total|subtotale|tussentotaal|delsum|suma czesciowa|effects? of:?$|of which|davon|reconciling items:?$|total (?:adjustments|reconciling|effects|differences)|summe (?:der )?(?:uberleitung|abweichung|steuereffekte|effekte)|difference$|differenz$)/;

/** "Ireland — statutory tax rate difference": an item, whatever rate it names. */
const itemEnd =
  /\b(?:differences?|differentials?|effects?|unterschied[a-z]*|abweichung[a-z]*|ecarts?|differenz[a-z]*|verschil(?:len)?|diferencias?|roznic[a-z]*|skillnad(?:er)?|forskel(?:le)?|forskjell(?:er)?)[ )*\d]*$/;

export function isExpectedTax(folded: string): boolean {
  return expected.test(folded) && !itemEnd.test(folded) && !notStart.test(folded) && folded.length < 200;
}

const taxNoun = new RegExp(`\\b${tax}\\b|\\b(?:charge|aufwand|expense|effective)\\b`);

/** Whether a row may end a reconciliation, if its figures agree. */
export function namesTax(folded: string): boolean {
  return taxNoun.test(folded) && !isSubtotal(folded);
}

/** A single rate, with which a reconciliation of percentages starts. */
export function isStatutoryRate(folded: string): boolean {
  if (notStart.test(folded) || itemEnd.test(folded)) return false;
  return /\b(?:statutory|applicable|domestic|nominal|standard|weighted average|blended|federal|parent|group|gesetzlich[a-z]*|anzuwendend[a-z]*|nominell[a-z]*|erwartete[rsnm]?|theoretische[rsnm]?|inlandisch[a-z]*|theorique|legal|normal|en vigueur|nominale|vigente|teoric[oa]|ordinaria|wettelijk[a-z]*|toepasselijk[a-z]*|nominaal|gjeldende|gallande|gaeldende|nominell|ustawow[a-z]*|obowiazujac[a-z]*|nominaln[a-z]*|zakonn[a-z]*|platn[a-z]*)\b/.test(
    folded,
  )
    ? new RegExp(`${rateNoun}\\b`).test(folded)
    : /^(?:[a-z]{2,10} )?(?:corporate|corporation|domestic|income) (?:income )?tax rate|^(?:ertrag|konzern|korperschaft|gesamt)?steuersatz|^taux d'impo|^aliquota ires|^tipo (?:impositivo|general)|^(?:svensk |dansk |norsk )?[a-z]*(?:skattesats|skatteprosent|skatteprocent)(?:en)?(?: (?:i|for) [a-z]+)?(?![a-z])|^tax rate/.test(
        folded,
      );
}

export function isEffectiveRate(folded: string): boolean {
  return (
    effective.test(folded) && !/^(?:adjusted|underlying|bereinigt|normalised|cash)|effects? of|impact/.test(folded)
  );
}

export function isTotalTax(folded: string): boolean {
  const name = folded.trim();
  return (
    total.test(name) &&
    !isProfit(name) &&
    !notTotal.test(
      name
        .replace(/current and deferred|(?:laufende )?und latente|latente und/g, '')
        .replace(/\((?:credit|income)\)|\/\s?\(?(?:credit|income)\)?|tax credit$/g, ''),
    )
  );
}

export function isProfit(folded: string): boolean {
  return profit.test(folded) && folded.length < 110;
}

export function isSubtotal(folded: string): boolean {
  return subtotal.test(folded.trim());
}
