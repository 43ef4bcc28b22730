/**
 * Elements of the us-gaap and ifrs-full taxonomies for the items of statements. An element is one concept, so only a whole name
 * counts: "LongTermDebtFairValue" is no debt of the balance sheet.
 */
import { itemNamed, type LineItem, normaliseName } from './line-items.ts';

const elementsOfItems: Readonly<Partial<Record<LineItem, string>>> = {
  revenue:
    'Revenues Revenue RevenueFromContractWithCustomerExcludingAssessedTax RevenueFromContractWithCustomerIncludingAssessedTax ' +
    'SalesRevenueNet SalesRevenueGoodsNet SalesRevenueServicesNet RevenueFromContractsWithCustomers',
  cost_of_sales: 'CostOfRevenue CostOfSales CostOfGoodsAndServicesSold CostOfGoodsSold CostOfServices',
  gross_profit: 'GrossProfit',
  research_development: 'ResearchAndDevelopmentExpense ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost',
  sga: 'SellingGeneralAndAdministrativeExpense',
  cost_of_materials: 'RawMaterialsAndConsumablesUsed',
  personnel_expense: 'EmployeeBenefitsExpense',
  depreciation:
    'DepreciationDepletionAndAmortization DepreciationAndAmortization DepreciationAmortizationAndAccretionNet ' +
    'DepreciationAndAmortisationExpense DepreciationAmortisationAndImpairmentLossReversalOfImpairmentLossRecognisedInProfitOrLoss ' +
    'AdjustmentsForDepreciationAndAmortisationExpense',
  ebit: 'OperatingIncomeLoss ProfitLossFromOperatingActivities',
  interest_expense:
    'InterestExpense InterestExpenseNonoperating InterestExpenseOperating InterestExpenseDebt FinanceCosts',
  pre_tax_income:
    'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest ' +
    'IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments ' +
    'IncomeLossFromContinuingOperationsBeforeIncomeTaxes ProfitLossBeforeTax',
  income_tax: 'IncomeTaxExpenseBenefit IncomeTaxExpenseContinuingOperations',
  net_income: 'ProfitLoss NetIncomeLoss',
  net_income_attributable:
    'ProfitLossAttributableToOwnersOfParent NetIncomeLossAvailableToCommonStockholdersBasic NetIncomeLossAttributableToParent',
  eps_basic: 'EarningsPerShareBasic BasicEarningsLossPerShare EarningsPerShareBasicAndDiluted',
  eps_diluted: 'EarningsPerShareDiluted DilutedEarningsLossPerShare',
  shares_basic: 'WeightedAverageNumberOfSharesOutstandingBasic WeightedAverageShares',
  shares_diluted: 'WeightedAverageNumberOfDilutedSharesOutstanding AdjustedWeightedAverageShares',
  cash: 'CashAndCashEquivalentsAtCarryingValue CashAndCashEquivalents Cash',
  closing_cash:
    'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents CashAndCashEquivalentsIfDifferentFromStatementOfFinancialPosition',
  short_term_investments:
    'MarketableSecuritiesCurrent ShortTermInvestments AvailableForSaleSecuritiesDebtSecuritiesCurrent',
  receivables:
    'AccountsReceivableNetCurrent AccountsReceivableNet ReceivablesNetCurrent CurrentTradeReceivables TradeReceivables',
  trade_and_other_receivables: 'TradeAndOtherCurrentReceivables TradeAndOtherReceivables',
  inventories: 'InventoryNet Inventories InventoriesTotal',
  current_assets: 'AssetsCurrent CurrentAssets',
  ppe: 'PropertyPlantAndEquipmentNet PropertyPlantAndEquipment',
  goodwill: 'Goodwill',
  non_current_assets: 'AssetsNoncurrent NoncurrentAssets',
  total_assets: 'Assets',
  payables: 'AccountsPayableCurrent AccountsPayableTradeCurrent TradeAndOtherCurrentPayablesToTradeSuppliers',
  trade_and_other_payables:
    'TradeAndOtherCurrentPayables AccountsPayableAndAccruedLiabilitiesCurrent TradeAndOtherPayables',
  deferred_revenue:
    'ContractWithCustomerLiabilityCurrent DeferredRevenueCurrent CurrentContractLiabilities ContractLiabilities',
  provisions: 'Provisions',
  short_term_debt: 'DebtCurrent ShorttermBorrowings CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings',
  commercial_paper: 'CommercialPaper',
  term_debt: 'LongTermDebtCurrent',
  current_liabilities: 'LiabilitiesCurrent CurrentLiabilities',
  long_term_debt:
    'LongTermDebtNoncurrent NoncurrentPortionOfNoncurrentBorrowings LongtermBorrowings NoncurrentBorrowings',
  non_current_liabilities: 'LiabilitiesNoncurrent NoncurrentLiabilities',
  total_debt: 'Borrowings',
  total_liabilities: 'Liabilities',
  retained_earnings: 'RetainedEarningsAccumulatedDeficit RetainedEarnings',
  parent_equity: 'StockholdersEquity EquityAttributableToOwnersOfParent',
  equity: 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest Equity',
  total_liabilities_and_equity: 'LiabilitiesAndStockholdersEquity EquityAndLiabilities',
  operating_cash_flow:
    'NetCashProvidedByUsedInOperatingActivities NetCashProvidedByUsedInOperatingActivitiesContinuingOperations ' +
    'CashFlowsFromUsedInOperatingActivities',
  investing_cash_flow:
    'NetCashProvidedByUsedInInvestingActivities NetCashProvidedByUsedInInvestingActivitiesContinuingOperations ' +
    'CashFlowsFromUsedInInvestingActivities',
  financing_cash_flow:
    'NetCashProvidedByUsedInFinancingActivities NetCashProvidedByUsedInFinancingActivitiesContinuingOperations ' +
    'CashFlowsFromUsedInFinancingActivities',
  capex:
    'PaymentsToAcquirePropertyPlantAndEquipment PaymentsToAcquireProductiveAssets ' +
    'PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities',
  dividends_paid:
    'PaymentsOfDividends PaymentsOfDividendsCommonStock DividendsPaidClassifiedAsFinancingActivities DividendsPaid',
};

const itemByElement: ReadonlyMap<string, LineItem> = new Map(
  (Object.entries(elementsOfItems) as [LineItem, string][]).flatMap(([item, names]) =>
    names.split(' ').map((name): [string, LineItem] => [name.toLowerCase(), item]),
  ),
);

const elementShape = /^(?:[A-Za-z][A-Za-z0-9-]{0,30}[:_])?([A-Z][A-Za-z0-9]{2,150})$/;

/** The name of an element without its prefix: "us-gaap:AssetsCurrent"; undefined for other text. */
export function elementName(text: string): string | undefined {
  return elementShape.exec(text.trim())?.[1];
}

/** The item of an element of the taxonomies. @param name without its prefix */
export function itemOfTaxonomy(name: string): LineItem | undefined {
  return itemByElement.get(name.toLowerCase());
}

/** The item of an element; of a name that no taxonomy has, only if it is the name of an item in one word. */
export function itemOfElement(name: string): LineItem | undefined {
  return itemOfTaxonomy(name) ?? itemNamed(normaliseName(name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')));
}
