/** Lengths of time in sentences about a probation that are not its length: leave, notice, rates, and times that it only dates. */

/** "During probation", "once your probation is complete", "nach der Probezeit": the probation only says when. */
const dated =
  /(?<!\p{L})(?:during|while on|throughout|within|in|after|following|once|until|upon|on|before|completion of|completed|complete|end of|expiry of|passing|passed|subject to|während|in|nach|vor|bis(?: zum ende)?|innerhalb|bestandener|ablauf der|ende der|pendant|durant|après|avant|issue de|durante|tras|después de|superad[oa]|antes de|dopo|prima d\p{L}{1,3}|al termine d\p{L}{1,3}|tijdens|gedurende|na|vóór|under|efter|etter|før|podczas|po|v|během|ve|po)\s{1,3}(?:\p{L}{1,12}['’]?\s){0,3}$/iu;

/** "(Six) months' probation", "a probation of", "Probezeit beträgt", "für die ersten": words that give a length. */
const governs =
  /(?:probation\w*|trial|introductory|probezeit|essai|prueba|prova|proeftijd|zkušební dob\p{L}|próbn\p{L}*|prøvetid\p{L}*|provanställning\p{L}*|experimental)(?:['’]s)?(?:[\s:(,–=-]|(?<!\p{L})(?:of|is|was|are|lasts?|lasting|for|shall|will|be|run|runs|which|that|initially|normally|usually|period|initial|a|the|von|beträgt|dauert|umfasst|gilt|für|est|de|d['’]|dure|fixée|à|es|tiene|una|duración|di|è|ha|durata|van|bedraagt|duurt|är|er|på|utgör|wynosi|trvá|činí|av|auf|vereinbart|wird|eine|first|erste[nr]?|up|to|at|least|most|maximum|minimum|about|höchstens|maximal|maximale|máximo|massima|bis|zu|continues?|periode|période|dauer|term|length|with|mit|avec|con|met|med|time|d)(?!\p{L})){0,14}$/iu;

const ofOther =
  /^['’]?s?['’]?\s?(?:(?:of|paid|unpaid|annual|additional|extra|d['’]|de|di|von|an|bezahlten?)\s?){0,2}(?:holidays?|leave|vacation|pto|absence|off|sick\p{L}*|pay|salary|urlaub\p{L}*|freistellung|congés?|vacaciones|ferie|vakantie\p{L}*|verlof|ferier?|semester\p{L}*|urlop\p{L}*|dovolen\p{L}*|notice|warning|kündigungsfrist|préavis|preaviso|preavviso|opzeg\p{L}*|from home|remote\p{L}*|at home|in the office|im (?:homeoffice|büro)|télétravail|teletrabajo|thuis)(?!\p{L})/iu;
/** "Two days a week", "one day per month", "zwei Tage pro Woche". */
const rate =
  /^['’]?s?(?:\s\p{L}+){0,4}?\s(?:per|a|each|every|in each|for each|for every|pro|je|im|in der|par|chaque|por|al|a la|cada|alla|ogni|elke|om|i|w|za)\s(?:calendar |full |completed )?(?:week|month|year|day|woche|monat|jahr|semaine|mois|an|semana|mes|año|settimana|mese|anno|maand|jaar|veckan|månad|måned|uge|tydzień|miesiąc|týden|měsíc)(?!\p{L})/iu;
const interval =
  /(?<!\p{L})(?:every|each|alle|tous les|toutes les|cada|ogni|elke|var|hver|co|within|innerhalb(?: von)?|binnen|dans les)(?: the)?(?: first| last)? $/iu;

/** Whether a duration of a sentence with a probation is something else. @param at of the word for the probation */
export function isNotProbation(text: string, at: number, { start, end }: { start: number; end: number }): boolean {
  const after = text.slice(end, end + 60);
  if (rate.test(after) || ofOther.test(after) || interval.test(text.slice(Math.max(0, start - 24), start))) return true;
  if (at < 0 || !dated.test(text.slice(Math.max(0, at - 50), at))) return false;
  return !(at < start && governs.test(text.slice(at, start)));
}

/** Whether the words around a duration connect it with a probation. */
export function isNextToProbation(before: string, after: string): boolean {
  return (
    /(?<!\p{L})(?:probation\w*|trial|introductory period|probezeit|probemonat\p{L}*|essai|prueba|prova|proeftijd|zkušební dob\p{L}*|próbn\p{L}*|prøvetid\p{L}*|prov(?:anställning|period|tid)\p{L}*|experimental)(?!\p{L}).{0,30}$|\b(?:first|ersten|premiers|primeros|primi|eerste) $/iu.test(
      before,
    ) ||
    /^[- '’]*(?:(?:\p{L}+ )?(?:probation|probezeit|trial)|s?(?: (?:of|de|di|als|som|as|an?|initial|dobu|okres)){0,2} (?:probation\w*|trial|introductory period|probezeit|probemonat\p{L}*|essai|prueba|prova|proeftijd|zkušební dob\p{L}*|próbn\p{L}*|prøvetid\p{L}*|prov(?:anställning|period|tid)\p{L}*|experimental)(?!\p{L}))/iu.test(
      after,
    )
  );
}
