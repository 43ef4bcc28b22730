/**
 * Brands of single ingredients by country, which the tables of ingredients do not have. From the public registers of authorised
 * medicines: CIMA (Spain), AIFA (Italy), Rejestr Produktów Leczniczych (Poland), Infomed (Portugal), Geneesmiddeleninformatiebank
 * (Netherlands), PharmNet.Bund (Germany), ANSM (France), emc (United Kingdom), DailyMed (United States).
 */
export const nationalBrands = `
aspirin: Adiro, Tromalyt, Cardioaspirin, Cardirene, Polocard, Acard, Ascriptin, Caprin, Cartia, Godamed
metamizole: Nolotil, Pyralgina, Metalgial, Analgin
paracetamol: Gelocatil, Apiretal, Tachipirina, Apap, Calpol, Perdolan, Termalgin
ibuprofen: Neobrufen, Espidifen, Dalsy, Algifor, Ibuprom
ketoprofen: Ketonal, Orudis, Fastum
diclofenac: Diclac, Olfen, Cataflam
furosemide: Seguril, Diural
torasemide: Diuver, Sutril, Trifas, Toradiur
spironolactone: Spironol, Aldactone A, Uractone
lorazepam: Orfidal, Tavor, Temesta, Ativan
bromazepam: Lexatin, Lexotan, Lexotanil
alprazolam: Trankimazin, Xanax, Frontal
metformin: Dianben, Metforal, Metformax, Siofor, Risidon, Glucophage
bisoprolol: Emconcor, Congescor, Bisocard, Emcor
metoprolol: Seloken, Selokeen, Lopresor
nebivolol: Lobivon
ramipril: Acovil, Quark, Polpril, Unipril
enalapril: Enacard, Enap, Enapren, Reniten
amlodipine: Astudal, Amlozek, Tenox
lercanidipine: Zanidip, Lerzam
atorvastatin: Atoris, Zarator, Prevencor, Cardyl, Torvast, Sortis, Tahor
simvastatin: Zocor, Sinvacor, Zarator S
rosuvastatin: Roswera, Provisacor, Crestor
omeprazole: Mepral, Antra, Polprazol, Losec, Mopral
pantoprazole: Controloc, Pantorc, Pantozol, Inipomp
lansoprazole: Lansox, Ogast, Opiren
esomeprazole: Nexium, Inexium, Emanera
levothyroxine: Eutirox, Euthyrox, Letrox, Thyrax, Levothyrox
prednisone: Dacortin, Deltacortene, Encorton, Decortin, Cortancyl
prednisolone: Lepicortinolo, Decortin H, Solupred
methylprednisolone: Urbason, Medrol, Metypred
metoclopramide: Primperan, Plasil, Reglan
potassium chloride: Kaldyum, Kalipoz, Potasion
allopurinol: Zyloric, Milurit, Allopur
clopidogrel: Iscover, Zyllt, Plavix
enoxaparin: Neoparin, Inhixa
warfarin: Jantoven, Coumadin, Warfin
ceftriaxone: Rocefin, Rocefalin, Biotrakson
levofloxacin: Tavanic, Levoxacin, Levaquin
clarithromycin: Klacid, Biaxin, Klabax
azithromycin: Zitromax, Zithromax, Sumamed
ciprofloxacin: Ciproxin, Cipro, Baycip
doxycycline: Vibracina, Bassado, Vibramycin
valproate: Depakine, Depakin, Convulex
salbutamol: Ventolin, Ventoline, Buventol
sertraline: Zoloft, Besitran, Asentra, Lustral
escitalopram: Cipralex, Entact, Lexapro, Esertia
citalopram: Seropram, Elopram, Celexa
quetiapine: Seroquel, Ketrel
zolpidem: Stilnox, Stilnoct, Ambien
zopiclone: Ximovan, Imovane, Zimovane
tramadol: Adolonta, Contramal, Poltram, Tramal
digoxin: Digacin, Lanitop
amiodarone: Trangorex, Opacorden, Cordarex
doxazosin: Carduran, Cardura, Doxar, Progandol
tamsulosin: Omnic, Urolosin, Pradif, Flomax
insulin glargine: Abasaglar, Toujeo, Semglee
gliclazide: Diamicron, Diaprel, Uni Diamicron
sitagliptin: Tesavel, Xelevia, Januvia
empagliflozin: Jardiance
dapagliflozin: Forxiga, Farxiga, Edistride
`;
