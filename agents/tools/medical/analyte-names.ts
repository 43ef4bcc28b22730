/** Further names of quantities in German, French, Italian, Spanish, Portuguese, Dutch, Polish, Czech, Swedish, Danish and Norwegian. */

import { moreNames } from './analyte-names-further.ts';

/** key | names, in lower case. A name in spaced points or hyphens is listed as it is written. */
const table = `
glucose | glukos, glukoza, glucosa basal, glucosa en ayunas, glicose, glicose em jejum, glicémia, glicemia a digiuno, glucemia basal, glykemie, glykemie nalačno, glykemi, blodsukker, blodsocker, p-glukos, p-glucose, nüchternblutzucker, nüchtern-glukose, bloedglucose, nuchter glucose, cukier, glicosio, glucose à jeun, glycémie veineuse, sérum glukóza, glucose (fasting), glucose, fasting, poc glucose, fingerstick glucose, cbg, capillary glucose
hba1c | hba1c (ngsp), hemoglobina glicosilada, hemoglobina glicada, hemoglobina glucosilada, emoglobina glicata, emoglobina glicosilata, hemoglobina a1c, hemoglobina glikowana, geglyceerd hemoglobine, hb-a1c, glykovaný hb, glykiertes hämoglobin, glykohämoglobin, hemoglobina glicosilada a1c, glykerat hemoglobin
creatinine | kreatynina, kreatinine, p-kreatinin, s-kreatinin, crea, créat, creatininemia, creatinina sérica, creatinina sierica, kreatinín, creatinine (enzymatic), serum creat
urea | ureum, urea sérica, ureia, mocznik, azotemia, bun (urea), carbamid, karbamid, s-urea, urinstof, urinstoff, uremia, urea plasmática, azotémie
sodium | sodu, natriémie, sód, sódio, s-na, p-na, sodemia, natrium (na), sodium serum
potassium | potas, potasemia, potassiemia, potássio, s-k, p-k, kalemia, kaliemie, kalium (k), potassium serum, potasio sérico
chloride | cloro, cloruro, cloruri, cloreto, chlorki, chloridy, klorid, chloor, chlorémie, cloremia
bicarbonate | bicarbonato, bicarbonati, hydrogenuhličitan, vodorovęglany, wodorowęglany, bikarbonate, bicarbonaat, réserve alcaline, total carbon dioxide
calcium | cálcio, kalcium, wapń, wapń całkowity, calcium total, calcio total, calcio totale, calcemia, s-ca, calcium totaal, vápník celkový
ionised calcium | calcio iónico, calcio ionizzato, ionisiertes kalzium, ionisiertes calcium, calcium ionisé, geïoniseerd calcium, wapń zjonizowany, cálcio ionizado
phosphate | fosfaat, fosforany, fosfat, fosfato, fosfatemia, phosphatémie, anorganický fosfát, inorganic phosphate, fósforo sérico, phosphor
magnesium | magnesemia, magnez, magnésio, hořčík (mg), s-mg, magnesium serum
uric acid | ácido úrico, acido urico, urato, urzuur, kwas moczowy, kyselina moč, uricemia, urat, urinsyra, urinsyre, ac. urico, ác. úrico, uraat, serum urate, serum uric acid
bilirubin | bilirrubina total, bilirubina totale, bilirubina całkowita, bilirubine totaal, bilirubin celkový, celkový bilirubin, bilirrubinas totales, bilirubin ges., bili total, total bili, bilirubinemia totale, totaal bilirubine
direct bilirubin | bilirrubina directa, bilirubina diretta, bilirrubina direta, bilirubina bezpośrednia, bilirubine direct, konjugovaný bilirubin, bilirubine directe, konjugiertes bilirubin
alt | gpt (alat), alat/gpt, tgp (alt), alt/tgp, sgpt (alt), alanina aminotransferasa, alanina aminotransferase, gpt/alat, alt/gpt, aminotransferaza alaninowa, s-alat, p-alat, alat (alt), alanine aminotransférase, transaminasa gpt
ast | got (asat), asat/got, tgo (ast), ast/tgo, sgot (ast), aspartato aminotransferasa, got/asat, ast/got, aminotransferaza asparaginianowa, asat (ast), aspartate aminotransférase, transaminasa got, got/ast
alp | fosfatasa alcalina, fosfatasi alcalina, fosfatase alcalina, fosfataza alkaliczna, fosfataza zasadowa, alkalische fosfatase, alkalická fosfatáza, fa, ap (alp), alkalisk fosfatas, alkaline fosfatase, alkaline phosphatase (alp), phosphatase alcaline, alkp
ggt | gama-gt, gama gt, gamma-gt (ggt), gammaglutamiltransferasa, gamma glutamiltransferasi, gamma-glutamyltransférase, gamma-glutamyltransferase, ggtp, γ-gt (ggt), gamma-glutamyl transpeptidase, gama-glutamil transferase, gammaglutamyltransferase
ldh | lactato deshidrogenasa, lattato deidrogenasi, ld, laktatdehydrogenase, lacticodéshydrogénase, lactate déshydrogénase, laktátdehydrogenáza, dehydrogenaza mleczanowa, dhl
ck | creatina quinasa, cpk (ck), creatinfosfochinasi, kinaza kreatynowa, cpk totale, créatine phosphokinase, creatine fosfokinase, creatinoquinase, ck total, ck gesamt, kreatinkináza, kreatinkinas
amylase | amilasa, amilasi, amilase, amylaza, α-amylase, alpha-amylase, pankreas-amylase, amylasémie
lipase | lipasa, lipasi, lipaza, lipasémie
albumin | albúmina sérica, albumina sérica, albumina sierica, albumine (serum), s-albumin, p-albumin, albumín, serum-albumin
total protein | proteínas totales, proteine totali, proteínas totais, białko całkowite, totaal eiwit, celková bílkovina (cb), totalprotein, protein total (serum), gesamtprotein, gesamt-eiweiß, protidi totali, protides, proteinas totales, proteinemia, total proteins
crp | proteína c reativa, proteína c-reactiva, proteina c reattiva, białko c-reaktywne, c-reactief proteïne, c-reaktivní protein, s-crp, p-crp, crp (c-reactive protein), hscrp, crp quantitativ, pcr (proteína c reactiva), c-reaktivt protein, protéine c-réactive (crp)
procalcitonin | procalcitonina, prokalcitonin, prokalcytonina, procalcitonine (pct)
cholesterol | colesterol, cholesterol celkový, celkový cholesterol, cholesterol całkowity, totalkolesterol, kolesterol, kolesterol total, total kolesterol, cholestérol total (ct), gesamt-cholesterin, colesterolemia, totaal-cholesterol
ldl | colesterol ldl, ldl-colesterol, colesterolo ldl, ldl kolesterol, ldl-kolesterol, cholesterol ldl, c-ldl, ldl-c (berechnet), ldl cholesterol (calc), ldl calc, ldl-cholesterin (berechnet), cholesterol-ldl
hdl | colesterol hdl, hdl-colesterol, colesterolo hdl, hdl kolesterol, hdl-kolesterol, cholesterol hdl, c-hdl, cholesterol-hdl
triglycerides | triglicéridos (tg), trigliceridemia, triacylglyceroly (tag), triglycerider, triglicerídeos, triglycérides (tg), triacylglycerole, triglycerid
non-hdl | colesterol no hdl, colesterol não hdl, colesterolo non hdl, non-hdl-cholesterin, non-hdl-cholesterol, nie-hdl cholesterol, non-hdl kolesterol
tsh | tirotropina, tireotropina, tsh ultrasensível, tsh 3. generation, thyréostimuline, tsh (3rd generation), tyreotropin, tsh ultrasensibile, s-tsh, tsh, 3rd gen
free t4 | t4 libero, t4 livre, t4 vrij, vrij t4, ft4 (freies t4), thyroxine libre, tiroxina libre, tiroxina livre, volný t4, wolna t4, fritt t4, freies thyroxin, t4 frei
free t3 | t3 libero, t3 livre, t3 vrij, vrij t3, ft3 (freies t3), volný t3, fritt t3, t3 frei, triyodotironina libre
haemoglobin | hemoglobin (hb), hemoglobín, hemoglobina (hb), hb (hemoglobin), b-hb, emoglobina (hgb), hemoglobiny, hgb (hemoglobin), hemoglobine (hb), hämoglobin (hb)
haematocrit | hematócrito, hematokryt, hematocriet, ht, hematokrit (hct), ematocrito (hct), hämatokrit (hkt), evf, hto, htc
leukocytes | leucócitos, leukocyty (wbc), leukocyten (wbc), globuli bianchi (wbc), glóbulos blancos, glóbulos brancos, leucocytes (gb), leukocytter, leukocyter, b-leukocyter, lpk, krwinki białe, bílé krvinky, leukozyten (wbc), witte bloedcellen, gb (wbc), lc, wbc (leucocitos)
neutrophils | neutrofiele granulocyten, neutrofily, neutrofilos, granulocyty obojętnochłonne, neutrophile abs., neutrofile, neutrofila, segmentkernige, neutrófilos absolutos, neutrofili assoluti, neutrophils (abs), absolute neutrophils, abs neutrophils, neutrophils absolute, neut, neut#, neutrofiler
platelets | trombociti, płytki krwi, płytki, trombocitos, trombócitos, trombocyter, trombocytter, b-trombocyter, tpk, krevní destičky, destičky, recuento de plaquetas, thrombocyten, plt (trombocyty), thrombozyten (plt), plq, conta piastrinica, plaquettes (plq)
erythrocytes | eritrócitos, hemácias, erytrocyter, erytrocytter, erytrocyten, erytrocyty (rbc), krwinki czerwone, červené krvinky, globuli rossi, glóbulos rojos, glóbulos vermelhos, rode bloedcellen, epk, erythrozyten (rbc), gr
mcv | v.g.m., v.c.m., vcm, volumen corpuscular medio, volume globular médio, volume corpuscolare medio, mcv (vgm), vgm (mcv), volume globulaire moyen, erythrozytenvolumen
mch | hcm, h.c.m., hgm, t.c.m.h., hemoglobina corpuscular media, mch (hbe), tcmh (mch), hbe
mchc | chcm, c.h.c.m., chgm, c.c.m.h., concentración de hemoglobina corpuscular media, mchc (chcm), ccmh (mchc)
rdw | ade, adw, idr, evb, rdw-sd, indice de distribution, amplitude de distribution eritrocitária, anisocitosis
lymphocytes | linfocitos, linfócitos, linfociti, limfocyty, lymfocyty, lymfocyten, lymfocyter, lymfocytter, lymphocytes (abs), absolute lymphocytes, lymphs abs, lymphozyten abs., alc
monocytes | monocitos, monócitos, monociti, monocyty, monocyten, monocyter, monocytter, absolute monocytes
eosinophils | eosinófilos, eosinofili, eozynofile, eozinofily, eosinofiele granulocyten, eosinofila, eosinophile granulozyten, absolute eosinophils
basophils | basófilos, basofili, bazofile, bazofily, basofiele granulocyten, basofila, absolute basophils
reticulocytes | reticulocitos, reticulócitos, reticolociti, retykulocyty, retikulocyty, reticulocyten
ferritin | ferritina sierica, ferrytyna, ferritín, ferritina sérica, s-ferritin, p-ferritin
iron | hierro, ferro, ferro sérico, sideremia, hierro sérico, żelazo, ijzer, järn, jern, serumeisen, fe (serum), żelazo w surowicy
tibc | capacidad total de fijación del hierro, cttf, capacité totale de fixation, eisenbindungskapazität
transferrin | transferrina, transferryna, transferín, transferrine sérique
transferrin saturation | saturación de transferrina, saturazione transferrina, saturação da transferrina, transferrinesaturatie, índice de saturación de transferrina, ist, wysycenie transferryny, transferrinmättnad, cst, sättigung der transferrin
inr | tp-inr, inr (tp), pt (inr), rni, tp (inr), quick/inr, pk-inr, pt inr
aptt | ttpa, tcka, céphaline activée, tptk, ptt-a, tt parziale attivata, apttv, tck
d-dimer | dímero d (dd), d-dímero, d-dimeri, d-dimero, d-dimeren, d-dimery (dd), d-dímeros, dd-dimer
troponin t | troponina t, troponina t us, hs-troponina t, troponine t hs, troponin t (hs), tnt-hs, troponina t ultrasensible, troponina t ultrasensível, hs-troponin-t, tropt, troponina t hs
troponin i | troponina i, troponina i us, troponine i hs, troponin i (hs), troponin i hs, tni-hs, troponina i ultrasensible, troponina i hs, hs-troponin-i, hstni, ctni, hs-ctni
troponin | troponina ultrasensible, troponina ultrasensível, hs-tn
nt-probnp | nt-pro bnp (natriuretic peptide), ntprobnp (pg/ml), peptido natriuretico nt-probnp, nt-pro-bnp (probnp), proBNP
vitamin d | 25-oh-vitamin-d, 25-hidroxivitamina d, 25-oh vitamina d, vitamina d (25-oh), vitamina d 25-oh, 25 oh vitamin d, 25-oh vitamine d, 25-hydroxyvitamine d, witamina d, vitamín d, 25-oh-d vitamin, vitamina d3 25-oh, 25-hydroxy-vitamin d, vitamina d total, d-vitamin
vitamin b12 | vitamina b-12, vitamin b 12, cobalamina, cobalamine, witamina b12, vitamín b12, b12-vitamin, kobalamin, vitamina b 12
folate | ácido fólico, acido folico, folato, folati, foliumzuur, kwas foliowy, kyselina listová, folsyra, foline, acide folique, folat, folatos
lactate | lattato, lactaat, mleczan, mleczany, ácido láctico, acido lattico, lactatémie, p-laktat
ph | ph arterial, ph arteriel, ph artériel, ph (arteriell), ph arterioso
pco2 | pco2 (arterial), p-co2
po2 | po2 (arterial), p-o2
psa | psa total (psa), psa (gesamt), psa gesamt, antígeno prostático específico, antigene prostatico specifico, psa totale, psa ultrassensível, gesamt-psa, psa całkowity
esr | vsg, velocità di eritrosedimentazione, ves, vhs, opad biernackiego, ob, bezinking, bse, sedimentace, fw, sr, sänka, senkning, vitesse de sédimentation, blutsenkungsgeschwindigkeit, bsr, velocidad de sedimentación globular, vs 1h
pt | tiempo de protrombina, tempo di protrombina, tempo de protrombina, czas protrombinowy, protrombinetijd, protrombinový čas, temps de prothrombine
quick | índice de quick, actividad de protrombina, attività protrombinica, taxa de protrombina, wskaźnik protrombinowy, tp (taux de prothrombine)
fibrinogen | fibrinógeno, fibrinogenemia, fibrinogeno, fibrynogen, fibrinogénio, fibrinogeen
haptoglobin | haptoglobina, haptoglobulin
corrected calcium | calcio corregido, calcio corretto, cálcio corrigido, gecorrigeerd calcium, albuminkorrigiertes calcium, calcium (adj.), calcium (adj), calcium (corrected), calcium adj, calcium, adjusted, calcium corrigé, corr. calcium
pth | parathormone (pth), hormona paratiroidea, paratormona, parathyreoidhormon, paratohormone, paratohormon, parathyrin, intaktes pth, pth intacta, pth intatto
cortisol | cortisolo, kortisol, kortyzol, cortisolemia
testosterone | testosterona, testosterón, testosteron gesamt, testostérone
prolactin | prolactina, prolattina, prolaktyna
estradiol | estradiolo, östradiol, estradiol (e2), œstradiol, e2
ammonia | amonio, ammonio, amoniaco, ammoniaque, amoniak, nh3 (ammonia)
osmolality | osmolalidad, osmolalità, osmolalidade, osmolalité, osmolalita
afp | alfafetoproteína, alfa-fetoproteina, alfafetoproteina, alpha-1-fetoprotein, alpha-foetoprotéine
cea | antígeno carcinoembrionario, ace, carcinoembryonic antigen, carcinoembryonales antigen, antigene carcinoembrionario
ca 125 | ca125 (ov), ca 125 ii
ca 19-9 | ca 19.9, ca19.9
rheumatoid factor | factor reumatoide, fattore reumatoide, fator reumatoide, reumafactor, czynnik reumatoidalny, revmatoidní faktor, rheumatoid factor (rf)
ige | ige totale, ige totaal, ige gesamt, ige totales, ige celkové, total-ige
uacr | albumina/creatinina, cociente albúmina/creatinina, cociente albumina/creatinina, rapporto albumina/creatinina, relação albumina/creatinina, albumina/kreatynina, albumine/creatinine-ratio, albumine/créatinine, albumine-creatinineratio, albúmina/creatinina, albumin/kreatinin, u-albumin/kreatinin, albumin/kreatinin-quotient, rac, racu, albumine/créatinine urinaire, urine albumin creatinine ratio, urine albumin-creatinine ratio, ualb/cr
upcr | p/c urinaire, rapport p/c urinaire, rapport p/c, protéinurie/créatininurie, cociente proteína/creatinina, proteína/creatinina, rapporto proteine/creatinina, eiweiß/kreatinin, protein/kreatinin, protein-kreatinin-quotient, protein/kreatinin-quotient, proteinurie/creatininurie, rapport protéines/créatinine, protéine/créatinine, protéines/créatinine, pcr urine, pcr (urine), proteína/creatinina urinaria, białko/kreatynina, relação proteína/creatinina
calprotectin | calprotectina, calprotectina fecal, calprotectina fecale, calprotectine fécale, fäkales calprotectin, calprotectin im stuhl, kalprotektin, kalprotektyna
hcg | bhcg (serum), β-hcg total, beta-hcg total, gonadotropina coriónica, beta hcg quantitativa, hcg total
ethanol | etanol, alcohol (serum), blutalkohol, alkohol w surowicy, alcoolémie, etanolemia, alcolemia
egfr | egfr (mdrd), egfr (ckd-epi 2021), tfge, tfg, tfge (ckd-epi), filtrado glomerular, filtrado glomerular estimado, fge, fg, dfge, dfg (ckd-epi), vfg, vgf, velocità di filtrazione glomerulare, gfr (mdrd), egfr(ckd-epi), e-gfr, glomeruläre filtrationsrate, glomerulární filtrace, egfr (cockcroft), estimated glomerular filtration rate, glomerular filtration rate, taxa de filtração glomerular
antithrombin | antitrombina, antitrombina iii, antithrombine, at iii
ck-mb | ck-mb masa, ck-mb massa, ck-mb mass, cpk-mb
bnp | peptido natriuretico, péptido natriurético, brain natriuretic peptide, b-type natriuretic peptide
vancomycin | vancomycin (trough), vancomycine, vancomycinspiegel, vanc trough, vancomicina
`;

export const furtherNames: ReadonlyMap<string, readonly string[]> = namesByKey(`${table}${moreNames}`);

function namesByKey(lines: string): Map<string, string[]> {
  const byKey = new Map<string, string[]>();
  for (const line of lines.split('\n').filter((each) => each.includes(' | '))) {
    const [key = '', names = ''] = line.split(' | ');
    byKey.set(key, [...(byKey.get(key) ?? []), ...names.split(', ').map((name) => name.toLowerCase())]);
  }
  return byKey;
}
