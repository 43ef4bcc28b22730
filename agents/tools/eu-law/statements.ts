/** How sentences say things in nine languages: suppositions, refusals, the words before dates. Shared by all rules over sentences. */

/** A sentence that supposes: what it says is not the law. */
const supposing =
  /(?<![A-Za-zÀ-ž])(?:would(?! be counted)|if adopted|had (?:the|it|we)\b|were to|hypothetical[A-Za-zÀ-ž]{0,2}|should the (?:legislature|council|parliament|commission|proposal)|würden?|hätten?|wäre[n]?|könnten?|sollte .{0,40} angenommen|serai(?:t|ent)|aurai(?:t|ent)|pourrai(?:t|ent)|devrait être adopté|entrerait|s'appliquerait|sería[n]?|podría[n]?|habría[n]?|entraría[n]?|aplicaría|sarebbe(?:ro)?|potrebbe(?:ro)?|dovrebbe(?:ro)?|avrebbe(?:ro)?|applicherebbe|entrerebbe|qualora il legislatore|zou(?:den)?|byłby|byłaby|byłoby|mógłby|mogłaby|mogłoby|miałby|weszłaby|proponowano|by byl[A-Za-zÀ-ž]?|by bylo|mohl[ao]? by|teria|seria)(?![A-Za-zÀ-ž])/iu;

/** What somebody else proposed or claimed, and what the document turns down, in the sentence itself or in the next one. */
const rejected =
  /(?<![A-Za-zÀ-ž])(?:must be rejected|(?:was|were|is|has been) rejected|not accepted|not taken up|is (?:no longer|not) pursued|given up|did not (?:accept|opt|adopt)|it did not|verworpen|niet overgenomen|afgewezen|zurückgewiesen|abgelehnt|verworfen|nicht (?:übernommen|aufgegriffen|gefolgt)|ersatzlos|entfallen|entfällt|gestrichen|steht in keiner|ne saurait être retenue?|n'a pas été (?:retenue?|reprise?)|rejetée?|écartée?|no lo recoge|no se ha acogido|rechazad[oa]|no se acepta|non è stata (?:ripresa|accolta)|respint[oa]|nie przyjęto|odrzucon[A-Za-zÀ-ž]|nie uwzględniono|nebyl[A-Za-zÀ-ž] přijat[A-Za-zÀ-ž]|zamítnut[A-Za-zÀ-ž])(?![A-Za-zÀ-ž])/iu;

/** Placeholders and instructions of a template. */
const template =
  /\[(?:●|•|…|\.{3}|_+|x+|date|event|datum|fecha|data)\]|(?<![A-Za-zÀ-ž])(?:template|delete before sending|muster(?:text|hinweis)?|vorlagenhinweis|platzhalter|segnaposto|texto tipo|modelo de texto|texte type|modèle (?:à|de)|sjabloon|szablon|wzór tekstu|vzorový text|XX|GG\/MM\/AAAA|DD\/MM\/YYYY|TT\.MM\.JJJJ|JJ\/MM\/AAAA)(?![A-Za-zÀ-ž])/iu;

/** What applied before: the law of a repealed act, the earlier length of a period. */
const former =
  /(?<![A-Za-zÀ-ž])(?:\(was:|formerly|previously|the old (?:time|period|rule)|alt:|bisher(?:ige[nrsm]?)?|früher(?:e[nrsm]?)?|anciennement|auparavant|anteriormente|in precedenza|voorheen|dawniej|poprzednio|dříve)(?![A-Za-zÀ-ž])/iu;

export function isSupposed(sentence: string): boolean {
  return supposing.test(sentence);
}

/** @param next the sentence after it in the same block, if there is one */
export function isRejected(sentence: string, next: string): boolean {
  return (
    rejected.test(sentence) ||
    (/^(?:it|that|this|they|sie|er|es|das|diese[rs]?|eine solche|cette|ce|celle-ci|il|elle|el|la|lo|quest[ao]|l'|dat|die|dit|nie|to|ta|propozycj|the|tato?)(?![A-Za-zÀ-ž])/iu.test(
      next,
    ) &&
      rejected.test(next))
  );
}

export function isTemplate(block: string): boolean {
  return template.test(block);
}

export function speaksOfFormerLaw(sentence: string): boolean {
  return former.test(sentence);
}

/** Words directly before the first day of something. */
export const fromWords =
  "(?:from|as of|as from|since|starting|forward to|ab(?: dem)?|seit(?: dem)?|mit wirkung (?:vom|ab dem|zum)|à partir du|à compter du|depuis le|dès le|avec effet (?:au|à partir du|à compter du|le)|a partir del?|desde el|con efectos? (?:a partir )?(?:del|desde el)|con efecto a partir del|a decorrere dal(?:l')?|dal(?:l')?|a partire dal(?:l')?|con effetto dal(?:l')?|met ingang van|vanaf|sinds|per|ze skutkiem od(?: dnia)?|od(?: dnia)?|z dniem|ode dne|od|s účinkem ode dne|s účinností od|a partir d[eo]|desde(?: o)?|från(?: och med)?(?: den)?|fr\\.o\\.m\\.(?: den)?|med verkan från(?: och med)?(?: den)?|fra(?: og med)?(?: den)?|med virkning fra(?: den)?|de la(?: data de)?|începând (?:cu|din)(?: data de)?|cu începere de la|od dňa|s účinnosťou od|από(?: την| τις)?|считано от|от)";

/** Words directly before the last day of something. */
export const byWords =
  "(?:by|until|till|up to|on or before|(?:no|not) later than|at the latest (?:by|on)|at the latest|due (?:on|by)|bis(?: zum| spätestens zum)?|bis spätestens(?: zum)?|spätestens(?: am| bis| bis zum| zum)?|jusqu'au|au plus tard(?: le)?|pour le|avant le|a más tardar(?: el)?|hasta el|antes del|entro(?: e non oltre)?(?: il| l')?|non oltre il|al più tardi il|uiterlijk(?: op)?|vóór|tot en met|tot|do(?: dnia)?|najpóźniej(?: do)?(?: dnia)?|nie później niż(?: do)?(?: dnia)?|nejpozději(?: do)?(?: dne)?|do|před|até(?: ao dia| a)?|o mais tardar(?: em| até)?|senast(?: den)?|före den|inden(?: den)?|senest(?: den)?|cel târziu(?: la| până la)?|până la|najneskôr(?: do)?|najkasneje(?: do)?|najkasnije(?: do)?|το αργότερο(?: στις| έως)?|έως(?: τις)?)";

const weekdayWords =
  '(?:(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|poniedziałku?|wtor[A-Za-zÀ-ž]{1,3}|środ[A-Za-zÀ-ž]|czwart[A-Za-zÀ-ž]{1,3}|piąt[A-Za-zÀ-ž]{1,3}|sobot[A-Za-zÀ-ž]|niedziel[A-Za-zÀ-ž]),? (?:den |the |dem )?)?';

const precededByFrom = new RegExp(`(?<![A-Za-zÀ-ž])(${fromWords}) ?(?:dem |den |the )?${weekdayWords}$`, 'iu');
const precededByBy = new RegExp(
  `(?<![A-Za-zÀ-ž])(${byWords}) ?(?:dem |den |the |am |le |il |el |op |dnia )?${weekdayWords}$`,
  'iu',
);

/** @param before the text before a date · @returns the word of beginning directly before it */
export function fromWordBefore(before: string): string | undefined {
  return precededByFrom.exec(before.slice(-60))?.[1];
}

/** @param before the text before a date · @returns the word of a last day directly before it */
export function byWordBefore(before: string): string | undefined {
  return precededByBy.exec(before.slice(-60))?.[1];
}
