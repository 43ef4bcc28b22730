/**
 * Names of measures outside the statements (adjusted figures, net debt, share data) in English, German, French, Spanish,
 * Italian, Dutch and Czech, in the form of `normaliseName`: lower case, no diacritics, single spaces.
 */
export const measureNames = {
  adjusted_ebitda:
    'adjusted ebitda|covenant ebitda|ebitda adjusted|non gaap ebitda|underlying ebitda|bereinigtes ebitda|ebitda ajuste|' +
    'ebitda ajustado|ebitda rettificato|genormaliseerde ebitda|ebitda bereinigt|operating ebitda|' +
    'ebitda before special items|ebitda pre exceptionals|recurring ebitda|resultado bruto de explotacion ajustado',
  adjusted_operating_income:
    'adjusted operating profit|adjusted operating income|adjusted ebit|underlying operating profit|' +
    'bereinigtes ebit|bereinigtes betriebsergebnis|non gaap operating income|adjusted operating result|' +
    'ebit ajustado|ebit adjusted|ebit rettificato',
  adjusted_net_income:
    'adjusted net income|non gaap net income|adjusted net profit|underlying profit after tax|' +
    'bereinigtes konzernergebnis|bereinigter jahresuberschuss|bereinigtes nettoergebnis|adjusted profit|' +
    'utile netto rettificato|resultat net ajuste',
  adjusted_eps:
    'adjusted earnings per share|adjusted diluted earnings per share|adjusted eps|non gaap earnings per share|' +
    'adjusted diluted eps|non gaap diluted earnings per share|underlying earnings per share|' +
    'bereinigtes ergebnis je aktie|adjusted earnings per diluted share',
  stated_free_cash_flow:
    'free cash flow|freier cashflow|free cashflow|flux de tresorerie disponible|cash flow libre|' +
    'flujo de caja libre|flusso di cassa libero|vrije kasstroom|adjusted free cash flow',
  stated_net_debt:
    'net debt|total net debt|net financial debt|net borrowings|nettoverschuldung|nettofinanzverschuldung|' +
    'nettofinanzschulden|endettement net|endettement financier net|dette nette|dette financiere nette|deuda neta|' +
    'deuda financiera neta|indebitamento finanziario netto|nettoschuld|netto schuld|nettoverschuldung gesamt|' +
    'consolidated net debt',
  shares_outstanding:
    'shares outstanding|number of shares|ordinary shares outstanding|common shares outstanding|shares in issue|' +
    'ordinary shares in issue|anzahl der aktien|anzahl aktien|ausgegebene aktien|nombre d actions|' +
    'nombre d actions en circulation|pocet akcii|numero de acciones|numero di azioni|aantal aandelen',
  share_price: 'share price|price per share|closing share price|aktienkurs|cours de l action|cena akcie',
  market_cap:
    'market capitalisation|market capitalization|market cap|market value of equity|marktkapitalisierung|borsenwert|' +
    'capitalisation boursiere|trzni kapitalizace',
} as const;
