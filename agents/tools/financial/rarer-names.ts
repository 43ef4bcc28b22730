/**
 * Rarer names of statement items, by item and in all languages that are read, in the form of `normaliseName`: lower case, no
 * diacritics, single spaces.
 */
export const rarerNames = {
  revenue:
    'net operating revenue|gross sales less returns|erlose aus lieferungen und leistungen|ca ht|' +
    'chiffre d affaires hors taxes|chiffre d affaires hors taxe|total du chiffre d affaires|revenus|facturacion|' +
    'ricavi da contratti con clienti|ricavi da contratti con i clienti|przychody z umow z klientami|' +
    'vendas e prestacoes de servicos|prestacoes de servicos e vendas|trzby z prodeje|nettoomsattning totalt|revenues from operations|' +
    'produits des activites|chiffre d affaires total|omzet exclusief btw|ventas totales',
  cost_of_sales:
    'kosten der umgesetzten leistungen|koszt sprzedanych produktow|custo das mercadorias vendidas|' +
    'costs of revenue|' +
    'cout de revient|costes de ventas',
  gross_profit: 'rohgewinn|marge commerciale|margine lordo industriale|bruttofortjanst|marge sur couts directs',
  research_development:
    'f e aufwand|f e kosten|forschungs und entwicklungsaufwand|kosten fur forschung und entwicklung',
  sga: 'gastos de venta generales y de administracion|freight selling and administration|selling and administration',
  cost_of_materials:
    'custo das mercadorias vendidas e das materias consumidas|custo mercadorias vendidas e materias consumidas|custo das mercadorias vendidas e materias consumidas|cmvmc|aufwand fur material|consumos de materias primas|achats consommes variation de stock comprise|' +
    'achats et variation de stocks|aufwand fur material und waren|aufwand fur material waren und dienstleistungen',
  personnel_expense:
    'wages and salaries and social security|lohne gehalter und sozialaufwand|lohnaufwand|kosten voor personeel|wages salaries and benefits',
  depreciation: 'afschrijvingen op materiele vaste activa|amortizacoes',
  ebit: 'trading profit|betriebserfolg|resultado de las operaciones|resultado de las operaciones ordinarias|wynik na dzialalnosci operacyjnej|resultat d exploitation courant',
  ebitda:
    'resultado antes de depreciacoes gastos de financiamento e impostos|resultado antes de depreciacoes gastos de financiamento|resultado antes de depreciacoes e gastos de financiamento|betriebsergebnis vor abschreibungen|ergebnis vor zinsen steuern und abschreibungen|rorelseresultat fore avskrivningar|resultat for afskrivninger|driftsresultat for avskrivninger|bedrijfsresultaat voor afschrijvingen|excedent brut d exploitation|ebe|margine operativo lordo|mol|resultado bruto de explotacion|resultado operativo antes de amortizaciones|zysk operacyjny przed amortyzacja|' +
    'earnings before interest taxes depreciation and amortization|earnings before interest taxes depreciation and amortisation|earnings before interest tax depreciation and amortisation',
  interest_expense:
    'renteudgifter|interest expenses and similar|couts d emprunt|custos de financiamento|finance expense all interest on borrowings',
  pre_tax_income:
    'bai|resultat for skat af arets resultat|beneficios antes de impuestos|zysk przed opodatkowaniem podatkiem dochodowym',
  income_tax: 'impots sur le resultat de l exercice',
  net_income:
    'exercice se solde par un benefice|exercice se solde par une perte|exercice se cloture par un benefice|exercice se cloture par une perte|exercice se solde par un benefice net|exercice fait ressortir un benefice|' +
    'unternehmensgewinn|zysk za okres|resultat apres impots|net profit for the financial year|resultado del ejercicio despues de impuestos|resultat apres impots amortissements provisions|' +
    'resultat apres impots amortissements et provisions|resultat apres impots participation des salaries et dotations aux amortissements et provisions|resultat apres impots participation et dotations aux amortissements et provisions',
  net_income_attributable:
    'konzernergebnis der aktionare|ergebnisanteil der aktionare des mutterunternehmens|ergebnis der aktionare|resultado atribuible a la entidad dominante|' +
    'risultato di pertinenza del gruppo|utile di competenza del gruppo|beneficio atribuible|beneficio atribuido|resultado atribuible',
  eps_basic: 'resultat apres impots par action|resultat apres impots amortissements provisions par action',
  cash: 'cash on hand and at banks|bankinnskudd kontanter|caixa e seus equivalentes|caisse et banques|banque et caisse|avoirs en banque|avoirs bancaires',
  receivables:
    'forderungen aus l u l|forderungen aus lul|forderungen l l|kundforderingar|vorderingen op afnemers|odberatele|creances d exploitation clients',
  total_assets: 'suma bilansowa|total do activo|summa aktiva|somme du bilan',
  payables:
    'verbindlichkeiten aus l u l|verbindlichkeiten aus lul|verbindlichkeiten l l|leverancierskrediet|dettes d exploitation fournisseurs',
  deferred_revenue: 'passivo da contratto|passivos de contratos',
  short_term_debt:
    'bank overdrafts and short term loans|passifs financiers courants|deudas a corto plazo con entidades de credito',
  long_term_debt:
    'deudas a largo plazo con entidades de credito|passifs financiers non courants|term loan non current|non current term loan|term loans non current',
  retained_earnings: 'ingehouden winst|opptjent egenkapital sum',
  equity: 'fondos propios|suma kapitalow wlasnych',
  total_liabilities_and_equity:
    'total des passifs et capitaux propres|total capitaux propres et passif|totaal der passiva|kapital wlasny i zobowiazania razem|summa passiva',
  capex:
    'acquisition of tangible assets|investitionsausgaben|pagos por inversiones en inmovilizado|wydatki na nabycie rzeczowych aktywow trwalych|' +
    'pagamentos respeitantes a ativos fixos tangiveis|investeringar i anlaggningar|investeringarna i anlaggningar',
  dividends_paid: 'ausgezahlte dividende|ausgezahlte dividenden|resultat distribue|distributed earnings',
  operating_cash_flow:
    'cash provided by operating activities|cash provided by operations|cash used in operating activities|cash flows provided by operating activities',
  adjusted_ebitda:
    'ebitda justeret for saerlige poster|ebitda for saerlige poster|ebitda fore jamforelsestorande poster|ebitda avant elements exceptionnels',
  adjusted_operating_income:
    'ebita ajuste|operating profit before exceptional items|ebit fore jamforelsestorande poster|ebit vor sondereffekten',
  stated_free_cash_flow: 'flusso di cassa disponibile|free cash flow before dividends',
  stated_net_debt: 'rentebaerende nettogaeld',
} as const;
