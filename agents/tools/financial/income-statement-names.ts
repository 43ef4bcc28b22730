/**
 * Names of income statement items in English, German, French, Spanish, Italian, Dutch and Czech, in the form of
 * `normaliseName`: lower case, no diacritics, single spaces.
 */
export const incomeStatementNames = {
  revenue:
    'chiffres d affaires nets|chiffres d affaires net|' +
    'nettoerlos|nettoumsatzerlos|umsatz netto|erlos|konzernerlose|total erlose|total nettoerlose|betriebsertrage|' +
    'revenue|revenues|total revenue|total revenues|net revenue|net revenues|sales|net sales|total sales|turnover|' +
    'sales revenue|revenue from contracts with customers|group revenue|umsatz|umsatzerlose|umsatzerlos|nettoumsatz|' +
    'gesamtumsatz|erlose|chiffre d affaires|chiffre d affaires net|ca net|ventes nettes|trzby|trzby celkem|' +
    'celkove trzby|vynosy|vynosy celkem|obrat|cisty obrat|trzby z prodeje vyrobku a sluzeb|net turnover|' +
    'revenues net|net operating revenues|total net revenue|total net revenues|total operating revenue|' +
    'total operating revenues|sales and other operating revenues|revenue net|net sales revenue|' +
    'consolidated revenue|total net sales|konzernumsatz|umsatze|nettoerlose|' +
    'nettoerlose aus lieferungen und leistungen|nettoerlos aus lieferungen und leistungen|nettoerlos aus lieferungen|erlos aus lieferungen und leistungen|betriebsertrag|total umsatzerlose|chiffre d affaires consolide|' +
    'montant net du chiffre d affaires|produits des activites ordinaires|importe neto de la cifra de negocios|' +
    'cifra de negocios|ventas|ventas netas|ingresos|ingresos ordinarios|ingresos por ventas|total ingresos|' +
    'ingresos netos|ricavi|ricavi netti|ricavi delle vendite|ricavi delle vendite e delle prestazioni|fatturato|' +
    'fatturato netto|totale ricavi|ricavi di vendita|netto omzet|omzet|nettoomzet|opbrengsten|netto opbrengsten|' +
    'net revenue from contracts with customers|operating revenue|operating revenues|consolidated net sales|' +
    'revenue from operations|konzernumsatzerlose|umsatzerlose netto|nettoumsatzerlose|verkaufserlose|' +
    'handelsertrag|gesamterlose|umsatzerlose gesamt|chiffre d affaires ht|produit des ventes|ventes|' +
    'total chiffre d affaires|cifra de ventas|ingresos de actividades ordinarias|total ventas|ricavi totali|' +
    'vendite nette|totale omzet|sales net|total sales revenue',
  cost_of_sales:
    'cost of sales|cost of goods sold|cost of goods sold and occupancy|cost of sales and occupancy|' +
    'cost of goods sold buying and occupancy|cost of sales buying and occupancy|cost of sales including occupancy costs|' +
    'cost of revenue|cost of revenues|cogs|cost of products sold|cost of services|' +
    'herstellungskosten|umsatzkosten|herstellungskosten der zur erzielung der umsatzerlose erbrachten leistungen|' +
    'cout des ventes|couts des ventes|cout des marchandises vendues|cout des produits vendus|naklady na prodej|' +
    'naklady prodeje|naklady na prodane zbozi|vykonova spotreba|cost of sales and services|' +
    'cost of goods and services sold|costs of sales|cost of products and services|' +
    'cost of revenue excluding depreciation and amortization|umsatzkosten der abgesetzten leistungen|' +
    'herstellungskosten des umsatzes|kosten der umsatzerlose|kosten der verkauften waren|' +
    'cout de revient des ventes|cout des biens vendus|coste de ventas|coste de las ventas|costo del venduto|' +
    'costo delle vendite|kostprijs van de omzet|kostprijs omzet|kostprijs verkopen|inkoopwaarde van de omzet|' +
    'kosten van de omzet|' +
    'cost of goods sold including buying and occupancy costs|cost of sales including buying and occupancy costs|' +
    'cost of sales including buying and occupancy|cost of products|total cost of sales|total cost of revenue|' +
    'total cost of revenues|total cost of goods sold|cost of revenues exclusive of depreciation|' +
    'costs of goods sold|cost of net sales|cost of net revenues|umsatzkosten gesamt|' +
    'kosten der verkauften produkte|anschaffungs und herstellkosten der verkauften produkte|' +
    'cout des produits et services vendus|cout des biens et services vendus|prix de revient des ventes|' +
    'costo de ventas|coste de los bienes vendidos|costi del venduto|kostprijs van de verkopen',
  gross_profit:
    'gross profit|gross margin|gross income|gross result|bruttoergebnis|bruttogewinn|rohertrag|rohergebnis|' +
    'bruttoergebnis vom umsatz|marge brute|benefice brut|resultat brut|hruby zisk|hruba marze|obchodni marze|' +
    'gross profit on sales|gross loss|gross profit loss|bruttomarge|margen bruto|beneficio bruto|resultado bruto|' +
    'utile lordo|margine lordo|risultato lordo|brutowinst|brutomarge|bruto omzetresultaat|bruto winst|bruto marge|' +
    'total gross profit|rohertrag gesamt|bruttogewinn 1|bruttoertrag|deckungsbeitrag i|' +
    'bruttoergebnis nach material und warenaufwand|marge commerciale brute',
  research_development:
    'research and development|research and development expense|research and development expenses|' +
    'research and development costs|r d|r d expense|r d expenses|research development|' +
    'research development and engineering|technology and development|product development|' +
    'engineering research and development|forschungs und entwicklungskosten|forschung und entwicklung|' +
    'forschungs und entwicklungsaufwendungen|f e aufwendungen|frais de recherche et developpement|' +
    'recherche et developpement|depenses de recherche et developpement|gastos de investigacion y desarrollo|' +
    'investigacion y desarrollo|spese di ricerca e sviluppo|costi di ricerca e sviluppo|ricerca e sviluppo|' +
    'kosten van onderzoek en ontwikkeling|onderzoek en ontwikkeling|onderzoeks en ontwikkelingskosten|' +
    'entwicklungskosten|aufwendungen fur forschung und entwicklung|frais de r d',
  sga:
    'selling general and administrative expenses|selling general and administrative expense|' +
    'selling general and administrative costs|selling general administrative expenses|' +
    'selling general and administrative|selling general and admin|selling general admin|sg a|sg a expenses|sga|sga expenses|' +
    'sales general and administrative expenses|selling and administrative expenses|' +
    'selling and general administrative expenses|administrative and selling expenses|' +
    'vertriebs und verwaltungskosten|vertriebs und allgemeine verwaltungskosten|' +
    'frais commerciaux et administratifs|frais de vente et d administration|frais generaux et commerciaux|' +
    'frais commerciaux generaux et administratifs|prodejni a spravni naklady|odbytove a spravni naklady|' +
    'selling general administrative|vertriebs verwaltungs und allgemeine kosten|' +
    'frais generaux administratifs et commerciaux|gastos de ventas generales y administracion|' +
    'gastos comerciales y de administracion|spese di vendita generali e amministrative|' +
    'spese generali amministrative e di vendita|verkoop en algemene beheerkosten|verkoop en beheerkosten|' +
    'selling administrative and general expenses|selling general and admin expenses|' +
    'selling distribution and administrative expenses|admin distribution|admin and distribution|administration and distribution|distribution and administration|sales and administrative expenses|' +
    'marketing and administrative expenses|selling marketing and administrative expenses|' +
    'store operating selling and administrative expenses|operating selling general and administrative expenses|' +
    'verwaltungs und vertriebskosten|vertriebs und verwaltungsaufwand|allgemeine verwaltungs und vertriebskosten|' +
    'gastos de venta y administracion|costi commerciali e generali|verkoop en beheerskosten',
  cost_of_materials:
    'cost of materials|costs of materials|raw materials and consumables|raw materials and consumables used|' +
    'materials expense|cost of raw materials and consumables|cost of raw materials|cost of materials and services|' +
    'cost of materials and purchased services|materialaufwand|summe materialaufwand|material wareneinkauf|' +
    'wareneinkauf|wareneinsatz|materialeinsatz|materialkosten|material und warenaufwand|warenaufwand|' +
    'aufwand fur material handelswaren und dienstleistungen|achats consommes|aprovisionamientos|consumos|' +
    'consumo de materias primas y mercaderias|costi per materie prime|' +
    'costi per materie prime sussidiarie di consumo e di merci|per materie prime sussidiarie di consumo e di merci|' +
    'materie prime|costi per acquisti|consumi di materie prime|kosten van grond en hulpstoffen|' +
    'grond en hulpstoffen|kosten van grond en hulpstoffen en uitbesteed werk|inkoopkosten|' +
    'materials and consumables used|raw materials consumables and goods for resale|materials purchased|' +
    'materials and services purchased|material expenses|cost of raw materials supplies and purchased goods|' +
    'gesamter materialaufwand|aufwendungen fur material|waren und materialaufwand|' +
    'materialaufwand und fremdleistungen|achats de matieres premieres et marchandises|' +
    'achats consommes de matieres|per materie prime sussidiarie di consumo e merci|' +
    'costi per materie prime sussidiarie di consumo e merci|acquisti di materie prime|consumo di materie prime|' +
    'costo delle materie prime|gastos de aprovisionamiento|' +
    'consumo de mercaderias materias primas y otras materias consumibles|inkoopwaarde omzet|' +
    'kosten van grond en hulpstoffen en overige externe kosten',
  personnel_expense:
    'personnel expense|personnel expenses|personnel costs|staff costs|employee benefit expense|' +
    'employee benefits expense|employee benefit expenses|employee benefits|employee costs|wages and salaries total|' +
    'salaries wages and benefits|salaries and benefits|compensation and benefits|' +
    'employee compensation and benefits|employee benefits costs|personalaufwand|summe personalaufwand|' +
    'personalkosten|personalaufwendungen|aufwendungen fur leistungen an arbeitnehmer|charges de personnel|' +
    'frais de personnel|total charges de personnel|gastos de personal|costi del personale|costo del personale|' +
    'per il personale|costi per il personale|totale costi per il personale|personeelskosten|' +
    'lonen en salarissen en sociale lasten|' +
    'staff cost|payroll costs|payroll expenses|wages salaries and social security|personnel cost|' +
    'total personnel expenses|total staff costs|' +
    'total employee benefits expense|employment costs|employee expenses|' +
    'personalaufwand gesamt|charges de personnel total|frais du personnel|' +
    'gastos de personal total|sueldos y salarios y cargas sociales|totale costo del personale|' +
    'spese per il personale|totaal personeelskosten|personeelslasten|lonen salarissen en sociale lasten',
  depreciation:
    'depreciation|depreciation and amortisation|depreciation and amortization|amortisation and depreciation|' +
    'depreciation amortisation|depreciation amortization|d a|depreciation expense|' +
    'depreciation amortisation and impairment|depreciation amortization and impairment|abschreibungen|abschreibung|' +
    'planmassige abschreibungen|abschreibungen auf immaterielle vermogensgegenstande und sachanlagen|' +
    'amortissements|dotations aux amortissements|dotations aux amortissements et provisions|' +
    'amortissements et depreciations|odpisy|odpisy celkem|odpisy dlouhodobeho majetku|' +
    'upravy hodnot v provozni oblasti|depreciation and amortization expense|depreciation and amortisation expense|' +
    'depreciation amortisation and impairments|depreciation and impairment|amortization and depreciation|' +
    'depreciation of property plant and equipment|abschreibungen und wertminderungen|' +
    'abschreibungen auf sachanlagen|abschreibungen auf immaterielle vermogensgegenstande|' +
    'abschreibungen auf immaterielle vermogenswerte und sachanlagen|' +
    'abschreibungen auf immaterielle vermogensgegenstande des anlagevermogens und sachanlagen|' +
    'des anlagevermogens und sachanlagen|dotations aux amortissements sur immobilisations|' +
    'dotations aux amortissements et depreciations|dotations d exploitation aux amortissements|' +
    'dotations nettes aux amortissements|amortizacion del inmovilizado|amortizacion|amortizaciones|' +
    'amortizacion y deterioro|depreciacion y amortizacion|ammortamenti|ammortamenti e svalutazioni|' +
    'totale ammortamenti e svalutazioni|ammortamenti e accantonamenti|afschrijvingen|' +
    'afschrijvingen op immateriele en materiele vaste activa|afschrijvingen en waardeverminderingen|' +
    'afschrijvingen op vaste activa|' +
    'depreciation amortisation and impairment losses|depreciation amortization and impairment losses|' +
    'depreciation of property plant and equipment and amortisation of intangible assets|' +
    'amortisation and depreciation expense|depreciation and amortisation of fixed assets|' +
    'depreciation depletion and amortization|depreciation of fixed assets|total depreciation and amortisation|' +
    'abschreibungen gesamt|abschreibungen und wertberichtigungen|abschreibungen auf anlagevermogen|' +
    'abschreibungen und amortisationen|abschreibungen auf sachanlagen und immaterielle vermogenswerte|' +
    'planmassige abschreibungen auf sachanlagen und immaterielle vermogenswerte|' +
    'dotations aux amortissements des immobilisations|dotations aux amortissements et aux depreciations|' +
    'dotations aux amortissements et aux provisions|amortizaciones y depreciaciones|amortizacion de inmovilizado|' +
    'dotacion a la amortizacion|ammortamenti delle immobilizzazioni|ammortamento|' +
    'ammortamenti e perdite di valore|afschrijvingskosten|' +
    'afschrijvingen op materiele en immateriele vaste activa|afschrijvingen immateriele en materiele vaste activa',
  ebitda:
    'ebitda|operating profit before depreciation and amortisation|ebitda as defined|consolidated ebitda|' +
    'excedent brut d exploitation|resultado bruto de explotacion|margine operativo lordo|mol|' +
    'bedrijfsresultaat voor afschrijvingen',
  ebit:
    'ebit|operating profit|operating income|operating result|profit from operations|income from operations|' +
    'operating profit loss|operating income loss|operating loss|profit from operating activities|' +
    'earnings before interest and taxes|operatives ergebnis|betriebsergebnis|ergebnis der betrieblichen tatigkeit|' +
    'resultat d exploitation|resultat operationnel|provozni vysledek hospodareni|' +
    'provozni zisk|provozni vysledek|income loss from operations|loss from operations|operating profit ebit|' +
    'operating income ebit|operating earnings|operating profit or loss|group operating profit|' +
    'income from operating activities|results from operating activities|result from operating activities|' +
    'consolidated operating income|total operating profit|total operating income loss|profit loss from operations|' +
    'results from operations|operating profit loss total|earnings from operations|ergebnis vor zinsen und steuern|' +
    'operatives ergebnis ebit|betriebsergebnis ebit|betriebliches ergebnis|ergebnis der geschaftstatigkeit|' +
    'ergebnis vor finanzergebnis und steuern|resultat operationnel ebit|benefice d exploitation|' +
    'resultado de explotacion|resultado operativo|beneficio de explotacion|beneficio operativo|' +
    'resultado de la explotacion|resultado de explotacion ebit|risultato operativo|utile operativo|' +
    'reddito operativo|risultato operativo ebit|differenza tra valore e costi della produzione|' +
    'differenza tra valore e costi della produzione a b|bedrijfsresultaat|operationeel resultaat|' +
    'resultaat uit bedrijfsactiviteiten|bedrijfswinst|' +
    'operating surplus|operating profit before financial items|earnings before interest and tax|' +
    'profit before interest and tax|profit before interest and taxes|total operating income|' +
    'operating result ebit|ebit operating profit|net operating income|net operating profit|operating ebit|' +
    'betriebsergebnis vor zinsen und steuern|ergebnis aus der betrieblichen tatigkeit|' +
    'betriebsergebnis vor finanzerfolg|betriebsgewinn|ergebnis der operativen tatigkeit|konzern ebit|' +
    'konzernbetriebsergebnis|resultat operationnel consolide|resultat d exploitation ebit|benefice operationnel|' +
    'resultado neto de explotacion|beneficio de la explotacion|resultado operativo ebit|' +
    'utile della gestione operativa|risultato della gestione operativa|margine operativo netto|' +
    'bedrijfsresultaat ebit|netto bedrijfsresultaat|exploitatieresultaat',
  recurring_operating_income:
    'resultat operationnel courant|resultat operationnel courant roc|roc|resultat courant operationnel|' +
    'recurring operating income|recurring operating profit|current operating income',
  interest_expense:
    'interest expense|interest expenses|interest paid|finance costs|finance cost|finance expense|finance expenses|' +
    'financial expenses|interest and similar expenses|interest payable|zinsaufwand|zinsaufwendungen|' +
    'zinsen und ahnliche aufwendungen|finanzierungsaufwendungen|charges d interets|charges financieres|' +
    'cout de l endettement financier brut|interets et charges assimilees|nakladove uroky|naklady na uroky|' +
    'nakladove uroky a podobne naklady|financni naklady|interest expense net|interest expense on borrowings|' +
    'interest payable and similar charges|interest payable and similar expenses|interest and finance charges|' +
    'interest costs|interest charges|finance charges|financial expense|interest and debt expense|finanzaufwand|' +
    'finanzaufwendungen|finanzierungskosten|zinsen und ahnlicher aufwand|finanzielle aufwendungen|' +
    'interets et charges financieres|charges d interet|cout de l endettement financier|cout de la dette|' +
    'gastos financieros|gastos por intereses|oneri finanziari|interessi e altri oneri finanziari|interessi passivi|' +
    'totale interessi e altri oneri finanziari|rentelasten|rentelasten en soortgelijke kosten|financiele lasten|' +
    'rente en soortgelijke kosten|' +
    'interest expense net of interest income|interest on borrowings|interest on loans|' +
    'interest payable on bank loans|interest expense and similar charges|bank interest payable|' +
    'interest and other financial expense|finance costs net of interest income|' +
    'zinsaufwand und ahnliche aufwendungen|zinskosten|finanzaufwendungen gesamt|zins und ahnliche aufwendungen|' +
    'finanzielle aufwande|interets sur emprunts|charges d interets nettes|frais financiers|' +
    'charges d interets et assimilees|cout de l endettement|intereses y cargas asimiladas|' +
    'gastos financieros y asimilados|intereses de deudas|oneri finanziari e altri|interessi e oneri finanziari|' +
    'interessi e oneri assimilati|interessi passivi e oneri finanziari|rentekosten|interestlasten|' +
    'financieringslasten|rentelasten en dergelijke',
  pre_tax_income:
    'profit before tax|profit before taxes|profit before income tax|profit before taxation|income before tax|' +
    'income before taxes|income before income taxes|earnings before tax|earnings before taxes|pre tax income|' +
    'pre tax profit|pretax income|pbt|ebt|profit loss before tax|loss before tax|ergebnis vor steuern|' +
    'ergebnis vor ertragsteuern|gewinn vor steuern|resultat avant impot|resultat avant impots|benefice avant impot|' +
    'zisk pred zdanenim|vysledek hospodareni pred zdanenim|zisk pred dani|accounting profit|' +
    'accounting profit before tax|income before provision for income taxes|income before income tax expense|' +
    'earnings before income taxes|income loss before income taxes|profit before income taxes|' +
    'income from continuing operations before income taxes|income loss before taxes|income loss before income tax|' +
    'earnings loss before income taxes|loss before income taxes|profit on ordinary activities before taxation|' +
    'profit loss before taxation|profit loss before income tax|profit before tax expense|loss before taxation|' +
    'earnings before income tax|income before tax expense|income loss before provision for income taxes|' +
    'income before taxes on income|result before tax|result before taxes|konzernergebnis vor steuern|' +
    'gewinn vor ertragsteuern|ergebnis vor ertragssteuern|periodenergebnis vor steuern|' +
    'ergebnis der gewohnlichen geschaftstatigkeit|unternehmensergebnis vor steuern|resultat courant avant impots|' +
    'resultat courant avant impot|benefice avant impots|resultat avant impots sur les benefices|' +
    'resultat net avant impots|resultado antes de impuestos|beneficio antes de impuestos|' +
    'resultado consolidado antes de impuestos|risultato prima delle imposte|utile prima delle imposte|' +
    'utile ante imposte|risultato ante imposte|resultaat voor belastingen|resultaat voor belasting|' +
    'winst voor belastingen|winst voor belasting|resultaat uit gewone bedrijfsuitoefening voor belastingen|' +
    'profit before income tax expense|earnings before tax ebt|ebt earnings before tax|income before income tax|' +
    'income before income tax provision|income before provision for income tax|' +
    'earnings before provision for income taxes|profit or loss before tax|' +
    'profit loss for the year before taxation|net profit before tax|net income before taxes|' +
    'net income before tax|net profit before taxation|surplus before tax|result before income taxes|' +
    'profit from ordinary activities before tax|jahresergebnis vor steuern|jahresuberschuss vor steuern|' +
    'ergebnis vor steuern ebt|ergebnis vor ertragsteuern ebt|konzerngewinn vor steuern|' +
    'konzernergebnis vor ertragsteuern|gewinn vor steuern ebt|unternehmenserfolg vor steuern|' +
    'resultat avant impot sur les benefices|resultat avant impot sur les societes|' +
    'resultat avant impots et participation|resultat consolide avant impot|beneficio antes de impuestos bai|' +
    'resultado del ejercicio antes de impuestos|utile prima delle imposte sul reddito|' +
    'risultato prima delle imposte a b c|risultato prima delle imposte a b c d|' +
    'resultaat uit gewone bedrijfsvoering voor belastingen|' +
    'resultaat voor belasting uit gewone bedrijfsuitoefening|totaal resultaat voor belastingen|' +
    'winst voor belastingen totaal',
  income_tax:
    'impot sur les resultats|income tax|income taxes|income tax expense|tax expense|income tax charge|tax charge|tax on profit|taxation|' +
    'provision for income taxes|income tax expense benefit|income tax credit|total tax expense|ertragsteuern|' +
    'steuern vom einkommen und vom ertrag|steueraufwand|impot sur les benefices|impots sur les benefices|' +
    'impot sur les societes|charge d impot|dan z prijmu|dan z prijmu celkem|danovy naklad|' +
    'provision benefit for income taxes|provision for taxes on income|income tax benefit|income tax expense credit|' +
    'income tax provision|provision for income tax|income tax benefit expense|benefit from income taxes|' +
    'tax on profit on ordinary activities|taxes on income|tax|income taxes expense|tax credit|tax credit charge|' +
    'tax charge credit|tax expense credit|taxation charge|ertragssteuern|steuern|steuern vom einkommen und ertrag|' +
    'ertragsteueraufwand|direkte steuern|impots sur les resultats|impot sur le resultat|impots sur le resultat|' +
    'charge d impots|impots|impuesto sobre beneficios|impuestos sobre beneficios|impuesto sobre sociedades|' +
    'impuesto sobre las ganancias|impuesto de sociedades|imposte sul reddito|imposte|imposte dell esercizio|' +
    'imposte sul reddito dell esercizio|imposte sul reddito dell esercizio correnti differite e anticipate|' +
    'imposte sul reddito d esercizio|belastingen|belastingen resultaat|winstbelasting|vennootschapsbelasting|' +
    'belastingen over het resultaat|belasting over het resultaat|belastinglast|' +
    'total income taxes|total income tax expense|income tax expense income|provision benefit for income tax|' +
    'tax on profit for the year|tax on profit for the period|tax for the year|tax for the period|' +
    'tax expense for the year|income tax expense for the year|corporation tax|corporate income tax|' +
    'current and deferred tax|ertragsteuern gesamt|ertragssteuern gesamt|gewinnsteuern|steuern auf den gewinn|' +
    'ertragsteueraufwendungen|steuern vom ertrag|steuern vom einkommen und ertrag und sonstige steuern|' +
    'charge d impot sur les benefices|charge d impot sur le resultat|impots sur les societes|' +
    'impuestos sobre las ganancias|gasto por impuesto sobre beneficios|gasto por impuesto sobre las ganancias|' +
    'impuesto sobre el beneficio|imposte correnti e differite|imposte sul reddito del periodo|' +
    'imposte sui redditi|belastingen over de winst|belasting resultaat|' +
    'belastingen resultaat uit gewone bedrijfsuitoefening|vennootschapsbelasting over het resultaat|' +
    'winstbelastingen',
  result_after_tax:
    'ergebnis nach steuern|profit from continuing operations|income from continuing operations|' +
    'net income from continuing operations|ergebnis nach ertragsteuern|konzerngewinn',
  net_income:
    'net income|net profit|net earnings|profit for the year|profit for the period|profit loss for the year|' +
    'loss for the year|net income loss|net loss|profit after tax|profit after taxation|net profit after tax|net profit after taxation|' +
    'net profit for the year|' +
    'result for the year|result for the period|profit|loss|profit loss|consolidated net income|net loss income|' +
    'net loss profit|net earnings loss|consolidated profit|profit for the half year|profit for the six months|' +
    'profit for the quarter|profit for the financial year|profit for the financial period|loss for the period|' +
    'profit loss for the period|net profit for the period|net result|net result for the year|' +
    'net result for the period|jahresuberschuss|jahresfehlbetrag|jahresuberschuss jahresfehlbetrag|konzernergebnis|' +
    'konzernjahresuberschuss|konzernperiodenergebnis|halbjahresergebnis|jahresergebnis|nettoergebnis|reingewinn|' +
    'jahresgewinn|unternehmensergebnis|periodenergebnis|resultat net|benefice net|' +
    'resultat de l exercice|benefice de l exercice|benefice ou perte|benefice|resultat net consolide|' +
    'resultat net de l ensemble consolide|resultat net de la periode|resultat de la periode|cisty zisk|' +
    'vysledek hospodareni za ucetni obdobi|vysledek hospodareni po zdaneni|zisk po zdaneni|zisk za ucetni obdobi|' +
    'net income loss including noncontrolling interests|consolidated net income loss|' +
    'net earnings including noncontrolling interests|profit for the year after tax|net income after tax|' +
    'profit or loss for the period|profit for the half year period|resultado del ejercicio|resultado del periodo|' +
    'beneficio neto|resultado neto|beneficio del ejercicio|resultado consolidado del ejercicio|ganancia neta|' +
    'utile d esercizio|utile dell esercizio|utile perdita dell esercizio|risultato d esercizio|risultato netto|' +
    'utile netto|perdita d esercizio|perdita dell esercizio|utile del periodo|utile netto dell esercizio|' +
    'risultato dell esercizio|risultato del periodo|nettowinst|netto winst|netto resultaat|nettoresultaat|' +
    'resultaat na belastingen|resultaat na belasting|winst na belastingen|winst over het boekjaar|' +
    'resultaat boekjaar|resultaat over het boekjaar|nettoresultaat na belastingen|winst over de periode|' +
    'perte de l exercice|perte nette|jahresverlust|resultat de l ensemble consolide|konzern jahresuberschuss|' +
    'net income for the year|net income for the period|net earnings for the period|net earnings for the year|' +
    'net earnings including non controlling interests|net income including noncontrolling interests|' +
    'net income including non controlling interests|net income before noncontrolling interests|' +
    'profit attributable to the group including minorities|consolidated net profit|' +
    'consolidated profit for the year|consolidated profit for the period|profit for the 52 weeks|' +
    'profit for the 53 weeks|profit for the nine months|total profit for the year|total profit for the period|' +
    'surplus for the year|result after tax|result after taxation|result after taxes|' +
    'profit after tax for the year|profit after tax for the period|retained profit for the year|' +
    'net loss for the year|net loss for the period|jahresuberschuss fehlbetrag|uberschuss|' +
    'konzernergebnis nach steuern|ergebnis der periode|periodenuberschuss|konzernfehlbetrag|' +
    'konzernjahresfehlbetrag|jahresuberschuss nach steuern|unternehmenserfolg|jahreserfolg|konzernreingewinn|' +
    'resultat net de l exercice|resultat net consolide de l exercice|benefice net de l exercice|' +
    'benefice de la periode|benefice net consolide|beneficio neto del ejercicio|resultado neto del ejercicio|' +
    'resultado consolidado|beneficio despues de impuestos|resultado despues de impuestos|perdida del ejercicio|' +
    'resultado del ejercicio procedente de operaciones continuadas|utile perdita del periodo|' +
    'utile netto del periodo|utile dopo le imposte|risultato netto dell esercizio|risultato netto del periodo|' +
    'utile consolidato|nettoresultaat over het boekjaar|winst na belasting|nettowinst over het boekjaar|' +
    'netto winst na belastingen|resultaat na belastingen over het boekjaar|resultaat lopend boekjaar|' +
    'jaarresultaat',
  net_income_attributable:
    'owners of the parent|equity holders of the parent|shareholders of the parent|owners of the company|' +
    'equity holders of the company|shareholders of the company|equity shareholders of the company|' +
    'owners of the parent company|parent company shareholders|anteilseigner des mutterunternehmens|' +
    'auf die anteilseigner des mutterunternehmens entfallend|aktionare der gesellschaft|' +
    'ergebnisanteil der anteilseigner des mutterunternehmens|davon anteilseigner des mutterunternehmens|' +
    'resultat net part du groupe|part du groupe|proprietaires de la societe mere|' +
    'resultado atribuido a la sociedad dominante|atribuible a la sociedad dominante|' +
    'atribuible a los accionistas de la sociedad dominante|risultato netto di gruppo|utile netto di gruppo|' +
    'utile di pertinenza del gruppo|di pertinenza del gruppo|soci della controllante|' +
    'aandeelhouders van de vennootschap|aandeelhouders van de moedermaatschappij|' +
    'konzernergebnis nach anteilen dritter|' +
    'attributable to shareholders of the parent|shareholders of the parent company|owners of parent|' +
    'profit attributable to owners of parent|profit attributable to owners of the parent|' +
    'net income attributable to owners of the parent|net income attributable to common shareholders|' +
    'equity holders|equity holders of the parent company|equity owners of the parent|' +
    'equity owners of the company|owners of the group|ordinary shareholders of the parent|' +
    'aktionare des mutterunternehmens|aktionare der muttergesellschaft|anteilseigner der muttergesellschaft|' +
    'gesellschafter des mutterunternehmens|eigentumer des mutterunternehmens|' +
    'eigenkapitalgeber der muttergesellschaft|resultat net attribuable aux proprietaires de la societe mere|' +
    'attribuable aux actionnaires de la societe mere|actionnaires de la societe mere|' +
    'resultado atribuido a la entidad dominante|tenedores de instrumentos de patrimonio de la dominante|' +
    'accionistas de la sociedad dominante|azionisti della capogruppo|soci della capogruppo|' +
    'attribuibile ai soci della controllante|attribuibile agli azionisti della capogruppo|pertinenza del gruppo|' +
    'rechthebbenden van de vennootschap|aandeelhouders moedermaatschappij|parent company s shareholders|' +
    'parent company owners|owners of the parent company s',
  eps_basic:
    'basic earnings per share|basic eps|earnings per basic share|unverwassertes ergebnis je aktie|' +
    'earnings per share|ergebnis je aktie',
  eps_diluted:
    'diluted earnings per share|diluted eps|earnings per diluted share|net income per diluted share|' +
    'verwassertes ergebnis je aktie|diluted earnings per common share|net income per share diluted|' +
    'resultat par action dilue|beneficio diluido por accion',
} as const;
