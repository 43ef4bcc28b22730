/**
 * The words with which headings name the reported figures of a period: its length, its dates, its unit, and that the figures are
 * actual. Seven languages. A heading with another word may show something else: a plan, a part, another company.
 */
import { isMonthName } from './period-words.ts';

const periodWords =
  'year years month months week weeks quarter quarters half full ended ending end fiscal financial fy fye ytd ltm r12 ttm rolling annual yearly cumulative three six nine twelve thirteen twenty thirty fifty two first second third fourth current previous prior py period date ' +
  'jahr jahre monat monate quartal halbjahr geschaftsjahr wirtschaftsjahr gj vorjahr vj berichtsjahr stand stichtag kumuliert ' +
  'exercice exercices annee annees mois trimestre semestre clos n precedent periode cumul ' +
  'ejercicio ejercicios ano anos mes meses acum acumulado cerrado anterior actual periodo ' +
  'esercizio esercizi anno mesi chiuso precedente corrente progressivo progr boekjaar jaar maanden kwartaal halfjaar vorig cumulatief ' +
  'bezne minule sledovane obdobi ' +
  'ar aret helar halvar kvartal kvartalet manad manader man rakenskapsar regnskabsar regnskapsar maned maneder mdr ack ackumulerat ackumulert ' +
  'foregaende forra forrige fg tredje forsta andra fjarde forste andet exercicio trimestre acumulado acumulados homologo ' +
  'rok roku kwartal kwartalu polrocze miesiecy miesiace okres tilikausi vuosi neljannes kk ' +
  'hj hjr hbj qtr qtrs qtd kw kv trim sem mths mth mos mo wk wks semestral trimestral semestrale trimestrale semestriel trimestriel semestres ' +
  'trimestres quartals halbjahres kvt kvartals halvars pr den primer segundo tercer cuarto primo secondo terzo quarto premier deuxieme troisieme ' +
  'erstes zweites drittes viertes eerste tweede derde vierde ' +
  'cy mc mies ii iii iv narastajaco narastajaca obrotowy obrotowego koniec konca bilansowy bilansowa stan zakonczony zakonczone trzy szesc dziewiec dwanascie ' +
  'drei sechs neun zwolf geschaftsjahres monats zeitraum jahresende endend abgelaufen trois six neuf douze termine terminee arrete arretee semestres exerc ' +
  'tres seis nueve doce finalizado terminado terminados tre sei nove dodici terminato drie zes negen twaalf eindigend geeindigd boekjaren maand ' +
  'sex nio tolv seks ni perioden perioder rullande tolvmanaders rakenskapsaret regnskabsaret regnskapsaret utgang ultimo slut interim results closing nove doze findo findos semestre ' +
  'q1 q2 q3 q4 h1 h2 s1 s2 t1 t2 t3 t4 1q 2q 3q 4q 1h 2h hy 3m 6m 9m 12m';

const joiningWords =
  'and the of to at as on in for from until through bis zum per und der die das au du de del a al le la y et e el il tot van en op och og per till til fra i em ao aos w na od do dnia ja';

const statusWords =
  'actual actuals act real reel ist effettivo consuntivo werkelijk reported audited unaudited gepruft ungepruft audite auditado ' +
  'corrected recast korrigiert rattad as restated rest revised retraite angepasst reexpresado rideterminato aangepast herzien net total totale gesamt totaal statutory ' +
  'group groupe gruppo grupo groep konzern consolidated konsolidiert consolide consolidado consolidato geconsolideerd assets equity koncernen koncern konsernet utfall faktisk realiserat omraknat omraknad justerat tilpasset reexpresso auditado nao reviewed ifrs hgb resultat utfallet resultater verificado revisado niet gecontroleerd ej granskad reviderat ureviderat niebadane badane zbadane wykonanie przeksztalcone toteutunut';

const unitWords =
  'us c ca cdn kc mm usdm eurm gbpm chfm sekm keuros meuros mchf kchf mgbp musd kusd tusd tgbp sfr fr eur usd gbp chf cad sek nok dkk jpy pln czk teur keur meur tchf euro euros dollars pounds yen k m bn mn mio mrd mln tsd ' +
  'amounts figures expressed presented stated all rounded values betrage angaben montants exprimes importes expresados montantes expressos quantias importi espressi valori valores cifras bedragen uitgedrukt belopp belob oplyst kwoty wyrazone ' +
  'thousand thousands million millions billion tausend millionen milliers millones miles milioni migliaia miljoen duizend msek tsek ksek mnok tnok mdkk tdkk mkr tkr kr kronor kroner tusen tusental tusind miljoner millioner mn mill milhares milhoes tys zl zlotych euroa miljoonaa tuhatta';

const known: ReadonlySet<string> = new Set(
  [periodWords, joiningWords, statusWords, unitWords].flatMap((words) => words.split(' ')),
);

/** "1st", "30th", "1er", "FY25", "FY2023A". */
const numbered = /^(?:\d+(?:st|nd|rd|th|er|e|m)?|(?:(?:fy|cy|gj|hy)\d{2}|(?:fy|cy|gj|hy)?\d{4})[abefpr]?)$/;

/** The words of headings that do not describe reported figures of a period. @param texts cells of one column's heading */
export function otherWords(texts: readonly string[]): string[] {
  const words =
    texts
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.filter((word) => /\p{L}/u.test(word) && !isMonthName(word) && !isKnown(withoutMarks(word)));
}

function isKnown(word: string): boolean {
  return known.has(word) || numbered.test(word);
}

function withoutMarks(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '');
}
