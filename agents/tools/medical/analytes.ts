/**
 * Quantities that laboratories measure: names, units with their conversion, and reference ranges for adults. The ranges are the
 * usual ones of textbooks (class of source: general adult reference intervals as in the MSD Manual's and the Mayo Clinic
 * Laboratories' public tables, rounded); the range of the reporting laboratory always takes precedence. Molar factors follow
 * from molar masses.
 */

import { furtherNames } from './analyte-names.ts';

export interface Analyte {
  readonly key: string;
  readonly name: string;
  /** In lower case, as in texts; indexed by the first word or number. */
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
 * key | name | names | unit | other units | range (or female / male) | critical. A factor converts the other unit to the unit.
 */
const table = `
glucose | glucose | glucose, fasting glucose, blood glucose, glukose, glukóza, glykémie, glycaemia, blutzucker, glycémie, gluc, glu, random glucose, plasma glucose, serum glucose, glucose fasting, glykämie, nüchternglukose, glycémie à jeun, glucosa, bz, bg, fbs, glucemia, glicemia, glucosio | mmol/l | mg/dl 0.05551 | 3.9-5.6 | 2.5-25
hba1c | HbA1c | hba1c, a1c, hemoglobin a1c, haemoglobin a1c, glycated haemoglobin, glycated hemoglobin, glykovaný hemoglobin, hémoglobine glyquée, hba1c (ifcc), hgba1c, hb a1c, hgb a1c, glycohemoglobin | mmol/mol | % 10.93 -23.5 | 20-42 |
creatinine | creatinine | creatinine, serum creatinine, s-creatinine, kreatinin, créatinine, scr, crea, creat, cr, kreatinin i.s., créatininémie, créatinine sérique, krea, creatinine serum, creatinina | µmol/l | mg/dl 88.4 | 44-80 / 62-106 | -700
urea | urea | urea, harnstoff, urée, močovina, bun/urea, urémie, harnstoff-n, serum urea | mmol/l | mg/dl 0.1665 | 2.5-7.8 | -35
bun | urea nitrogen (BUN) | bun, blood urea nitrogen, urea nitrogen | mmol/l | mg/dl 0.357 | 2.5-7.8 | -35
sodium | sodium | sodium, natrium, na, na+, sodík, natrémie, serum sodium, sodium (na), sodio, natremia | mmol/l | meq/l 1 | 135-145 | 120-160
potassium | potassium | potassium, kalium, k, k+, draslík, kaliémie, serum potassium, potassium (k), potasio, potassio, kaliemia | mmol/l | meq/l 1 | 3.5-5.0 | 2.5-6.5
chloride | chloride | chloride, chlorid, chloridy, cl, cl-, chlorure, chlorures, chlor | mmol/l | meq/l 1 | 98-107 | 80-120
bicarbonate | bicarbonate | bicarbonate, hco3, hco3-, bikarbonat, hydrogenkarbonát, total co2, co2, carbon dioxide, bicarbonates, serum bicarbonate, tco2, hydrogencarbonat, standardbikarbonat | mmol/l | meq/l 1 | 22-28 | 10-40
calcium | calcium (total) | calcium, total calcium, kalzium, vápník, ca, calcémie, serum calcium, kalzium gesamt, calcium gesamt, calcio | mmol/l | mg/dl 0.2495; meq/l 0.5 | 2.15-2.55 | 1.65-3.25
ionised calcium | calcium (ionised) | ionised calcium, ionized calcium, ica | mmol/l | mg/dl 0.2495 | 1.15-1.30 | 0.8-1.6
phosphate | phosphate | phosphate, phosphorus, phosphat, fosfát, fosfor, phosphorémie, phosphore, po4, fósforo, fosforo | mmol/l | mg/dl 0.3229 | 0.80-1.45 | 0.32-
magnesium | magnesium | magnesium, mg2+, hořčík, mg, mag, magnésium, serum magnesium, magnésémie, magnesio | mmol/l | mg/dl 0.4114; meq/l 0.5 | 0.70-1.05 | 0.4-2.0
uric acid | uric acid | uric acid, urate, harnsäure, kyselina močová, acide urique, uricémie | µmol/l | mg/dl 59.48 | 140-360 / 200-420 |
bilirubin | bilirubin (total) | bilirubin, total bilirubin, t-bili, bilirubin total, bili, bilirubine totale, bilirubine, bilirubin gesamt, gesamtbilirubin, tbili, t bili, bilirubin (total), bilirrubina, bilirubina | µmol/l | mg/dl 17.1 | -21 | -255
direct bilirubin | bilirubin (direct) | direct bilirubin, conjugated bilirubin, bilirubin direct, bilirubine conjuguée, direktes bilirubin, bilirubin direkt | µmol/l | mg/dl 17.1 | -5 |
alt | ALT | alt, alat, gpt, sgpt, alanine aminotransferase, sgpt/alt, alt (gpt), gpt (alt), alt (sgpt), alat (gpt), alanine transaminase, tgp, gpt/alt | u/l | iu/l 1; µkat/l 60 | -35 / -50 | -1000
ast | AST | ast, asat, got, sgot, aspartate aminotransferase, sgot/ast, ast (got), got (ast), ast (sgot), asat (got), aspartate transaminase, tgo | u/l | iu/l 1; µkat/l 60 | -35 / -50 | -1000
alp | alkaline phosphatase | alp, alkaline phosphatase, alk phos, alkalische phosphatase, ap, pal, phosphatases alcalines, alk phosphatase, alkaline phos, alkalische phosphatase (ap) | u/l | iu/l 1; µkat/l 60 | 30-120 |
ggt | GGT | ggt, gamma-gt, gmt, gamma gt, gamma-glutamyl transferase, γ-gt, γgt, gammagt, gamma glutamyl transferase | u/l | iu/l 1; µkat/l 60 | -40 / -60 |
ldh | LDH | ldh, lactate dehydrogenase | u/l | iu/l 1; µkat/l 60 | 125-220 |
ck | creatine kinase | ck, creatine kinase, cpk, cpk total, creatinkinase, kreatinkinase, créatine kinase | u/l | iu/l 1; µkat/l 60 | 26-192 / 39-308 | -5000
amylase | amylase | amylase, amyláza | u/l | iu/l 1; µkat/l 60 | 30-110 |
lipase | lipase | lipase, lipáza | u/l | iu/l 1; µkat/l 60 | 13-60 |
albumin | albumin | albumin, serum albumin, albumine, albuminémie, alb, albúmina, albumina | g/l | g/dl 10 | 35-50 | 15-
total protein | total protein | total protein, gesamteiweiß, celková bílkovina, protein total, protéines totales, protidémie, eiweiß gesamt, protein, total | g/l | g/dl 10 | 64-83 |
crp | CRP | crp, c-reactive protein, hs-crp, c-reaktives protein, protéine c réactive, protéine c-réactive, c reactive protein, crp (hs), pcr, proteína c reactiva | mg/l | mg/dl 10 | -5 |
procalcitonin | procalcitonin | procalcitonin, pct, procalcitonine | µg/l | ng/ml 1 | -0.5 |
cholesterol | cholesterol (total) | cholesterol, total cholesterol, gesamtcholesterin, cholesterin, cholestérol total, cholestérol, cholesterol total, colesterol total, colesterolo totale, colesterolo, totaal cholesterol, cholesterin ges., cholesterin ges, cholesterin gesamt, chol | mmol/l | mg/dl 0.02586 | -5.0 |
ldl | LDL cholesterol | ldl, ldl-c, ldl cholesterol, ldl-cholesterol, ldl-cholesterin, ldl cholestérol, cholestérol ldl, ldl cholesterin, ldl-cholestérol, ldl calculated | mmol/l | mg/dl 0.02586 | -3.0 |
hdl | HDL cholesterol | hdl, hdl-c, hdl cholesterol, hdl-cholesterol, hdl-cholesterin, hdl cholestérol, cholestérol hdl, hdl cholesterin, hdl-cholestérol | mmol/l | mg/dl 0.02586 | 1.2- / 1.0- |
triglycerides | triglycerides | triglycerides, triglyceride, triacylglyceroly, tg, triglyzeride, triglycérides, trigliceridi, triglicéridos, triglicerydy, triglyceriden, trig, trigs | mmol/l | mg/dl 0.01129 | -1.7 | -11
tsh | TSH | tsh, thyrotropin, tsh basal, tsh ultrasensible, thyroid stimulating hormone, thyreotropin, tsh us | miu/l | mu/l 1; µiu/ml 1; uiu/ml 1 | 0.4-4.0 |
free t4 | free T4 | free t4, ft4, ft 4, t4 libre, freies t4, t4 free, t4l, t4, free, free thyroxine | pmol/l | ng/dl 12.87 | 12-22 |
free t3 | free T3 | free t3, ft3, ft 3, t3 libre, freies t3, t3l, t3, free | pmol/l | pg/ml 1.536 | 3.1-6.8 |
haemoglobin | haemoglobin | haemoglobin, hemoglobin, hb, hgb, hämoglobin, hémoglobine, hemoglobine, hgb/hb, hb/hgb, hemoglobina, emoglobina | g/l | g/dl 10; mmol/l 16.114 | 120-155 / 130-175 | 70-200
haematocrit | haematocrit | haematocrit, hematocrit, hct, hämatokrit, hkt, hématocrite, hématocrit, pcv, hematokrit, hematocrito, ematocrito | % | l/l 100 | 36-47 / 40-52 | 20-60
leukocytes | leukocytes | leukocytes, leucocytes, wbc, white blood cells, white cell count, leukozyten, leukocyty, wcc, white cells, white cell count (wcc), leukocyte count, leucocyte count, white blood cell count, white count, leukos, leuko, globules blancs, gb, total wbc, wbc count, leucocitos, leucociti, globuli bianchi, leukocyten | 10^9/l | /µl 0.001 | 4.0-10.0 | 1.0-50
neutrophils | neutrophils | neutrophils, neutrophil count, anc, neutrophile, polynucléaires neutrophiles, pnn, neuts, neutrophile granulozyten, neutros, absolute neutrophil count, neutrophils abs, segmented neutrophils, neutrófilos, neutrofili | 10^9/l | /µl 0.001 | 1.8-7.5 | 0.5-
platelets | platelets | platelets, platelet count, plt, thrombocytes, thrombozyten, trombocyty, plaquettes, thrombos, thrombo, platelet count (plt), platelet, plts, plaquetas, piastrine, trombocyten, bloedplaatjes | 10^9/l | /µl 0.001 | 150-400 | 20-1000
erythrocytes | erythrocytes | erythrocytes, rbc, red blood cells, erythrozyten, erytrocyty, érythrocytes, hématies, erys, rbc count, red cell count, globules rouges, red blood cell count, hematíes, eritrocitos, eritrociti | 10^12/l | 10^6/µl 1 | 3.9-5.2 / 4.3-5.8 |
mcv | MCV | mcv, vgm, mean cell volume, mean corpuscular volume | fl | | 80-100 |
ferritin | ferritin | ferritin, ferritine, ferritinémie, serum ferritin, ferritina | µg/l | ng/ml 1 | 15-150 / 30-400 |
iron | iron | iron, serum iron, železo, fer sérique, fer, eisen | µmol/l | µg/dl 0.1791 | 10-30 |
inr | INR | inr, pt-inr, inr (pt), pt/inr | 1 | | 0.8-1.2 | -5
aptt | aPTT | aptt, ptt, tca, ptt (aptt), activated partial thromboplastin time | s | sec 1 | 25-37 | -100
d-dimer | D-dimer | d-dimer, d-dimers, d-dimery, d-dimères, d-dimere, ddimer, ddimere, d dimer, dímero d | µg/l | ng/ml 1; mg/l 1000; µg/ml 1000; mg/lfeu 1000; µg/mlfeu 1000; ng/mlfeu 1; µg/lfeu 1 | -500 |
troponin t | troponin T (hs) | troponin t, hs-troponin t, hs-tnt, hstnt, troponin-t, high sensitivity troponin t, hs troponin t, hs-trop t, trop t, tnt, hstn t, troponine t, troponine t us, troponin t hs, hs-ctnt | ng/l | pg/ml 1; ng/ml 1000; µg/l 1000 | -14 | -52
nt-probnp | NT-proBNP | nt-probnp, ntprobnp, nt probnp, nt-pro-bnp, ntpro-bnp, nt-pro bnp, pro-bnp, probnp | ng/l | pg/ml 1 | -125 |
bnp | BNP | bnp | ng/l | pg/ml 1 | -100 |
vitamin d | vitamin D (25-OH) | vitamin d, 25-oh vitamin d, 25-oh-d, 25-hydroxyvitamin d, 25-oh-vitamin d, vitamin d 25-oh, vitamine d, 25(oh)d, 25-oh-d3, vitamin d (25-oh), 25-hydroxy, vitamina d | nmol/l | ng/ml 2.496 | | -375
vitamin b12 | vitamin B12 | vitamin b12, b12, cobalamin, vitamine b12, vit b12, vitamina b12 | pmol/l | pg/ml 0.738; ng/l 0.738 | 148-664 |
folate | folate | folate, folic acid level, folsäure, folates, serum folate, vitamine b9 | nmol/l | ng/ml 2.266; µg/l 2.266 | 10-42 |
lactate | lactate | lactate, laktat, laktát, lactates, lactate (venous), lactic acid, lac, lactate veineux, lactato | mmol/l | mg/dl 0.111 | 0.5-2.0 | -4
ph | pH (arterial) | ph | 1 | | 7.35-7.45 | 7.20-7.60
pco2 | pCO2 (arterial) | pco2, paco2 | mmhg | kpa 7.50062 | 35-45 | 20-70
po2 | pO2 (arterial) | po2, pao2 | mmhg | kpa 7.50062 | 75-100 | 45-
psa | PSA | psa, psa total, total psa, prostate specific antigen | µg/l | ng/ml 1 | -4.0 |
lithium | lithium (therapeutic) | lithium level, serum lithium, lithium | mmol/l | meq/l 1 | 0.6-1.0 | -1.5
digoxin | digoxin (therapeutic) | digoxin level, serum digoxin, digoxinspiegel, digoxinémie | µg/l | ng/ml 1; nmol/l 0.781 | 0.5-0.9 | -2.0
mch | MCH | mch, tcmh, mean cell haemoglobin, mean cell hemoglobin | pg | | 27-33 |
mchc | MCHC | mchc, ccmh | g/l | g/dl 10 | 320-360 |
rdw | RDW | rdw, rdw-cv | % | | 11.5-14.5 |
lymphocytes | lymphocytes | lymphocytes, lymphs, lymphozyten, absolute lymphocyte count, lymphocyte count, lymphocytes abs | 10^9/l | /µl 0.001 | 1.0-4.0 |
monocytes | monocytes | monocytes, monos, monozyten | 10^9/l | /µl 0.001 | 0.2-1.0 |
eosinophils | eosinophils | eosinophils, eos, eosinophile, polynucléaires éosinophiles, eosinophil count | 10^9/l | /µl 0.001 | -0.5 |
basophils | basophils | basophils, basos, basophile | 10^9/l | /µl 0.001 | -0.2 |
neutrophils percent | neutrophils (%) | neutrophils, neuts, neutrophile, pnn | % | | |
lymphocytes percent | lymphocytes (%) | lymphocytes, lymphs, lymphozyten | % | | |
monocytes percent | monocytes (%) | monocytes, monos, monozyten | % | | |
eosinophils percent | eosinophils (%) | eosinophils, eos, eosinophile | % | | |
basophils percent | basophils (%) | basophils, basos, basophile | % | | |
reticulocytes | reticulocytes | reticulocytes, retikulozyten, réticulocytes, retic count | % | | 0.5-2.5 |
esr | ESR | esr, sed rate, erythrocyte sedimentation rate, bsg, bks, blutsenkung, vs, sedimentation rate | mm/h | mm/hr 1 | -20 |
tibc | TIBC | tibc, total iron binding capacity, total iron-binding capacity | µmol/l | µg/dl 0.1791 | 45-80 |
transferrin | transferrin | transferrin, transferrine | g/l | mg/dl 0.01 | 2.0-3.6 |
transferrin saturation | transferrin saturation | transferrin saturation, tsat, iron saturation, transferrinsättigung, coefficient de saturation, coefficient de saturation de la transferrine, % saturation | % | | 20-50 |
troponin i | troponin I | troponin i, hs-troponin i, hs-tni, high sensitivity troponin i, high-sensitivity troponin i, troponine i, trop i, tni | ng/l | pg/ml 1; ng/ml 1000; µg/l 1000 | |
troponin | troponin | troponin, troponine, hs-troponin, hs troponin, trop, high-sensitivity troponin, hs-trop, troponine us, troponina | ng/l | pg/ml 1; ng/ml 1000; µg/l 1000 | |
ck-mb | CK-MB | ck-mb, ckmb | µg/l | ng/ml 1; u/l 1 | |
hcg | hCG | hcg, beta-hcg, β-hcg, bhcg, hcg,beta subunit,qnt, beta hcg, quantitative hcg | iu/l | miu/ml 1; mu/ml 1; u/l 1 | |
antithrombin | antithrombin | antithrombin, antithrombin activity, antithrombin iii | % | | 80-120 |
fibrinogen | fibrinogen | fibrinogen, fibrinogène | g/l | mg/dl 0.01 | 2.0-4.0 |
pt | prothrombin time | pt, prothrombin time | s | sec 1 | 10-14 |
quick | Quick (prothrombin) | quick, quick-wert, tp, taux de prothrombine, thromboplastinzeit, prothrombin ratio | % | | 70-130 |
haptoglobin | haptoglobin | haptoglobin, haptoglobine | g/l | mg/dl 0.01 | 0.3-2.0 |
corrected calcium | calcium (corrected) | corrected calcium, adjusted calcium, calcium (adjusted), calcium adjusted, calcium corrected, albumin-corrected calcium, calcémie corrigée, korrigiertes kalzium, adj calcium | mmol/l | mg/dl 0.2495 | 2.20-2.60 | 1.65-3.25
pth | PTH | pth, parathyroid hormone, parathormon, intact pth, parathormone | pmol/l | pg/ml 0.106; ng/l 0.106 | 1.6-6.9 |
cortisol | cortisol | cortisol, morning cortisol | nmol/l | µg/dl 27.59 | |
testosterone | testosterone | testosterone, total testosterone, testosteron | nmol/l | ng/dl 0.0347; ng/ml 3.467 | |
prolactin | prolactin | prolactin, prolaktin, prolactine | miu/l | ng/ml 21.2; µg/l 21.2; mu/l 1 | |
fsh | FSH | fsh | iu/l | u/l 1; miu/ml 1 | |
lh | LH | lh | iu/l | u/l 1; miu/ml 1 | |
estradiol | estradiol | estradiol, oestradiol | pmol/l | pg/ml 3.671 | |
ammonia | ammonia | ammonia, ammoniak, ammoniémie, nh3 | µmol/l | µg/dl 0.5872 | -50 |
osmolality | osmolality | osmolality, serum osmolality, osmolalität | mosm/kg | mosmol/kg 1 | 275-295 |
non-hdl | non-HDL cholesterol | non-hdl cholesterol, non-hdl, non hdl cholesterol | mmol/l | mg/dl 0.02586 | |
afp | alpha-fetoprotein | afp, alpha-fetoprotein | µg/l | ng/ml 1 | |
cea | CEA | cea | µg/l | ng/ml 1 | -5 |
ca 125 | CA 125 | ca 125, ca-125, ca125 | u/ml | ku/l 1 | -35 |
ca 19-9 | CA 19-9 | ca 19-9, ca19-9 | u/ml | ku/l 1 | -37 |
rheumatoid factor | rheumatoid factor | rheumatoid factor, rf, rheumafaktor, facteur rhumatoïde | u/ml | iu/ml 1; u/l 0.001; iu/l 0.001 | |
anti-ccp | anti-CCP | anti-ccp, ccp antibody, anti-ccp antibodies, anti-ccp-ak | u/ml | | |
ige | IgE (total) | ige, total ige, gesamt-ige, ige total | ku/l | iu/ml 1; u/ml 1; iu/l 0.001 | |
uacr | urine albumin/creatinine ratio | acr, uacr, albumin/creatinine ratio, albumin creatinine ratio, albumin-creatinine ratio, albumin:creatinine ratio, urine albumin:creatinine ratio, urine acr, albumin-kreatinin-quotient, rapport albumine/créatinine, urine albumin/creatinine ratio, microalbumin/creatinine ratio | mg/mmol | mg/g 0.113 | -3 |
upcr | urine protein/creatinine ratio | p/c ratio, upcr, protein/creatinine ratio, protein:creatinine ratio, protein-creatinine ratio, urine protein/creatinine ratio, urine protein:creatinine ratio | 1 | mg/mg 1; g/g 1; mg/mmol 0.00885; mg/g 0.001 | -0.2 |
fit | faecal immunochemical test | fit, qfit, faecal immunochemical test, fecal immunochemical test, faecal haemoglobin | µghb/g | µg/g 1 | -10 |
calprotectin | faecal calprotectin | calprotectin, faecal calprotectin, fecal calprotectin | µg/g | mg/kg 1 | -50 |
phenytoin | phenytoin (therapeutic) | phenytoin level | µmol/l | µg/ml 3.964; mg/l 3.964 | 40-80 |
valproate | valproate (therapeutic) | valproate level, valproic acid level | µmol/l | µg/ml 6.934; mg/l 6.934 | 350-700 |
vancomycin | vancomycin (trough) | vancomycin level, vancomycin trough | mg/l | µg/ml 1 | |
tacrolimus | tacrolimus (trough) | tacrolimus level, tacrolimus trough | µg/l | ng/ml 1 | |
base excess | base excess | base excess, be | mmol/l | meq/l 1 | |
ethanol | ethanol | ethanol, alcohol level, blood alcohol, etoh | mmol/l | mg/dl 0.2171 | |
kt/v | Kt/V (dialysis) | kt/v, ktv, spkt/v, ekt/v | 1 | | 1.2- |
tpo antibodies | thyroid peroxidase antibodies | tpo-ak, tpo ak, anti-tpo, tpo antibodies, tpo-antikörper, anti-tpo-ak, tpoab, anti-tpo antibodies, anticuerpos anti-tpo, anticorpi anti-tpo, ac anti-tpo, anticorps anti-tpo, tpo-antikroppar | u/ml | iu/ml 1; ku/l 1; kiu/l 1 | |
myoglobin | myoglobin | myoglobin, mioglobina, myoglobine | µg/l | ng/ml 1 | |
methaemoglobin | methaemoglobin | methaemoglobin, methemoglobin, methb | % | | |
copeptin | copeptin | copeptin | pmol/l | | |
zinc | zinc | zinc, zink, cinc, zinco, cynk | µmol/l | µg/dl 0.153 | |
anti-xa | anti-Xa activity | anti-xa, anti xa, anti-fxa, anti-faktor-xa | iu/ml | u/ml 1; ku/l 1 | |
creatinine clearance | creatinine clearance | creatinine clearance, crcl, kreatinin-clearance, clairance de la créatinine, clairance creatinine, clearance creatinina, aclaramiento de creatinina, clcr, clairance créatinine, clairance, kreatininclearance, klirens kreatyniny | ml/min | ml/min/1.73m2 1 | | |
il-6 | interleukin 6 | il-6, il6, interleukin-6, interleukin 6, interleukine-6, interleucina 6, interleuchina 6 | ng/l | pg/ml 1 | |
beta-hydroxybutyrate | ketones (blood) | ketones, blood ketones, ketone, beta-hydroxybutyrate, b-ketoner, p-ketoner, ketoner, ketone bodies, cetonas, chetoni, cetonemia, chetonemia, cétonémie, ketonen, β-hydroxybutyrat, ciała ketonowe | mmol/l | mg/dl 0.0961 | -0.6 |
igg | IgG | igg, immunoglobulin g, immunglobulin g | g/l | mg/dl 0.01 | |
iga | IgA | iga, immunoglobulin a, immunglobulin a | g/l | mg/dl 0.01 | |
igm | IgM | igm, immunoglobulin m, immunglobulin m | g/l | mg/dl 0.01 | |
complement c3 | complement C3 | complement c3, c3, c3c | g/l | mg/dl 0.01 | |
complement c4 | complement C4 | complement c4, c4 | g/l | mg/dl 0.01 | |
prealbumin | prealbumin | prealbumin, transthyretin, préalbumine, prealbumina | g/l | mg/dl 0.01; mg/l 0.001 | |
homocysteine | homocysteine | homocysteine, homocystein, omocisteina, homocisteína, homocystéine | µmol/l | | |
lp(a) | lipoprotein(a) | lipoprotein(a), lp(a), lipoprotein (a), lipoproteina (a) | nmol/l | mg/dl 2.15 | |
egfr | eGFR (reported) | egfr, gfr, dfg, egfr (ckd-epi), gfr (ckd-epi), estimated gfr, egfr ckd-epi, ckd-epi, gfr estimated, mdrd, débit de filtration glomérulaire | ml/min/1.73m2 | ml/min 1 | 60- | 15-
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
      names: [...names.split(', '), ...(furtherNames.get(key) ?? [])],
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
