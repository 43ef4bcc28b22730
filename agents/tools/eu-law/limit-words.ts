/** The words by which nine languages set time limits, name the events from which they run, and say that something merely lasts. */

/** Directly before the length. */
export const limitBefore = new RegExp(
  `(?<![A-Za-zÀ-ž])(?:${[
    'within(?: (?:a|the|its))?(?: (?:period|time[- ]limit|deadline|maximum|term))?(?: (?:not exceeding|of))?(?: (?:at most|the next|the following))?',
    '(?:extends?|extended|lengthens?) (?:that|this|the|those) (?:periods?|time[- ]limits?) (?:to|by)|(?:no|not) (?:later|more) than|at the latest|(?:extended|prolonged)(?: [A-Za-zÀ-ž]+)? by(?: up to| at most)?|extended by a (?:further )?period of|time[- ]limits?(?: is| of|:)|deadline(?: is| of|:)|every',
    'binnen(?: de termijn van| een termijn van| de| einer frist von| der frist von)?|innerhalb(?: von| einer frist von| der frist von| eines zeitraums von| der)?|spätestens(?: binnen| innerhalb von)?|[A-Za-zÀ-ž]*frist(?: von| beträgt|:)|längstens|alle',
    "dans(?: un| le)? ?(?:délai|terme)?(?: maximal| maximum)?(?: de| d'| les)?|dans les|au plus tard(?: dans(?: les| un délai de| le délai de)?)?|(?:dé)?lais?(?: de [A-Za-zÀ-ž]+)?(?: de| d'| est de)|prolongée?s? (?:une fois )?(?:de|d')|prorogée?s? de|sous|tou(?:s|tes) les",
    'en (?:el|un) plazo(?: máximo)? de|dentro del? ?(?:plazo (?:máximo )?de|los|las)?|plazos?(?: [A-Za-zÀ-ž]+)?(?: máximo)? de|plazo:|a más tardar(?: a los| en)?|en (?:los|las)|antes de que (?:transcurran?|pasen)|prorrog[A-Za-zÀ-ž]{1,5}(?: por| en)?|cada',
    'entro(?: e non oltre)?(?: (?:il|un) (?:termine|periodo)(?: massimo)? di| i| le)?|(?:nel|il|un) termine(?: massimo)? di|termine:|al più tardi(?: entro)?|non oltre|oltre|prorogat[oa] di|ogni',
    'uiterlijk(?: binnen)?|(?:de|een) termijn van|termijn:|verlengd met|om de|elke',
    'w terminie(?: do)?|w ciągu|nie później niż(?: w ciągu| w terminie| na)?|najpóźniej(?: w ciągu| w terminie| na)?|termin(?:em|:)?|przedłuż[A-Za-zÀ-ž]{1,5} o|co',
    've lhůtě|do|nejpozději(?: do)?|lhůt[aey]|prodlouž[A-Za-zÀ-ž]{1,4} o|každ[ýéoá][A-Za-zÀ-ž]{0,2}',
    'no prazo de|até',
  ].join('|')})(?: (?:a|an|the|einer|einem|eines|den|les|un|une|een|maximal|höchstens|at most))? ?["'„“‘«]?$`,
  'iu',
);

/** Recurring duties: the interval, not a limit from an event. */
export const recurringBefore =
  /(?<![A-Za-zÀ-ž])(?:every|alle|tou(?:s|tes) les|cada|ogni|om de|elke|co|každ[ýéoá][A-Za-zÀ-ž]{0,2}) $/iu;

/** "The 'ninety days' of your consultant are the time limit": the length first. */
export const namedLimitAfter =
  /^["'“”’»]{0,2}(?: (?:of|des|de|del|van) [^.;,]{1,40}?)? (?:is|are|was|ist|sind|beträgt|est|sont|es|son|è|sono|bedraagt|is)(?: the| die| der| le| el| il| de)? (?:time[- ]limit|deadline|frist|délai|plazo|termine|termijn)/iu;

/** Words by which a sentence obliges, so that a length with an event is a limit without "within". */
export const obliges =
  /(?<![A-Za-zÀ-ž])(?:have|has|must|shall|due|payable|is to be|are to be|required|muss|müssen|hat|haben|fällig|ist [^.;]{0,40} zu|doit|doivent|dispose[nz]?t?|debe[n]?|dispone[n]?|tiene[n]?|deve|devono|dispone|moet(?:en)?|heeft|hebben|musi|muszą|powinien|ma|mají|musí|plazo|frist|deadline|délai|termine|termijn|termin|lhůta|time[- ]limit|fixed|sets?)(?![A-Za-zÀ-ž])/iu;

/** The event follows directly. Groups: what the words are. */
export const eventAfter = new RegExp(
  `^["'“”’»]?(?: (?:di calendario|calendaires|at the latest|after that|spätestens|continu[io]|naturali))?,?(?: ?(?:${[
    '(?<back>before|prior to|in advance of|preceding|vor(?: dem| der)?|avant(?: le| la)?|antes del?|prima d(?:i|el|ella|ell)|voor|vóór|przed(?: dniem)?|před)',
    '(?<forth>after|of|from|following|since|as of|as from|counting from|nach|ab|seit|gerechnet ab|à compter d(?:e|u)|à partir d(?:e|u)|après|suivant|qui suivent|depuis|desde|a partir del?|a contar (?:desde|de)|contados? (?:desde|a partir de)|siguientes? al?|tras|después del?|de|dal|dalla|dallo|dall|dai|dalle|che decorr(?:e|ono) dal(?:la|l|lo)?|decorrent[ei] dal(?:la|l|lo)?|a decorrere dal(?:la|l)?|successivi al(?:la|l)?|dopo|na|vanaf|te rekenen vanaf|od|po|licząc od|ode|ode dne)',
  ].join('|')}))(?![A-Za-zÀ-ž])['’]? ?`,
  'iu',
);

/** The event later in the sentence. */
export const eventLater =
  /(?<![A-Za-zÀ-ž])(?:à compter d(?:e|u)|à partir d(?:e|u)|from the date (?:of|on which)|running from|counting from|gerechnet ab|beginnend mit|ab dem tag(?:e)?|a partir del?|a contar (?:desde|de)|contados? desde|che decorr(?:e|ono) dal(?:la|l|lo)?|decorrent[ei] dal(?:la|l|lo)?|a decorrere dal(?:la|l)?|te rekenen vanaf|licząc od|počínaje)['’]? ?/iu;

/** The event in the next sentence: "Il periodo decorre dalla consegna." */
export const eventNext =
  /^["'„“‘«]?(?:(?:the|this|that|die|diese|le|ce|el|dicho|il|tale|de|deze|ten|tento|tato) )?(?:period|time[- ]limit|frist|délai|plazo|periodo|termine|termijn|termin|okres|lhůta) (?:begins?|starts?|runs?|beginnt|läuft|court|commence|empieza|comienza|corre|se cuenta|decorre|inizia|begint|loopt|gaat in|biegnie|rozpoczyna się|běží|počíná)(?: zu laufen| à courir| a correr| a decorrere| te lopen)? (?:on|from|with|at|upon|mit|ab|nach|am|à compter d(?:e|u)|à partir d(?:e|u)|le|desde|a partir del?|con|dal(?:la|l|lo)?|con|op|vanaf|met|na|od|z|ode|dnem)['’]? ?/iu;

/** Ages. */
export const isAge = (before: string, after: string): boolean => ageBefore.test(before) || ageAfter.test(after);

const ageBefore =
  /(?<![A-Za-zÀ-ž])(?:ages?|aged|older than|younger than|under the age of|alter von|im alter|älter als|jünger als|unter|věk[A-Za-zÀ-ž]{0,4}|âge de|âgée?s? de|moins de|plus de|menores de|mayores de|edad de|minori di|età di|jonger dan|ouder dan|leeftijd van|w wieku|ukończy[A-Za-zÀ-ž]{1,3}|poniżej|powyżej|mladší|starší)(?![A-Za-zÀ-ž])[^.;,]{0,24}$/iu;
const ageAfter = /^[\s-]{0,2}(?:old|of age|or older|or over|alt\b|d['’]âge|de edad|di età|oud\b)/iu;

/** States that last: what is kept, valid, conferred, a term of office, a lifetime. */
export const lasts = (before: string, after: string): boolean => lastsBefore.test(before) || lastsAfter.test(after);

const lastsBefore =
  /(?<![A-Za-zÀ-ž])(?:kept|keeps?|retain(?:s|ed)?|retention|stored?|storage|archived?|preserved?|(?:be|is|are|remains?) valid|valid for|validity|conferred|appointed|elected|term of office|mandate|lasts?|legible|aufbewahrt|aufzubewahren|aufbewahrung[A-Za-zÀ-ž]{0,8}|gespeichert|gültig|gilt|gelten|übertragen|amtszeit|dauert|befristet|conserv(?:ée?s?|ation|er|ent)|valables?|conférée?s?|mandat|durée|délivrée?s?|uchováv[A-Za-zÀ-ž]{1,6}|archivov[A-Za-zÀ-ž]{1,5}|platn[A-Za-zÀ-ž]{1,3}|bewaard|bewaart|geldig|geldt|beschikbaar|duur|conserv(?:ad[oa]s?|arán?)|validez|válid[oa]s?|vigencia|mandato|nombrad[oa]s?|otorga[A-Za-zÀ-ž]{0,4}|guarda[n]?|conserv(?:at[oaie]|ano|a)|validità|valid[oaie]|dura|accreditat[ie]|przechowyw[A-Za-zÀ-ž]{1,5}|przechowuje|ważn[A-Za-zÀ-ž]{1,4}|kadencj[A-Za-zÀ-ž]|trwa)(?![A-Za-zÀ-ž])[^.;:,]{0,60}$/iu;
const lastsAfter =
  /^[^.;:,]{0,20}(?<![A-Za-zÀ-ž])(?:lang(?:e)?|long|aufbewahrt|aufzubewahren|gespeichert|gültig|befristet|bewaard|beschikbaar|geldig|in duration|de validité|de validez|di validità|ważności)(?![A-Za-zÀ-ž])/iu;

/** A length that is only lower bound or a span: "for at least", "pendant", "durante". */
export const spans =
  /(?<![A-Za-zÀ-ž])(?:for(?: a (?:maximum )?period of| at least| up to| a term of)?|at least|mindestens|für(?: einen zeitraum von| die dauer von| mindestens)?|während|pendant(?: au moins)?|au moins|durant|pour une (?:durée|période)(?: maximale)? de|durante|al menos|por un (?:período|periodo|plazo|máximo) de|almeno|per(?: un periodo(?: massimo)? di| almeno)?|gedurende|ten minste|voor de duur van|voor een periode van|przez(?: okres)?|co najmniej|na okres|po dobu|nejméně|alespoň) ["'„“‘«]?$/iu;
