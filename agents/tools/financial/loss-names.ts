/** Names that mark an amount without a sign as a loss. */

/** Whether a normalised name marks an amount without a sign as a loss: "net loss", not "net income (loss)". */
export function isLossName(name: string): boolean {
  return lossShape.test(name) && !resultShape.test(name);
}

const lossShape =
  /\b(?:loss|losses|deficit|jahresfehlbetrag|fehlbetrag|jahresverlust|perte|perdita|ztrata|verlies|forlust|underskud|underskudd|prejuizo|strata|tappio)\b/;
const resultShape =
  /\b(?:profit|income|earnings|gain|jahresuberschuss|benefice|resultat|ergebnis|zisk|vysledek|utile|resultado|winst|vinst|overskud|overskudd|lucro|wynik|voitto|tulos)\b/;
