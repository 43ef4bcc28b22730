/** Words by which a period is no time limit of the organisation: a goal, a definition, a length of time in the past. */

export const asGoal =
  /(?<!\p{L})(?:as a goal|goal of|aims? to|ambition|als ziel|comme objectif|objectif|como objetivo|come obiettivo|streven|streefdoel)(?!\p{L})/iu;
export const asDefinition =
  /(?<!\p{L})(?:if (?:a|an|any) .{0,60}not (?:corrected|closed|resolved)|wird zur|pasará a|gilt als|is upgraded|becomes? a major|suspended or|sospeso o|ausgesetzt|suspendu)(?!\p{L})/iu;
export const asLength =
  /(?<!\p{L})(?:in the (?:last|past)|last|past|previous|letzten|vergangenen|derniers|dernières|últimos|últimas|ultimi|ultime|afgelopen|laatste|over the)\s{1,4}$/iu;
export const byContract =
  /(?<!\p{L})(?:under the (?:agreement|contract)|by contract|contractually|volgens de overeenkomst|volgens het contract|laut vertrag|vertraglich|selon (?:le contrat|l.accord)|según el (?:contrato|acuerdo)|secondo (?:il contratto|l.accordo)|da contratto)(?!\p{L})/iu;
