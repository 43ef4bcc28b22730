/** Whether a text reports an identifier or an indicator, or mentions it only to exclude it. */

/** Number of characters of the sentence that are examined before and after. */
const sentenceCharactersMax = 300;

/** The sentence at a position; table rows and blank lines end a sentence. */
export function sentenceAround(
  text: string,
  start: number,
  end: number,
): { readonly before: string; readonly after: string } {
  const before = text.slice(Math.max(0, start - sentenceCharactersMax), start);
  const after = text.slice(end, end + sentenceCharactersMax);
  const opened = [...before.matchAll(/[.!?;](?=\s+["'(]?[\p{Lu}\d])|\n\s{0,40}\n|\n(?=\s{0,8}[-*|]\s)/gu)].at(-1);
  const closed = /[.!?;](?=\s|$)|\n\s{0,40}\n/.exec(after);
  return {
    before: before.slice(opened === undefined ? 0 : opened.index + 1),
    after: after.slice(0, closed?.index ?? after.length),
  };
}

const deniedBefore =
  /(?:\bnot (?:\w+ ){0,2}(?:affected|vulnerable|exploited|used|observed|seen|deployed|impacted|applicable)|\bnicht (?:\p{L}+ ){0,2}(?:betroffen|verwundbar|anfällig|ausgenutzt|beobachtet)|\bno (?:use|evidence|exploitation|sign|signs|indication|trace|encryption|attempt)|\bnever|\bnon ci sono (?:\p{L}+ )?(?:evidenze|tracce|prove|segni)|\bnessuna (?:evidenza|traccia|prova)|\bno se (?:intent|observ|detect|utiliz|explot)\p{L}*|\bno (?:es|son|era) vulnerables?|\bnon (?:è|sono|era) vulnerabil\p{L}|\bgeen (?:aanwijzingen|sporen|bewijs)|\bunaffected by|\bruled? out|\bkeine? (?:\p{L}+ ){0,2}(?:Ausnutzung|Hinweise?|Anzeichen)|\bhas not|\bhave not|\bdid not|\bdoes not|\bwas not|\bwere not|\bunlike|\bno longer|\bpas affecté|\bnon affecté|\baucun\p{L}* (?:\p{L}+ ){0,3}(?:exploitation|trace|signe|indice)|\bsans exploiter|\bninguna? (?:\p{L}+ ){0,2}explotación|\bnessun\p{L}* (?:\p{L}+ ){0,2}sfruttamento|\bunrelated to|\bnot to be confused with|\binstead of|\brather than)(?![\s\S]*\b(?:but|however|instead|sondern|aber)\b)[\s\S]{0,160}$/iu;
/** "No ransomware (T1486) was deployed": denied before the bracket. */
const deniedOutside =
  /(?<!\p{L})(?:no|kein\p{L}*|aucun\p{L}*|ningun\p{L}*|ningún|nessun\p{L}*|geen|żadn\p{L}*|nenhum\p{L}*|ingen|inga)\s(?!\p{L}*(?:longer|doubt|less|zweifel)(?!\p{L}))(?:[\p{L}-]+\s){1,3}\((?:MITRE |ATT&CK |CVE:? )*$/iu;
const deniedAfter =
  /^[^,;:()]{0,30}?\b(?:(?:is|are|was|were|has been|have been|does|do|did) (?:not|never)\b|not (?:affected|applicable|vulnerable|exploited|observed|seen|used|present)|unaffected|ruled out|nicht (?:betroffen|ausgenutzt|beobachtet|verwundbar)|ist nicht\b|wurde nicht\b|trifft nicht\b|out of scope)/iu;
/** The predicate of the identifier's clause, after an apposition: "CVE-…, corrigée de longue date, n'a pas été constatée". */
const deniedLater =
  /^(?:(?!\b(?:CVE-|T\d{4}|mais|but|aber|sondern)\b)[^.;]){0,160}?(?:\bn['’](?:a|ont|est|était) pas (?:été |encore )?(?:\p{L}+ )?(?:constat|exploit|observ|utilis|confirm|concern|affect)\p{L}*|\ba été (?:écartée?|exclue?|infirmée?)|\bnicht (?:\p{L}+ )?(?:ausgenutzt|beobachtet|bestätigt|verwendet)|\b(?:wurde|ist) (?:\p{L}+ )?(?:ausgeschlossen|widerlegt|verworfen)|\b(?:is|are|was|were|has been) (?:\p{L}+ )?(?:assigned in error|a duplicate|withdrawn|rejected|ruled out|discarded|disproved)|\bmust not be used|\bno fue (?:explotad|observad)\p{L}*|\bnon è stat[oa] (?:sfruttat|osservat)\p{L}*|\b(?:l['’]ha|è stat[oa]|lo ha|la ha) esclus[oa]|\b(?:finora )?mai (?:stat[oa] )?osservat[oa]|\bnunca (?:observad|explotad)[oa]|\b(?:se descartó|fue descartad[oa]|ha sido descartad[oa])|\bis uitgesloten|\bniet (?:misbruikt|waargenomen))/iu;
/** Identifiers of other products, given for comparison: "for the similar issue in products of another vendor see …". */
const comparison =
  /(?<!\p{L})(?:similar (?:issue|vulnerability|flaw|bug)|another vendor|other vendors?|previously (?:tracked|known) as|reminiscent of|in contrast to|comparable to|formerly|not the same as|ähnlichen? (?:schwachstelle|lücke)|vergleichbar mit|semblable à|similaire à|vulnerabilidad (?:similar|parecida)|parecida a|vulnerabilità simile|simile a|vergelijkbaar met|podobn\p{L}+ (?:do|podatność))(?!\p{L})[^.;]{0,160}$/iu;
/** "0 of 13" in the cell with the number of observations of a technique; "not observed". */
const countedNone =
  /(?:^|\s)0 (?:of|von|out of|\/) ?\d{1,4}\b|\b0\/\d{1,4}\b|\bnot (?:observed|seen|used)\b|\bnicht beobachtet\b/i;
/** In any language: an error, another product, not ours, not seen, not known. */
const withdrawnLater =
  /^(?:(?!(?<!\p{L})(?:CVE-\d|T\d{4}|mais|but|aber|sondern|pero|ma|maar|ale)(?![\p{L}\d]))[^.;]){0,160}?(?<!\p{L})(?:(?:was|is) (?:an? )?(?:typo\p{L}*|mistake|error)|(?:was |were |is |are )?(?:listed|cited|named|mentioned|included) (?:in error|by mistake)|(?:does|do|did) not (?:apply|affect|concern|play)|(?:is|are|was|were) (?:not (?:relevant|in use|present|exploitable|confirmed|known)|unknown|unclear|unconfirmed|out of scope|not in scope)|(?:war|ist) (?:ein |eine )?(?:schreibfehler|tippfehler|irrtum|fehler|verwechslung|falsch\p{L}*|irrtümlich)|(?:ist|sind) (?:zu streichen|nicht (?:bekannt|belegt|bestätigt|relevant)|unbekannt|unklar|außerhalb des)|betrifft (?:uns |unsere \p{L}+ )?nicht|betreffen uns nicht|(?:nicht|kein) (?:teil|bestandteil) des (?:prüf|test)umfangs|(?:est|était) (?:une |un )?(?:erreur|coquille|inconnue?|hors périmètre)|ne (?:nous |la |le |les )?(?:concerne(?:nt)?|touche(?:nt)?|vise(?:nt)?) pas|ne s['’]applique(?:nt)? pas|n['’]affecte(?:nt)? pas|n['’]est pas (?:connue?|établie?|confirmée?|concernée?|exploitable|présente?)|(?:era|fue|es) un (?:error|errata)|no (?:interviene|afecta|aplica|se aplica|procede|está confirmad[oa]|se conoce|consta)|(?:era|è|è stato) un (?:errore|refuso)|non (?:è (?:noto|confermat[oa]|pertinente)|si applica|riguarda|interessa)|(?:era|foi|é) um (?:erro|engano)|não (?:se aplica|afeta|afecta|está confirmad[oa]|é conhecid[oa])|was een (?:fout|vergissing|typefout)|is niet (?:van toepassing|bekend|bevestigd)|nie dotyczy|był[oa]? błęd\p{L}+)(?!\p{L})/iu;
const absentBefore =
  /(?<!\p{L})(?:(?:has |have )?not (?:been )?(?:\p{L}+ )?(?:seen|observed|found|detected|confirmed)|ob(?= \p{L})[^.;]{0,60}|whether [^.;]{0,60}(?=\()|tampoco se ha(?:n)? (?:visto|observado|detectado|usado|utilizado)|no se ha(?:n)? (?:visto|observado|detectado|usado|utilizado|confirmado|empleado)|sin (?:indicios|evidencias?|rastro)|sem (?:indícios|evidências)|não (?:foi|foram) (?:observad|detetad|detectad|vist)\p{L}+|non (?:è|sono) stat[oaie] (?:osservat|rilevat|vist)\p{L}+|niet (?:gezien|waargenomen|aangetroffen)|nie (?:zaobserwowano|stwierdzono|odnotowano)|n['’]a pas (?:été )?(?:vu|observé|constaté|détecté|utilisé)\p{L}*|no evidence of|keine (?:belege|spuren|anzeichen) für|nicht gesehen wurden?|nicht beobachtet wurden?)(?!\p{L})[^.;]{0,80}$/iu;
/** Words that leave open whether the identifier applies. */
const hedgedBefore =
  /(?<!\p{L})(?:possibl[ey]|potential(?:ly)?|suspected|maybe|perhaps|unverified|rumou?red|alleged(?:ly)?|möglicherweise|eventuell|vermutlich|unbestätigt|peut-être|éventuel\p{L}*|posible(?:mente)?|forse|possibile|possível|mogelijk|może)\s{1,3}(?:\p{L}+\s){0,3}$/iu;

/** A reply quotes it, or the text only supposes it: a denial elsewhere in the text outweighs such a mention. */
export function isWeakMention(text: string, start: number): boolean {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  return (
    /^\s{0,4}>/.test(text.slice(lineStart, lineStart + 8)) ||
    hedgedBefore.test(text.slice(Math.max(lineStart, start - 60), start))
  );
}

/** Older advisories are references and not reported vulnerabilities. */
const elsewhere =
  /\b(?:see also|siehe auch|siehe|see|refer to|covered (?:by|in)|fixed (?:earlier|previously) in|described in)\s{1,3}(?:the )?(?:advisory |bulletin |Hinweis )?[A-Z]{2,6}-\d{4}-\d{1,6}/;

/** "Not affected by CVE-…", "we saw no use of CVE-…", "CVE-… is not exploitable here". */
export function isSetAside(text: string, start: number, end: number): boolean {
  const { before, after } = sentenceAround(text, start, end);
  const [earlier, later] = [before.replace(/\s+/g, ' '), after.replace(/\s+/g, ' ')];
  if (deniedBefore.test(earlier) || deniedAfter.test(later) || deniedLater.test(later) || comparison.test(earlier))
    return true;
  if (deniedOutside.test(earlier) || withdrawnLater.test(later) || absentBefore.test(earlier)) return true;
  if (isInapplicable(earlier, later)) return true;
  const lineEnd = text.indexOf('\n', end);
  const line = text.slice(end, lineEnd < 0 ? end + 200 : Math.min(lineEnd, end + 200)).split(/[.;]\s/, 1)[0]!;
  if (countedNone.test(line)) return true;
  return elsewhere.test(text.slice(end, end + 120).split(/\n\s{0,20}\n/, 1)[0]!);
}

const negation =
  "(?:not|never|no|nicht|kein\\p{L}*|ebenso wenig|ne|n['’]\\p{L}+|aucun\\p{L}*|non|nessun\\p{L}*|niet|geen|nie|żadn\\p{L}*|não|nenhum\\p{L}*|inte|ingen|ikke)";
/** What an identifier is or does that applies. */
const applies =
  '(?:affected|vulnerable|susceptible|exploited|exploitable|applicable|appl(?:y|ies)|relevant|involved|role|betroffen|anfällig|verwundbar|ausgenutzt|anwendbar|Rolle|trifft|zutreffend|concern\\p{L}*|vuln[ée]rabl\\p{L}*|affect[ée]\\p{L}*|exploit\\p{L}*|rôle|afectad\\p{L}*|explotad\\p{L}*|papel|aplica\\p{L}*|vulnerabil\\p{L}*|interessat\\p{L}*|sfruttat\\p{L}*|ruolo|riguarda|kwetsbaar|vatbaar|getroffen|misbruikt|van toepassing|rol|podatn\\p{L}*|dotyczy|wykorzyst\\p{L}*|zastosowani\\p{L}*|afetad\\p{L}*|explorad\\p{L}*|vulneráve\\p{L}*|sårbar\\p{L}*|påverka\\p{L}*|berör\\p{L}*|utnyttja\\p{L}*|berørt|udnytt\\p{L}*)';
const excluded =
  '(?:ruled out|discarded|dismissed|ausgeschlossen|verworfen|écartée?s?|exclue?s?|descartad[oa]s?|exclu[ií]d[oa]s?|esclus[oa]|scartat[oa]|uitgesloten|verworpen|wykluczon\\p{L}*|odrzucon\\p{L}*|uteslut\\p{L}*|avfärda\\p{L}*|udelukket|utelukket)';
const absentPart =
  '(?:module|component|feature|function|plug-?in|product|service)(?!\\p{L})[^.;]{0,30} not (?:installed|enabled|present|in use)';
const word = (pattern: string) => `(?<!\\p{L})${pattern}(?!\\p{L})`;
const inapplicableLater = new RegExp(
  `${word(negation)}[^.;,]{0,40}?${word(applies)}|${word(applies)}[^.;,]{0,20}?${word(negation)}|${word(excluded)}|${word(absentPart)}`,
  'iu',
);
const inapplicableBefore = new RegExp(
  `${word(negation)}[^.;,:()]{0,40}?${word(applies)}\\s(?:\\p{L}+\\s){0,3}$|${word(excluded)}\\s(?:\\p{L}+\\s){0,3}$`,
  'iu',
);

/** "For CVE-… the server is not vulnerable": negated in the clause of the identifier, before the next identifier. */
function isInapplicable(earlier: string, later: string): boolean {
  const clause = later.replace(/[*_`]/g, '').split(/(?<![\w-])(?:CVE-\d|T\d{4})|[.;]\s/, 1)[0]!;
  const opened = earlier
    .replace(/[*_`]/g, '')
    .split(/(?<![\w-])(?:CVE-\d{4}-\d+|T\d{4}(?:\.\d{3})?)/)
    .at(-1)!;
  return inapplicableLater.test(clause.slice(0, 140)) || inapplicableBefore.test(opened);
}
