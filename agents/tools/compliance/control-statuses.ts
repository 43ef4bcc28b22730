/** States of controls and grades of findings, as registers and reports print them in nine languages. */

export type ControlStatus = 'implemented' | 'partial' | 'not-implemented' | 'not-applicable';

/** Beginnings of cells; the first that matches counts. */
const statuses: readonly (readonly [ControlStatus | 'unknown', RegExp])[] = [
  [
    'unknown',
    /^(?:not tested|not audited|not assessed|not reviewed|nicht geprüft|nicht auditiert|nicht bewertet|non testé|non audité|non évalué|no auditad|no probad|no evaluad|non auditat|non testat|non verificat|niet getest|niet beoordeeld|niet geauditeerd|não testad|não avaliad|não auditad|nie (?:badan|testowan|ocenian|audytowan)|(?:inte|ej) (?:testad|granskad|bedömd)|n\/t\b|(?:control )?did not (?:operate|occur))/iu,
  ],
  [
    'implemented',
    /^(?:no|keine?|aucune?|sin|nessun\p{L}{0,2}|geen|sans|without) (?:\p{L}+ )?(?:exceptions?|deviations?|abweichung\p{L}*|feststellung\p{L}*|ausnahmen?|anomalies?|déviations?|excepciones|excepción|desviaciones|eccezion[ei]|deviazion[ei]|anomali[ae]|afwijking\p{L}*|uitzondering\p{L}*|bevinding\p{L}*)/iu,
  ],
  [
    'not-applicable',
    /^(?:n\/?a(?!\p{L})|not applicable|excluded|exclusion|nicht anwendbar|entfällt|ausgeschlossen|exclue?s?(?!\p{L})|non applicable|sans objet|no aplica|no aplicable|excluid|non applicabil|esclus|n\.?v\.?t\.?(?!\p{L})|niet van toepassing|uitgesloten|não aplic|excluíd|nie dotyczy|nie ma zastosowania|wyłączon|ej tillämplig|inte tillämplig|ej aktuell|undantagen|out of scope)/iu,
  ],
  [
    'partial',
    /^(?:part(?:ly|ial)|in part(?!\p{L})|largely|mostly|teilw|teils|zum teil|überwiegend|weitgehend|part(?:iel|iellement)|en partie|parcial|en parte|parzial|in parte|gedeelt|deels|grotendeels|in progress|in umsetzung|en cours|en curso|in corso|in uitvoering|in place with|improvement|ongoing|being implemented|em parte|em curso|em implementação|częściow|w części|w trakcie|w toku|delvis|till viss del|pågår|under införande)/iu,
  ],
  [
    'not-implemented',
    /^(?:not (?:impl|in place|yet|met|effective|done|started|compliant)|planned|to be|open(?!\p{L})|missing|absent|no(?=\s{0,3}(?:$|[,.;(]))|none(?!\p{L})|nicht (?:umgesetzt|erfüllt|vorhanden|implementiert|wirksam|begonnen)|noch nicht|geplant|offen|fehlt|nein|non (?:mise?|implément|réalisé|couvert|appliqué|déployé)|pas (?:encore|mise?)|prévue?|planifié|à (?:faire|mettre)|manquant|ouvert|no (?:implant|implement|realiz|cumpl|iniciad)|planificad|previst|pendiente|abiert|non (?:attuat|implementat|applicat|realizzat|avviat)|pianificat|da (?:attuare|implementare|fare)|apert|niet (?:geïmpl|ingevoerd|gereed|uitgevoerd|aanwezig|gestart)|nog niet|gepland|ontbreekt|openstaand|nee(?!\p{L})|não (?:implement|conform|realiz|cumpr)|por implementar|planead|em falta|niewdrożon|nie (?:wdroż|spełni|zrealiz|rozpoczęt)|planowan|do wdrożenia|brak(?!\p{L})|otwart|(?:ej|inte) (?:införd?t?|implement|uppfylld?t?|genomförd?t?|påbörja)|planera|saknas|öppen|gap(?!\p{L})|deficient|fail(?:ed)?(?!\p{L}))/iu,
  ],
  [
    'implemented',
    /^(?:(?:fully )?impl|fully|in place|complete|done|yes|y(?!\p{L})|met(?!\p{L})|effective|compliant|conform|operating|operational|established|no (?:exceptions?|deviations?)|satisf|adequate|passed|umgesetzt|vollständig|erfüllt|vorhanden|eingeführt|wirksam|erledigt|abgeschlossen|keine (?:abweichung|feststellung|ausnahme)|ja(?!\p{L})|mise? en (?:œ|oe)uvre|en place|réalisé|appliqué|conforme|couvert|déployé|effectif|opérationnel|oui|aucune (?:exception|anomalie|déviation)|sans exception|implant|implement|cumpl|aplicad|operativ|sí|sin (?:excepciones|desviaciones)|attuat|applicat|implementat|realizzat|conformi|efficac|sì|nessuna (?:eccezione|deviazione)|geïmpl|ingevoerd|gereed|voldoet|aanwezig|uitgevoerd|volledig|effectief|geen (?:afwijking|uitzondering|bevinding)|verified|verifiziert|vérifié|verificad|verificat|geverifieerd|conforme|cumprid|em vigor|aplicad|wdrożon|spełnion|zgodn|zrealizowan|działa|införd?t?(?!\p{L})|uppfylld?t?(?!\p{L})|genomförd?t?(?!\p{L})|implementerad|i drift|operated|no deviation)/iu,
  ],
];

const inPart =
  /\s(?:in part|partly|partially|teilweise|zum teil|en partie|partiellement|en parte|parcialmente|in parte|parzialmente|deels|gedeeltelijk|em parte|częściowo|delvis)(?!\p{L})/iu;

/** @returns undefined if the text is not a state, `unknown` for "not tested" */
export function statusOfCell(text: string): ControlStatus | 'unknown' | undefined {
  const shown = text.trim().slice(0, 60);
  const found = statuses.find(([, shape]) => shape.test(shown))?.[0];
  // "Conforme en partie", "wdrożone częściowo": what follows restricts it.
  return found === 'implemented' && inPart.test(shown.split(/[.;(–—]/u)[0]!) ? 'partial' : found;
}

export type FindingGrade = 'major-nonconformity' | 'minor-nonconformity';

const nonconformity =
  /(?<!\p{L})(?:non-?\s?conformit\p{L}*|no conformidad\p{L}*|nichtkonformität\p{L}*|(?:haupt|neben)?abweichung\p{L}*|hauptabweichung|non-?conformité\p{L}*|non conformità|afwijking\p{L}*|tekortkoming\p{L}*|nc)(?!\p{L})/iu;
const major =
  /(?<!\p{L})(?:major|mayor|maggiore?|majeure?|haupt\p{L}*|wesentliche?|schwerwiegend\p{L}*|groot|grote|kritisch\p{L}*|maj)(?!\p{L})/iu;
const minor = /(?<!\p{L})(?:minor|menor|minore?|mineure?|neben\p{L}*|geringfügige?|klein\p{L}*|min)(?!\p{L})/iu;
const noFinding =
  /(?<!\p{L})(?:observation|observación|osservazion\p{L}|opportunit\p{L}*|oportunidad\p{L}*|improvement|verbesserung\p{L}*|empfehlung\p{L}*|recommend\p{L}*|recommand\p{L}*|hinweis|beobachtung|remarque|piste|opmerking|observatie|aanbeveling\p{L}*|verbeterp\p{L}*|verbeterkans|om|ofi|strength|punto fuerte|good practice|positiv\p{L}*|sensible|raccomandazion\p{L}*|spunto|recomendaci\p{L}*)(?!\p{L})/iu;

/** @param named the word itself must be there; else the column's name says it and "minor" suffices */
export function gradeOf(text: string, named: boolean): FindingGrade | undefined {
  const shown = text.slice(0, 80);
  if (noFinding.test(shown) || (named && !nonconformity.test(shown))) return undefined;
  if (major.test(shown)) return 'major-nonconformity';
  return minor.test(shown) ? 'minor-nonconformity' : undefined;
}

const closed =
  /(?<!\p{L})(?:clos\p{L}*|closed|resolved|completed?|done|geschlossen|behoben|erledigt|abgeschlossen|clôturé\p{L}*|soldée?s?|levée?s?|cerrad[ao]s?|resuelt[ao]s?|chius[aeio]|risolt[aeio]|gesloten|opgelost|afgesloten|verholpen|afgerond)(?!\p{L})/iu;
const overdue =
  /(?<!\p{L})(?:overdue|past due|late(?!st)|delayed|überfällig|verspätet|en retard|dépassée?|échu|vencid[ao]s?|con retraso|atrasad[ao]|scadut[aeio]|in ritardo|te laat|verlopen|achterstallig|vertraagd)(?!\p{L})/iu;

export function isClosed(text: string): boolean {
  return (
    closed.test(text) &&
    !/(?<!\p{L})(?:not|nicht|non|no|niet|ne|pas) (?:yet |encore |todavía |ancora |nog )?\p{L}*$/iu.test(
      text.slice(0, closed.exec(text)?.index ?? 0),
    )
  );
}

export function isOverdue(text: string): boolean {
  return overdue.test(text);
}
