/**
 * Brands of single ingredients by country, which the tables of ingredients do not have. From the public registers of authorised
 * medicines: CIMA (Spain), AIFA (Italy), Rejestr Produktów Leczniczych (Poland), Infomed (Portugal), Geneesmiddeleninformatiebank
 * (Netherlands), PharmNet.Bund (Germany), ANSM (France), emc (United Kingdom), DailyMed (United States).
 */
export const nationalBrands = `
aspirin: Adiro, Tromalyt, Cardioaspirin, Cardirene, Polocard, Acard, Ascriptin, Caprin, Cartia, Godamed
metamizole: Nolotil, Pyralgina, Metalgial, Analgin
paracetamol: Gelocatil, Apiretal, Tachipirina, Apap, Calpol, Perdolan, Termalgin, Panadol, Doliprane, Dafalgan, Efferalgan, Ben-u-ron, Tylenol, Paralen, Panodil, Alvedon
ibuprofen: Neobrufen, Espidifen, Dalsy, Algifor, Ibuprom, Nurofen, Brufen, Advil, Motrin, Dolormin, Spedifen, Imbun
ketoprofen: Ketonal, Orudis, Fastum
diclofenac: Diclac, Olfen, Cataflam, Difene, Voltarol, Voltarène, Dicloflex, Dyloject
furosemide: Seguril, Diural, Lasix, Lasilix, Furon
torasemide: Diuver, Sutril, Trifas, Toradiur
spironolactone: Spironol, Aldactone A, Uractone
lorazepam: Orfidal, Tavor, Temesta, Ativan
bromazepam: Lexatin, Lexotan, Lexotanil
alprazolam: Trankimazin, Xanax, Frontal
metformin: Dianben, Metforal, Metformax, Siofor, Risidon, Glucophage, Stagid, Glumetza, Metfogamma
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
levothyroxine: Eutirox, Euthyrox, Letrox, Thyrax, Levothyrox, Lévothyrox, Synthroid, Eltroxin, L-Thyroxin Henning, Berlthyrox
prednisone: Dacortin, Deltacortene, Encorton, Decortin, Cortancyl
prednisolone: Lepicortinolo, Decortin H, Solupred
methylprednisolone: Urbason, Medrol, Metypred, Solu-Medrol, Solumedrol
metoclopramide: Primperan, Plasil, Reglan
potassium chloride: Kaldyum, Kalipoz, Potasion
allopurinol: Zyloric, Milurit, Allopur
clopidogrel: Iscover, Zyllt, Plavix
enoxaparin: Neoparin, Inhixa, Lovenox, Clexane, Clivarine
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
tramadol: Adolonta, Contramal, Poltram, Tramal, Zydol, Topalgic, Zamudol, Tramundin, Ultram
digoxin: Digacin, Lanitop, Lanoxin, Digoxine Nativelle, Hemigoxine
amiodarone: Trangorex, Opacorden, Cordarex, Cordarone, Pacerone
doxazosin: Carduran, Cardura, Doxar, Progandol
tamsulosin: Omnic, Urolosin, Pradif, Flomax
insulin glargine: Abasaglar, Toujeo, Semglee
gliclazide: Diamicron, Diaprel, Uni Diamicron
sitagliptin: Tesavel, Xelevia, Januvia
empagliflozin: Jardiance
dapagliflozin: Forxiga, Farxiga, Edistride
lithium carbonate: Priadel, Camcolit, Lithobid, Quilonum, Quilonorm, Téralithe, Plenur, Carbolithium, Hypnorex, Eskalith
naproxen: Naprosyn, Naprosyne, Antalgin, Apranax, Aleve, Synflex
celecoxib: Celebrex, Onsenal
etoricoxib: Arcoxia
morphine: MST Continus, Oramorph, Sevredol, Skenan, Actiskenan, Zomorph, Sevre-Long, Dolcontral
oxycodone: OxyContin, OxyNorm, Oxygesic, Longtec, Shortec, Roxicodone
fentanyl: Durogesic, Matrifen, Duragesic, Actiq, Abstral
buprenorphine: Butrans, Norspan, Temgesic, Transtec, BuTrans
apixaban: Eliquis
rivaroxaban: Xarelto
edoxaban: Lixiana, Savaysa
dabigatran: Pradaxa
phenprocoumon: Marcumar, Falithrom, Marcoumar
acenocoumarol: Sintrom, Acenocumarol
ticagrelor: Brilique, Brilinta
prasugrel: Efient, Effient
timolol: Timoptol, Timoptic, Timoptik, Timacor
latanoprost: Xalatan, Monoprost
bimatoprost: Lumigan
dorzolamide: Trusopt
brimonidine: Alphagan
ondansetron: Zofran, Zophren, Setofilm, Zofron
granisetron: Kytril, Kevatril
aprepitant: Emend
prochlorperazine: Compazine, Stemetil
oxytocin: Syntocinon, Pitocin
misoprostol: Cytotec, Angusta
labetalol: Trandate, Normodyne
nicardipine: Loxen, Cardene
nifedipine: Adalat, Coracten, Tensipine
felodipine: Plendil, Modip
diltiazem: Cardizem, Tildiem, Dilzem, Adizem
verapamil: Isoptin, Isoptine, Securon, Calan
lamotrigine: Lamictal
levetiracetam: Keppra
carbamazepine: Tegretol, Tegretal, Timonil
gabapentin: Neurontin
pregabalin: Lyrica
topiramate: Topamax, Epitomax
fluoxetine: Prozac, Fluctin, Adofen
paroxetine: Paxil, Seroxat, Deroxat, Paroxat
venlafaxine: Effexor, Efexor, Trevilor, Vandral
duloxetine: Cymbalta, Yentreve
mirtazapine: Remeron, Zispin, Norset, Remergil
trazodone: Desyrel, Molipaxin, Trittico, Deprax
bupropion: Wellbutrin, Zyban, Elontril
amitriptyline: Saroten, Laroxyl, Elavil, Tryptizol
olanzapine: Zyprexa, Zalasta
risperidone: Risperdal
aripiprazole: Abilify
haloperidol: Haldol
clozapine: Clozaril, Leponex, Denzapine
diazepam: Valium, Stesolid
clonazepam: Rivotril, Klonopin
midazolam: Dormicum, Versed, Buccolam
oxazepam: Praxiten, Adumbran, Seresta
methylphenidate: Ritalin, Concerta, Medikinet
donepezil: Aricept
memantine: Namenda, Ebixa, Axura
rivastigmine: Exelon
ropinirole: Requip
pramipexole: Mirapexin, Sifrol, Mirapex
perindopril: Prestarium, Coversyl, Coversum, Aceon
lisinopril: Zestril, Prinivil, Acerbon
candesartan: Atacand, Blopress, Amias
losartan: Cozaar, Lorzaar
valsartan: Diovan, Tareg
irbesartan: Aprovel, Avapro
telmisartan: Micardis, Pritor
olmesartan: Benicar, Olmetec, Votum
hydrochlorothiazide: Esidrix, Microzide, Esidrex
indapamide: Natrilix, Lozol, Fludex, Tertensif
eplerenone: Inspra
carvedilol: Dilatrend, Coreg, Kredex
atenolol: Tenormin
propranolol: Inderal, Dociton, Avlocardyl
ivabradine: Procoralan, Corlentor
ranolazine: Ranexa
ezetimibe: Ezetrol, Zetia
fenofibrate: Lipanthyl, Tricor, Fenogal
pravastatin: Pravachol, Lipostat, Elisor
glimepiride: Amaryl, Amarel
semaglutide: Ozempic, Rybelsus, Wegovy
ferrous sulfate: Tardyferon, Ferrograd, Feosol, Ferro-Gradumet, Feospan
dalteparin: Fragmin
tinzaparin: Innohep
carbimazole: Neo-Mercazole, Néo-Mercazole
hydrocortisone: Solu-Cortef, Hydrocort, Cortef
dexamethasone: Decadron, Fortecortin, Dectancyl
alendronic acid: Fosamax
denosumab: Prolia, Xgeva
zoledronic acid: Aclasta, Zometa
amoxicillin: Amoxil, Clamoxyl, Amoxypen
nitrofurantoin: Macrobid, Macrodantin, Furadantin
linezolid: Zyvox, Zyvoxid
vancomycin: Vancocin
meropenem: Meronem, Merrem
metronidazole: Flagyl, Clont
fluconazole: Diflucan
aciclovir: Zovirax
montelukast: Singulair
tiotropium: Spiriva
ipratropium: Atrovent
budesonide: Pulmicort, Budecort, Entocort
beclometasone: Clenil, Qvar, Beclojet
formoterol: Foradil, Oxis
salmeterol: Serevent
cetirizine: Zyrtec, Zirtek, Reactine
loratadine: Claritin, Clarityn, Lisino
finasteride: Proscar
tolterodine: Detrol, Detrusitol
solifenacin: Vesicare
mirabegron: Betmiga, Myrbetriq
sildenafil: Viagra, Revatio
tadalafil: Cialis, Adcirca
methotrexate: Metoject, Lantarel, Trexall
hydroxychloroquine: Plaquenil, Quensyl
azathioprine: Imuran, Imurel, Imurek
mycophenolate: CellCept, Myfortic
tacrolimus: Prograf, Advagraf, Envarsus
ciclosporin: Neoral, Sandimmun
adalimumab: Humira
etanercept: Enbrel
infliximab: Remicade
rituximab: MabThera, Rituxan
tamoxifen: Nolvadex
letrozole: Femara
anastrozole: Arimidex
bevacizumab: Avastin
trastuzumab: Herceptin
colchicine: Colcrys, Colchimax, Colchicum-Dispert
febuxostat: Adenuric, Uloric
`;
