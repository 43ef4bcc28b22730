/** Names of statement items in the agent's languages, and similar names with another meaning. */
import { describe, expect, it } from 'vitest';
import { itemOfLabel } from '../../../../agents/tools/financial/labels.ts';

describe('labels of rows', () => {
  it.each([
    ['Total revenues, net', 'revenue'],
    ['1. Umsatzerlöse', 'revenue'],
    ['Nettoerlöse aus Lieferungen und Leistungen', 'revenue'],
    ['Produits des activités ordinaires', 'revenue'],
    ['Importe neto de la cifra de negocios', 'revenue'],
    ['1) ricavi delle vendite e delle prestazioni', 'revenue'],
    ['Netto-omzet', 'revenue'],
    ['Cost of goods sold, including buying and occupancy costs', 'cost_of_sales'],
    ['Kostprijs van de omzet', 'cost_of_sales'],
    ['6) per materie prime, sussidiarie, di consumo e merci', 'cost_of_materials'],
    ['Selling, general & administrative', 'sga'],
    ['SG&A', 'sga'],
    ['Operating (loss) profit', 'ebit'],
    ['Betriebsergebnis (EBIT)', 'ebit'],
    ['A.1) RESULTADO DE EXPLOTACIÓN', 'ebit'],
    ['Differenza tra valore e costi della produzione (A - B)', 'ebit'],
    ['Income (loss) before income taxes', 'pre_tax_income'],
    ['Jahresergebnis vor Steuern', 'pre_tax_income'],
    ['Provision for (benefit from) income taxes', 'income_tax'],
    ['Impôt sur les résultats', 'income_tax'],
    ['Profit/(loss) for the year', 'net_income'],
    ['21) UTILE (PERDITA) DELL’ESERCIZIO', 'net_income'],
    ['Resultaat na belastingen', 'net_income'],
    ['Earnings per share before dilution, SEK', 'eps_basic'],
    ['Résultat par action (en euros)', 'eps_basic'],
    ['Earnings per share after dilution, SEK', 'eps_diluted'],
    ['Résultat dilué par action (en euros)', 'eps_diluted'],
    ['Notes and accounts receivable - trade', 'receivables'],
    ['Clients et comptes rattachés', 'receivables'],
    ['Handelsdebiteuren', 'receivables'],
    ['Cash and deposits', 'cash'],
    ['Efectivo y otros activos líquidos equivalentes', 'cash'],
    ['Tangible fixed assets', 'ppe'],
    ['II. Inmovilizado material', 'ppe'],
    ['TOTAL GÉNÉRAL ACTIF', 'total_assets'],
    ['TOTALE ATTIVO', 'total_assets'],
    ['Total Passiven', 'total_liabilities_and_equity'],
    ['Interest-bearing liabilities, current', 'short_term_debt'],
    ['Emprunts et dettes financières - part courante', 'short_term_debt'],
    ['Interest-bearing liabilities, non-current', 'long_term_debt'],
    ['Long-term debt, less current portion', 'long_term_debt'],
    ['Accumulated deficit', 'retained_earnings'],
    ['Totale patrimonio netto', 'equity'],
    ['Investments in tangible fixed assets', 'capex'],
    ['Purchase of property, plant & equipment', 'capex'],
    ['Net cash (used in) provided by investing activities', 'investing_cash_flow'],
    ['Dividend paid', 'dividends_paid'],
  ])('%s is %s', (label, item) => {
    expect(itemOfLabel(label)).toBe(item);
  });

  it.each([
    'Gross margin %',
    'Gross margin (% of sales)',
    'EBITDA margin',
    'Revenue growth',
    'Revenue per employee',
    'Deferred tax assets',
    'Income tax payable',
    'Other receivables',
    'Dividend per share',
    'Interest income',
    'Lease liabilities',
    'Löhne und Gehälter',
    'Totale valore della produzione',
    'Costi della produzione',
    'Profit before tax and exceptional items',
  ])('%s is not a line item', (label) => {
    expect(itemOfLabel(label)).toBeUndefined();
  });
});
