/** Words by which a period is no time limit of the organisation: a goal, a definition, a length of time in the past. */

export const asGoal =
  /(?<!\p{L})(?:as a goal|goal of|aims? to|ambition|als ziel|comme objectif|objectif|como objetivo|come obiettivo|streven|streefdoel)(?!\p{L})/iu;
export const asDefinition =
  /(?<!\p{L})(?:if (?:a|an|any) .{0,60}not (?:corrected|closed|resolved)|wird zur|pasará a|gilt als|is upgraded|becomes? a major|suspended or|sospeso o|ausgesetzt|suspendu)(?!\p{L})/iu;
export const asLength =
  /(?<!\p{L})(?:in the (?:last|past)|last|past|previous|letzten|vergangenen|derniers|dernières|últimos|últimas|ultimi|ultime|afgelopen|laatste|over the)\s{1,4}$/iu;
export const byContract =
  /(?<!\p{L})(?:under the (?:agreement|contract)|by contract|contractually|volgens de overeenkomst|volgens het contract|laut vertrag|vertraglich|selon (?:le contrat|l.accord)|según el (?:contrato|acuerdo)|secondo (?:il contratto|l.accordo)|da contratto)(?!\p{L})/iu;
/** What a provider owes an organisation by a contract. */
export const ofOtherContract =
  /(?<!\p{L})(?:under|pursuant to|according to|nach|laut|gemäß|selon|en vertu de|según|secondo|volgens|krachtens) (?:its|their|seine[mn]|ihre[mnr]|son|leurs?|sus?|il suo|i loro|zijn|hun) (?:own )?(?:contracts?|agreements?|vertr(?:ag|ags|äge|ägen)|contrats?|contratos?|contratt[oi]|contracten|overeenkomsten|overeenkomst)(?!\p{L})/iu;
/** "We would notify customers within 12 hours": a supposition of somebody who answers or explains. */
export const supposed =
  /(?<!\p{L})(?:would|would have|würden?|wäre|hätten?|serait|serions|devrions|zouden|zou|sarebbe|sería|habría|had we|notifieraient?|notificaríamos)(?!\p{L})/iu;
