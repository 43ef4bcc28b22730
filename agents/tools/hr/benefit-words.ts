/**
 * The benefits of employment documents by name, in English, German, French, Spanish, Italian and Dutch. Earlier entries are more
 * specific: a name inside the words of an earlier one is ignored.
 */
export const benefitWords: readonly (readonly [string, RegExp])[] = [
  [
    'sign-on-bonus',
    /sign(?:ing)?[- ]on(?: bonus| payment)?|signing bonus|(?:joining|welcome|starting|hiring) bonus|golden hello|antritts(?:prämie|bonus|geld)|einstiegsbonus|prime (?:de bienvenue|d['’](?:arrivée|embauche|entrée|engagement))|prima de (?:fichaje|incorporación|bienvenida)|bonus d['’](?:ingresso|entrata)|tekenbonus|welkomstbonus/iu,
  ],
  [
    'car-allowance',
    /(?:car|vehicle|auto) (?:allowance|stipend)|cash in lieu of (?:a )?car|fahrzeugpauschale|kfz-?(?:pauschale|zuschuss)|car[- ]policy[- ]pauschale|(?:indemnité|allocation) (?:de )?(?:véhicule|voiture)|(?:ayuda|plus) (?:de |por )?(?:coche|vehículo)|indennità auto|autovergoeding/iu,
  ],
  [
    'car',
    /company[- ](?:car\b(?! park)|vehicle)|dienst(?:wagen|fahrzeug)|firmenwagen|geschäftswagen|véhicule de (?:fonction|société)|voiture de (?:fonction|société)|coche de empresa|vehículo de empresa|auto(?:vettura)? aziendale|lease-?auto|bedrijfsauto|auto van de zaak/iu,
  ],
  [
    'extra-month',
    /\b1[34](?:th|\.)?[- ]?(?:month|salar\w+|monat\w*|gehalt\w*|gehälter|payments of salary)|(?:thirteenth|fourteenth) (?:month\w*|salary)|(?:dreizehnt|vierzehnt)es|weihnachts(?:geld|gratifikation|zuwendung)|urlaubsgeld|sonderzahlung|jahressonderzahlung|christmas bonus|treizième mois|1[34]e mois|treizième mensualité|en (?:treize|quatorze|13|14) mensualités|treize\s+mensualités|prime de (?:vacances|fin d['’]année)|pagas? extra\w*|gratificaciones? extra\w*|(?:dos|2) extraordinarias|(?:catorce|14) (?:pagas|mensualidades)|tredicesima|quattordicesima|(?:1[34]|tredici|quattordici) mensilità|vakantie(?:toeslag|geld|bijslag)|dertiende maand|eindejaarsuitkering|holiday (?:allowance|bonus)/iu,
  ],
  [
    'commission',
    /\bcommissions?\b(?! (?:nationale|paritaire|europ))|provision(?:en)?(?= von| in| auf|:|\t| \d)|umsatzprovision|\bcomisi[oó]n(?:es)?\b|provvigion\w*|\bcommissie\b/iu,
  ],
  [
    'equity',
    /\brsus?\b|restricted (?:stock|share)|stock (?:options?|grant|units)|share options?|options? to (?:purchase|buy)|equity (?:grant|award|package)|aktienoptionen|\bvsop\b|\besop\b|\besp?p\b|virtuelle anteile|mitarbeiterbeteiligung|bspce|actions gratuites|opciones sobre acciones|aandelenopties/iu,
  ],
  [
    'life-insurance',
    /life (?:insurance|assurance|cover)|death[- ]in[- ]service|group life|lebensversicherung|assurance[- ]décès|capital décès|seguro de vida|assicurazione (?:sulla )?vita|polizza vita|overlijdensrisico|prévoyance/iu,
  ],
  [
    'health-insurance',
    /(?:private |employer-paid |group |international )?(?:medical|health|dental)(?:care)?(?:(?:,? |\/)(?:dental|vision|and))*(?:,? |\/)(?:dental|vision|insurance|assurance|cover\w*|plan|benefits?|scheme|premiums?)|private medical|healthcare|mutuelle|complémentaire santé|frais de santé|krankenzusatz\w*|zusatzkrankenversicherung|seguro (?:médico|de salud)|assistenza sanitaria|fondo sanitario|polizza sanitaria|(?:collectieve|aanvullende) zorgverzekering|ziektekostenverzekering|hospitalisatieverzekering|assurance hospitalisation/iu,
  ],
  [
    'meal-allowance',
    /subsídio de (?:refeição|alimentação|almoço)|(?:meal|lunch|food) (?:allowance|vouchers?|subsid\w+|card|per diem)|titres?[- ](?:restaurant|repas)|maaltijdcheques?|tickets?[- ]restaurant|chèques?[- ]repas|(?:indemnité|prime|panier)(?: de)? repas|prime de panier|essens(?:zuschuss|geld|marken|gutschein\w*)|verpflegungs\w*|vales? (?:de )?(?:comida|restaurante)|cheques? (?:de )?(?:comida|restaurante)|ayuda (?:de )?comida|ticket restaurante|buon[oi] pasto|ticket (?:restaurant|pasto)|indennità mensa|maaltijd(?:cheques?|vergoeding)|lunchvergoeding/iu,
  ],
  [
    'remote-allowance',
    /(?:home[- ]?office|remote(?: work(?:ing)?)?|home[- ]working|working from home|work[- ]from[- ]home|telework) (?:allowance|stipend|payment|budget)|co-?working (?:space|allowance|stipend|budget|membership)|office furniture|desk chair|homeoffice-?(?:pauschale|zuschuss)|(?:indemnité|allocation|prime)[^.;]{0,20}télétravail|compensación (?:por|de) teletrabajo|plus (?:de )?teletrabajo|indennità (?:di )?(?:smart working|telelavoro)|(?:thuis|tele)werkvergoeding|(?:aufwand|kosten|auslagen)[^.;]{0,24}(?:zu hause|im homeoffice|mobile\w* arbeit\w*)[^.;]{0,50}pauschale|(?:heim)?arbeitspauschale|hemarbetsersättning|hjemmearbejdsgodtgørelse|hjemmekontorgodtgjørelse|ekwiwalent za pracę zdalną|subsídio de teletrabalho/iu,
  ],
  [
    'relocation',
    /\bremovals?(?: (?:costs?|expenses|allowance))?(?=:)|removal (?:costs|expenses|allowance)|relocation(?: (?:allowance|assistance|package|payment|expenses|costs|bonus|support))?|moving (?:allowance|expenses|costs)|umzugs(?:kosten|pauschale|hilfe)\w*|(?:frais|prime|indemnité) de déménagement|gastos de (?:traslado|mudanza)|ayuda (?:de |al )traslado|contributo (?:per il )?trasferimento|spese di trasloco|verhuis(?:kosten|vergoeding)\w*/iu,
  ],
  [
    'housing-allowance',
    /(?:housing|accommodation|rent) (?:allowance|subsidy|costs)|\bhousing\b(?=:)|wohn(?:ungs)?(?:zuschuss|kostenzuschuss|geld)|mietzuschuss|(?:indemnité|prime|allocation|aide)(?: de| au)? (?:de )?logement|ayuda (?:de |a la )?vivienda|huisvesting\w*|woonvergoeding|indennità (?:di )?alloggio/iu,
  ],
  [
    'transport-allowance',
    /commut(?:er|ing)(?: (?:benefit|allowance|subsidy|pass)|(?=:))|woon-werk\w*|(?:travel|transport(?:ation)?|transit|mileage|parking|bus) (?:allowance|subsidy|pass|benefit)|season ticket|jobticket|deutschlandticket|fahrt?kosten(?:zuschuss|erstattung)\w*|fahrgeld|(?:transports? (?:publics|en commun)|navigo)|prime (?:de )?transport|plus (?:de )?transporte|reiskosten\w*|indennità (?:di )?trasporto|rimborso (?:del )?trasporto|abonnement de transport/iu,
  ],
  [
    'pension',
    /pension\w*(?! age)\b|assurance (?:de )?groupe|groepsverzekering|401\(?k\)?|403\(?b\)?|\bkiwisaver|superannuation|retirement (?:plan|savings|contribution)|\w*altersversorgung|altersvorsorge|direktversicherung|entgeltumwandlung|retraite (?:supplémentaire|complémentaire)|plan (?:de|d['’]épargne) (?:pensiones|retraite)|previdenza complementare|fondo (?:di )?(?:pensione|previdenza)|\w*pensioen\w*|groepsverzekering|assurance[- ]groupe/iu,
  ],
  [
    'overtime-rate',
    /overtime|mehrarbeit\w*|überstunden\w*|(?:hours|time) (?:worked )?(?:beyond|above|in excess of|over) (?:the )?(?:regular |normal |standard )?(?:\d\d|forty)|heures supplémentaires|horas extra\w*|straordinari\w*|overwerk\w*|overuren/iu,
  ],
  [
    'sick-pay',
    /sick(?:ness)? (?:pay|leave|days?|absence)|full pay for up to|(?:short|long)[- ]term (?:disability|policy)|disability (?:policy|policies)|entgeltfortzahlung|lohnfortzahlung|fortgezahlt|krankengeldzuschuss|maintien (?:de|du) (?:votre )?(?:salaire|rémunération)|mainti(?:ent|endra|enu) .{0,30}(?:salaire|rémunération|%)|(?:salaire|rémunération)[^.;]{0,30}maintenue?|incapacidad temporal|baja (?:médica|por enfermedad)|\bmalattia|bij ziekte|arbeidsongeschiktheid|doorbeta\w+|doorbetaald/iu,
  ],
  [
    'severance',
    /severance (?:pay\w*|of)|^severance$|(?<=\bas )severance\b|payment in lieu of notice of|compensation for loss of (?:employment|office)|(?:termination|ex gratia|redundancy|settlement|compensation) payment (?:of|in the (?:gross )?(?:amount|sum) of)|abfindung|indemnité (?:de (?:rupture|départ|licenciement)|transactionnelle)|indemnización (?:por|de) (?:despido|extinción)|ontslagvergoeding|transitievergoeding|beëindigingsvergoeding|incentivo all['’]esodo/iu,
  ],
  [
    'bonus',
    /\bbonus(?:es)?\b(?! paid in| scheme rules)|\bincentive (?:pay|plan|target)|variable (?:pay|compensation|remuneration)|performance[- ]related pay|profit[- ]shar\w+|\b\w*prämie\b|tantieme|gewinnbeteiligung|variable vergütung|leistungszulage|\bprime (?:annuelle|exceptionnelle|de (?:résultats?|performance)|d['’](?:objectifs?|assiduité)|sur objectifs|variable)|(?:part|rémunération) variable|\bprima (?:de (?!transporte|fichaje)|por|anual)|premio (?:di risultato|annuale|di produ\w+)|retribución variable|variable anual|bonificación|incentivos?\b|parte variabile|winstdeling|gratificatie/iu,
  ],
  [
    'other-allowance',
    /(?:(?:night|shift|weekend|evening|assignment|hardship|cost[- ]of[- ]living|phone|mobile|tool|clothing|uniform|wellness|wellbeing|fitness|gym|internet|broadband|london|first[- ]aid|childcare|on[- ]call|standby|stand-by|education|learning|training|tuition|study|equipment|laundry|language|qualification|supervis\w+|responsibility|travel|site|tropical|dirty|danger|bank holiday|sunday|retention|charge) ?-?){1,3}(?:premium|enhancement|allowance|differential|weighting|stipend|supplement|incentive|budget|payment|pay|reimbursement|assistance|benefit|subsidy|uplift)|\b(?:allowance|differential|stipend|weighting)\b|\bincentive of|tuition|vermögenswirksame leistungen|\p{L}*(?:zulage|zuschlag|zuschuss|pauschale)\b|kinderbetreuung\w*|plus (?:de|por) (?!transporte)\p{L}+|complemento (?:de|por) \p{L}+|prime (?:de |d['’])(?:ancienneté|nuit|panier|équipe|poste|froid|salissure|astreinte|risque|langue|fonction|expatriation)|(?:indemnité|prime) (?:de |d['’])(?:salissure|outillage|habillage|expatriation|détachement|garde|sujétion)|indennità (?:di )?\p{L}+|\p{L}*toeslag\b|\p{L}+vergoeding\b|opleidingsbudget/iu,
  ],
];
