/** Headings of columns that hold something else than the reported figures of a period. Six languages. */
import { remembered } from './remembered.ts';

const flags = 'iu';
/** One of the alternatives as a word of its own. */
export const word = (alternatives: string, behind = '(?![\\p{L}])') =>
  new RegExp(`(?<![\\p{L}\\d]|\\d[.,])(?:${alternatives})${behind}`, flags);

const otherColumn = word(
  'consensus|konsensus|konsens|consenso|(?:analysts?|sell-side|broker)(?: (?:average|mean|estimates?))?|budget(?:ed)?|bgt|bud|fcst|aop|objetivo|obiettivo|cible|scost|abw|plan|ppto|presupuesto|pr[ée]v(?:isions?|isionnel)?|objectifs?|target|begroting|begroot|preventivo|previsto|pr[ée]vu|geplant|gepland|planned|bud|planung|' +
    'changes?|variances?|var|ver[äa]nd(?:erung)?|abweichung|diff(?:erence|erenz)?|[ée]carts?|variations?|variaci[óo]n|evoluci[óo]n|evolution|' +
    'scostamento|variazione|verschil|mutatie|increase|decrease|growth|wachstum|croissance|crecimiento|' +
    'notes?|anhang|anh|nota|noot|noten|toelichting|ref|zeile|[řr][áa]dek|annexe|ziff(?:er)?|tz|' +
    'corrections?|corrected amounts?|korrektur(?:en)?|rettific[ah]e?|correcciones|correcci[óo]n|correcties?|r[äa]ttelser?|korrigering|impact|effects?|effekt|' +
    'as previously reported|previously reported|as reported|originally reported|adjustments?|reclassifications?|anpassung(?:en)?|' +
    'f[öo]r[äa]ndring|[äa]ndring|avvikelse|endring|[æa]ndring|varia[çc][ãa]o|desvio|zmiana|odchylenie|muutos|tavoite|or[çc]amento|bud[żz]et|budjetti|not|noter|huom|nota n|' +
    'percent|percentage|% of|in %|debits?|credits?|soll|haben|d[ée]bit|cr[ée]dit|debe|haber|dare|avere|mercado|market',
);
/** Exceptions: the heading states that the column was reported: "Total (after exceptional items)", "Net au 31/12/2024". */
const unreportedColumn = word(
  'brut|gross|bruttowerte?|amort(?:issements?)?|d[ée]pr[ée]c(?:iations?)?|kumulierte abschreibungen|accumulated|' +
    'underlying|adjusted|non-underlying|before exceptional items?|exceptionals?(?: items?)?|non-recurring|one-offs?|sondereffekte|like-for-like|pro[ -]?forma|constant currenc(?:y|ies)|' +
    'company|parent company|moderbolaget|morselskapet|moderselskabet|einzelabschluss|soci[ée]t[ée] m[èe]re|capogruppo|sociedad dominante|empresa[- ]m[ãa]e|individual|vennootschappelijk|sp[óo][łl]ka',
);
const otherSigns = /^\s*(?:%|Δ|\+\/-|±|bps|pp|in %|% ?chg\.?|yoy|y\/y|n°|nr\.?|no\.?|#)\s*(?:%|abs\.?)?\s*$|%/iu;
const reportedColumn = word(
  'net au|net|total|statutory|gesamt|as restated|restated|group|consolidated|konzern|konzernabschluss|koncernen|koncern|konsern|konsernet|groupe|gruppo|grupo|groep|grupa',
);
export const isOtherColumn = remembered((text: string): boolean => {
  // Spanish and Italian statements head a column of signed amounts "(Debe) Haber".
  if (/\bdebe\)? ?\/? ?\(?haber\b|\bdare\)? ?\/? ?\(?avere\b/iu.test(text)) return false;
  return otherColumn.test(text) || otherSigns.test(text) || (unreportedColumn.test(text) && !reportedColumn.test(text));
});

/** A column of an earlier period as it is now presented. */
export const restatedHeading = word(
  'restated|as revised|as corrected|corrected|recast|as adjusted|revised|r[äa]ttad|korrigiert|angepasst|berichtigt|nach anpassung|retrait[ée]e?s?|reexpresad[oa]s?|rideterminat[oaie]|aangepast|herrekend|omr[äa]knat|omr[äa]knad|omarbetat|tilpasset|omarbejdet|reexpresso|przekszta[łl]con[ey]|oikaistu',
);
