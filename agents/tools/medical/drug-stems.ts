/**
 * Stems of international non-proprietary names, by which a medicine is known that the table does not have.
 * @see WHO, "The use of stems in the selection of INN" (2018); endings as the folded spelling writes them
 */
const stems =
  'mab nib ciclib parib degib lisib metinib rafenib zomib prazol sartan vastatin dipin olol gliptin gliflozin glutid natid xaban ' +
  'gatran parin ciclin floxacin cilin micin conazol fungin ciclovir tegravir tasvir buvir navir tidin triptan gepant setron zepam zolam ' +
  'oxetin prazin peridon dronat terol tropium metason nisolon platin taxel rubicin bicin mustin poetin grastim tinib ' +
  'curonium fentanil profen coxib tiazid semid lukast fibrat glitazon formin penem bactam trexed trexat statim tadin astin stigmin ' +
  'giptant pidem gilin grel kinra cept afil osin asterid triptilin pramin zosin vaptan relix relin dopa capon gabalin racetam zepin';

/** Words of the language that end like a stem. */
const ordinary =
  /^(?:benzodiazepin|betadin|cheri|concept|except|accept|percept|precept|intercept|recept|rabbit|.*(?:omicin|medicin)|.*gender|.*statin[ge]?|destin|routin|.*origin|.*mobil|.*alcool|cholesterol|colesterol|choles.*|symbol|simbol|protocol|pistol|.*control|.*enol|glicol|.*medicin|officin|vacin|.*tropin|.*insulin|interferon)$/;

const stemShape = new RegExp(String.raw`^\p{L}{2,16}(?:${stems.split(' ').join('|')})$`, 'u');

/** @param fold the folded spelling of a word */
export function hasDrugStem(fold: string): boolean {
  return fold.length >= 7 && fold.length <= 24 && stemShape.test(fold) && !ordinary.test(fold);
}
