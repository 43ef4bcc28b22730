/**
 * Names of statement items in Portuguese and Polish, and further Spanish, French, Italian and Dutch ones, in the form of
 * `normaliseName`. Sources: the forms of SNC, ustawa o rachunkowości, PGC, PCG, codice civile and the Dutch Besluit modellen
 * jaarrekening, and interim reports under IFRS.
 */
export const romanceSlavicNames = {
  revenue:
    'vendas e servicos prestados|volume de negocios|vendas|vendas liquidas|receita|receitas|receita liquida|receitas operacionais|' +
    'rendimentos operacionais|receita de vendas|redito|redito de contratos com clientes|prestacoes de servicos|' +
    'przychody ze sprzedazy|przychody netto ze sprzedazy|przychody|przychody netto ze sprzedazy i zrownane z nimi|' +
    'przychody netto ze sprzedazy produktow towarow i materialow|przychody ze sprzedazy netto|sprzedaz|' +
    'ventas consolidadas|ingresos de explotacion ordinarios|ca consolide|chiffre d affaires net consolide|ca|montant du chiffre d affaires net',
  cost_of_sales:
    'custo das vendas|custo dos produtos vendidos|custo de vendas|' +
    'custo das vendas e dos servicos prestados|custo das vendas e prestacoes de servicos|' +
    'koszt wlasny sprzedazy|koszty sprzedanych produktow towarow i materialow|koszt sprzedanych produktow towarow i materialow|' +
    'koszty wlasny sprzedazy',
  gross_profit:
    'lucro bruto|margem bruta|resultado bruto das vendas|zysk brutto ze sprzedazy|zysk strata brutto ze sprzedazy|wynik brutto na sprzedazy|marge brute totale',
  research_development:
    'custos de investigacao e desenvolvimento|despesas de investigacao e desenvolvimento|investigacao e desenvolvimento|koszty prac rozwojowych|koszty badan i rozwoju|recherche developpement',
  sga: 'gastos com vendas e administrativos|custos comerciais e administrativos|koszty sprzedazy i ogolnego zarzadu|spese commerciali generali e amministrative|spese commerciali e amministrative',
  cost_of_materials: 'zuzycie materialow i energii|materias consumidas|achats de marchandises et matieres premieres',
  personnel_expense:
    'gastos com o pessoal|gastos com pessoal|custos com pessoal|custos com o pessoal|despesas com pessoal|' +
    'swiadczenia pracownicze|koszty swiadczen pracowniczych|wynagrodzenia|koszty wynagrodzen|salaires et charges sociales|remunerations et charges sociales',
  depreciation:
    'gastos de depreciacao e de amortizacao|gastos reversoes de depreciacao e de amortizacao|depreciacoes e amortizacoes|' +
    'amortizacoes e depreciacoes|amortizacoes depreciacoes e perdas por imparidade|amortyzacja|amortyzacja i odpisy|amortizaciones y depreciaciones y deterioros',
  ebit:
    'resultado operacional|resultado operacional ebit|resultado operacional antes de gastos de financiamento e impostos|' +
    'lucro operacional|resultados operacionais|zysk z dzialalnosci operacyjnej|zysk strata z dzialalnosci operacyjnej|' +
    'wynik z dzialalnosci operacyjnej|zysk operacyjny|wynik operacyjny|risultato operativo netto|margen de explotacion ebit',
  ebitda:
    'resultado antes de depreciacoes gastos de financiamento e impostos|ebitda consolidado|ebe|' +
    'resultado operacional antes de amortizacoes',
  interest_expense:
    'juros e gastos similares suportados|juros suportados|gastos financeiros|custos financeiros|gastos de financiamento|' +
    'koszty finansowe|koszty odsetkowe|odsetki|koszty odsetek|interets financiers|interets payes|interessi|interessi passivi e altri oneri finanziari',
  pre_tax_income:
    'resultado antes de impostos|resultado antes de imposto|lucro antes de impostos|resultados antes de impostos|' +
    'zysk brutto|zysk strata brutto|zysk przed opodatkowaniem|zysk strata przed opodatkowaniem|wynik przed opodatkowaniem',
  income_tax:
    'imposto sobre o rendimento|imposto sobre o rendimento do periodo|imposto sobre o rendimento do exercicio|impostos sobre o rendimento|' +
    'imposto|podatek dochodowy|podatek|impots sur le resultat courants et differes',
  net_income:
    'resultado liquido|resultado liquido do periodo|resultado liquido do exercicio|resultado liquido consolidado|lucro liquido|' +
    'resultado liquido consolidado do periodo|lucro do periodo|lucro do exercicio|zysk netto|zysk strata netto|wynik netto|' +
    'strata netto|resultado consolidado del periodo|resultado consolidado neto',
  net_income_attributable:
    'acionistas da empresa mae|detentores de capital da empresa mae|detentores do capital da empresa mae|atribuivel a acionistas da empresa mae|' +
    'akcjonariuszom jednostki dominujacej|akcjonariusze jednostki dominujacej|wlascicieli jednostki dominujacej|' +
    'zysk netto przypadajacy akcjonariuszom jednostki dominujacej|attribuable au groupe|resultat net attribuable au groupe',
  cash:
    'caixa e depositos bancarios|caixa e equivalentes de caixa|caixa e equivalentes|disponibilidades|caixa e bancos|' +
    'srodki pieniezne|srodki pieniezne i ich ekwiwalenty|srodki pieniezne i inne aktywa pieniezne|disponibilites et equivalents de tresorerie',
  receivables:
    'clientes e outras contas a receber comerciais|contas a receber de clientes|clientes c c|naleznosci z tytulu dostaw i uslug|' +
    'naleznosci handlowe|creances clients nettes de depreciation',
  trade_and_other_receivables:
    'contas a receber|clientes e outras contas a receber|naleznosci z tytulu dostaw i uslug oraz pozostale naleznosci|naleznosci krotkoterminowe',
  inventories: 'zapasy|inventario',
  current_assets:
    'total do ativo corrente|ativo corrente|ativos correntes|total dos ativos correntes|total ativo corrente|' +
    'aktywa obrotowe|aktywa obrotowe razem|razem aktywa obrotowe|suma aktywow obrotowych',
  ppe: 'ativos fixos tangiveis|ativo fixo tangivel|rzeczowe aktywa trwale|rzeczowy majatek trwaly',
  goodwill: 'wartosc firmy|trespasse|differenza da consolidamento',
  non_current_assets:
    'total do ativo nao corrente|ativo nao corrente|ativos nao correntes|total dos ativos nao correntes|aktywa trwale|aktywa trwale razem',
  total_assets:
    'total do ativo|ativo total|total ativo|total dos ativos|aktywa razem|suma aktywow|aktywa ogolem|aktywa',
  payables:
    'fornecedores|fornecedores c c|dividas a fornecedores|zobowiazania z tytulu dostaw i uslug|zobowiazania handlowe',
  trade_and_other_payables:
    'fornecedores e outras contas a pagar|zobowiazania z tytulu dostaw i uslug oraz pozostale zobowiazania',
  deferred_revenue:
    'diferimentos|rendimentos a reconhecer|rozliczenia miedzyokresowe przychodow|przychody przyszlych okresow',
  provisions: 'provisoes|rezerwy|rezerwy na zobowiazania',
  bank_loans: 'kredyty bankowe|kredyty i pozyczki|emprestimos bancarios',
  short_term_debt:
    'financiamentos obtidos correntes|emprestimos correntes|emprestimos de curto prazo|kredyty i pozyczki krotkoterminowe|' +
    'krotkoterminowe kredyty i pozyczki|krotkoterminowe kredyty i pozyczki bankowe|krotkoterminowe zobowiazania finansowe|financiamentos correntes',
  current_liabilities:
    'total do passivo corrente|passivo corrente|passivos correntes|total dos passivos correntes|zobowiazania krotkoterminowe|' +
    'zobowiazania krotkoterminowe razem|razem zobowiazania krotkoterminowe',
  long_term_debt:
    'financiamentos obtidos nao correntes|emprestimos nao correntes|emprestimos de longo prazo|kredyty i pozyczki dlugoterminowe|' +
    'dlugoterminowe kredyty i pozyczki|dlugoterminowe zobowiazania finansowe|financiamentos nao correntes',
  non_current_liabilities:
    'total do passivo nao corrente|passivo nao corrente|passivos nao correntes|zobowiazania dlugoterminowe|zobowiazania dlugoterminowe razem',
  total_debt: 'financiamentos obtidos|emprestimos|divida bruta|zadluzenie|dette brute',
  total_liabilities:
    'total do passivo|passivo total|total dos passivos|zobowiazania razem|zobowiazania ogolem|suma zobowiazan|zobowiazania i rezerwy na zobowiazania',
  retained_earnings:
    'resultados transitados|lucros retidos|zyski zatrzymane|zysk zatrzymany|niepodzielony wynik finansowy|utili perdite a nuovo',
  equity:
    'capital proprio|total do capital proprio|capitais proprios|capital proprio total|kapital wlasny|kapital wlasny razem|kapitaly wlasne|' +
    'razem kapital wlasny|kapital wlasny ogolem|total de capitaux propres|patrimonio neto consolidado|patrimonio netto totale',
  total_liabilities_and_equity:
    'total do capital proprio e do passivo|total do capital proprio e passivo|pasywa razem|suma pasywow|pasywa ogolem|' +
    'total passivo e capital proprio|passivo e patrimonio netto|pasywa',
  operating_cash_flow:
    'fluxos de caixa das atividades operacionais|fluxo de caixa das atividades operacionais|fluxo das atividades operacionais|' +
    'caixa gerada pelas atividades operacionais|przeplywy pieniezne netto z dzialalnosci operacyjnej|' +
    'srodki pieniezne netto z dzialalnosci operacyjnej|przeplywy z dzialalnosci operacyjnej|' +
    'flux net de tresorerie genere par l exploitation|flujo de caja operativo|flujo de las operaciones|cash flow operativo',
  investing_cash_flow:
    'fluxos de caixa das atividades de investimento|fluxo de caixa das atividades de investimento|fluxo das atividades de investimento|' +
    'przeplywy pieniezne netto z dzialalnosci inwestycyjnej|srodki pieniezne netto z dzialalnosci inwestycyjnej',
  financing_cash_flow:
    'fluxos de caixa das atividades de financiamento|fluxo de caixa das atividades de financiamento|fluxo das atividades de financiamento|' +
    'przeplywy pieniezne netto z dzialalnosci finansowej|srodki pieniezne netto z dzialalnosci finansowej',
  capex:
    'aquisicao de ativos fixos tangiveis|pagamentos de ativos fixos tangiveis|investimentos em ativos fixos tangiveis|' +
    'nabycie rzeczowych aktywow trwalych|wydatki na rzeczowe aktywa trwale|naklady inwestycyjne|' +
    'investimenti|investimenti netti|investissements industriels|inversion en inmovilizado material|capex neto',
  dividends_paid:
    'dividendos distribuidos|dividendos pagos|wyplacone dywidendy|dywidendy wyplacone|dividendes mis en paiement|dividendi',
  adjusted_ebitda:
    'ebitda recorrente|ebitda ajustado e recorrente|skorygowana ebitda|ebitda courant|ebitda recurrente|ebitda adj|adj ebitda',
  adjusted_operating_income: 'ebit recorrente|skorygowany ebit|adj ebit|ebit adj|ebit recurrente',
  adjusted_net_income:
    'lucro liquido recorrente|resultado liquido recorrente|utile netto adjusted|resultat net recurrent',
  stated_free_cash_flow:
    'fluxo de caixa livre|wolne przeplywy pieniezne|free cash flow operativo|cash flow disponible|fcf',
  stated_net_debt:
    'divida liquida|divida financeira liquida|endividamento liquido|dlug netto|zadluzenie netto|' +
    'debito finanziario netto|deuda neta financiera|endettement financier net du groupe|netto financiele schuld|netto bankschuld|nettoverschuldung des konzerns|debiti finanziari netti|net interest bearing debt|net bank debt',
} as const;
