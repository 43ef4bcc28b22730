/**
 * Names of balance sheet items in English, German, French, Spanish, Italian, Dutch and Czech, in the form of `normaliseName`:
 * lower case, no diacritics, single spaces.
 */
export const balanceSheetNames = {
  cash:
    'cash|cash and cash equivalents|cash equivalents|cash at bank|cash at bank and in hand|cash and bank balances|' +
    'cash and bank balances and deposits|zahlungsmittel|zahlungsmittel und zahlungsmittelaquivalente|' +
    'flussige mittel|kassenbestand und guthaben bei kreditinstituten|liquide mittel|tresorerie|' +
    'tresorerie et equivalents de tresorerie|disponibilites|penezni prostredky|penize a penezni ekvivalenty|' +
    'penezni prostredky a penezni ekvivalenty|hotovost|cash and equivalents|cash and short term deposits|' +
    'cash and cash equivalents and restricted cash|bank balances and cash|cash on hand and at bank|' +
    'cash in hand and at bank|kassenbestand|kassenbestand guthaben bei kreditinstituten|' +
    'kassenbestand bundesbankguthaben guthaben bei kreditinstituten und schecks|guthaben bei kreditinstituten|' +
    'kassenbestand und bankguthaben|kasse und bankguthaben|liquiditat|finanzmittel|' +
    'efectivo y otros activos liquidos equivalentes|efectivo|tesoreria|efectivo y equivalentes al efectivo|' +
    'efectivo y equivalentes|caja y bancos|disponibilita liquide|cassa e altre disponibilita liquide|' +
    'totale disponibilita liquide|cassa e mezzi equivalenti|disponibilita liquide e mezzi equivalenti|' +
    'liquide middelen|geldmiddelen|geldmiddelen en kasequivalenten|' +
    'cash and deposits|cash at banks and on hand|cash at bank and on hand|cash in bank and on hand|' +
    'cash and cash equivalents and short term deposits|cash cash equivalents and restricted cash|' +
    'cash cash equivalents|cash and short term investments|bank and cash balances|cash and bank|bank and cash|' +
    'liquid funds|liquid assets cash|zahlungsmittel und aquivalente|fl mittel|flussige mittel und bankguthaben|' +
    'flussigen mittel|liquiden mittel|kassenbestand guthaben bei kreditinstituten und schecks|kasse bank|' +
    'kasse und bank|kassen und bankbestand|bankguthaben|zahlungsmittelbestand|finanzmittelbestand|' +
    'disponibilites et valeurs mobilieres de placement|tresorerie et equivalents|disponibilites et equivalents|' +
    'banques et caisses|efectivo y otros medios liquidos equivalentes|efectivo y equivalentes de efectivo|' +
    'tesoreria y equivalentes|cassa e disponibilita liquide|cassa e banche|depositi bancari e postali|' +
    'liquiditeiten|kas en bank|bank en kas|banktegoeden|geldmiddelen en equivalenten',
  short_term_investments:
    'short term investments|marketable securities|current financial assets|short term financial assets|' +
    'other current financial assets|wertpapiere des umlaufvermogens|kurzfristige finanzanlagen|' +
    'valeurs mobilieres de placement|placements a court terme|kratkodoby financni majetek|' +
    'kratkodobe financni investice',
  receivables:
    'ar|ar net|a r|a r net|trade a r|trade a r net|trade debtors net|' +
    'receivables|trade receivables|accounts receivable|net receivables|accounts receivable net|' +
    'accounts receivable trade|customer receivables|trade accounts receivable|trade debtors|forderungen|' +
    'forderungen aus lieferungen und leistungen|forderungen aus l l|creances clients|' +
    'creances clients et comptes rattaches|clients|clients et comptes rattaches|pohledavky|' +
    'pohledavky z obchodnich vztahu|kratkodobe pohledavky|obchodni pohledavky|trade receivables net|' +
    'trade accounts receivable net|accounts receivable less allowance for doubtful accounts|receivables net|' +
    'trade receivables third parties|kundenforderungen|forderungen lieferungen und leistungen|' +
    'creances commerciales|clientes|clientes por ventas y prestaciones de servicios|deudores comerciales|' +
    'crediti verso clienti|crediti commerciali|verso clienti|handelsdebiteuren|debiteuren|handelsvorderingen|' +
    'vorderingen op handelsdebiteuren|' +
    'notes and accounts receivable trade|notes and accounts receivable|accounts receivable trade net|' +
    'trade receivables and contract assets|accounts receivable net of allowances|accounts and notes receivable|' +
    'trade debtors net|debtors control account|trade and notes receivable|billed receivables|' +
    'forderungen aus lieferungen leistungen|forderungen aus lieferungen|debitoren|forderungen gegenuber kunden|' +
    'forderungen gegenuber dritten|creances clients nettes|clients et creances rattachees|' +
    'creances clients et autres debiteurs courants|deudores comerciales clientes|cuentas a cobrar de clientes|' +
    'clientes netos|crediti verso i clienti|crediti v clienti|clienti|crediti commerciali netti|' +
    'vorderingen op klanten|handelsdebiteuren netto',
  trade_and_other_receivables:
    'trade and other receivables|debtors|forderungen und sonstige vermogensgegenstande|' +
    'deudores comerciales y otras cuentas a cobrar|summe forderungen und sonstige vermogensgegenstande|crediti|' +
    'totale crediti|vorderingen|vorderingen en overlopende activa|creances',
  inventories:
    'inventories|inventory|stock|stocks|vorrate|vorratsvermogen|stocks et en cours|stocks et encours|zasoby|' +
    'inventories net|total inventories|merchandise inventories|merchandise inventory|inventories total|' +
    'summe vorrate|warenvorrate|total stocks et en cours|stocks et travaux en cours|existencias|total existencias|' +
    'rimanenze|totale rimanenze|magazzino|voorraden|vorrate und angefangene arbeiten|' +
    'vorrate und nicht fakturierte dienstleistungen|' +
    'inventories and work in progress|inventory net|stocks and work in progress|stock and work in progress|' +
    'total inventory|goods for resale|vorrate gesamt|warenlager|warenvorrat|handelswaren und vorrate|' +
    'lagerbestand|vorratsbestande|stocks nets|stocks de marchandises|total stocks|inventarios|existencias netas|' +
    'giacenze di magazzino|rimanenze finali|totaal voorraden|voorraad',
  current_assets:
    'current assets|total current assets|umlaufvermogen|kurzfristige vermogenswerte|summe umlaufvermogen|' +
    'summe kurzfristige vermogenswerte|actif circulant|total actif circulant|actifs courants|total actifs courants|' +
    'total de l actif circulant|obezna aktiva|obezna aktiva celkem|kratkodoba aktiva|kratkodoba aktiva celkem|' +
    'current assets total|summe der kurzfristigen vermogenswerte|total umlaufvermogen|total actifs circulants|' +
    'activo corriente|total activo corriente|attivo circolante|totale attivo circolante|attivita correnti|' +
    'totale attivita correnti|vlottende activa|totaal vlottende activa|som der vlottende activa|' +
    'som vlottende activa|c attivo circolante|summe kurzfristiges vermogen|kurzfristiges vermogen|' +
    'total current assets net|umlaufvermogen gesamt|gesamte kurzfristige vermogenswerte|' +
    'kurzfristige vermogenswerte gesamt|b umlaufvermogen|actif circulant net|total des actifs courants|' +
    'actifs courants total|total activos corrientes|activos corrientes|attivita correnti totali|' +
    'totale attivo corrente|attivo corrente|totaal van de vlottende activa',
  ppe:
    'property plant and equipment|property plant and equipment net|net fixed assets|fixed assets net|pp e|ppe|net ppe|tangible assets|' +
    'property and equipment|property and equipment net|tangible fixed assets|property plant equipment|sachanlagen|' +
    'sachanlagevermogen|immobilisations corporelles|immobilisations corporelles nettes|dlouhodoby hmotny majetek|' +
    'pozemky budovy a zarizeni|property plant and equipment at cost less accumulated depreciation|' +
    'net property plant and equipment|property plant and equipment total|net property and equipment|' +
    'summe sachanlagen|sachanlagen netto|sachanlagevermogen gesamt|total immobilisations corporelles|' +
    'mobile sachanlagen|inmovilizado material|immobilizzazioni materiali|totale immobilizzazioni materiali|' +
    'immobili impianti e macchinari|materiele vaste activa|totaal materiele vaste activa|' +
    'land buildings and equipment|' +
    'property plant and equipment net of accumulated depreciation|' +
    'property plant equipment and leasehold improvements net|land buildings and equipment net|' +
    'fixed assets tangible|total property plant and equipment|total property plant and equipment net|' +
    'tangible assets net|property plant and equipment including right of use assets|sachanlagen gesamt|' +
    'mobile und immobile sachanlagen|sachanlagen und nutzungsrechte|immobilisations corporelles total|' +
    'immobilisations corporelles net|inmovilizado material neto|inmovilizaciones materiales|' +
    'propiedad planta y equipo|immobilizzazioni materiali nette|attivita materiali|immobili impianti macchinari|' +
    'materiele vaste activa totaal',
  goodwill:
    'goodwill|goodwill net|geschafts oder firmenwert|firmenwert|geschafts und firmenwert|' +
    'geschafts oder firmenwerte|ecarts d acquisition|ecart d acquisition|fondo de comercio|avviamento',
  securities:
    'securities|long term investments|long term securities|non current financial assets|finanzanlagen|' +
    'immobilisations financieres|dlouhodoby financni majetek',
  non_current_assets:
    'non current assets|total non current assets|noncurrent assets|fixed assets|long term assets|anlagevermogen|' +
    'langfristige vermogenswerte|summe langfristige vermogenswerte|actif immobilise|total actif immobilise|' +
    'actifs non courants|total actifs non courants|dlouhodoby majetek|stala aktiva|dlouhodoba aktiva|' +
    'dlouhodoba aktiva celkem|summe anlagevermogen|summe der langfristigen vermogenswerte|total anlagevermogen|' +
    'activo no corriente|total activo no corriente|inmovilizado|immobilizzazioni|totale immobilizzazioni|' +
    'attivita non correnti|totale attivita non correnti|vaste activa|totaal vaste activa',
  total_assets:
    'total assets|assets total|balance sheet total|bilanzsumme|bilanzsumme aktiva|summe aktiva|summe der aktiva|' +
    'aktiven|total aktiven|summe der vermogenswerte|gesamtvermogen|aktiva gesamt|summe vermogenswerte|total actif|' +
    'total de l actif|total general actif|total general|total des actifs|total du bilan|aktiva celkem|' +
    'celkova aktiva|bilancni suma|total activo|activo total|total de activo|totale attivo|totale attivita|' +
    'totaal activa|balanstotaal|total actif net|' +
    'total der aktiven|total aktiva|summe aktiven|summe aktivseite|bilanzsumme gesamt|gesamtsumme aktiva|' +
    'vermogen gesamt|total actif general|actif total|total bilan|total general de l actif|total activos|' +
    'total del activo|totale dell attivo|totale attivo patrimoniale|totale attivita e passivita|som der activa|' +
    'totaal der activa|totaal van de activa|activa totaal',
  payables:
    'payables|trade payables|trade a p|a p|accounts payable|trade creditors|accounts payable trade|trade accounts payable|' +
    'verbindlichkeiten aus lieferungen und leistungen|verbindlichkeiten aus l l|dettes fournisseurs|' +
    'dettes fournisseurs et comptes rattaches|fournisseurs|zavazky z obchodnich vztahu|obchodni zavazky|' +
    'trade payables third parties|trade creditors and suppliers|lieferantenverbindlichkeiten|kreditoren|' +
    'dettes commerciales|fournisseurs et comptes rattaches|proveedores|acreedores comerciales|' +
    'debiti verso fornitori|verso fornitori|debiti commerciali|handelscrediteuren|schulden aan leveranciers|' +
    'schulden aan leveranciers en handelskredieten|crediteuren|leveranciers|' +
    'notes and accounts payable trade|notes and accounts payable|trade payables net|accounts payable suppliers|' +
    'creditors control account|trade accounts payable net|payables to suppliers|' +
    'verbindlichkeiten aus lieferungen leistungen|verbindlichkeiten aus lieferungen|' +
    'lieferantenverbindlichkeiten gegenuber dritten|fournisseurs et dettes rattachees|' +
    'dettes sur achats et prestations de services|acreedores y proveedores|proveedores a corto plazo|' +
    'cuentas a pagar a proveedores|debiti verso i fornitori|debiti v fornitori|fornitori|' +
    'schulden aan leveranciers en handelscrediteuren|handelsschulden|handelsverplichtingen',
  trade_and_other_payables:
    'trade and other payables|creditors|acreedores comerciales y otras cuentas a pagar|' +
    'trade payables and accrued expenses|accounts payable and accrued liabilities|' +
    'accounts payable and accrued expenses',
  deferred_revenue:
    'deferred revenue|deferred revenues|contract liabilities|deferred income|deferred revenue current|' +
    'unearned revenue|unearned revenues|deferred revenue current and non current|' +
    'deferred revenue and customer deposits|customer contract liabilities|contract liabilities current|' +
    'vertragsverbindlichkeiten|passifs sur contrats|produits constates d avance|pasivos por contratos|' +
    'contractverplichtingen|passivita da contratti|passivita contrattuali',
  provisions:
    'warranty provision|warranty provisions|provisions|total provisions|ruckstellungen|summe ruckstellungen|summe der ruckstellungen|' +
    'provisions pour risques et charges|total provisions pour risques et charges|provisions for liabilities|' +
    'provisions for liabilities and charges|provisions for liabilities and other charges|provisiones|' +
    'fondi per rischi e oneri|totale fondi per rischi e oneri|fondi rischi e oneri|voorzieningen|' +
    'totaal voorzieningen|' +
    'provisions total|sonstige und steuerruckstellungen|ruckstellungen gesamt|provisions pour risques|' +
    'provisions et autres passifs|provisiones a corto y largo plazo|totale fondi rischi|' +
    'totale fondi per rischi ed oneri|fondi per rischi ed oneri|som der voorzieningen|' +
    'provisions for liabilities and charges total',
  bank_loans:
    'verbindlichkeiten gegenuber kreditinstituten|bankverbindlichkeiten|' +
    'emprunts et dettes aupres des etablissements de credit|emprunts et dettes financieres|' +
    'emprunts aupres des etablissements de credit|bank loans|bank borrowings|bank debt|' +
    'deudas con entidades de credito|debiti verso banche|schulden aan kredietinstellingen|schulden aan banken',
  bank_overdrafts:
    'bank overdraft|bank overdrafts|overdrafts|concours bancaires courants|concours bancaires|' +
    'emprunts et dettes financieres divers|emprunts et dettes financieres diverses',
  commercial_paper: 'commercial paper|commercial papers',
  term_debt: 'term debt|term loan|term loans',
  short_term_debt:
    'emprunts et dettes financieres part courante|emprunts part courante|dettes financieres part a moins d un an|' +
    'bank loan due within one year|short term debt|short term borrowings|borrowings due within one year|bank loans due within one year|current borrowings|current portion of long term debt|' +
    'current maturities of long term debt|current portion of long term borrowings|' +
    'current installments of long term debt|long term debt current|long term debt current portion|' +
    'borrowings current|loans and borrowings current|current interest bearing loans and borrowings|' +
    'current loans and borrowings|short term debt and current portion of long term debt|' +
    'short term borrowings and current portion of long term debt|current maturities of debt|' +
    'current portion of debt|debt current|kurzfristige darlehen|kurzfristige finanzschulden|current debt|' +
    'short term loans|notes payable|kurzfristige finanzverbindlichkeiten|kurzfristige bankverbindlichkeiten|' +
    'emprunts a court terme|dettes financieres courantes|dettes financieres a court terme|kratkodobe uvery|' +
    'kratkodobe bankovni uvery|kratkodobe uvery a pujcky|short term bank loans|current bank borrowings|' +
    'bank loans and overdrafts|notes payable and current maturities of long term debt|' +
    'revolving credit facility current|kurzfristige verzinsliche verbindlichkeiten|' +
    'emprunts et dettes financieres courants|dettes financieres part courante|emprunts part a moins d un an|' +
    'deuda financiera a corto plazo|deudas con entidades de credito a corto plazo|deudas a corto plazo|' +
    'deuda a corto plazo|debiti finanziari correnti|passivita finanziarie correnti|' +
    'debiti verso banche a breve termine|debiti finanziari a breve termine|kortlopende leningen|' +
    'kortlopende bankschulden|kortlopend deel van langlopende schulden|kortlopende rentedragende schulden|' +
    'schulden aan kredietinstellingen kortlopend|aflossingsverplichting langlopende schulden|aflossingsverplichtingen langlopende schulden|' +
    'aflossingsverplichtingen|kortlopend deel langlopende schulden|kortlopend deel van de langlopende schulden|' +
    'interest bearing liabilities current|current interest bearing liabilities|current financial liabilities|' +
    'current portion of interest bearing borrowings|current portion of borrowings|current portion of bank loans|' +
    'bank loans current|current bank loans|bank loans and overdrafts current|' +
    'current portion of long term debt and finance leases|current portion of long term debt net|' +
    'short term borrowings including current portion|short term debt including current portion of long term debt|' +
    'short term bank borrowings|short term loans payable|short term interest bearing liabilities|' +
    'interest bearing debt current|line of credit|revolving line of credit|' +
    'kurzfristige bankkredite|kurzfristige darlehen und kredite|' +
    'kurzfristige verbindlichkeiten gegenuber kreditinstituten|kurzfristige kredite|' +
    'kurzfristige bankverbindlichkeiten und darlehen|kurzfristiger anteil langfristiger darlehen|' +
    'kurzfristige zinstragende verbindlichkeiten|kurzfristige finanzielle verbindlichkeiten|' +
    'emprunts et dettes financieres a court terme|emprunts et dettes financieres a moins d un an|' +
    'dettes bancaires a court terme|dettes financieres a moins d un an|dettes financieres courant|' +
    'part a moins d un an des emprunts|deudas con entidades de credito corto plazo|deuda financiera corriente|' +
    'deuda bancaria a corto plazo|pasivos financieros corrientes|prestamos a corto plazo|' +
    'debiti finanziari a breve|debiti verso banche a breve|debiti bancari a breve termine|' +
    'finanziamenti a breve termine|passivita finanziarie a breve|kortlopende bankleningen|' +
    'kortlopende rentedragende verplichtingen|kortlopende financiele schulden|' +
    'aflossingsverplichtingen langlopende schulden|bankkrediet|rekening courant bank',
  current_liabilities:
    'current liabilities|total current liabilities|kurzfristige verbindlichkeiten|kurzfristige schulden|' +
    'summe kurzfristige schulden|summe kurzfristige verbindlichkeiten|passif courant|passifs courants|' +
    'total passif courant|total passifs courants|dettes a court terme|kratkodobe zavazky|kratkodobe zavazky celkem|' +
    'current liabilities total|creditors amounts falling due within one year|summe der kurzfristigen schulden|' +
    'kurzfristiges fremdkapital|summe kurzfristiges fremdkapital|total kurzfristiges fremdkapital|pasivo corriente|' +
    'total pasivo corriente|passivita correnti|totale passivita correnti|kortlopende schulden|' +
    'totaal kortlopende schulden|kurzfristige schulden gesamt|som der kortlopende schulden',
  long_term_debt:
    'long term debt|long term borrowings|non current borrowings|borrowings non current|long term debt net|' +
    'long term debt net of current portion|long term debt net of cpltd|long term debt less cpltd|long term debt less current portion|' +
    'long term debt net of current maturities|long term debt less current maturities|' +
    'long term debt excluding current portion|long term debt non current|loans and borrowings non current|' +
    'non current loans and borrowings|non current interest bearing loans and borrowings|debt non current|' +
    'langfristige darlehen|langfristige finanzschulden|long term loans|bank loans non current|non current debt|' +
    'langfristige finanzverbindlichkeiten|langfristige bankverbindlichkeiten|emprunts a long terme|' +
    'dettes financieres a long terme|dettes financieres non courantes|dlouhodobe uvery|dlouhodobe bankovni uvery|' +
    'dlouhodobe uvery a pujcky|long term debt and finance leases|senior notes|long term bank loans|' +
    'bank loan due after one year|bank loan due after more than one year|bank loans due after more than one year|bank loans due after one year|borrowings due after one year|borrowings due after more than one year|langfristige verzinsliche verbindlichkeiten|' +
    'emprunts et dettes financieres non courants|emprunts et dettes financieres non courantes|' +
    'deuda financiera a largo plazo|deudas con entidades de credito a largo plazo|deudas a largo plazo|' +
    'deuda a largo plazo|debiti finanziari non correnti|passivita finanziarie non correnti|' +
    'debiti verso banche a medio lungo termine|debiti finanziari a medio lungo termine|' +
    'debiti finanziari a lungo termine|langlopende leningen|langlopende bankschulden|' +
    'langlopende rentedragende schulden|notes payable long term|' +
    'interest bearing liabilities non current|non current interest bearing liabilities|' +
    'non current financial liabilities|non current bank loans|non current bank borrowings|' +
    'long term bank borrowings|long term interest bearing liabilities|interest bearing debt non current|' +
    'long term debt net of current installments|' +
    'long term debt net of current maturities and deferred financing costs|' +
    'long term debt less current installments|long term debt excluding current maturities|' +
    'long term debt excluding current installments|long term loans payable|long term loans and borrowings|' +
    'senior notes net|long term notes payable|langfristige bankkredite|' +
    'langfristige verbindlichkeiten gegenuber kreditinstituten|langfristige kredite|' +
    'langfristige zinstragende verbindlichkeiten|langfristige bankdarlehen|' +
    'langfristige finanzielle verbindlichkeiten|emprunts et dettes financieres a long terme|' +
    'emprunts et dettes financieres a plus d un an|dettes financieres a plus d un an|' +
    'dettes bancaires a long terme|deuda financiera no corriente|deuda bancaria a largo plazo|' +
    'pasivos financieros no corrientes|prestamos a largo plazo|debiti verso banche oltre 12 mesi|' +
    'finanziamenti a lungo termine|finanziamenti a medio lungo termine|langlopende bankleningen|' +
    'langlopende financiele schulden|langlopende schulden aan kredietinstellingen|leningen o g langlopend',
  non_current_liabilities:
    'non current liabilities|total non current liabilities|noncurrent liabilities|long term liabilities|' +
    'langfristige verbindlichkeiten|langfristige schulden|summe langfristige schulden|passifs non courants|' +
    'passif non courant|total passifs non courants|dettes a long terme|dlouhodobe zavazky|' +
    'dlouhodobe zavazky celkem|creditors amounts falling due after more than one year|' +
    'summe der langfristigen schulden|langfristiges fremdkapital|summe langfristiges fremdkapital|' +
    'pasivo no corriente|total pasivo no corriente|passivita non correnti|totale passivita non correnti|' +
    'langlopende schulden|totaal langlopende schulden|total langfristiges fremdkapital|' +
    'creditors amounts falling due after one year',
  total_debt:
    'total debt|borrowings|loans and borrowings|interest bearing loans and borrowings|interest bearing loans|' +
    'total borrowings|financial debt|gross debt|interest bearing liabilities|interest bearing debt|' +
    'finanzverbindlichkeiten|finanzschulden|dettes financieres|endettement brut|bankovni uvery|uvery a pujcky|' +
    'zavazky k uverovym institucim|deuda financiera|deuda financiera bruta|indebitamento finanziario lordo|' +
    'rentedragende schulden|total financial debt|total borrowings and debt',
  total_liabilities:
    'total liabilities|liabilities|liabilities total|verbindlichkeiten|summe verbindlichkeiten|' +
    'summe der verbindlichkeiten|schulden|summe der schulden|fremdkapital|summe fremdkapital|summe schulden|' +
    'verbindlichkeiten gesamt|total dettes|total des dettes|dettes|total passifs|total des passifs|' +
    'total passif exigible|cizi zdroje|cizi zdroje celkem|zavazky celkem|total creditors|total fremdkapital|' +
    'total pasivo|pasivo total|totale passivita|totale debiti|debiti|totaal schulden|totaal verplichtingen|d debiti|' +
    'total liabilities net|gesamtschulden|summe schulden und ruckstellungen|fremdkapital gesamt|' +
    'verbindlichkeiten summe|total dettes financieres et autres|total emprunts et dettes|total pasivos|' +
    'totale debiti d|totaal vreemd vermogen|vreemd vermogen',
  total_liabilities_and_equity:
    'total liabilities and equity|liabilities and equity|liabilities equity|total liabilities equity|total liabilities and stockholders equity|' +
    'total liabilities and shareholders equity|total equity and liabilities|' +
    'total liabilities and shareholders investment|total liabilities stockholders equity|' +
    'liabilities and equity total|total liabilities and stockholders equity deficit|' +
    'total liabilities and shareholders equity deficit|total shareholders equity and liabilities|' +
    'total liabilities and partners capital|total liabilities redeemable noncontrolling interests and equity|' +
    'total liabilities and net assets|total liabilities and deficit|' +
    'total liabilities mezzanine equity and stockholders equity|bilanzsumme passiva|summe passiva|' +
    'summe der passiva|passiva gesamt|passiven|total passiven|summe eigenkapital und schulden|' +
    'summe eigenkapital und verbindlichkeiten|total general passif|total passif|total du passif|' +
    'total capitaux propres et passifs|total des capitaux propres et passifs|total passif et capitaux propres|' +
    'total patrimonio neto y pasivo|total pasivo y patrimonio neto|total patrimonio neto y pasivos|totale passivo|' +
    'totale passivo e patrimonio netto|totale patrimonio netto e passivita|totale passivita e patrimonio netto|' +
    'totaal passiva|totaal eigen vermogen en verplichtingen',
  retained_earnings:
    'retained earnings|accumulated profits|retained earnings and other reserves|accumulated losses|' +
    'profit and loss reserve|accumulated profit|retained profits|accumulated deficit|' +
    'retained earnings accumulated deficit|profit and loss account|gewinnrucklagen|report a nouveau|' +
    'resultats accumules|nerozdeleny zisk|nerozdeleny zisk minulych let|vysledek hospodareni minulych let|' +
    'retained earnings deficit|retained loss|retained losses|retained profit|bilanzgewinn und gewinnrucklagen|' +
    'andere gewinnrucklagen gesamt|summe gewinnrucklagen|ergebnisvortrag|reserves consolidees|ganancias acumuladas|' +
    'resultados de ejercicios anteriores|utili a nuovo|utili perdite portati a nuovo|overige reserves|' +
    'ingehouden winsten|accumulated deficit retained earnings|remanente|' +
    'accumulated earnings|retained earnings accumulated losses|profit and loss reserves|accumulated results|' +
    'retained surplus|balanced profit|gewinnrucklage|gewinnreserven|andere gewinnrucklagen und bilanzgewinn|' +
    'rucklagen aus einbehaltenen gewinnen|einbehaltene gewinne|reserves et report a nouveau|' +
    'resultados acumulados|utili portati a nuovo|algemene reserve en onverdeeld resultaat',
  equity:
    'equity|total equity|shareholders funds|total shareholders funds|capital and reserves|owners equity|net assets|' +
    'eigenkapital|summe eigenkapital|konzerneigenkapital|capitaux propres|total capitaux propres|' +
    'total des capitaux propres|capitaux propres de l ensemble|capitaux propres de l ensemble consolide|total capitaux propres de l ensemble|vlastni kapital|vlastni kapital celkem|equity total|total equity deficit|' +
    'total deficit|total stockholders equity deficit and noncontrolling interests|total capital and reserves|' +
    'total capitaux propres de l ensemble|total eigenkapital|eigenkapital gesamt|summe des eigenkapitals|' +
    'patrimonio neto|total patrimonio neto|patrimonio netto|totale patrimonio netto|a patrimonio netto|' +
    'eigen vermogen|totaal eigen vermogen|fonds propres|total fonds propres|groepsvermogen|' +
    'total equity including non controlling interests|total equity and reserves|total net assets|members equity|' +
    'total members equity|total partners capital|konzerneigenkapital gesamt|a eigenkapital|' +
    'capitaux propres consolides|capitaux propres totaux|total capitaux propres de l ensemble consolide|' +
    'capitaux propres de l ensemble consolide|patrimonio neto total|totale patrimonio netto a',
  parent_equity:
    'stockholders deficit|shareholders deficit|' +
    'shareholders equity|total shareholders equity|stockholders equity|total stockholders equity|' +
    'shareholder s equity|total stockholders equity deficit|total shareholders equity deficit|' +
    'stockholders equity deficit|total stockholders deficit|total shareholders deficit|' +
    'equity attributable to owners of the parent|equity attributable to equity holders of the parent|' +
    'equity attributable to owners of the company|equity attributable to shareholders of the parent|' +
    'total equity attributable to owners of the parent|eigenkapital der anteilseigner des mutterunternehmens|' +
    'auf die anteilseigner des mutterunternehmens entfallendes eigenkapital|capitaux propres part du groupe|' +
    'patrimonio netto di gruppo|patrimonio neto atribuido a la sociedad dominante',
} as const;
