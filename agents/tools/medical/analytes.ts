/**
 * What laboratories measure: names, units with their conversion, and reference ranges of adults. The ranges are the usual ones
 * of textbooks (class of source: general adult reference intervals as in the MSD Manual's and the Mayo Clinic Laboratories' public
 * tables, rounded); the range of the laboratory that measured always takes precedence. Molar factors follow from molar masses.
 */

export interface Analyte {
  readonly key: string;
  readonly name: string;
  /** In lower case, as texts write them; the first word or number finds them. */
  readonly names: readonly string[];
  /** The unit in which the range is given. */
  readonly unit: string;
  /** Other units: value in `unit` = value · factor + offset. */
  readonly units: Readonly<Record<string, { readonly factor: number; readonly offset: number }>>;
  readonly range: { readonly female: RangeOf; readonly male: RangeOf };
  /** Beyond these most laboratories telephone. */
  readonly critical: RangeOf;
}

export interface RangeOf {
  readonly low?: number;
  readonly high?: number;
}

/**
 * key | name | names | unit | other units | range (or female / male) | critical. Factors turn the other unit into the unit.
 */
const table = `
glucose | glucose | glucose, fasting glucose, blood glucose, glukose, glukóza, glykémie, glycaemia, blutzucker, glycémie | mmol/l | mg/dl 0.05551 | 3.9-5.6 | 2.5-25
hba1c | HbA1c | hba1c, a1c, hemoglobin a1c, haemoglobin a1c, glycated haemoglobin, glycated hemoglobin, glykovaný hemoglobin | mmol/mol | % 10.93 -23.5 | 20-42 |
creatinine | creatinine | creatinine, serum creatinine, s-creatinine, kreatinin, créatinine, scr, crea, creat, cr | µmol/l | mg/dl 88.4 | 44-80 / 62-106 | -700
urea | urea | urea, harnstoff, urée, močovina | mmol/l | mg/dl 0.1665 | 2.5-7.8 | -35
bun | urea nitrogen (BUN) | bun, blood urea nitrogen, urea nitrogen | mmol/l | mg/dl 0.357 | 2.5-7.8 | -35
sodium | sodium | sodium, natrium, na, na+, sodík | mmol/l | meq/l 1 | 135-145 | 120-160
potassium | potassium | potassium, kalium, k, k+, draslík | mmol/l | meq/l 1 | 3.5-5.0 | 2.5-6.5
chloride | chloride | chloride, chlorid, chloridy, cl, cl- | mmol/l | meq/l 1 | 98-107 | 80-120
bicarbonate | bicarbonate | bicarbonate, hco3, hco3-, bikarbonat, hydrogenkarbonát, total co2, co2, carbon dioxide | mmol/l | meq/l 1 | 22-28 | 10-40
calcium | calcium (total) | calcium, total calcium, kalzium, vápník, ca | mmol/l | mg/dl 0.2495; meq/l 0.5 | 2.15-2.55 | 1.65-3.25
ionised calcium | calcium (ionised) | ionised calcium, ionized calcium, ica | mmol/l | mg/dl 0.2495 | 1.15-1.30 | 0.8-1.6
phosphate | phosphate | phosphate, phosphorus, phosphat, fosfát, fosfor | mmol/l | mg/dl 0.3229 | 0.80-1.45 | 0.32-
magnesium | magnesium | magnesium, mg2+, hořčík | mmol/l | mg/dl 0.4114; meq/l 0.5 | 0.70-1.05 | 0.4-2.0
uric acid | uric acid | uric acid, urate, harnsäure, kyselina močová | µmol/l | mg/dl 59.48 | 140-360 / 200-420 |
bilirubin | bilirubin (total) | bilirubin, total bilirubin, t-bili, bilirubin total, bili | µmol/l | mg/dl 17.1 | -21 | -255
direct bilirubin | bilirubin (direct) | direct bilirubin, conjugated bilirubin | µmol/l | mg/dl 17.1 | -5 |
alt | ALT | alt, alat, gpt, sgpt, alanine aminotransferase | u/l | iu/l 1; µkat/l 60 | -35 / -50 | -1000
ast | AST | ast, asat, got, sgot, aspartate aminotransferase | u/l | iu/l 1; µkat/l 60 | -35 / -50 | -1000
alp | alkaline phosphatase | alp, alkaline phosphatase, alk phos, alkalische phosphatase | u/l | iu/l 1; µkat/l 60 | 30-120 |
ggt | GGT | ggt, gamma-gt, gmt, gamma gt | u/l | iu/l 1; µkat/l 60 | -40 / -60 |
ldh | LDH | ldh, lactate dehydrogenase | u/l | iu/l 1; µkat/l 60 | 125-220 |
ck | creatine kinase | ck, creatine kinase, cpk | u/l | iu/l 1; µkat/l 60 | 26-192 / 39-308 | -5000
amylase | amylase | amylase, amyláza | u/l | iu/l 1; µkat/l 60 | 30-110 |
lipase | lipase | lipase, lipáza | u/l | iu/l 1; µkat/l 60 | 13-60 |
albumin | albumin | albumin, serum albumin | g/l | g/dl 10 | 35-50 | 15-
total protein | total protein | total protein, gesamteiweiß, celková bílkovina | g/l | g/dl 10 | 64-83 |
crp | CRP | crp, c-reactive protein, hs-crp | mg/l | mg/dl 10 | -5 |
procalcitonin | procalcitonin | procalcitonin, pct | µg/l | ng/ml 1 | -0.5 |
cholesterol | cholesterol (total) | cholesterol, total cholesterol, gesamtcholesterin | mmol/l | mg/dl 0.02586 | -5.0 |
ldl | LDL cholesterol | ldl, ldl-c, ldl cholesterol, ldl-cholesterol | mmol/l | mg/dl 0.02586 | -3.0 |
hdl | HDL cholesterol | hdl, hdl-c, hdl cholesterol, hdl-cholesterol | mmol/l | mg/dl 0.02586 | 1.2- / 1.0- |
triglycerides | triglycerides | triglycerides, triglyceride, triacylglyceroly, tg | mmol/l | mg/dl 0.01129 | -1.7 | -11
tsh | TSH | tsh, thyrotropin | miu/l | mu/l 1; µiu/ml 1; uiu/ml 1 | 0.4-4.0 |
free t4 | free T4 | free t4, ft4, ft 4 | pmol/l | ng/dl 12.87 | 12-22 |
free t3 | free T3 | free t3, ft3, ft 3 | pmol/l | pg/ml 1.536 | 3.1-6.8 |
haemoglobin | haemoglobin | haemoglobin, hemoglobin, hb, hgb, hämoglobin, hémoglobine | g/l | g/dl 10; mmol/l 16.114 | 120-155 / 130-175 | 70-200
haematocrit | haematocrit | haematocrit, hematocrit, hct, hämatokrit | % | l/l 100 | 36-47 / 40-52 | 20-60
leukocytes | leukocytes | leukocytes, leucocytes, wbc, white blood cells, white cell count, leukozyten, leukocyty | 10^9/l | /µl 0.001 | 4.0-10.0 | 1.0-50
neutrophils | neutrophils | neutrophils, neutrophil count, anc, neutrophile | 10^9/l | /µl 0.001 | 1.8-7.5 | 0.5-
platelets | platelets | platelets, platelet count, plt, thrombocytes, thrombozyten, trombocyty | 10^9/l | /µl 0.001 | 150-400 | 20-1000
erythrocytes | erythrocytes | erythrocytes, rbc, red blood cells, erythrozyten, erytrocyty | 10^12/l | 10^6/µl 1 | 3.9-5.2 / 4.3-5.8 |
mcv | MCV | mcv | fl | | 80-100 |
ferritin | ferritin | ferritin | µg/l | ng/ml 1 | 15-150 / 30-400 |
iron | iron | iron, serum iron, železo | µmol/l | µg/dl 0.1791 | 10-30 |
inr | INR | inr, pt-inr | 1 | | 0.8-1.2 | -5
aptt | aPTT | aptt, ptt | s | sec 1 | 25-37 | -100
d-dimer | D-dimer | d-dimer, d-dimers, d-dimery | µg/l | ng/ml 1; mg/l 1000 | -500 |
troponin t | troponin T (hs) | troponin t, hs-troponin t, hs-tnt, hstnt | ng/l | pg/ml 1 | -14 | -52
nt-probnp | NT-proBNP | nt-probnp, ntprobnp | ng/l | pg/ml 1 | -125 |
bnp | BNP | bnp | ng/l | pg/ml 1 | -35 |
vitamin d | vitamin D (25-OH) | vitamin d, 25-oh vitamin d, 25-oh-d | nmol/l | ng/ml 2.496 | 50-125 | -375
vitamin b12 | vitamin B12 | vitamin b12, b12, cobalamin | pmol/l | pg/ml 0.738; ng/l 0.738 | 148-664 |
folate | folate | folate, folic acid level | nmol/l | ng/ml 2.266; µg/l 2.266 | 10-42 |
lactate | lactate | lactate, laktat, laktát | mmol/l | mg/dl 0.111 | 0.5-2.0 | -4
ph | pH (arterial) | ph | 1 | | 7.35-7.45 | 7.20-7.60
pco2 | pCO2 (arterial) | pco2, paco2 | mmhg | kpa 7.50062 | 35-45 | 20-70
po2 | pO2 (arterial) | po2, pao2 | mmhg | kpa 7.50062 | 75-100 | 45-
psa | PSA | psa | µg/l | ng/ml 1 | -4.0 |
lithium | lithium (therapeutic) | lithium level, serum lithium, lithium | mmol/l | meq/l 1 | 0.6-1.0 | -1.5
digoxin | digoxin (therapeutic) | digoxin level, serum digoxin | µg/l | ng/ml 1; nmol/l 0.781 | 0.5-0.9 | -2.0
egfr | eGFR (reported) | egfr, gfr | ml/min/1.73m2 | ml/min 1 | 60- | 15-
`;

export const analytes: readonly Analyte[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [key = '', name = '', names = '', unit = '', units = '', range = '', critical = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    const [female = '', male = female] = range.split(' / ');
    return {
      key,
      name,
      names: names.split(', '),
      unit,
      units: Object.fromEntries(units.split('; ').filter(Boolean).map(parseUnit)),
      range: { female: parseRange(female), male: parseRange(male) },
      critical: parseRange(critical),
    };
  });

export const analyteByKey: ReadonlyMap<string, Analyte> = new Map(analytes.map((analyte) => [analyte.key, analyte]));

function parseUnit(text: string): [string, { factor: number; offset: number }] {
  const [unit = '', factor, offset = '0'] = text.split(' ');
  return [unit, { factor: Number(factor), offset: Number(offset) }];
}

/** `3.5-5.0`, `-5`, `60-`, or nothing. */
function parseRange(text: string): RangeOf {
  const dash = text.indexOf('-');
  if (dash < 0) return {};
  const [low, high] = [text.slice(0, dash), text.slice(dash + 1)];
  return { ...(low === '' ? {} : { low: Number(low) }), ...(high === '' ? {} : { high: Number(high) }) };
}
