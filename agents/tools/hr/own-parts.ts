/**
 * Removes the parts of a statement that do not concern the employee of the document: other people, other forms, quoted law that
 * does not apply, and offers that were replaced. The text keeps its length.
 */

/** Other people: their terms are not those of the employee. */
const otherPeople = [
  String.raw`predecessor|(?:former|previous|prior|last|current|other) employers?\b|old employer`,
  String.raw`\b(?:trainees?|apprentices?|interns?|volunteers?|colleagues|temporary (?:staff|workers)|agency (?:staff|workers))\b`,
  String.raw`\b(?:executives|directors|managers|partners|cadres|grades?|bands?|levels?)\b[^.;]{0,30}\b(?:only|and (?:above|over|below|up)|or (?:above|higher))\b|\b(?:is|are) for [\p{L} ]{3,40} only\b|\bmanagers of\b|\bexecutives only\b`,
  String.raw`\b(?:host|group|parent)['’]s (?:own )?(?:managers|staff|employees|new employees)|staffing agency|\bagency['’]s\b`,
  String.raw`\b(?:auszubildende\w*|azubis?|praktikant\w*|werkstudent\w*|jugendliche|schwerbehindert\w*|leitende\w* angestellte\w*|leiter der|führungskräfte|aushilfen|außertariflich\w*|(?<!regelmäßige (?:wöchentliche )?arbeitszeit beträgt )(?<!wöchentliche arbeitszeit beträgt )bei vollzeit|vorgänger\w*|(?:früher|ehemalig|vorherig|letzt)\w* arbeitgeber\w*)`,
  String.raw`\b(?:apprentis?|stagiaires?|agents de maîtrise|prédécesseur|ancien employeur|(?:autres|anciens) salariés)\b`,
  String.raw`\b(?:becari[oa]s?|aprendi(?:z|ces)|altos directivos|directivos|predecesora?|anterior empresa|empresa anterior|apprendist[aie]|tirocinant[ei]|stagisti|dirigenti|predecessore|precedente datore)\b`,
  String.raw`\b(?:leerling\w*|stagiairs?|leidinggevenden|werknemers van \d\d|oproepkrachten|voorganger|vorige werkgever)\b`,
];

/** Forms, illustrations and superseded figures. */
const otherForms = [
  String.raw`^\W{0,4}(?:for )?(?:example|beispiel|zum beispiel|exemple|par exemple|ejemplo|por ejemplo|esempio|voorbeeld|exempel|eksempel|przykład|exemplo)(?!\p{L})|for illustration|by way of (?:example|illustration)|for (?:comparison|reference only)|no longer (?:used|in force|valid)|\b(?:form|clause|template|option|version|wording)\b[^.;]{0,30}\bnot (?:been )?used\b|not (?:been )?used (?:here|in this)|is (?:deleted|superseded)|were indicative|are replaced|has expired|under the (?:19|20)\d\d|(?:19|20)\d\d form|template|placeholder|\bmodel clause|guidance for|(?:note|instructions?) (?:for|to) (?:hr|the (?:person|manager|user))|not part of (?:the|this) (?:contract|agreement)`,
  String.raw`hinweis der personalabteilung|nicht vertragsbestandteil|ausfüllhinweis|formularhinweis|muster(?:text|formular|klausel)|zum vergleich|nicht verwendet|nur zur information|informationshalber|überholt|ersetzt durch|\bwar(?:en)? noch\b|\bgalt(?:en)? bisher\b`,
  `encadré du secrétariat|à supprimer avant|pour mémoire|à titre (?:d['’]information|d['’]exemple|indicatif)|pour comparaison|n['’]a pas de valeur contractuelle|remplacée?s? par`,
  `modelo para|a título (?:informativo|de ejemplo|orientativo)|a titolo (?:informativo|di esempio|esemplificativo)|ter vergelijking|ter informatie|formuliernotitie`,
];

/** Expressly not applicable. */
const notApplicable = [
  `not applicable|(?:do(?:es)?|shall|will) not (?:apply|concern)|not relevant (?:here|to)|would (?:be|have been)|were (?:you|the employee) to|if (?:you|we) moved`,
  `ne (?:vous |lui )?(?:sont|est|seront) pas applicables?|ne s['’]appliquent? pas|ne (?:vous )?concernent? pas|ne faites pas partie`,
  String.raw`findet keine anwendung|finden keine anwendung|\b(?:gilt|gelten)\b[^.;,]{0,40}\bnicht\b(?! nur)|nicht anwendbar|trifft nicht zu`,
  String.raw`no (?:se )?aplican?\b|no procede|no resulta de aplicación|non si applican?o?\b|niet van toepassing|geld(?:t|en) niet`,
];

const foreign = new RegExp([...otherPeople, ...otherForms, ...notApplicable].join('|'), 'iu');

/** "[ ] Company car": an option of a form that is not ticked, to the next box or a wider gap. */
const unticked = /(?:\[ {0,3}\]|☐|\( \)) ?[^[\]☐☑☒]{1,80}?(?= {2,}|\[[ xX✓✔]{0,3}\]|[☐☑☒]|$)/gu;

/** Where a part of a statement may begin: after a semicolon, a contrast, or a parenthesis. */
const boundary =
  /; | – | — |, (?=(?:while|whereas|während|wohingegen|tandis que|alors que|mientras que|mentre|terwijl)\b)/giu;

/** @returns the text with other parts as blanks, of the same length */
export function ownText(shown: string): string {
  const text = shown.replace(unticked, (option) => ' '.repeat(option.length));
  if (!foreign.test(text)) return text;
  const withoutBrackets = text.replace(/[([][^()[\]]{0,300}[)\]]/gu, (part) =>
    foreign.test(part) ? ' '.repeat(part.length) : part,
  );
  if (!foreign.test(withoutBrackets)) return withoutBrackets;
  let from = 0;
  let own = '';
  for (const match of [...withoutBrackets.matchAll(boundary), undefined]) {
    const to = match === undefined ? withoutBrackets.length : match.index + match[0].length;
    const part = withoutBrackets.slice(from, to);
    own += foreign.test(part) ? ' '.repeat(part.length) : part;
    from = to;
  }
  return own;
}
