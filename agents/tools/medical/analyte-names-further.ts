/** Further names and abbreviations of quantities, with the prefixes of specimens of Nordic laboratories. */

/** key | names, in lower case. */
export const moreNames = `
glucose | fp-glukos, fp-gluk, p-gluk, b-gluk, fp-glucose, plasmaglukos, blodglukos, blodglukose, glucose nüchtern, blutglucose, blutglukose, glicemia capillare, glucemia capilar, glicemia capilar, glycémie capillaire, bm, bgl, bsl, blood sugar, fingerstick, finger-prick glucose, glucometry, destrostix, bz nüchtern, blutzucker nüchtern, glukoza na czczo, glikemia, glicemia basale, glucose (random), glucose random, nuchtere glucose, bg (mmol/l), glukoosi
hba1c | b-hba1c, hba1c ifcc, glykohemoglobin, glykeret hæmoglobin, hba1c (dcct), hb-a1c (ifcc), hemoglobine glyquee, hemoglobina glicosilada hba1c
creatinine | creatinin, kreat, kreat., p-krea, s-krea, créatinine plasmatique, creatinina plasmatica, creatinina plasmática, serum-kreatinin, kreatinin i serum, kreatyniny, kreatiniini, s-créatinine, creat., plasma creatinine, krea i. s.
urea | ur, p-karbamid, urea serum, serumharnstoff, urée sanguine, urea nitrógeno, urea (bun), mocznik w surowicy, urea plasmatica, harnst.
sodium | p-natrium, s-natrium, natriemia, sód w surowicy, sodio sérico, sodio (na), natrium i. s., sodio ematico, sodium sérique, ionogramme sodium, natrium serum
potassium | p-kalium, s-kalium, kaliaemia, potas w surowicy, potassium sérique, potasio (k), kalium i. s., kalium serum, potassio (k), potássio sérico
chloride | chlorki w surowicy, p-klorid, cloro (cl), cloruro sérico, chlorures sanguins
bicarbonate | hco3 std, std-hco3, standard-hco3, bicarbonaten, bikarbonat (std), bicarb, hco3 (standard), hco3-std, bikarbonat standard, hco₃, hco₃-, act. bicarbonate, bicarbonato standard
calcium | p-kalcium, p-ca, s-calcium, ca total, gesamtcalcium, gesamtkalzium, calcium (gesamt), calcio sérico, calcio plasmatico, calcium sérique, kalsium, wapń w surowicy, ca tot
ionised calcium | calcium-ion, p-calcium ion, ca++, ca2+, ca ionisé, ca iónico, ca ionizzato, ca-ion, joniserat kalcium, calciumion, ioniseret calcium, ca ioniz, ca++ ionizzato
phosphate | phos, p-fosfat, anorg. phosphat, anorganisches phosphat, phosphates, fosfatos, fosfati, fosforo inorganico, phosphat anorg., phosphore sérique, fosfor nieorganiczny
magnesium | p-magnesium, magnesio sérico, magnez w surowicy, magnesium sérique, mg++, mg (serum)
uric acid | p-urat, s-urat, acido urico sierico, urate sérique, kwas moczowy w surowicy, harnsäure i. s.
bilirubin | p-bilirubin, s-bilirubin, bilirubina tot., bilirubina tot, bilirrubina tot, bilirubine t, bili tot, bilirubin tot., bilirubiner
direct bilirubin | bilirubina dir., bilirubina dir, bilirrubina dir, direct bili, bilirubin dir., bili dir, bilirubin konj., bilirubina coniugata, bilirrubina conjugada, bilirubina sprzężona
alt | s-alt, p-alt, alanintransaminase, alanintransaminase [alat], alaninaminotransferase, alat/alt, alt/alat, sgpt/alat, alanina transaminasa, transaminase alt, transaminases alt, transaminasi gpt, alanin-aminotransferase, alt/gpt (tgp), alaninaminotransferas
ast | s-ast, p-ast, aspartattransaminase, aspartataminotransferase, asat/ast, ast/asat, sgot/asat, transaminases ast, transaminasi got, aspartat-aminotransferase, p-asat, s-asat, aspartataminotransferas
alp | alp (fa), p-alp, basisk fosfatase, basisk phosphatase, fosfatasi alc., f. alcalina, fal, fosf. alcalina, alk. phosphatase, alk. phosph., alk.phos., alk. fosfatase, alk fosfatase, af (alk. fosfatase), alkalisk phosphatase, phosphatases alc., fosfatasi alcaline
ggt | p-gt, p-ggt, gammagt (ggt), gamma gt (ggt), γ-glutamyltransferase, g-gt, y-gt, gamma gluatmyl transferase
ldh | p-ld, s-ld, p-ldh, laktatdehydrogenas, lactaat dehydrogenase, ldh total, ldh (ld)
ck | p-ck, s-ck, ck (nac), ck-nac, creatine phosphokinase, creatinkinase (ck), creatine kinase (ck), ck (total), cpk-total
amylase | p-amylas, pankreasamylas, p-pankreasamylas, pankreasamylase, pancreatic amylase, amylase pancréatique, amilasa pancreática, amilasi pancreatica, s-amylase, amylas, amylase (pankreas), p-amylase, amylaza w surowicy, alfa-amylase
lipase | p-lipas, lipas, p-lipase, lipase sérique, lipaza w surowicy
albumin | p-alb, albumina (serum), albumina w surowicy, alb., albumine sérique, albumin i. s.
total protein | proteína total, proteinas tot, total-protein, prot tot, protéines tot., proteina totale, białko, total eiweiß
crp | c-reaktivt protein (crp), crp (hs-crp), proteína c reactiva (pcr), proteina c-reattiva, proteina c-reattiva (pcr), proteína c-reativa, p-crp (hs), crp kvantitativ, c reaktives protein, s-crp kvant, pcr ultrasensible, hs crp, us-crp, crp us, białko c-reaktywne (crp), pcr-us, c-reactive prot., c-rp
procalcitonin | pct (procalcitonin), p-pct, prokalsitonin
cholesterol | s-kolesterol, p-kolesterol, cholesterol (total), p-kolesterol total, colest. total, col. total, colesterol (total), chol total, chol. total, tc (cholesterol), t. chol, colest total
ldl | p-ldl-kolesterol, ldl (beregnet), ldl (berechnet), ldl (calculated), ldl direct, ldl (direct), ldl-c (calc), colest ldl
hdl | p-hdl-kolesterol, colest hdl
triglycerides | fp-triglycerid, p-triglycerid, p-triglycerider, triglyc., triglycérid., trigl., trigl, neutralfette, trójglicerydy, trójglicerydy (tg)
tsh | p-tsh, thyreoideastimulerende hormon, tsh (basal), tsh-basal, tsh (us), tyreostimulerande hormon, tirotropina (tsh), basales tsh
free t4 | s-ft4, p-ft4, p-t4 fritt, t4 fritt, t4 frit, frit t4, thyroxin, ft4 (fritt t4), fri t4, t4 libre (t4l), ft4 libero, vrij t4 (ft4), wolna tyroksyna, tyroksyna wolna, freies t4 (ft4), p-thyroxin frit
free t3 | p-ft3, t3 fritt, frit t3, t3 frit, t3 libre (t3l), wolna trójjodotyronina
haemoglobin | hæmoglobin, hæmoglobin (b), b-hemoglobin, b-hæmoglobin, hemoglobiini, hb., hgb., hémoglobine (hb), emoglobina (hb), hæmoglobinkoncentration, hemo-globin, haemoglobin (hb), hemoglobine (hgb)
haematocrit | hæmatokrit, b-evf, erytrocytvolumfraktion, hämatokrit (hk), hematokrit (evf), hematocrito (hto), hematocrit (hct), hémat., ht (hematocriet)
leukocytes | b-lpk, lpk (leukocyter), leucocyten, leuco's, leuco, leucos, lymph. leukocyten, leukos (wbc), wbc., wbc (leukocyty), leucócitos totais, leucociti (gb), g.b., leucocitos totales, recuento leucocitario, leukozytenzahl, leukoz., krwinki białe (wbc), leucocytes totaux, leukosyytit, vita blodkroppar, hvide blodlegemer, witte bloedcellen (wbc), leukocyte, leucocyte
neutrophils | neutrofilocytter, neutrofile granulocytter, b-neutrofila, neutrofila granulocyter, poly neutro, pmn, neutrophil, pn neutrophiles, granulociti neutrofili, neutrofil
platelets | b-tpk, trombosyytit, trombosytter, plt (piastrine), ptl, plaq., thrombozytenzahl, thrombocytes (plt), trombocitos (plt), bloedplaatjes (trombo's), trombo's, trombo, płytki krwi (plt), plaquetas (plt), plt count, recuento plaquetario, plättchen, blodplättar, blodplader
erythrocytes | b-epk, rbc (red cells), red cells, krwinki czerwone (rbc), g.r., hemacias, eritrócitos (rbc), erythrocytes (gr), erytrozyten, red blood cells (rbc), erythrozytenzahl
mcv | ery-mcv, erc-mcv, erytrocytvol. middel, vcm (mcv), mean cell vol
mch | erc-mch, ery-mch, erc(b)-mch, hcm (mch)
mchc | erc-mchc, ery-mchc
lymphocytes | b-lymfocyter, linfocitos absolutos, lymfocyter (b), lymphocyte, lymphozyten absolut
monocytes | b-monocyter, monocyte
eosinophils | eosinofilocytter, b-eosinofila, eosinofile, eosinophil, eosinofiler, eosinofile granulocytter
ferritin | s-ferritiini, ferrytyna w surowicy, ferritine sérique
iron | p-jern, s-järn, p-järn, fer (sérum), sérum fer, ferro serico, sidérémie, eisen i. s.
transferrin saturation | transferrinmätning, p-transferrinmättnad, jernmætning, transferrin sat, transferrin sat., transferrinsätt., tsat (%), sat. transferrina, saturación transferrina, isat, saturazione della transferrina, sat. transferrine, coef. saturation transferrine, transferrin-sättigung, iron sat
inr | p-pk, pk (inr), p-pk(inr), pk inr, p-inr, protrombinkomplex, pt(inr), i.n.r., tp inr, inr (quick), koag inr, koagulationsfaktor inr
aptt | p-aptt, ptt (a), aptt ratio, céphaline, cefaline, apt-tid, ttp activado, tempo di tromboplastina parziale
d-dimer | p-d-dimer, fibrin d-dimer, dímeros d, dímero-d, dimero d, d-dimère, d-dimeer, ddimeri, d-dimero (feu), d-dimers (feu), dd dimers
troponin t | p-troponin t, p-tnt, troponin-t (hs), tntus, tnt hs, cardiac troponin t, troponine t (hs), troponina t (hs), tropt hs, hstropt, troponine-t, troponina-t, hs-trop-t, ctnt, hs ctnt, troponin t high sensitive
troponin i | p-troponin i, p-tni, troponin-i, cardiac troponin i, troponine i us, troponina i (hs), troponina i alta sensibilidad, troponina-i, troponine-i, trop-i, hs trop i, hs-trop i, hs troponin i, troponin i high sensitive
troponin | troponinas, hs-trop., troponinen, troponin hs, hs troponine, troponina hs, troponina as, troponina alta sensibilidad, s-troponin
nt-probnp | p-nt-probnp, nt pro bnp, pro bnp, nt-pro-bnp (ng/l), nt-pro, n-terminal probnp
bnp | bnp (natriuretic peptide)
vitamin d | d-vitamin (25-oh), s-25-oh-vitamin d, p-25-oh-vitamin d, 25(oh) vitamin d, 25-oh-d vit, vitamina d (25oh), 25-oh vit d, 25-oh-vit. d, 25ohd, vit d, vit. d, vitamin d3, vitamine d (25-oh), vitamin d (25-hydroxy), 25(oh)-vitamin d, witamina d 25(oh), witamina 25(oh)d, 25 oh d
vitamin b12 | s-kobalamin, p-kobalamin, p-cobalamin, s-b12, vit. b12, vitamina b12 sérica, vitamin b12 (cobalamin)
folate | p-folat, s-folat, foliumzuur (serum), ac. fólico, ác. fólico, folati sierici, folsäure (serum), folate sérique
lactate | lactaat (art), lactates artériels, laktat (venös), lactate art., lactato arterial, lattati, ácido láctico (lactato), laktat (arteriell), b-laktat
ph | ph (art), ph art, a-ph, ph (venous), ph ven, ph venoso, ph veineux, ph (venös)
pco2 | a-pco2, pco₂, paco₂, pco2 (art), pa co2, p co2, b-pco2, co2-partialdruck
po2 | a-po2, po₂, pao₂, po2 (art), pa o2, p o2
base excess | base-excess, base excess (be), basenüberschuss, exceso de base, eccesso di basi, excès de base, excesso de base, basenabweichung, be (b), sbe, abe, a-be, nadmiar zasad, base exces, overskud af base, be-ecf
psa | p-psa, s-psa, antígeno prostático, psa (total)
esr | b-sr, sänkningsreaktion, sedimentatie, sediment. rate, eritrosedimentación, bsg 1h, bsg (1. std.), bsg 1. stunde, senkningsreaksjon, vhs (1ª hora), odczyn biernackiego, eritrosedimentazione
pt | tiempo protrombina, tp (s), pt (sec), pt (s), protrombintid
quick | quick (tpz), tpz, thromboplastinzeit (quick), attivita protrombinica, actividad protrombina, tp (%), pt %, pt (%), tasa de protrombina, tasso di protrombina, wskaźnik quicka, taux prothrombine
fibrinogen | p-fibrinogen, fibrinogène plasmatique
pth | s-pth, p-pth, parathyrin (pth), ipth, pth intact, pth (intact), pth intakt, intact parathyroid hormone, paratirina
cortisol | s-kortisol, p-kortisol, p-cortisol, cortisol (am), cortisol basal
egfr | egfr (krea), egfr krea, egfr / 1,73 m², egfr (rel), pt-egfr, pt-egfr(krea), egfr/1,73m2, relativ gfr, ckd-epi gfr, estimerad gfr, dfg (ckd epi), filtrato glomerulare, filtración glomerular, fg ckd-epi, fg estimado, fge (ckd-epi), gfr (egfr), gfr geschätzt, gfr n. ckd-epi, gfr (ckd epi), gfr estimada, egfr (ckd epi), e-gfr (ckd-epi), gfr n. mdrd, klaring (egfr), nierfunctie (egfr), gfr (schätzung), wskaźnik gfr, efgr
anti-ccp | ccp-antikörper, ccp antikörper, anti-ccp-antikörper, anti-ccp ak, ccp-ak, acpa, ac anti-ccp, anticuerpos anti-ccp, anticorpi anti-ccp, anti-ccp igg, ccp-antikroppar, anti-ccp antistoffen, ccp-antistoffer, p-ccp, anticorps anti-ccp, przeciwciała anty-ccp, accp
rheumatoid factor | rheumafaktoren, rf (rheumafaktor), s-rf, facteurs rhumatoïdes, reumatoid faktor, reumatoidfaktor, rf igm, igm-rf, igm rheumafaktor
uacr | albuminuria/creat., albuminuria/creatinuria, albuminurie/créatininurie, u-acr, u-alb/krea, u-albumin/krea, acr (urine), alb/kreat ratio, albumine/kreatinine ratio, albumin/creat ratio, microalbuminuria/creatinina, acr urine, cociente alb/crea, cociente albúmina/creat., u-alb/kreatinin, rac urinaire, alb/krea-ratio, albumin-kreatinin-ratio, alb/creat, albumina/creatinina ratio, urin-albumin/kreatinin, quot. alb/cr
upcr | prot/creat, proteína/creat, u-protein/krea, eiwit/kreatinine ratio, eiwit/creatinine ratio, protein/kreatinin-ratio, u-pcr
phenytoin | phenytoin (serum), s-fenytoin, fenytoin, fenitoína, fenitoina, phénytoïne, phenytoinspiegel
valproate | valproatémie, valproatspiegel, valproinsäure-spiegel, valproate (serum), s-valproat, ácido valproico (nivel), valproatemia, niveles de valproico
lithium | lithémie, lithiumspiegel, lithium (serum), lithium-spiegel, s-litium, p-litium, s-li, p-li, litemia, litiemia, lithiumspiegel i. s., lithium spiegel, lithiumserumspiegel, lithium trough, 12-h lithium, litio sérico, niveles de litio
vancomycin | vancomycine (dal), vancomycin (dal), s-vankomycin, vanco trough, vancocinémie, vancomycine résiduelle
tacrolimus | tacrolimusspiegel, b-takrolimus, tacrolimus (trough), tacrolimus résiduel, tacrolimus (talspiegel)
digoxin | s-digoxin, p-digoxin, digoxine (spiegel), digoxinaemie, digossinemia, niveles de digoxina, digoxinemia
ammonia | p-ammoniak, p-ammonium, ammonium, nh4
osmolality | p-osmolalitet, s-osmolalitet, osmolalitet, osmolarität, osmolarity, osmolarità plasmatica, osmolaridad, osmolarité
calprotectin | f-calprotectin, f-kalprotektin, calprotectina em fezes, calprotectine (feces), calprotectin (stool)
ethanol | alkohol, ethanol (serum), b-ethanol, s-etanol, éthanolémie, alcool (etanolo)
haptoglobin | p-haptoglobin, s-haptoglobin
transferrin | p-transferrin, s-transferrin, transferrine (sérum)
cea | p-cea, s-cea
ca 125 | p-ca125, s-ca 125
`;
