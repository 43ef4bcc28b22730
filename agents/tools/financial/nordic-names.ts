/**
 * Names of statement items in Swedish, Danish, Norwegian and Finnish, in the form of `normaliseName`. Sources: the forms of the
 * annual accounts acts (årsredovisningslagen, årsregnskabsloven, regnskapsloven, kirjanpitoasetus) and interim reports under IFRS.
 * Sentences use the definite forms.
 */
export const nordicNames = {
  revenue:
    'nettoomsattning|nettoomsattningen|omsattning|omsattningen|totala intakter|summa intakter|rorelsens intakter|intakter|' +
    'nettoomsaetning|nettoomsaetningen|omsaetning|omsaetningen|' +
    'salgsinntekter|salgsinntekt|driftsinntekter|sum driftsinntekter|sum inntekter|omsetning|omsetningen|driftsinntekt|' +
    'liikevaihto',
  cost_of_sales:
    'kostnad for salda varor|kostnader for salda varor|kostnad for sald vara|kostnad salda varor|kostnad for salda varor och tjanster|' +
    'produktionsomkostninger|vareforbrug og produktionsomkostninger|omkostninger til solgte varer|solgte varers kostpris|' +
    'kostnader solgte varer|solgte varers kost|hankinnan ja valmistuksen kulut|myytyja suoritteita vastaavat kulut',
  gross_profit:
    'bruttoresultat|bruttoresultatet|bruttovinst|bruttofortjeneste|bruttofortjenesten|bruttoavanse|dakningsbidrag|bruttokate|myyntikate',
  research_development:
    'forsknings och utvecklingskostnader|forskning och utveckling|utvecklingskostnader|produktutvecklingskostnader|' +
    'forsknings og udviklingsomkostninger|udviklingsomkostninger|forskning og udvikling|' +
    'forsknings og utviklingskostnader|forskning og utvikling|tutkimus ja kehittamiskulut|tutkimus ja kehitysmenot',
  sga:
    'forsaljnings och administrationskostnader|salgs og administrationsomkostninger|salgs og administrasjonskostnader|' +
    'distributions og administrationsomkostninger|myynnin ja hallinnon kulut',
  cost_of_materials:
    'ravaror och fornodenheter|handelsvaror|ravaror fornodenheter och handelsvaror|material och varor|vareforbrug|' +
    'omkostninger til ravarer og hjaelpematerialer|varekostnad|varekostnader|vareforbruk|materiaalit ja palvelut',
  personnel_expense:
    'personalkostnader|personalkostnad|personaleomkostninger|lonkostnader|lonomkostninger|lonnskostnader|lonnskostnad|' +
    'personalkostnader totalt|henkilostokulut|tyosuhde etuuksista aiheutuvat kulut',
  depreciation:
    'avskrivning pa varige driftsmidler|avskrivning pa varige driftsmidler og immaterielle eiendeler|avskrivninger pa varige driftsmidler|avskrivningar|av och nedskrivningar|av och nedskrivningar av materiella anlaggningstillgangar|avskrivningar av materiella anlaggningstillgangar|avskrivningar av materiella och immateriella anlaggningstillgangar|avskrivningar och nedskrivningar|' +
    'avskrivningar och nedskrivningar av materiella och immateriella anlaggningstillgangar|' +
    'av och nedskrivningar av materiella och immateriella anlaggningstillgangar|' +
    'afskrivninger|af og nedskrivninger|afskrivninger og nedskrivninger|af og nedskrivninger af immaterielle og materielle anlaegsaktiver|' +
    'avskrivninger|av og nedskrivninger|avskrivninger og nedskrivninger|avskrivning|ordinaere avskrivninger|' +
    'poistot|poistot ja arvonalentumiset|poistot ja arvonalentumistappiot',
  ebitda: 'rorelseresultat fore avskrivningar|resultat for afskrivninger|driftsresultat for avskrivninger|kayttokate',
  ebit:
    'rorelseresultat|rorelseresultatet|rorelsevinst|rorelseresultat ebit|rorelseforlust|' +
    'resultat af primaer drift|resultat af primaer drift ebit|driftsresultat|driftsresultatet|resultat for finansielle poster|' +
    'driftsresultat ebit|driftsresultat for finansposter|liikevoitto|liikevoitto tappio|liiketulos',
  interest_expense:
    'annen rentekostnad|andre rentekostnader|rantekostnader|rantekostnader och liknande resultatposter|finansiella kostnader|finansiella kostnader totalt|' +
    'renteomkostninger|finansielle omkostninger|rentekostnader|rentekostnad|finanskostnader|finanskostnad|sum finanskostnader|' +
    'korkokulut|rahoituskulut',
  pre_tax_income:
    'resultat fore skatt|resultatet fore skatt|vinst fore skatt|resultat efter finansiella poster|' +
    'resultat for skat|resultat for skatt|ordinaert resultat for skattekostnad|resultat for skattekostnad|ordinaert resultat for skat|' +
    'voitto ennen veroja|tulos ennen veroja|voitto tappio ennen veroja',
  income_tax:
    'skatt|inkomstskatt|skatt pa arets resultat|skatt pa periodens resultat|skattekostnad|skatt pa resultatet|' +
    'skat|skat af arets resultat|skat af periodens resultat|skat af resultat|selskabsskat|skattekostnad pa resultat|' +
    'skattekostnad pa ordinaert resultat|tuloverot|tilikauden verot',
  net_income:
    'arets resultat|periodens resultat|nettoresultat|resultat efter skatt|kvartalets resultat|halvarets resultat|arets vinst|' +
    'periodens vinst|arets forlust|resultat efter skat|resultat etter skatt|arsresultat|arsoverskudd|arets overskud|' +
    'nettoresultatet|vinst efter skatt|overskudd|tilikauden voitto|tilikauden tulos|tilikauden voitto tappio|katsauskauden tulos|nettotulos',
  net_income_attributable:
    'moderbolagets aktieagare|moderbolagets agare|moderforetagets aktieagare|moderforetagets agare|agare i moderbolaget|' +
    'moderselskabets aktionaerer|aktionaerer i moderselskabet|aktionaererne i moderselskabet|morselskapets aksjonaerer|' +
    'eiere av morselskapet|aksjonaerer i morselskapet|emoyhtion omistajille|emoyhtion omistajat|' +
    'aktionarer i moderbolaget',
  cash:
    'likvida medel|kassa och bank|kassa och banktillgodohavanden|kassa|likvide beholdninger|likvider|likvide midler|bankinnskudd|' +
    'kontanter og kontantekvivalenter|bankinnskudd kontanter og lignende|kontanter och bank|rahavarat|rahat ja pankkisaamiset',
  short_term_investments:
    'kortfristiga placeringar|kortfristiga finansiella placeringar|vaerdipapirer|rahoitusarvopaperit',
  receivables:
    'kundfordringar|tilgodehavender fra salg|tilgodehavender fra salg og tjenesteydelser|debitorer|varedebitorer|kundefordringer|' +
    'tilgodehavender fra salg af varer og tjenesteydelser|myyntisaamiset',
  trade_and_other_receivables:
    'kundfordringar och andra fordringar|kundefordringer og andre fordringer|tilgodehavender|myyntisaamiset ja muut saamiset',
  inventories:
    'varulager|varulager m m|lager|varebeholdninger|varelager|varebeholdning|varelager og annen beholdning|vaihto omaisuus',
  current_assets:
    'omsattningstillgangar|summa omsattningstillgangar|kortfristiga tillgangar|summa kortfristiga tillgangar|omsaetningsaktiver|' +
    'omsaetningsaktiver i alt|kortfristede aktiver|kortfristede aktiver i alt|omlopsmidler|sum omlopsmidler|' +
    'lyhytaikaiset varat|lyhytaikaiset varat yhteensa|vaihtuvat vastaavat|vaihtuvat vastaavat yhteensa',
  ppe:
    'materiella anlaggningstillgangar|summa materiella anlaggningstillgangar|materielle anlaegsaktiver|materielle aktiver|' +
    'materielle anlaegsaktiver i alt|varige driftsmidler|sum varige driftsmidler|materiella tillgangar|aineelliset hyodykkeet|' +
    'aineelliset kayttoomaisuushyodykkeet|eiendom anlegg og utstyr',
  goodwill: 'liikearvo|konserniliikearvo',
  non_current_assets:
    'anlaggningstillgangar|summa anlaggningstillgangar|anlaegsaktiver|anlaegsaktiver i alt|langfristede aktiver|' +
    'langfristede aktiver i alt|anleggsmidler|sum anleggsmidler|pitkaaikaiset varat|pitkaaikaiset varat yhteensa|pysyvat vastaavat',
  total_assets:
    'summa tillgangar|tillgangar totalt|totala tillgangar|balansomslutning|balansomslutningen|aktiver i alt|aktiver|sum eiendeler|' +
    'eiendeler|balancesum|totalkapital|sum eiendeler totalt|varat yhteensa|vastaavaa yhteensa|taseen loppusumma|vastaavaa',
  payables:
    'leverantorsskulder|leverandorer af varer og tjenesteydelser|leverandorgaeld|leverandorgjeld|kreditorer|' +
    'leverandorer af varer og ydelser|ostovelat',
  trade_and_other_payables:
    'leverantorsskulder och andra skulder|leverandorgjeld og annen gjeld|ostovelat ja muut velat',
  deferred_revenue: 'avtalsskulder|kontraktsforpligtelser|kontraktsforpliktelser|forutbetalda intakter|saadut ennakot',
  provisions:
    'avsattningar|summa avsattningar|hensatte forpligtelser|hensatte forpligtelser i alt|avsetninger|avsetning for forpliktelser|varaukset',
  bank_loans:
    'skulder till kreditinstitut|gaeld til kreditinstitutter|kreditinstitutter|gjeld til kredittinstitusjoner|gaeld til realkreditinstitutter|lainat rahoituslaitoksilta|bankgaeld|banklan',
  short_term_debt:
    'kortfristiga rantebarande skulder|rantebarande kortfristiga skulder|kortfristiga skulder till kreditinstitut|kortfristig upplaning|' +
    'kortfristiga lan|kortfristiga finansiella skulder|kortfristede rentebaerende forpligtelser|kortfristet rentebaerende gaeld|' +
    'kortfristede bankgaeld|kortfristet del af langfristede gaeldsforpligtelser|kortsiktig rentebaerende gjeld|' +
    'kortsiktige lan|forste ars avdrag pa langsiktig gjeld|lyhytaikaiset korolliset velat|lyhytaikaiset rahoitusvelat',
  current_liabilities:
    'kortfristiga skulder|summa kortfristiga skulder|kortfristede gaeldsforpligtelser|kortfristede gaeldsforpligtelser i alt|' +
    'kortfristede forpligtelser|kortfristede forpligtelser i alt|kortsiktig gjeld|sum kortsiktig gjeld|' +
    'lyhytaikaiset velat|lyhytaikaiset velat yhteensa|lyhytaikainen vieras paaoma',
  long_term_debt:
    'langfristiga rantebarande skulder|rantebarande langfristiga skulder|langfristiga skulder till kreditinstitut|langfristig upplaning|' +
    'langfristiga lan|langfristiga finansiella skulder|langfristede rentebaerende forpligtelser|langfristet rentebaerende gaeld|' +
    'langfristet bankgaeld|langsiktig rentebaerende gjeld|langsiktige lan|pitkaaikaiset korolliset velat|pitkaaikaiset rahoitusvelat',
  non_current_liabilities:
    'langfristiga skulder|summa langfristiga skulder|langfristede gaeldsforpligtelser|langfristede gaeldsforpligtelser i alt|' +
    'langfristede forpligtelser|langfristede forpligtelser i alt|langsiktig gjeld|sum langsiktig gjeld|pitkaaikaiset velat|pitkaaikaiset velat yhteensa',
  total_debt:
    'rantebarande skulder|rentebaerende gaeld|rentebaerende gjeld|korolliset velat|rentebaerende forpligtelser',
  total_liabilities:
    'summa skulder|skulder|totala skulder|skulder totalt|gaeldsforpligtelser|gaeldsforpligtelser i alt|forpligtelser i alt|' +
    'gaeld i alt|sum gjeld|gjeld|velat yhteensa|velat',
  retained_earnings:
    'balanserat resultat|balanserade vinstmedel|balanserade vinstmedel inklusive arets resultat|overfort resultat|overfort overskud|' +
    'annen egenkapital|opptjent egenkapital|udelt overskudd|kertyneet voittovarat|edellisten tilikausien voitto',
  equity:
    'eget kapital|summa eget kapital|totalt eget kapital|eget kapital inkl innehav utan bestammande inflytande|' +
    'eget kapital inklusive innehav utan bestammande inflytande|egenkapital|egenkapital i alt|sum egenkapital|egenkapitalen|' +
    'oma paaoma|oma paaoma yhteensa',
  parent_equity:
    'eget kapital hanforligt till moderbolagets aktieagare|eget kapital hanforligt till moderbolagets agare|' +
    'moderselskabets aktionaerers andel af egenkapitalen|egenkapital henforbart til morselskapets aksjonaerer|' +
    'emoyhtion omistajille kuuluva oma paaoma',
  total_liabilities_and_equity:
    'summa eget kapital och skulder|eget kapital och skulder|totalt eget kapital och skulder|summa skulder och eget kapital|' +
    'eget kapital och skulder totalt|passiver i alt|passiver|egenkapital og forpligtelser i alt|sum egenkapital og gjeld|' +
    'sum gjeld og egenkapital|oma paaoma ja velat yhteensa|vastattavaa yhteensa',
  operating_cash_flow:
    'kassaflode fran den lopande verksamheten|kassaflodet fran den lopande verksamheten|kassaflode fran lopande verksamhet|' +
    'kassaflode fran den lopande verksamheten efter forandringar i rorelsekapital|' +
    'pengestrom fra driftsaktivitet|pengestromme fra driftsaktivitet|pengestromme fra driften|pengestrom fra drift|' +
    'netto kontantstrom fra operasjonelle aktiviteter|netto kontantstrom fra driften|kontantstrom fra drift|' +
    'netto kontantstrom fra drift|kontantstrom fra operasjonelle aktiviteter|operativt kassaflode|' +
    'liiketoiminnan rahavirta|liiketoiminnan nettorahavirta|liiketoiminnan rahavirrat',
  investing_cash_flow:
    'kassaflode fran investeringsverksamheten|kassaflodet fran investeringsverksamheten|pengestrom fra investeringsaktivitet|' +
    'pengestromme fra investeringsaktivitet|netto kontantstrom fra investeringsaktiviteter|kontantstrom fra investeringsaktiviteter|' +
    'netto kontantstrom fra investeringer|investointien rahavirta|investointien nettorahavirta|investointien rahavirrat',
  financing_cash_flow:
    'kassaflode fran finansieringsverksamheten|kassaflodet fran finansieringsverksamheten|pengestrom fra finansieringsaktivitet|' +
    'pengestromme fra finansieringsaktivitet|netto kontantstrom fra finansieringsaktiviteter|' +
    'kontantstrom fra finansieringsaktiviteter|netto kontantstrom fra finansiering|rahoituksen rahavirta|rahoituksen nettorahavirta|rahoituksen rahavirrat',
  change_in_cash:
    'periodens kassaflode|arets kassaflode|arets pengestrom|periodens pengestrom|netto endring i likvider|' +
    'netto endring i kontanter og kontantekvivalenter|netto endring i likvide midler|rahavarojen muutos',
  capex:
    'investeringar i materiella anlaggningstillgangar|investeringar i materiella tillgangar|' +
    'forvarv av materiella anlaggningstillgangar|investeringar i anlaggningstillgangar|nettoinvesteringar|investeringar|' +
    'kob af materielle anlaegsaktiver|investeringer i materielle anlaegsaktiver|kob af materielle aktiver|' +
    'investeringer i varige driftsmidler|kjop av varige driftsmidler|utbetalinger ved kjop av varige driftsmidler|' +
    'investoinnit aineellisiin hyodykkeisiin|aineelliset investoinnit|bruttoinvestoinnit',
  dividends_paid:
    'utbetald utdelning|utdelning|lamnad utdelning|utdelning till aktieagare|utdelning till moderbolagets aktieagare|utbetalt udbytte|' +
    'betalt udbytte|udbytte|udbetalt udbytte|utbetalt utbytte|utbetaling av utbytte|betalt utbytte|utbytte|maksetut osingot',
  adjusted_ebitda:
    'justerad ebitda|justeret ebitda|justert ebitda|ebitda fore saerlige poster|vertailukelpoinen ebitda',
  adjusted_operating_income:
    'justerat rorelseresultat|justerad ebit|justerat ebit|rorelseresultat exklusive jamforelsestorande poster|' +
    'rorelseresultat fore jamforelsestorande poster|justeret ebit|justert ebit|justert driftsresultat|' +
    'resultat af primaer drift for saerlige poster|vertailukelpoinen liikevoitto|oikaistu liikevoitto',
  adjusted_net_income: 'justerat resultat|justerat periodens resultat|justeret resultat|justert resultat',
  stated_free_cash_flow: 'fritt kassaflode|frit cash flow|frie pengestromme|fri kontantstrom|vapaa kassavirta',
  stated_net_debt:
    'nettoskuld|nettoskulden|nettolaneskuld|rantebarande nettoskuld|netto rentebaerende gaeld|nettorentebaerende gaeld|' +
    'netto rentebaerende gjeld|netto gjeld|nettogaeld|korollinen nettovelka|korolliset nettovelat|nettovelka',
} as const;
