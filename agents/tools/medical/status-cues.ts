/**
 * Words that determine the sense in which a record names a problem, by language (English, German, French, Czech,
 * Spanish, Italian, Dutch, Portuguese, Polish), after NegEx and ConText (Chapman et al., 2001; Harkema et al., 2009).
 */

const words = (list: string, flags = 'giu'): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\d])(?:${list})(?![\p{L}\d])`, flags);

/** Cues that apply to the words after them in their clause. */
export const denialBefore =
  /\(-\)|\(−\)|(?<![\p{L}\d])(?:no|not|denies|denied|deny|denying|without|w\/o|never|neither|nor|none|nil|negative for|neg for|neg|absence of|absent|free of|free from|lack of|lacks|cannot see|unremarkable for|kein(?:e[nrsm]?)?|ohne|nicht|verneint|weder|noch|ausschluss(?: einer?| von)?|ausgeschlossen|fehlende?r?|pas|sans|ni|aucune?s?|absence|jamais|nie|négatif pour|niega|sin|ausencia de|descarta(?:do|da)?|nega|senza|assenza di|non|nessun[oa]?|geen|niet|sem|não|ausência de|nenhum[a]?|ontkent|zonder|bez|brak|neguje|ingen|inga|inget|intet|ingenting|inte|ej|icke|ikke|ikkje|förnekar|nekar|benægter|benekter|nekter|utan|uden|uten|aldrig|aldri|inga tecken (?:till|på)|geen tekenen van|nie stwierdzono|nie stwierdza się|zaprzecza|odmawia|nie zgłasza|není|nejsou|žádn\p{L}{1,3}|nemá)(?![\p{L}\d])/giu;

/** "Not only", "no longer", "no change in": do not negate what follows. */
export const harmlessDenial =
  /^\s(?:only|longer|change|changes|improvement|relief|worse|better|response|sooner|later|more than|less than|further than|doubt|sure|certain|yet|wanting|compliant|adherent|controlled|well|fully|completely|tolerat\w{0,4}|responding|seulement|mehr als|nur)(?!\p{L})/iu;

/** Words that belong to the negation: "did not have", "n'a présenté ni". */
export const deniedVerb =
  /^\s{1,4}(?:have|had|has|having|been|be|show(?:s|ed)?|reveal(?:ed)?|any|report(?:ed)?|complain(?:ed)? of|notice[d]?|develop(?:ed)?|experience[d]?|described?|admit to|endorse|demonstrate[d]?|identified|see|seen|find|found|suggest\w{0,4}|présenté|eu|de signe|mis en évidence|retrouvé)(?!\p{L})/iu;

/** Words that begin a new statement between a negation and the problem. */
export const newStatement = words(
  String.raw`but|however|although|though|except|apart from|other than|besides|yet|still|whereas|while|because|since|secondary to|due to|reports?|reported|complains?|complained|presents?|presented|develops?|developed|endorses?|admits?|has|have|had|is|are|was|were|shows?|showed|reveals?|revealed|known|positive for|treated|started|takes|taking|underwent|remains|continues|consistent with|suggestive of|status post|s/p|with (?:known|a history)|aber|jedoch|sondern|hat|hatte|ist|war|bekannte?r?|bei bekannter?|zeigte?|außer|bis auf|mais|présente|présentait|connue?|hormis|associée?s? à|(?:accompagnée?s?|en dehors|à l['’]exception) d(?:e|es|u|['’]\p{L}{1,4})|avec à|asociad[oa]s? a|acompañad[oa]s? de|associat[oaie] a|accompagnat[oaie] da|sauf|montre|retrouve|ale|má|je|pero|aunque|salvo|presenta|muestra|però|tranne|eccetto|mostra|maar|behalve|mas|exceto|natomiast|oprócz|stwierdzono|men|har|hade|havde|hadde|förutom|bortsett från|bortset fra|debuterade|insjuknade|wel|heeft|had|wél`,
);

/** "For pain control", "three hours pain relief": what a medicine is for. */
export const purposeAfter = /^ (?:relief|relievers?|killers?|medications?)(?!\p{L})/iu;
export const purposeControl = /(?<!\p{L})(?:for|adequate|good|better) $/iu;

export const positiveMark = /\(\+\)/;

/** Words that end the scope of every cue before them. */
export const clauseEnd =
  /[;]|(?<![\p{L}])(?:but|however|although|though|whereas|aber|jedoch|mais|cependant|ale|men|maar|pero|però|tuttavia|mas|porém|jednak)(?!\p{L})/giu;

const verb = `(?:was|were|is|are|has been|have been|had been|wurden?|werden|wird|ist|sind|konnten?|est|sont|a été|ont été|était)`;
const denialWord = String.raw`(?:ruled out|excluded|denied|negative|absent|not (?:present|found|seen|identified|detected|evident|noted|confirmed|demonstrated|visualized|visualised|reported)|verneint|ausgeschlossen(?: werden)?|negiert|nicht (?:nachweisbar|vorhanden|erkennbar|berichtet|nachgewiesen|gesehen|belegt|bewiesen|gesichert|bestätigt)|exclue?s?|éliminée?s?|absente?s?|écartée?s?|non (?:retrouvée?s?|vue?s?)|niée?s?|vyloučen\p{L}?|descartad[oa]s?|negad[oa]s?|ausentes?|esclus[oaie]|assent[ei]|uitgesloten|afwezig|wykluczon\p{L}{1,2}|niepotwierdzon\p{L}{1,2})`;

/** Cues that apply to the words before them. */
export const denialAfter = new RegExp(
  String.raw`^(?:[^.;,\n\t]{0,50}|[^.;\t]{0,90}(?<!\p{L})(?:and|or|und|oder|et|ou|sowie)\s[^.;,\t]{0,40})\s${verb}\s(?:\p{L}{1,12}\s){0,2}?${denialWord}(?!\p{L})|^\s(?:excluded|ruled out|denied|ausgeschlossen|verneint|exclue?|éliminée?|écartée?|not (?:present|seen|found|identified))(?!\p{L})|^\s{0,3}(?:[:=]|[-–—]\s|\t)\s{0,3}(?:no|none|nil|negative|neg|absent|denie[ds]|not present|nein|keine?|negativ|non|aucune?|absence|ne)(?![\p{L}])|^\s{0,2}\((?:-|−|neg(?:ative)?|denied|absent)\)|^[^.;,\t]{0,50}?\s(?:bestand|bestanden|besteht|bestehen|lag|lagen|liegt|liegen|trat|traten|fand|fanden|zeigte|zeigten) (?:sich )?(?:zu keinem|nicht|keine?)|^[^.;,\t]{0,30}\s(?:non reactive|nonreactive|not detected|negative|negativ|négatif|négative)(?!\p{L})|^\s{0,2}-ve(?!\p{L})|^\s(?:neg|negative|negativ[oa]?|ujemn\p{L}{1,2}|negatief)(?!\p{L})|^(?:\s[^.;,\t]{1,40})?,?\s(?:w \p{Lu}{2,4}\s)?(?:nie (?:podaje|zgłasza|stwierdzono|potwierdzono|uwidoczniono|wykazano|stwierdza|ma)|brak|no se (?:observa|aprecia|objetiva|evidencia)n?|non (?:si )?(?:evidenti?|evidenziat[oaie]|rilevat[oaie]|riscontrat[oaie])|niet (?:gezien|aangetoond|gevonden))(?!\p{L})`,
  'iu',
);

export const supposedBefore =
  /\?\s{0,2}$|(?<![\p{L}\d])(?:r\/o|rule out|ruling out|to exclude|exclude|excluding|cannot exclude|possible|possibly|probable|probably|presumed|presumptive|suspect(?:ed)?|suspicion (?:of|for)|suspicious for|concern(?:ing|s)? (?:for|about|of)|worrisome for|worry about|query|question of|questionable|risks?(?: of| for| factors? for| with)?|risks? (?:discussed|include|explained)[^.;]{0,60}|(?:risks?|complications?)(?![\p{L}])[^.;]{0,100} (?:includ\p{L}{1,4}|such as)|at risk|if|whether|should (?:he|she|they|you|the|symptoms|there|any)|should \p{L}{4,16} (?:show|reveal|recur|develop|worsen|occur|find)|worried about|worries about|fears?|fear of|anxious about|gefahr von|gefahr einer|query|in case of|in the event of|unless|watch for|look out for|monitor(?:ing)? for|signs? of|symptoms? (?:of|suggesting|suggestive of)|evaluate for|evaluation for|assess(?:ment)? for|screen(?:ing|ed)? for|work-?up for|investigate for|prevent(?:ion|ing)?(?: of)?|prophylaxis (?:for|against|of)|differential\p{L}{0,4}|ddx|versus|vs\.?|consider(?:ing|ed)?|likely|view on|opinion (?:on|regarding)|could be|may be|might be|may represent|could represent|potential|potentially|v\.\s?a\.?|va|verdacht auf|verdachtsdiagnose|verdächtig\p{L}{0,2} auf|dd|möglich(?:e[rsn]?)?|fraglich(?:e[rsn]?)?|zum ausschluss(?: einer?| von)?|risiko|gefahr|falls|sollten?|prophylaxe|zur abklärung|bei auftreten|im falle|suspicion d[e']|suspecter|suspectée?|suspect|éventuel(?:le)?|possibles?|probables?|risques?(?: d[e'])?|en cas d[e']?|si|à la recherche d[e']|pour éliminer|afin d'éliminer|recherche d[e']|prévention d[e'][^.;]{0,10}|doute sur|podezření na|susp\.?|riziko|pokud|při podezření|vyloučit|sospecha de|posibles?|descartar|no se descarta\p{L}?|no se puede descartar|riesgo de|en caso de|ante|sospett[oa](?: di)?|possibil[ei]|probabil[ei]|da escludere|per escludere|escludere|rischio di|in caso di|verdenking(?: op)?|mogelijke?|waarschijnlijke?|risico op|indien|uit te sluiten|suspeita de|possível|provável|risco de|em caso de|podejrzeni[ea]|możliw\p{L}{1,3}|prawdopodobn\p{L}{1,3}|w razie|jeśli|jeżeli|ryzyko|w celu wykluczenia|misstanke om|misstänkt|misstänkts|misstänker|mistanke om|mistænkt|mistenkt|eventuellt?|eventuel|möjlig\p{L}?|mulig|sannolik\p{L}?|trolig\p{L}?|sandsynlig\p{L}?|risk för|risiko for|risiko|för att utesluta|for at udelukke|hvis|i tilfælde af|nel sospetto di|in caso di comparsa di|se recidiva di|se compare|dubbio|in geval van|na suspeita de|w przypadku|w razie wystąpienia|droht|drohende?r?|zur vermeidung|bei verdacht auf|suspicion|hypothèse d[e'])(?![\p{L}\d])/giu;

/** A supposition in these words ends at a comma before a main clause: "If pain recurs, her asthma …". */
export const supposedAfter =
  /^\s{0,2}\?|^[^.;,\n\t]{0,60}?(?<!\p{L})(?:unlikely|suspected|possible|is likely|are likely|(?:is|was) (?:the )?most likely|is the likeliest|cannot be (?:excluded|ruled out)|could not be excluded|not (?:yet )?excluded|to be excluded|was considered|were considered|is considered|is being considered|was entertained|were entertained|was discussed|was raised|prophylaxis|precautions?|prophylaxe|prévention|fraglich|möglich|nicht (?:auszuschließen|ausgeschlossen)|wahrscheinlich|unwahrscheinlich|suspectée?s?|peu probable|probable|à éliminer|non exclue?|prevention|a descartar|por confirmar|da escludere|da confermare|niet uit te sluiten|a excluir|nie można wykluczyć|do wykluczenia)(?!\p{L})/iu;

/** Conditions that begin an instruction in German: "Bei Fieber oder Luftnot bitten wir …". */
export const conditionStart = /^\s*(?:bei|im falle|nach|při|vid|ved|bij|w przypadku|in caso di|se|caso|em caso de)\s/i;
export const instructionEnd =
  /(?<!\p{L})(?:bitten wir|bitte|sofort\p{L}{0,4}|umgehend\p{L}{0,2}|wiedervorstellung|vorstellen|sollte|notaufnahme|notarzt|rettungsdienst|empfehlen wir|dringend|volejte|kontaktujte|kontakta|kontakt(?:es)?|ring|söka?|bedes|sygehus|neem contact|bel|contact opnemen|należy|zgłosić|contattare|rivolgersi|tornare|sospendere|recarsi|avvisare|suspender|avisar|procurar|regressar)(?!\p{L})/iu;

/** Statements that only tell the patient when to come back. */
export const instructionStart =
  /^\W{0,6}(?:(?:please )?(?:call|return|seek|go to|come back|contact|report|notify|phone|ring|attend|dial|re-?attend)\b|patient (?:was )?(?:advised|instructed|told|warned) to (?:call|return|seek|report|go)|(?:he|she|they) (?:was|were|knows?|has been) (?:(?:advised|instructed|told|warned) )?to (?:call|return|seek|report|attend|go|ring|phone|dial|contact|come)|advised to (?:call|return|seek|attend)|return precautions|safety[- ]net|worsening advice|(?:ring|ringa|kontakta|sök|søg|kontakt|bel|neem contact op|zgłosić się|contattare|acudir|volver a|procurar|regressar)(?!\p{L})|consulte[rz]|revenir|appele[rz]|reconsulter)/iu;

export const historyBefore = words(
  String.raw`history of|hx of|h/o|hx|ho|previous|previously|prior|past|remote|old|former|formerly|childhood|status post|s/p|healed|treated for|recovered from|nach einem|nach einer|z\.\s?n\.?|zn|zustand nach|st\.\s?p\.?|st\. n\.?|status nach|frühere[rsn]?|ehemalige[rsn]?|anamnestisch|stattgehabte[rsn]?|durchgemachte[rsn]?|alte[rsn]?|antécédents? d[e']?|antécédents?|atcd(?: d[e'])?|ancienne?|stav po|prodělal\p{L}?|v anamnéze|antecedentes? de|historia de|previ[oa]s?|pregress[oaie]|storia di|esiti di|doorgemaakte?|status na|história de|prévi[oa]s?|stan po|przebyt\p{L}{1,2}|w wywiadzie|tidigare|tidligere|känd sedan tidigare|genomgången|genomgått|st\. efter|status efter|doorgemaakt|eerder`,
);
/** Words which state that even a lasting disease is over. */
export const overBefore = words(
  String.raw`s/p|status post|z\.\s?n\.?|zustand nach|status nach|stav po|resolved|former|healed|cured|esiti di|status na|stan po|status efter|tidligere behandlet|färdigbehandlad`,
);
export const overAfter =
  /^(?:[^.;\t\n]{0,30}, (?:risolt[oaie]|resuelt[oa]s?|resolvid[oa]s?|wyleczon\p{L}{1,2}|hersteld|genezen)|(?:[^.;\t]|(?<=\p{Lu})\.){0,70}?(?<!\p{L})(?:resolved)|(?:[^.;\t]|(?<=\p{Lu})\.){0,70}?(?<!\p{L})(?:none since|no (?:recurrence|further episodes?|flares?) since|in remission|with no recurrence))(?!\p{L})|^,?\s(?:repair(?:ed)?|surgery|operation|operiert|opérée?s?|which (?:was|were) (?:banded|repaired|removed|treated|resected|drained))(?!\p{L})|^-OP(?!\p{L})|^[^\n]{0,80}[.;]\s(?:now )?resolved[.;]?\s*(?:\n|$)|^(?:[^.;,\t]|\.(?= \p{Ll})){0,70}?(?<!\p{L})(?:opérée? (?:le|en)|operiert (?:am|im)|as a (?:child|teenager|teen|boy|girl|young \p{L}{3,6}|baby)|in childhood|outgr\p{L}{2,4}|healed|years ago|months ago|cured|in der kindheit|als kind|abgeheilt|folgenlos|dans l'enfance|guérie?|résolue?|il y a \d{1,2} ans|vor \d{1,2} jahren|v dětství|grown out of(?: it)?|recovered fully|fully recovered|resuelt[oa]s?|sin recidivas?|en la infancia|intervenid[oa]|risolt[oaie]|guarit[oaie]|nell'infanzia|(?<=\()trattat[oaie]|genezen|hersteld|in de kindertijd|als kind|resolvid[oa]s?|na infância|utläkt|färdigbehandlad|läkt|helet|ophelet|i barndomen|som barn|kureret|opereret|opererad|operert|ausgeheilt|wyleczon\p{L}{1,2}|w dzieciństwie)(?!\p{L})/iu;
/** A date or a year directly after the problem: an episode is over. */
export const datedAfter =
  /^(?!.{0,40}(?:through|until|till|bis |jusqu|since|seit|depuis))[^.;\t:]{0,40}?(?<!\p{L})(?:(?:in|on|of|dated|le|en|am|im|vom|v)\s)?(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december) )?\(?(?:\d{1,2}[./-]){0,2}(?<![\d.])(?:19|20)\d\d(?![\d.,]?\d)|^[^.;,\t:]{0,24}\(?\d{1,2}\/\d{1,2}\/(?:19|20)?\d\d|^[^.;,\t]{0,20}(?:age|aged|at)\s\d{1,2}(?!\d)/iu;
export const sinceAfter =
  /^[^,;.\n]{0,20}?(?<!\p{L})(?:since|seit|depuis|od roku|diagnosed|erstdiagnose|ed)(?!\p{L})|^[^;.\n]{0,30}?(?<!\p{L})(?:ED \d|EM \d|erstdiagnos\p{L}*|first diagnosed|dx'?d? \d)|^[^,;.\n]{0,12}(?<!\p{L})(?:stage|stadium|stade) (?:[IV]|\d)/iu;

/** Words for relatives, and for people who live with the patient. */
export const relative = words(
  String.raw`father|mother|brothers?|sisters?|parents?|siblings?|(?:his|her|their|one|two|the|a|older|younger) sons?|sons?(?=\s(?:has|had|with|died|is|was|-|–)|\s?[(:])|daughters?|uncles?|aunts?|cousins?|grandfather|grandmother|grandparents?|nephews?|nieces?|half-?(?:brother|sister)|(?:maternal|paternal) \p{L}{3,12}|twin|wife|husband|spouse|partner|girlfriend|boyfriend|mum|mom|dad|family history|familial|mgm|mgf|pgm|pgf|mutter|vater|brüder|bruder|schwester|schwestern|eltern|geschwister|sohn|tochter|onkel|tante|großmutter|großvater|oma|opa|cousine|ehefrau|ehemann|partnerin|mère|père|frères?|sœurs?|soeurs?|parents|oncle|grand-mère|grand-père|fils|fille|épouse|époux|conjointe?|mari|cousin|matka|otec|bratr|sestra|syn|dcera|babička|děda|padres?|madre|herman[oa]s?|hij[oa]s?|abuel[oa]s?|prim[oa] (?:hermana?|materna|paterna)|tíos?|tías?|marido|espos[oa]|cónyuge|suegr[oa]|fratell[oi]|sorell[ae]|figli[oae]?|nonn[oaie]|zi[oaie]|cugin[oaie]|moglie|marito|coniuge|genitori|familiarità|vader|moeder|broers?|zus(?:sen|ter)?|zoon|dochter|oom|grootvader|grootmoeder|echtgeno(?:ot|te)|pai|mãe|irmãos?|irmãs?|filh[oa]s?|avô|avó|ojciec|ojca|ojcu|matki|matce|matkę|brata|bracia|siostr[ayę]?|córk[aię]|żon[ay]|mąż|męża|babci[ai]|dziadek|dziadka|rodzic\p{L}{0,3}|wujek|ciotka|mor(?= (?:har|hade|havde|hadde|med|døde|dog|död))|far(?= (?:har|hade|havde|hadde|med|døde|dog|död))|mamma|pappa|moder|fader|bror|bröder|brødre|syster|systrar|søster|søstre|dotter|datter|sønn|søn|farfar|farmor|morfar|mormor|bedstefar|bedstemor|onkel|moster|faster|kusin|fætter|släkting|släkten|i släkten|hustru|kone|ægtefælle|ektefelle|tante`,
);
/** The relative only reports, helps or is visited: "wife states he …", "lives with her daughter". */
export const relativeReports =
  /^(?:'s)?\s{1,3}(?:\p{L}{2,12} )?(?:states?|stated|reports?|reported|says|said|noticed|noted|notes|called|brought|found|describes?|described|confirms?|confirmed|denies|gave|gives|berichtet\p{L}?|gibt|gab|rapporte|signale|décrit|dit|is (?:concerned|worried)|was (?:concerned|worried)|concerned|worried|present|at bedside|is present|heard|saw|witnessed|uvádí|refiere|comenta|informa|dice|(?:ha )?riferi(?:sce|to)(?! di (?:essere|aver))|riporta|meldt|vertelt|podaje|zgłasza)/iu;
export const relativeAccompanies =
  /(?<!\p{L})(?:with|by|from|for|to|per|lives with|and|of|caring for|via|mit|von|bei|avec|par|chez|s|od|con|por|per|met|door|com|przez)\s(?:(?:his|her|the|their|a|der|seiner|ihrer|son|sa|ses)\s)?$/iu;
export const relativeAfter =
  /^\s(?:der|des|seiner|ihrer|meiner|seines|ihres|meines|bei (?:der|seiner|ihrer|meiner)|bei(?:m| seinem| ihrem| meinem)) (?:mutter|vaters?|schwester|bruders?|tochter|sohn(?:e?s)?|großmutter|großvaters?|tante|onkels?)(?!\p{L})|^\s(?:de|chez|à) (?:la|sa|ma|le|son|mon) ?(?:mère|père|sœur|soeur|frère|fille|fils|tante|oncle)(?!\p{L})|^\s(?:de (?:la|su|mi) (?:madre|hermana|hija|abuela|tía)|(?:del|de su|de mi) (?:padre|hermano|hijo|abuelo|tío)|della (?:madre|sorella|figlia|nonna|zia)|del (?:padre|fratello|figlio|nonno|zio)|(?:van|bij) (?:de|zijn|haar|mijn) (?:moeder|vader|zus|broer|dochter|zoon|tante|oom)|(?:u|jego|jej) (?:matki|ojca|siostry|brata|córki|syna))(?!\p{L})|^[^.;]{0,24}?(?:since|as|because)\s(?:his|her|their)\s{1,3}(?:dad|mom|mum|father|mother|brother|sister|uncle|aunt|son|daughter)\s(?:had|has|died of) (?:one|it|this|the same)|^[^.;\n\t]{0,40}?\((?:maternal |paternal |his |her |the )?(?:father|mother|brother|sister|parents?|siblings?|son|daughter|grand(?:father|mother|parents?)|uncle|aunt|cousin|family|mutter|vater|bruder|schwester|onkel|tante|großmutter|großvater|mère|père|frère|sœur|soeur|oncle|matka|otec)s?\b[^()]{0,20}\)|^\s(?:in|of) (?:his |her |the |a )?(?:maternal |paternal )?(?:father|mother|brother|sister|parents?|siblings?|grand(?:father|mother|parents?)|uncle|aunt|family)(?!\p{L})|^\s{0,2}(?:beim?|bei der|chez (?:le|la|son|sa)) (?:vater|mutter|bruder|schwester|père|mère|frère|sœur)(?!\p{L})|^\s{1,3}(?:-|–|:)\s(?:maternal |paternal )?(?:father|mother|brother|sister|uncle|aunt|grandfather|grandmother)(?!\p{L})/iu;
export const patientWord = words(
  `patient|patientin|patiente|pt|pat|he|she|er|sie|il|elle|himself|herself|pacient(?:ka)?|proband|paciente|paziente|patiënte?|pacjent(?:k[ai])?|i|patienten|pasienten|hon|hun|pat`,
);

/** Words for people who are neither the patient nor a relative. */
export const otherPeople =
  /(?<!\p{L})(?:roommate|room-mate|neighbou?r|other patients?|zimmernachbar\p{L}{0,3}|voisine? de chambre|donor|index case|coworker|colleague|contacts?|(?:patient|pt)\.? [2-9](?: of [2-9])?|compañer[oa](?: de habitación)?|vicin[oa] di letto|kamergenoot)(?:'s)?(?!\p{L})/iu;
export const generalStatement =
  /(?<!\p{L})(?:(?:patients|women|men|adults|children|people|persons|individuals|subjects|those|patienten|patientinnen|les patients|personnes) (?:\p{L}{2,14} ){0,2}?(?:with|who|whose|having|mit|avec|on|taking|aged|should|may|must|can|sollten)|\d{1,3} ?% of|et al\.|in the (?:series|study|trial|literature)|(?:the|this|that|a|another) (?:\p{L}{2,14} )?(?:trial|study|registry|meta-analysis|guideline)s? (?:used|compared|tested|enrolled|randomi[sz]ed|gave|recommends?|included|reported|studied)|may cause|can cause|may be caused by|can be caused by|is usually caused by|may lead|may be seen|can be seen|is seen in|are seen in|seen in|usual causes?|common causes?|causes of|is (?:often|rare|common|preventable)|(?:are|is|son|es|sind|ist|sono|è|sont|est|zijn) (?:preventable|prevenibles?|vermeidbar|prevenibil[ei]|évitables?|te voorkomen)|più frequent[ei]|más frecuentes?|plus fréquente?s?|are (?:often|rare|common|less frequent)|is associated with|are associated with|is defined as|guidelines?|associated with an increased|(?:some|many|most) (?:people|patients|adults)|is for [^.;\n]{3,40} only|talk to your (?:doctor|provider|nurse)|example (?:of|entry)|sample entry|ausfüllanleitung|ausfüllbeispiel)(?!\p{L})/iu;

/** The reason for which a medicine was stopped ended with the medicine. */
export const reasonOfStop =
  /(?<!\p{L})(?:stopped|d\/c'?d|d\/c|dc'd|discontinued|ceased|abgesetzt|arrêtée?|vysazen\p{L}?)(?!\p{L})[^.;]{0,40}(?:\(|,|because of|due to|for|after|wegen|pour|en raison d)[^.;]{0,12}$/iu;
/** "As needed for pain": when a medicine is taken, not a problem of the patient. */
export const asNeededFor =
  /(?<!\p{L})(?:prn|p\.r\.n\.?|as needed|as required|if needed|when (?:required|needed)|bei bedarf|bei|au besoin|en cas de|si besoin)(?:\s(?:for|if|bei|pour|d[e'])?)?\s?(?:\p{L}{3,12}\s)?$/iu;
