/** The lines of financial statements that the formulas need, and how companies call them in four languages. */

/** Names follow IAS 1 and common usage; amounts of cost items are kept positive. */
export type LineItem =
  | 'revenue'
  | 'cost_of_sales'
  | 'gross_profit'
  | 'sga'
  | 'depreciation'
  | 'ebitda'
  | 'ebit'
  | 'interest_expense'
  | 'pre_tax_income'
  | 'income_tax'
  | 'net_income'
  | 'cash'
  | 'short_term_investments'
  | 'receivables'
  | 'inventories'
  | 'current_assets'
  | 'ppe'
  | 'securities'
  | 'non_current_assets'
  | 'total_assets'
  | 'payables'
  | 'short_term_debt'
  | 'current_liabilities'
  | 'long_term_debt'
  | 'non_current_liabilities'
  | 'total_debt'
  | 'total_liabilities'
  | 'retained_earnings'
  | 'equity'
  | 'operating_cash_flow'
  | 'capex'
  | 'dividends_paid'
  | 'shares_outstanding'
  | 'share_price'
  | 'market_cap';

/** Statements print these as costs or outflows, with or without a minus or parentheses; here they are positive. */
export const costItems: ReadonlySet<LineItem> = new Set([
  'cost_of_sales',
  'sga',
  'depreciation',
  'interest_expense',
  'capex',
  'dividends_paid',
]);

/** Not multiplied by "in thousands": counts and prices per share. */
export const unscaledItems: ReadonlySet<LineItem> = new Set(['share_price']);

/** How many words a name has at most. */
export const nameWordsMax = 9;

/** Names as `normaliseName` leaves them: lower case, no marks over letters, single spaces. */
const names: Readonly<Record<LineItem, string>> = {
  revenue:
    'revenue|revenues|total revenue|total revenues|net revenue|net revenues|sales|net sales|total sales|turnover|sales revenue|' +
    'revenue from contracts with customers|group revenue|umsatz|umsatzerlose|umsatzerlos|nettoumsatz|gesamtumsatz|erlose|' +
    'chiffre d affaires|chiffre d affaires net|ca net|ventes nettes|produits d exploitation|trzby|trzby celkem|celkove trzby|' +
    'vynosy|vynosy celkem|obrat|cisty obrat|trzby z prodeje vyrobku a sluzeb',
  cost_of_sales:
    'cost of sales|cost of goods sold|cost of revenue|cost of revenues|cogs|cost of products sold|cost of services|' +
    'herstellungskosten|umsatzkosten|materialaufwand|herstellungskosten der zur erzielung der umsatzerlose erbrachten leistungen|' +
    'cout des ventes|couts des ventes|cout des marchandises vendues|cout des produits vendus|naklady na prodej|naklady prodeje|' +
    'naklady na prodane zbozi|vykonova spotreba',
  gross_profit:
    'gross profit|gross margin|gross income|gross result|bruttoergebnis|bruttogewinn|rohertrag|rohergebnis|' +
    'bruttoergebnis vom umsatz|marge brute|benefice brut|resultat brut|hruby zisk|hruba marze|obchodni marze',
  sga:
    'selling general and administrative expenses|selling general administrative expenses|selling general and administrative|' +
    'sg a|sg a expenses|sga|sga expenses|sales general and administrative expenses|selling and administrative expenses|' +
    'selling and general administrative expenses|administrative and selling expenses|vertriebs und verwaltungskosten|' +
    'vertriebs und allgemeine verwaltungskosten|frais commerciaux et administratifs|frais de vente et d administration|' +
    'frais generaux et commerciaux|frais commerciaux generaux et administratifs|prodejni a spravni naklady|' +
    'odbytove a spravni naklady',
  depreciation:
    'depreciation|depreciation and amortisation|depreciation and amortization|amortisation and depreciation|' +
    'depreciation amortisation|depreciation amortization|d a|depreciation expense|depreciation amortisation and impairment|' +
    'depreciation amortization and impairment|abschreibungen|abschreibung|planmassige abschreibungen|' +
    'abschreibungen auf immaterielle vermogensgegenstande und sachanlagen|amortissements|dotations aux amortissements|' +
    'dotations aux amortissements et provisions|amortissements et depreciations|odpisy|odpisy celkem|' +
    'odpisy dlouhodobeho majetku|upravy hodnot v provozni oblasti',
  ebitda:
    'ebitda|adjusted ebitda|ebitda adjusted|operating profit before depreciation and amortisation|bereinigtes ebitda',
  ebit:
    'ebit|operating profit|operating income|operating result|profit from operations|income from operations|operating profit loss|' +
    'operating income loss|operating loss|profit from operating activities|earnings before interest and taxes|operatives ergebnis|' +
    'betriebsergebnis|ergebnis der betrieblichen tatigkeit|resultat d exploitation|resultat operationnel|' +
    'resultat operationnel courant|provozni vysledek hospodareni|provozni zisk|provozni vysledek',
  interest_expense:
    'interest expense|interest expenses|interest paid|finance costs|finance cost|finance expense|finance expenses|' +
    'financial expenses|interest and similar expenses|interest payable|zinsaufwand|zinsaufwendungen|' +
    'zinsen und ahnliche aufwendungen|finanzierungsaufwendungen|charges d interets|charges financieres|' +
    'cout de l endettement financier brut|interets et charges assimilees|nakladove uroky|naklady na uroky|' +
    'nakladove uroky a podobne naklady|financni naklady',
  pre_tax_income:
    'profit before tax|profit before taxes|profit before income tax|profit before taxation|income before tax|income before taxes|' +
    'income before income taxes|earnings before tax|earnings before taxes|pre tax income|pre tax profit|pretax income|pbt|ebt|' +
    'profit loss before tax|loss before tax|ergebnis vor steuern|ergebnis vor ertragsteuern|gewinn vor steuern|' +
    'resultat avant impot|resultat avant impots|benefice avant impot|zisk pred zdanenim|' +
    'vysledek hospodareni pred zdanenim|zisk pred dani|accounting profit|accounting profit before tax|' +
    'income before provision for income taxes|income before income tax expense|earnings before income taxes|' +
    'income loss before income taxes|profit before income taxes|income from continuing operations before income taxes',
  income_tax:
    'income tax|income taxes|income tax expense|tax expense|income tax charge|tax charge|tax on profit|taxation|' +
    'provision for income taxes|income tax expense benefit|income tax credit|total tax expense|ertragsteuern|' +
    'steuern vom einkommen und vom ertrag|steueraufwand|impot sur les benefices|impots sur les benefices|impot sur les societes|' +
    'charge d impot|dan z prijmu|dan z prijmu celkem|danovy naklad',
  net_income:
    'net income|net profit|net earnings|profit for the year|profit for the period|profit loss for the year|loss for the year|' +
    'net income loss|net loss|profit after tax|profit after taxation|profit attributable to owners of the parent|' +
    'net profit for the year|jahresuberschuss|jahresfehlbetrag|jahresuberschuss jahresfehlbetrag|konzernergebnis|' +
    'konzernjahresuberschuss|ergebnis nach steuern|periodenergebnis|resultat net|benefice net|resultat de l exercice|' +
    'benefice de l exercice|cisty zisk|vysledek hospodareni za ucetni obdobi|vysledek hospodareni po zdaneni|zisk po zdaneni|' +
    'zisk za ucetni obdobi',
  cash:
    'cash|cash and cash equivalents|cash equivalents|cash at bank|cash at bank and in hand|cash and bank balances|' +
    'cash and bank balances and deposits|zahlungsmittel|zahlungsmittel und zahlungsmittelaquivalente|flussige mittel|' +
    'kassenbestand und guthaben bei kreditinstituten|liquide mittel|tresorerie|tresorerie et equivalents de tresorerie|' +
    'disponibilites|penezni prostredky|penize a penezni ekvivalenty|penezni prostredky a penezni ekvivalenty|hotovost',
  short_term_investments:
    'short term investments|marketable securities|current financial assets|short term financial assets|other current financial assets|' +
    'wertpapiere des umlaufvermogens|kurzfristige finanzanlagen|valeurs mobilieres de placement|placements a court terme|' +
    'kratkodoby financni majetek|kratkodobe financni investice',
  receivables:
    'receivables|trade receivables|accounts receivable|net receivables|trade and other receivables|accounts receivable net|' +
    'trade accounts receivable|trade debtors|debtors|forderungen|forderungen aus lieferungen und leistungen|' +
    'forderungen und sonstige vermogensgegenstande|creances clients|creances clients et comptes rattaches|clients|pohledavky|' +
    'pohledavky z obchodnich vztahu|kratkodobe pohledavky|obchodni pohledavky',
  inventories: 'inventories|inventory|stock|stocks|vorrate|vorratsvermogen|stocks et en cours|stocks et encours|zasoby',
  current_assets:
    'current assets|total current assets|umlaufvermogen|kurzfristige vermogenswerte|summe umlaufvermogen|' +
    'summe kurzfristige vermogenswerte|actif circulant|total actif circulant|actifs courants|total actifs courants|' +
    'total de l actif circulant|obezna aktiva|obezna aktiva celkem|kratkodoba aktiva|kratkodoba aktiva celkem',
  ppe:
    'property plant and equipment|property plant and equipment net|pp e|ppe|net ppe|fixed assets|tangible assets|' +
    'tangible fixed assets|property plant equipment|sachanlagen|sachanlagevermogen|immobilisations corporelles|' +
    'immobilisations corporelles nettes|dlouhodoby hmotny majetek|pozemky budovy a zarizeni',
  securities:
    'securities|long term investments|long term securities|non current financial assets|finanzanlagen|immobilisations financieres|dlouhodoby financni majetek',
  non_current_assets:
    'non current assets|total non current assets|noncurrent assets|anlagevermogen|langfristige vermogenswerte|' +
    'summe langfristige vermogenswerte|actif immobilise|total actif immobilise|actifs non courants|total actifs non courants|' +
    'dlouhodoby majetek|stala aktiva|dlouhodoba aktiva|dlouhodoba aktiva celkem',
  total_assets:
    'total assets|assets total|balance sheet total|bilanzsumme|summe aktiva|gesamtvermogen|aktiva gesamt|summe vermogenswerte|' +
    'total actif|total de l actif|total general actif|total du bilan|aktiva celkem|celkova aktiva|bilancni suma',
  payables:
    'payables|trade payables|accounts payable|trade and other payables|trade creditors|creditors|' +
    'verbindlichkeiten aus lieferungen und leistungen|dettes fournisseurs|dettes fournisseurs et comptes rattaches|fournisseurs|' +
    'zavazky z obchodnich vztahu|obchodni zavazky',
  short_term_debt:
    'short term debt|short term borrowings|current borrowings|bank overdraft|bank overdrafts|current portion of long term debt|' +
    'current debt|short term loans|notes payable|kurzfristige finanzverbindlichkeiten|kurzfristige bankverbindlichkeiten|' +
    'emprunts a court terme|dettes financieres courantes|dettes financieres a court terme|kratkodobe uvery|' +
    'kratkodobe bankovni uvery|kratkodobe uvery a pujcky',
  current_liabilities:
    'current liabilities|total current liabilities|kurzfristige verbindlichkeiten|kurzfristige schulden|' +
    'summe kurzfristige schulden|summe kurzfristige verbindlichkeiten|passif courant|passifs courants|total passif courant|' +
    'total passifs courants|dettes a court terme|kratkodobe zavazky|kratkodobe zavazky celkem',
  long_term_debt:
    'long term debt|long term borrowings|non current borrowings|long term loans|bank loans non current|non current debt|' +
    'langfristige finanzverbindlichkeiten|langfristige bankverbindlichkeiten|emprunts a long terme|dettes financieres a long terme|' +
    'dettes financieres non courantes|dlouhodobe uvery|dlouhodobe bankovni uvery|dlouhodobe uvery a pujcky',
  non_current_liabilities:
    'non current liabilities|total non current liabilities|noncurrent liabilities|long term liabilities|' +
    'langfristige verbindlichkeiten|langfristige schulden|summe langfristige schulden|passifs non courants|passif non courant|' +
    'total passifs non courants|dettes a long terme|dlouhodobe zavazky|dlouhodobe zavazky celkem',
  total_debt:
    'total debt|borrowings|total borrowings|financial debt|gross debt|interest bearing liabilities|interest bearing debt|' +
    'finanzverbindlichkeiten|finanzschulden|verbindlichkeiten gegenuber kreditinstituten|dettes financieres|endettement brut|' +
    'emprunts et dettes financieres|bankovni uvery|uvery a pujcky|zavazky k uverovym institucim',
  total_liabilities:
    'total liabilities|liabilities|liabilities total|fremdkapital|summe fremdkapital|summe schulden|verbindlichkeiten gesamt|' +
    'total dettes|total des dettes|total passif exigible|cizi zdroje|cizi zdroje celkem|zavazky celkem',
  retained_earnings:
    'retained earnings|accumulated profits|retained profits|accumulated deficit|retained earnings accumulated deficit|' +
    'profit and loss account|gewinnrucklagen|gewinnvortrag|reserves et report a nouveau|report a nouveau|resultats accumules|' +
    'nerozdeleny zisk|nerozdeleny zisk minulych let|vysledek hospodareni minulych let',
  equity:
    'equity|total equity|shareholders equity|total shareholders equity|stockholders equity|total stockholders equity|' +
    'shareholder s equity|owners equity|net assets|eigenkapital|summe eigenkapital|konzerneigenkapital|capitaux propres|' +
    'total capitaux propres|total des capitaux propres|vlastni kapital|vlastni kapital celkem',
  operating_cash_flow:
    'operating cash flow|cash flow from operating activities|cash flows from operating activities|' +
    'net cash from operating activities|net cash provided by operating activities|net cash generated from operating activities|' +
    'cash generated from operations|cash flow from operations|net cash flow from operating activities|ocf|' +
    'cashflow aus laufender geschaftstatigkeit|cash flow aus laufender geschaftstatigkeit|' +
    'cashflow aus der laufenden geschaftstatigkeit|operativer cashflow|flux de tresorerie d exploitation|' +
    'flux nets de tresorerie generes par l activite|flux de tresorerie lies a l activite|' +
    'cisty penezni tok z provozni cinnosti|penezni tok z provozni cinnosti|provozni cash flow',
  capex:
    'capex|capital expenditure|capital expenditures|purchase of property plant and equipment|' +
    'purchases of property plant and equipment|acquisition of property plant and equipment|investitionen in sachanlagen|' +
    'investitionen|acquisitions d immobilisations|acquisitions d immobilisations corporelles|investissements|' +
    'nabyti stalych aktiv|vydaje spojene s nabytim stalych aktiv|investicni vydaje',
  dividends_paid:
    'dividends paid|dividends|dividend paid|gezahlte dividenden|dividendes verses|vyplacene dividendy|dividendy',
  shares_outstanding:
    'shares outstanding|number of shares|ordinary shares outstanding|common shares outstanding|shares in issue|' +
    'weighted average shares outstanding|weighted average number of shares|anzahl der aktien|anzahl aktien|ausgegebene aktien|' +
    'nombre d actions|nombre d actions en circulation|pocet akcii',
  share_price: 'share price|price per share|closing share price|aktienkurs|cours de l action|cena akcie',
  market_cap:
    'market capitalisation|market capitalization|market cap|market value of equity|marktkapitalisierung|borsenwert|capitalisation boursiere|trzni kapitalizace',
};

const itemByName: ReadonlyMap<string, LineItem> = new Map(
  (Object.entries(names) as [LineItem, string][]).flatMap(([item, list]) =>
    list.split('|').map((name): [string, LineItem] => [name, item]),
  ),
);

const firstWords: ReadonlySet<string> = new Set([...itemByName.keys()].map((name) => name.split(' ', 1)[0]!));

/** Whether a name of an item begins with this word. @param word as `normaliseName` gives it */
export function beginsItem(word: string): boolean {
  return firstWords.has(word);
}

/** Lower case, marks over letters taken off, "ß" as "ss"; everything but letters and digits becomes single spaces. */
export function normaliseName(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase().replace(notAsciiWord, ' ').trim();
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is what ASCII means
const isAscii = /^[\x00-\x7f]*$/;
const notAsciiWord = /[^a-z0-9]+/g;

/** The item with exactly this name. @param name as `normaliseName` gives it */
export function itemNamed(name: string): LineItem | undefined {
  return itemByName.get(name);
}
