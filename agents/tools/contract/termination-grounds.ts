/** The wording of rights to end a contract: the act, the right, and the grounds, in English, German, French and Spanish. */

/** Why a party may end the contract. */
export type TerminationGround =
  | 'convenience'
  | 'material-breach'
  | 'non-payment'
  | 'insolvency'
  | 'change-of-control'
  | 'force-majeure'
  | 'good-cause';

/** The act of ending. */
export const ending =
  /\b(?:terminat(?:e|ed|ing)|cancel(?:s|led|ed)?|rescind|bring\b[^.;]{0,40}\bto an end|put an end to|ends? (?:this|the|it|these|our|its|their|your)|stops? (?:this|the (?:work|services?|engagement|project|subscription|arrangement|agreement|contract)|it|at any time|using|working)|terminates? (?:it|this)|ended by|notice to end|walk away|exit (?:this|the) (?:agreement|contract|arrangement)|determine this|resign|re-enter|forfeit|withdraw from (?:this|the) (?:agreement|contract)|kündigen|kündigt|gekündigt|kündbar|kündigung (?:aus|zum|mit|ist)|(?:zur|der) (?:\p{L}+ ){0,3}kündigung|zurücktreten|zurückzutreten|beenden|(?:right|entitled) (?:of|to) (?:\w+ )?(?:termination|terminate|cancel)|declare\b[^.;]{0,120}\b(?:due|payable)|demand (?:immediate )?repayment|accelerate|résili(?:er|ée?s?)|mettre fin|résolu|rescindi[rd]\w*|resolver|dar por terminad\w+|darse por terminad\w+|do (?:so|the same)|opgezegd|opzeggen|ontbinden|recedere|risolvere)(?![\p{L}])/iu;

/** A party may do it. */
export const right =
  /\b(?:may|can|(?:is|are|be) (?:also )?(?:entitled|free|allowed|permitted) to|(?:has|have|reserves?) (?:the|a) (?:\w+ )?right to|at (?:its|their) option|option to|by notice|kann|können|darf|dürfen|ist berechtigt|sind berechtigt|berechtigt|peut|peuvent|pourra|pourront|podrá|podrán|puede|pueden|può|kan|mag)(?![\p{L}])|\b(?:be|is) terminated (?:\w+ ){0,6}by\b|\bkündbar\b|\bRecht\b[^.;]{0,60}\b(?:zur|auf|der)\b[^.;]{0,40}\bKündigung\b|\bunless (?:and until )?(?:\w+ )?(?:terminated|cancelled|ended) (?:by|on|upon)\b|\brights?\b[^.;]{0,60}\bto (?:terminate|cancel)\b|\buntil (?:either|one|a|any|the)\b[^.;]{0,50}\b(?:ends?|terminates?|cancels?)\b|\bbis\b[^.;]{0,60}\bkündigt\b/iu;

/** The right is excluded. */
export const denied =
  /\b(?:no|not have (?:the|a|any)) (?:right|option|entitlement)[^.;]{0,50}\b(?:terminat|break|cancel|end)|\b(?:may|can) ?not (?:\w+ ){0,2}(?:terminat|cancel|end)|\b(?:shall|will|does|do) not (?:be entitled|have)[^.;]{0,40}terminat|\bausgeschlossen\b|\bnicht (?:ordentlich )?(?:kündbar|gekündigt)|\bneither (?:party|side|of us) (?:may|shall|can|has)[^.;]{0,40}(?:terminat|cancel|end)|\bno (?:termination|right of termination) for convenience\b|\bconsidered, and dropped\b/i;

/** No reason is needed. */
export const convenience =
  /\bfor (?:its |their |our |your )?(?:own )?convenience\b|\bwithout (?:giving )?(?:any )?cause\b|\bfor any (?:or no )?reason\b|\bwithout (?:giving (?:any )?|stating (?:any )?)?reasons?\b|\bat any time\b|\bwhenever\b|\bat will\b|\bwith or without cause\b|\bjederzeit\b|\bordentlich(?:e|en)?\b|\bohne angabe von gründen\b|\buntil (?:either|one|a|any)\b[^.;]{0,40}\b(?:ends?|terminates?|cancels?)\b|\bà tout moment\b|\ben cualquier momento\b|\bin qualsiasi momento\b|\bte allen tijde\b/i;

/** A reason is needed. */
export const condition =
  /\b(?:if|where|when|unless|should|once|in the event|in case|upon the occurrence|wenn|falls|sofern|sobald|because|si|en cas de|en caso de|indien|qualora)\b|\bfor (?:cause|good cause|material breach|breach)\b|\baus wichtigem grund\b|\bwichtige[rn]? grund/i;

/** In the order in which they are examined. */
export const grounds: readonly (readonly [TerminationGround, RegExp])[] = [
  [
    'good-cause',
    /\bfor [Cc]ause\b(?<!without cause)|\bgood cause\b|\bjust cause\b|\bimportant (?:reason|cause)\b|\b(?:gross|serious|wil(?:l)?ful) misconduct\b|\bbrings? [^.;]{0,60}into disrepute\b|\bwichtige[mnr]? [Gg]r[uü]nd|\bjustes? motifs?\b|\bfaute (?:grave|lourde)\b|\bjusta causa\b|\bgiusta causa\b|\bdringende reden\b/,
  ],
  [
    'material-breach',
    /\bbreach(?:es|ed)?\b|\bdefaults?\b(?! (?:interest|of payment|in payment))|\bbreaks? (?:any|its|a|this|these|the) [^.;,]{0,30}(?:promise|term|obligation|dut|agreement|contract|rule)|\bviolat(?:es?|ed|ion)\b|\bcovenants? (?:is|are) (?:broken|not)|\bfail(?:s|ed|ure)? to (?:perform|comply|observe|meet|fulfil|remedy|cure|carry out|keep)|\bdoes not (?:comply|perform|keep|fulfil|meet) |\bVerletz(?:t|ung)\b|\bverletzt\b|\bVertragsverletzung|\bPflichtverletzung|\bverstößt\b|\bEvents? of Default\b|\bmanquement|\binexécution\b|\bincumpl\w+|\binadempi\w+|\btekortkom\w+/i,
  ],
  [
    'non-payment',
    /\bfail(?:s|ed|ure)? (?:\w+ )?(?:to pay|to make (?:any )?(?:\w+ )?payment)|\bnon-?payment\b|\bunpaid\b|\boverdue\b|\bpast due\b|\bin arrears\b|\bdo(?:es)? not (?:\w+ )?pay\b|\b(?:has|have|is|are|was) not (?:been )?paid\b|\bdays late (?:in|with) (?:paying|payment)\b|\blate (?:in paying|with (?:a )?payment)|\bpayment default|\bZahlungsverzug|\bZahlungsrückst|\bmit (?:der Zahlung|[^.;]{0,60}) in (?:Verzug|Rückstand)|\bdéfaut de paiement\b|\bnon-paiement\b|\bimpago\b|\bfalta de pago\b|\bmancato pagamento\b/i,
  ],
  [
    'insolvency',
    /\binsolv|\bbankrupt|\bliquidat(?:ion|or)|\bwinding[- ]up\b|\bwound up\b|\badministrat(?:ion|or)\b(?! (?:fee|costs))|\breceiver(?:ship)?\b|\bassignment for the benefit of\b|\b(?:unable to|cannot|can no longer) pay (?:its|their) debts|\bcomposition with (?:its |his )?creditors|\bmoratorium\b|\bceases? (?:to (?:do|carry on|trade)|(?:doing|carrying on) business|trading|business)|\bInsolvenz|\bZahlungsunfähig|\bÜberschuldung|\bzahlungsunfähig|\bredressement\b|\bliquidation judiciaire|\bcessation (?:de|des) paiements?\b|\bconcurso\b|\binsolvencia\b|\bfallimento\b|\bfaillissement\b|\bsurseance\b/i,
  ],
  [
    'change-of-control',
    /\bchanges? (?:of|in) (?:\w+ )?(?:control|ownership)\b|\bcontrol of [^.;,]{0,40}\b(?:changes|passes)\b|\bchanges hands\b|\b(?:is|are|be) (?:acquired|taken over) by\b|\bbought by\b|\bKontrollwechsel|\bbeherrschende[nr]? Einfluss|\bMehrheit der (?:Anteile|Geschäftsanteile)|\bGesellschafterwechsel|\bchangement de contrôle|\bcambio de control/i,
  ],
  [
    'force-majeure',
    /\bforce majeure\b|\bhöhere[rn]? Gewalt|\b(?:beyond|outside) (?:\w+ ){0,5}control\b|\bnot been reinstated\b|\b(?:destroyed|damaged)\b|\bfuerza mayor\b|\bovermacht\b|\bforza maggiore\b/i,
  ],
];
