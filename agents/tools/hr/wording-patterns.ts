/**
 * Wording of advertisements and policies that prefers or excludes people, by ground, in English, German, French, Spanish, Italian
 * and Dutch. Each pattern matches the words to replace.
 * @see Directives 2000/43/EC, 2000/78/EC and 2006/54/EC; Equality Act 2010; AGG §§ 1 and 11; Code du travail L1132-1 and L1142-1;
 *   Estatuto de los Trabajadores art. 17; ADEA, Title VII and ADA in the United States
 */

export type Ground =
  | 'age'
  | 'sex'
  | 'origin'
  | 'religion'
  | 'disability'
  | 'sexual-orientation'
  | 'pregnancy'
  | 'family-status';

const people = String.raw`(?:team members?|employees?|staff|applicants?|candidates?|workers?|people|persons?|anyone|drivers?|guides?|applications?|mitarbeit\p{L}*|bewerber\p{L}*|personen|kandidat\p{L}*|candidat\p{L}*|salariés?|trabajador\p{L}*|aspirantes?|lavorator\p{L}*|sollicitant\p{L}*|medewerkers?)`;

export const wordings: readonly (readonly [Ground, RegExp])[] = [
  [
    'sex',
    /\b(?:women|waitresses|ladies|female (?:staff|employees|team members)) (?:must|should|have to) wear \p{L}+|\bmen (?:must|should) (?:be clean[- ]shaven|have short hair|not wear \p{L}+)|\b(?:Frauen|Damen) (?:müssen|sollen|tragen) [^.;]{0,20}(?:Röcke|Rock|Kleid\p{L}*)|\ble port de la jupe\b/iu,
  ],
  [
    'sex',
    /\b(?:female|male) \p{L}+ (?:are expected to|are required to|must|should|have to) (?:wear|have|dress)\b[^.;,]{0,24}|\b(?:women|men|ladies) are (?:expected|required) to (?:wear|have|dress)\b[^.;,]{0,24}/iu,
  ],
  [
    'disability',
    /\babstenerse (?:personas|candidat\p{L}+) con (?:problemas de salud|enfermedad\p{L}*|discapacidad)[^.;]{0,30}|\b(?:personas|candidat\p{L}+) sin (?:problemas de salud|discapacidad)\b|\bproblèmes de santé s['’]abstenir\b|\bno (?:people|persons|applicants) with (?:health (?:problems|conditions)|disabilit\p{L}+)/iu,
  ],
  [
    'family-status',
    /\bestado civil (?:soltero|casado|soltera|casada)\b|\b(?:nubili|celibi)\b|\bstato civile (?:libero|nubile|celibe)\b|\bFamilienstand (?:ledig|verheiratet)\b|\bburgerlijke staat (?:ongehuwd|gehuwd)\b|\b(?:soltero|soltera|célibataire)s? (?:de préférence|preferentemente|exigée?)\b/iu,
  ],
  ['age', /\bdigital natives?\b/iu],
  [
    'age',
    /\b(?:mature|older|younger|elderly|retired)\b(?= (?:(?:lady|gentleman|woman|man|person|people|applicants?|candidates?|couple|staff)(?: (?:is |are |would be )?(?:preferred|wanted|sought|needed|required|only)))\b)/iu,
  ],
  [
    'family-status',
    /(?<=\b(?:somebody|someone|anybody|persons?|people|candidates?|applicants?) (?:who (?:is|are) )?)(?:single|unmarried|married|divorced|unattached)\b(?! ?(?:-|point|parent))/iu,
  ],
  [
    'origin',
    /(?<=\b(?:candidates?|applicants?|people|persons?|workers?|staff|members|those) )(?:from|of) (?:the |an? )?\p{Lu}\p{L}+(?:[- ]\p{Lu}\p{L}+)? (?:community|background|origin|heritage|descent|ethnicity|extraction|nationality)\b/u,
  ],
  [
    'age',
    /\b(?:young|youthful)(?:,? (?:and |& )?(?:dynamic|energetic|hungry|vibrant|ambitious|fun|enthusiastic))* (?:team|people|persons?|candidates?|professionals?|staff|man|men|woman|women|lady|ladies|talents?|blood|colleagues?|workforce|crew|guns?)\b|\b(?:energetic|dynamic|youthful|vibrant),? young\b|\byouthful (?:energy|attitude|appearance|spirit)\b/iu,
  ],
  ['age', /\bin (?:their|our|your|his|her) (?:(?:early|mid|late)[- ])?(?:twenties|thirties|20s|30s)\b/iu],
  [
    'age',
    /\b(?:no more than|up to|at most|not more than|less than|under|fewer than|max(?:imum)?\.?(?: of)?) (?:\d{1,2}|one|two|three|four|five|six|ten)(?:[-–]\d)? years?['’]?(?: of)? (?:\p{L}+ ){0,2}experience\b/iu,
  ],
  [
    'age',
    /\b(?:(?:maximum|upper) age|age limit|not older than|no older than|no one (?:over|above)|nobody over)[^.;\d]{0,14}\d{2}\b|\b(?:ages?|aged|between)(?: between)? \d{2} ?(?:-|–|to|and) ?\d{2}(?: years)?\b|\bunder[- ](?:2[2-9]|[3-6]\d)s?\b(?! ?(?:%|hours?|minutes?|days?|km|miles|eur|employees|\p{Sc}))/iu,
  ],
  [
    'age',
    new RegExp(
      String.raw`(?<=\b${people} )(?:over|above|under|below|older than|younger than|über|unter|älter als|de plus de|de moins de|mayores de|menores de|oltre|ouder dan|boven)(?: the age of| de| i)? (?:2[2-9]|[3-7]\d)(?! ?(?:%|hours?|days?|kg|km))`,
      'iu',
    ),
  ],
  [
    'age',
    /\bbis (?:maximal |max\. |höchstens )?(?:2[2-9]|[3-6]\d) Jahren?\b|\b(?:nicht älter als|höchstens|maximal|unter) (?:2[2-9]|[3-6]\d)(?: Jahren?)?\b(?= alt|[^.;]{0,20}(?:gesucht|bewerb|sein|sind))|\b(?:zwischen )\d{2} und \d{2} Jahren?\b|\bAltersgrenze\b[^.;]{0,20}\d\d|\b\d{2}\s?(?:-|–|bis)\s?\d{2} Jahre alt\b/iu,
  ],
  [
    'age',
    /\bjung(?:e[nsrm]?)?(?:,? (?:und )?(?:dynamische[nsrm]?|motivierte[nsrm]?|hungrige[nsrm]?))* (?:Teams?|Leute|Mitarbeiter\p{L}*|Kolleg\p{L}*|Verkäufer\p{L}*|Mann|Frau|Dame|Kraft|Kräfte|Crew|Mannschaft|Menschen|Talente|Bewerber\p{L}*)\b|\bBerufsanfänger gesucht|\b(?:rüstige[rn]?|fitte[rn]?) Rentner(?:in)?\b|\bRentner gesucht/iu,
  ],
  [
    'age',
    /\bjeunes? et dynamiques?\b|\bjeunes? (?:équipe|diplômée?s?|hommes?|femmes?|collaborat\p{L}+|talents?|gens|candidats?)\b|\béquipe jeune\b|\b(?:moins|plus) de \d{2} ans\b(?! d['’]expérience)|\bentre \d{2} et \d{2} ans\b|\bâgée?s? de \d{2}/iu,
  ],
  [
    'age',
    /\b(?:equipo|ambiente) joven\b|\b(?:camarer\p{L}|dependient\p{L}|persona|candidat\p{L}|profesional) joven(?:es)?\b|\bjoven(?:es)?(?: y)? (?:dinámic\p{L}+|profesional\p{L}*|talentos?|candidat\p{L}+|promesas?)|\bgente joven\b|\b(?:menor|menores|mayor|mayores) de \d{2} años\b|\bentre (?:los )?\d{2} y (?:los )?\d{2} años\b|\bedad (?:máxima|entre|hasta)[^.;]{0,20}\d{2}/iu,
  ],
  [
    'age',
    /\b(?:giovan[ei]|team giovane|ambiente giovane)(?: (?:e )?dinamic\p{L})?(?= (?:team|risors\p{L}|laureat\p{L}|candidat\p{L}|ragazz\p{L}|e dinamic))|\bteam giovane\b|\bet(?:à) (?:massima|compresa|non superiore)[^.;]{0,20}\d{2}|\bunder \d{2}\b|\bmax(?:imo|\.)? \d{2} anni\b/iu,
  ],
  [
    'age',
    /\bjonge? (?:,? ?\p{L}{2,14} ){0,2}(?:team|honden|mensen|collega['’]?s?|medewerkers?|talent\p{L}*)\b|\b(?:maximaal|niet ouder dan|tot|jonger dan) \d{2} jaar\b|\btussen (?:de )?\d{2} en \d{2} jaar\b/iu,
  ],
  [
    'age',
    /\b(?:máximo|hasta|no más de|menos de) \d{1,2} años de experiencia\b|\brecién (?:titulad|graduad|licenciad)[oa]s?(?: preferentemente)?\b|\b(?:höchstens|maximal|nicht mehr als|bis zu) \d{1,2} Jahren? (?:Berufs)?[Ee]rfahrung\b|\b(?:maximum|au plus|moins de) \d{1,2} ans d['’]expérience\b|\b(?:massimo|non più di|meno di) \d{1,2} anni di esperienza\b|\bneolaureat[io]\b|\b(?:maximaal|niet meer dan|minder dan) \d{1,2} jaar (?:werk)?ervaring\b/iu,
  ],
  [
    'age',
    /\b(?:recent|new|fresh|young) (?:college |university )?(?:graduates?|grads?|school[- ]leavers?)\b(?: only)?|\bschool[- ]leavers? only\b/iu,
  ],
  [
    'sex',
    /\b(?:waitress|barmaid|stewardess|air hostess|salesman|salesmen|saleswoman|salesgirl|tea lady|cleaning lady|cleaning ladies|(?:motherly|fatherly)(?: (?:lady|woman|person|figure|type|man|gentleman))?|office girl|girl friday|handyman|foreman|doorman|barman|repairman|delivery man|delivery boy|chambermaid|housewife|housewives|hostess)\b/iu,
  ],
  [
    'sex',
    /\b(?:male|female) (?:candidates?|applicants?|staff|drivers?|nurses?|receptionists?|secretar\p{L}+|assistants?|workers?|employees)\b(?: only| preferred)?|\b(?:men|women|ladies|gentlemen|girls?|boys?|males?|females?)(?: only| preferred| wanted| need not apply)\b|\b(?:man|woman|lady|gentleman|chap|lad|lass)\b(?= (?:is |are |would be )?(?:preferred|sought|ideal|desired))|\b(?:strong|strapping|fit|able) (?:man|men|lad|lads|young man)\b|\b(?:man|woman|lady|girl|lad) (?:wanted|required|needed)\b|\b(?:must|should) be (?:a )?(?:male|female|man|woman)\b/iu,
  ],
  [
    'sex',
    /\b(?:kräftige[rn]?|starke[rn]?|gepflegte|attraktive|nette|freundliche|junge[rn]?) (?:Mann|Männer|Frau|Dame|Damen|Herr|Mädchen)\b|\bnur (?:für )?(?:Männer|Frauen|Damen|Herren)\b|\b(?:Putzfrau|Putzfrauen|Tippse|Empfangsdame|Bardame|Sekretärin|Verkäuferin|Kellnerin|Arzthelferin|Zimmermädchen|Krankenschwester|Kindergärtnerin|Kassiererin|Friseurin|Erzieherin|Haushälterin|Assistentin|Bürokauffrau|Reinigungsfrau|Näherin|Hostess)\b(?! ?\(?m\/w)|\b(?:Mann|Frau|Dame|Hausdame) gesucht\b/u,
  ],
  [
    'sex',
    /\b(?:serveuse|vendeuse|hôtesse(?: d['’]accueil)?|caissière|femme de ménage|femme de chambre|coiffeuse|secrétaire féminine|assistante)\b(?! ?\(?(?:[hf]\/[hf]|ou|\/))|\bhomme (?:robuste|fort|jeune)\b|\b(?:uniquement|seulement) (?:des )?(?:hommes|femmes)\b|\b(?:hommes|femmes) uniquement\b/iu,
  ],
  [
    'sex',
    /\b(?:camarera|dependienta|secretaria|azafata|señorita|limpiadora|recepcionista femenina|cajera|empleada(?= de (?:hogar|limpieza))|asistenta)\b(?! ?\(?(?:o|\/|y))|\bsolo (?:hombres|mujeres|chicas|chicos)\b|\b(?:chica|chico|hombre|mujer|varón) (?:joven|para|con buena)\b|\bbuena presencia femenina\b/iu,
  ],
  [
    'sex',
    /\b(?:commessa|segretaria|cameriera|ragazza|donna delle pulizie|hostess)\b(?! ?\/)|\bsolo (?:uomini|donne)\b|\bbella presenza\b|\b(?:serveerster|verkoopster|secretaresse|werkster|gastvrouw|schoonmaakster)\b(?! ?\(?(?:m\/v|\/))|\balleen (?:mannen|vrouwen)\b|\bsterke (?:man|kerel)\b/iu,
  ],
  [
    'pregnancy',
    /\bmothers? (?:of|with) (?:small |young |little )?(?:children|kids)\b|\b(?:without|no) (?:small |young |dependent )?(?:children|kids|childcare (?:duties|responsibilities))\b|\bchild(?:less|-free)\b|\bno plans? (?:to|for) (?:start|starting|have|having)? ?(?:a )?(?:family|children|pregnancy)\b|\bplan(?:ning|s)? (?:a family|a pregnancy|to become pregnant|to start a family|children)\b|\b(?:not|non|no) (?:be )?pregnant\b|\bpregnant (?:women|applicants?|employees?) (?:will not|cannot|may not|need not|are not)\b/iu,
  ],
  [
    'pregnancy',
    /\b(?:pregnant|on (?:maternity|parental|paternity) leave)\b[^.;]{0,90}\b(?:(?:are|is|will be|may) not (?:considered|eligible|entitled|included|promoted|be)|excluded|lose)\b(?: considered)?|\b(?:schwanger\p{L}*|in Elternzeit|in Mutterschutz)\b[^.;]{0,90}\b(?:nicht (?:berücksichtigt|befördert)|ausgeschlossen)\b/iu,
  ],
  [
    'pregnancy',
    /\b(?:keine|ohne) (?:kleine[n]? )?(?:Kinder(?:wunsch)?|Familienpflichten)\b|\bkinderlos\p{L}*\b|\bFamilienplanung (?:ist )?abgeschlossen|\babgeschlossene[r]? Familienplanung|\bMütter (?:kleiner|mit kleinen) Kinder\p{L}*|\bnicht schwanger\b|\bsans enfants?\b|\bsin (?:hijos|cargas familiares)\b|\babstenerse (?:personas |candidat\p{L}+ |madres )?(?:con (?:hijos|cargas familiares)|embarazadas)\b|\bsenza figli\b|\b(?:zonder|geen) (?:jonge )?kinderen\b|\bkinderloos\b/iu,
  ],
  [
    'origin',
    /\b(?:native|mother[- ]tongue)(?: [A-Z]\p{L}+)?[- ](?:speakers?|level)(?: only| required)?\b|\bnative (?:English|German|French|Spanish|Italian|Dutch|British)\b|\b(?:English|German|French|Spanish|Dutch) (?:as|is) (?:a|your|the)? ?(?:mother tongue|native language|first language)\b|\bmother tongue\b/iu,
  ],
  [
    'origin',
    /\b(?:no|keine|pas d['’]|no a) ?(?:foreigners?|immigrants?|ausländer\p{L}*|étrangers?|extranjer\p{L}+)\b|\b(?:EU|UK|US|British|German|French|Spanish|Italian|Dutch|American|Irish|Swiss|local|European) (?:citizens?|nationals?|passport holders?|born applicants?|nationality|applicants?)(?: only| required| preferred)|\bBritish only\b|\b(?:accent[- ]free|(?:without|no) (?:an? )?(?:foreign |strong )?accent|akzentfrei\p{L}*|sans accent|zonder accent|sin acento|senza accento)\b/iu,
  ],
  [
    'origin',
    /\bDeutsch als Muttersprache\b|\bmuttersprachler\p{L}*\b|\bmuttersprachlich\p{L}*\b|\bMuttersprache Deutsch\b|\bdeutsche (?:Staatsangehörigkeit|Herkunft|Abstammung)\b|\b(?:de )?langue maternelle(?: française?)?\b|\bnationalité française\b|\b(?:lengua|idioma) matern[ao]\b|\bnacionalidad española\b|\babstenerse (?:extranjer|inmigrant)\p{L}+\b|(?<=\b(?:imprescindible|obligatori[oa]|requisito|únicamente|solo)[ :]{1,3}(?:ser )?)español(?:es|a|as)?\b(?! (?:hablado|fluido|nivel|alto|escrito|avanzado))|\b(?:español )?nativo\b|\bmadrelingua(?: italian\p{L})?\b|\bcittadinanza italiana\b|\bmoedertaal(?: Nederlands)?\b|\bNederlands als moedertaal\b|\bautochto\p{L}+\b/iu,
  ],
  [
    'religion',
    /\b(?:practi[sc]ing|committed|active|devout|born[- ]again) (?:Christian|Catholic|Muslim|Jew|Jewish|Protestant)s?\b|\b(?:Christian|Catholic|Muslim|Jewish|Protestant) (?:candidates?|applicants?|family man|only|faith required)\b|\bmust (?:be|share) (?:a |an |our )?(?:Christian|Catholic|Muslim|Jewish|Protestant|faith|religious)\p{L}*|\b(?:no|without|remove) (?:a )?(?:headscar(?:f|ves)|hijabs?|turbans?|kippahs?|veils?|beards?)\b|\bincluding those worn for religious reasons\b|\breligious (?:head ?(?:wear|coverings?)|symbols|dress|clothing|garments)\b(?=[^.;]{0,60}(?:not|prohibit|forbid|ban))|\b(?:headscar(?:f|ves)|hijabs?|turbans?)\b(?=[^.;]{0,60}(?:not|prohibit|forbid|ban|remove))/iu,
  ],
  [
    'religion',
    /\b(?:ohne|kein) Kopftuch\b|\bKopftuch\b(?=[^.;]{0,50}(?:nicht|verboten|untersagt|ablegen))|\b(?:christliche|katholische|evangelische|muslimische)[nrs]? (?:Bewerber\p{L}*|Konfession|Glaubens?)\b|\b(?:Mitglied|Zugehörigkeit|Mitgliedschaft)[^.;]{0,20}(?:einer |der |zur )(?:christlichen |katholischen |evangelischen )?Kirche\b(?=[^.;]{0,60}(?:voraus|erwart|bedingung|erforderlich))|\bsans (?:voile|foulard)\b|\bde confession \p{L}+|\bsin velo\b|\b(?:católic|cristian|protestant|evangélic)[oae]s? practicantes?\b|\bcatholiques? pratiquante?s?\b|\bcattolic[oa] praticante\b|\bpraktizierende[rn]? (?:Katholik|Christ)\p{L}*|\bsenza velo\b|\bzonder hoofddoek\b/iu,
  ],
  [
    'disability',
    /\b(?:able[- ]bodied|in (?:perfect|excellent|good|top) health|perfect (?:physical )?health|no (?:(?:back|knee|heart|joint|hearing|physical|mental) (?:trouble|problems?|complaints?|issues|conditions?|limitations?|restrictions?)|disabilit\p{L}+|health (?:problems|issues|conditions)|medical (?:conditions|history)|handicaps?)|without (?:any )?(?:disabilit\p{L}+|handicaps?|health problems)|(?:free (?:of|from)) (?:(?:any )?(?:health|medical|back) (?:problems?|issues?|complaints?|conditions?|trouble)|disabilit\p{L}+|illness|chronic)|healthy (?:applicants?|candidates?)|clean sickness record|no history of (?:mental|depress\p{L}+|illness|sick))\b|\bdisabled (?:people|applicants?|persons?|candidates?) (?:will not|cannot|may not|need not|are not)\b/iu,
  ],
  ['disability', /\bohne (?:\p{L}+ )?Behinderung\p{L}*/iu],
  [
    'disability',
    /\b(?:keine (?:\p{L}+ )?(?:Behinderung|Vorerkrankung)\p{L}*|gesunde[rn]? Bewerber\p{L}*|kerngesund\p{L}*|nicht behindert\p{L}*)\b|\b(?:sans handicap|en parfaite santé|en bonne santé|sin discapacidad|buena salud|salud perfecta|sana e robusta costituzione|senza disabilità|zonder (?:handicap|beperking)|kerngezond)\b/iu,
  ],
  [
    'sexual-orientation',
    /\b(?:heterosexual|straight (?:men|women|candidates?|applicants?)|family man|no (?:gays?|homosexuals?|lesbians?|lgbt\p{L}*)|heterosexuel\p{L}*)\b/iu,
  ],
  [
    'family-status',
    /\b(?:single|unmarried|married|divorced) (?:candidates?|applicants?|men|women|people|persons?|only|preferred|females?|males?|couples?)\b(?: only| preferred)?|\b(?:must|should) be (?:single|unmarried|married)\b|\b(?:ledige?[rnm]?|unverheiratet\p{L}*|verheiratete[rn]?)(?= (?:Bewerber|Frau|Mann|Person|Mitarbeiter|bevorzugt))|\bungebunden\p{L}*\b|\b(?:célibataires?|mariées?|soltero?s?|solteras?|casad[oa]s?|nubil[ei]|celib[ei]|ongehuwd\p{L}*|alleenstaand\p{L}*)(?= (?:de préférence|uniquement|exigé|preferiblemente|preferibilmente|gewenst|bevorzugt|sans|sin|senza|only|candidat\p{L}*))/iu,
  ],
];
