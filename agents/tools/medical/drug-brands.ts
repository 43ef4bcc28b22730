/**
 * Brands of single ingredients by country, which the tables of ingredients do not have. From the public registers of authorised
 * medicines: CIMA (Spain), AIFA (Italy), Rejestr Produktów Leczniczych (Poland), Infomed (Portugal), Geneesmiddeleninformatiebank
 * (Netherlands), PharmNet.Bund (Germany), ANSM (France), emc (United Kingdom), DailyMed (United
 * States), FASS (Sweden), Felleskatalogen (Norway), medicin.dk (Denmark).
 */
export const nationalBrands = `
aspirin: Adiro, Tromalyt, Cardioaspirin, Cardirene, Polocard, Acard, Ascriptin, Caprin, Cartia, Godamed, Trombyl, Albyl-E, Hjertemagnyl, Magnyl, Thrombo ASS, ThromboASS, Aspirin Cardio, Aspirin Protect, Cardiaspirina, Bayaspirina, Disperin, Primaspan, Carbasalaatcalcium, Ascal, Acesal, Micropirin, Ecopirin, Aspirina
metamizole: Nolotil, Pyralgina, Metalgial, Analgin
paracetamol: Gelocatil, Apiretal, Tachipirina, Apap, Calpol, Perdolan, Termalgin, Panadol, Doliprane, Dafalgan, Efferalgan, Ben-u-ron, Tylenol, Paralen, Panodil, Alvedon, Pamol, Pinex, Paracet, Reliv, Pinemol, Paramax, Mexalen, Zapain, Tafirol, Benuron
ibuprofen: Neobrufen, Espidifen, Dalsy, Algifor, Ibuprom, Nurofen, Brufen, Advil, Motrin, Dolormin, Spedifen, Imbun, Ipren, Ibumetin, Ibux, Burana, Ifenin, Momentact, Buscofen, Ibudolor, Brufecod
ketoprofen: Ketonal, Orudis, Fastum
diclofenac: Diclac, Olfen, Cataflam, Difene, Voltarol, Voltarène, Dicloflex, Dyloject, Diclomex, Difen, Diklofenak, Eeze, Rewodina, Fenil-V
furosemide: Seguril, Diural, Lasix, Lasilix, Furon, Furix, Impugan, Diurix, Furesis, Vesix, Furosemidum, Furosix
torasemide: Diuver, Sutril, Trifas, Toradiur, Unat, Torasemid
spironolactone: Spironol, Aldactone A, Uractone, Spirix, Hexalacton
lorazepam: Orfidal, Tavor, Temesta, Ativan, Lorivan
bromazepam: Lexatin, Lexotan, Lexotanil
alprazolam: Trankimazin, Xanax, Frontal, Tafil, Xanor, Solanax
metformin: Dianben, Metforal, Metformax, Siofor, Risidon, Glucophage, Stagid, Glumetza, Metfogamma, Metforem, Diformin, Orabet, Meglucon, Diabetex, Glucient, Diabetosan
bisoprolol: Emconcor, Congescor, Bisocard, Emcor, Bisocor, Sobycor, Sequacor, Bisobloc, Rivacor
metoprolol: Seloken, Selokeen, Lopresor, Seloken ZOC, SelokenZOC, Selo-Zok, Selozok, Mesanel
nebivolol: Lobivon
ramipril: Acovil, Quark, Polpril, Unipril, Ramace, Vesdil, Prilace
enalapril: Enacard, Enap, Enapren, Reniten, Corodil, Linatil, Xanef
amlodipine: Astudal, Amlozek, Tenox, Norlip, Amloratio
lercanidipine: Zanidip, Lerzam
atorvastatin: Atoris, Zarator, Prevencor, Cardyl, Torvast, Sortis, Tahor, Lipistad, Atorva, Tulip
simvastatin: Zocor, Sinvacor, Zarator S, Simvalip, Simvor
rosuvastatin: Roswera, Provisacor, Crestor, Rosucor, Visacor, Romazic
omeprazole: Mepral, Antra, Polprazol, Losec, Mopral, Omestad, Helicid, Losepine, Bioprazol, Omezol
pantoprazole: Controloc, Pantorc, Pantozol, Inipomp, Somac, Pantoloc, Zurcal, Pantecta, Anagastra, Nolpaza, Peptazol
lansoprazole: Lansox, Ogast, Opiren, Lanzo, Agopton, Lasoprol
esomeprazole: Nexium, Inexium, Emanera, Esomep, Lucen
levothyroxine: Eutirox, Euthyrox, Letrox, Thyrax, Levothyrox, Lévothyrox, Synthroid, Eltroxin, L-Thyroxin Henning, Berlthyrox, Levaxin, Thyroxin, Tirosint, L-Thyrox, Medithyrox, Puran
prednisone: Dacortin, Deltacortene, Encorton, Decortin, Cortancyl
prednisolone: Lepicortinolo, Decortin H, Solupred, Aprednislon, Spiricort, Decortin-H
methylprednisolone: Urbason, Medrol, Metypred, Solu-Medrol, Solumedrol
metoclopramide: Primperan, Plasil, Reglan, Afipran, Prokinyl
potassium chloride: Kaldyum, Kalipoz, Potasion
allopurinol: Zyloric, Milurit, Allopur, Apurin, Purinol, Urosin, Allonol, Abopur, Alopurinol
clopidogrel: Iscover, Zyllt, Plavix, Grepid, Cloriocard, Trombex
enoxaparin: Neoparin, Inhixa, Lovenox, Clexane, Clivarine, Klexane, Ghemaxan
warfarin: Jantoven, Coumadin, Warfin, Waran
ceftriaxone: Rocefin, Rocefalin, Biotrakson, Rocephalin, Lendacin
levofloxacin: Tavanic, Levoxacin, Levaquin
clarithromycin: Klacid, Biaxin, Klabax
azithromycin: Zitromax, Zithromax, Sumamed
ciprofloxacin: Ciproxin, Cipro, Baycip, Cifloxinal, Cipronex
doxycycline: Vibracina, Bassado, Vibramycin, Doxyferm, Doryx, Unidox, Doxybene
valproate: Depakine, Depakin, Convulex, Ergenyl, Orfiril, Deprakine, Depamide, Absenor, Micropakine
salbutamol: Ventolin, Ventoline, Buventol, Airsal, Ventilastin, Salamol
sertraline: Zoloft, Besitran, Asentra, Lustral, Sertralin, Serlift, Tatig
escitalopram: Cipralex, Entact, Lexapro, Esertia, Sipralexa, Premalex
citalopram: Seropram, Elopram, Celexa, Akarin, Talam
quetiapine: Seroquel, Ketrel, Quetiapin, Biquetan
zolpidem: Stilnox, Stilnoct, Ambien, Edluar, Sanval
zopiclone: Ximovan, Imovane, Zimovane, Imozop, Imoclone, Zopiklon, Imoxop
tramadol: Adolonta, Contramal, Poltram, Tramal, Zydol, Topalgic, Zamudol, Tramundin, Ultram, Tradolan, Nobligan, Mandolgin, Dolol, Tiparol, Tramagetic
digoxin: Digacin, Lanitop, Lanoxin, Digoxine Nativelle, Hemigoxine, Lanacrist, Eudigox
amiodarone: Trangorex, Opacorden, Cordarex, Cordarone, Pacerone, Cordan, Sedacoron, Rytmodil
doxazosin: Carduran, Cardura, Doxar, Progandol, Alfadil, Cardular, Kamiren
tamsulosin: Omnic, Urolosin, Pradif, Flomax, Alna, Urostad, Josir, Omix, Tamsin
insulin glargine: Abasaglar, Toujeo, Semglee, Optisulin
gliclazide: Diamicron, Diaprel, Uni Diamicron
sitagliptin: Tesavel, Xelevia, Januvia
empagliflozin: Jardiance
dapagliflozin: Forxiga, Farxiga, Edistride
lithium carbonate: Priadel, Camcolit, Lithobid, Quilonum, Quilonorm, Téralithe, Plenur, Carbolithium, Hypnorex, Eskalith, Lithionit, Litarex, Lithiofor, Litio
naproxen: Naprosyn, Naprosyne, Antalgin, Apranax, Aleve, Synflex, Pronaxen, Napren, Naproxin, Momendol
celecoxib: Celebrex, Onsenal
etoricoxib: Arcoxia
morphine: MST Continus, Oramorph, Sevredol, Skenan, Actiskenan, Zomorph, Sevre-Long, Dolcontral, Dolcontin, Contalgin, Doltard, Malfin, MS Direct, Vendal, Mundidol, Kapanol
oxycodone: OxyContin, OxyNorm, Oxygesic, Longtec, Shortec, Roxicodone, Oxynormoro, Oxikodon, Reltebon
fentanyl: Durogesic, Matrifen, Duragesic, Actiq, Abstral, Leponal, Effentora, Instanyl, Breakyl
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
ondansetron: Zofran, Zophren, Setofilm, Zofron, Setronon, Yatrox
granisetron: Kytril, Kevatril
aprepitant: Emend
prochlorperazine: Compazine, Stemetil
oxytocin: Syntocinon, Pitocin
misoprostol: Cytotec, Angusta
labetalol: Trandate, Normodyne
nicardipine: Loxen, Cardene
nifedipine: Adalat, Coracten, Tensipine
felodipine: Plendil, Modip, Hydac
diltiazem: Cardizem, Tildiem, Dilzem, Adizem
verapamil: Isoptin, Isoptine, Securon, Calan
lamotrigine: Lamictal, Lamotrix, Labileno
levetiracetam: Keppra, Matever
carbamazepine: Tegretol, Tegretal, Timonil, Trimonil, Hermolepsin, Finlepsin, Neurotol
gabapentin: Neurontin, Gabantin
pregabalin: Lyrica, Pregalex
topiramate: Topamax, Epitomax
fluoxetine: Prozac, Fluctin, Adofen
paroxetine: Paxil, Seroxat, Deroxat, Paroxat
venlafaxine: Effexor, Efexor, Trevilor, Vandral
duloxetine: Cymbalta, Yentreve
mirtazapine: Remeron, Zispin, Norset, Remergil, Mirzaten, Mirtastad
trazodone: Desyrel, Molipaxin, Trittico, Deprax
bupropion: Wellbutrin, Zyban, Elontril
amitriptyline: Saroten, Laroxyl, Elavil, Tryptizol
olanzapine: Zyprexa, Zalasta
risperidone: Risperdal, Rispolept, Belivon
aripiprazole: Abilify
haloperidol: Haldol, Serenase, Sigaperidol
clozapine: Clozaril, Leponex, Denzapine
diazepam: Valium, Stesolid, Vival, Apozepam, Psychopax, Gewacalm, Diapam
clonazepam: Rivotril, Klonopin
midazolam: Dormicum, Versed, Buccolam
oxazepam: Praxiten, Adumbran, Seresta, Sobril, Oxascand, Oxapax, Alopam, Anxiolit
methylphenidate: Ritalin, Concerta, Medikinet
donepezil: Aricept, Yasnal, Memac
memantine: Namenda, Ebixa, Axura, Nemdatine
rivastigmine: Exelon
ropinirole: Requip
pramipexole: Mirapexin, Sifrol, Mirapex
perindopril: Prestarium, Coversyl, Coversum, Aceon
lisinopril: Zestril, Prinivil, Acerbon, Vivatec
candesartan: Atacand, Blopress, Amias, Candemox, Candexetil, Karbis
losartan: Cozaar, Lorzaar, Losatrix, Lortaan, Loortan
valsartan: Diovan, Tareg, Valsarcor, Valtan
irbesartan: Aprovel, Avapro
telmisartan: Micardis, Pritor
olmesartan: Benicar, Olmetec, Votum
hydrochlorothiazide: Esidrix, Microzide, Esidrex, Hidrosaluretil
indapamide: Natrilix, Lozol, Fludex, Tertensif, Ipres
eplerenone: Inspra
carvedilol: Dilatrend, Coreg, Kredex
atenolol: Tenormin, Uniloc
propranolol: Inderal, Dociton, Avlocardyl
ivabradine: Procoralan, Corlentor
ranolazine: Ranexa
ezetimibe: Ezetrol, Zetia
fenofibrate: Lipanthyl, Tricor, Fenogal
pravastatin: Pravachol, Lipostat, Elisor
glimepiride: Amaryl, Amarel
semaglutide: Ozempic, Rybelsus, Wegovy
ferrous sulfate: Tardyferon, Ferrograd, Feosol, Ferro-Gradumet, Feospan, Duroferon, Ferro Duretter, Ferrogradumet, Ferro-Grad, Hemofer, Sorbifer, Plastufer
dalteparin: Fragmin
tinzaparin: Innohep
carbimazole: Neo-Mercazole, Néo-Mercazole
hydrocortisone: Solu-Cortef, Hydrocort, Cortef
dexamethasone: Decadron, Fortecortin, Dectancyl, Dexamethason, Dexacortal
alendronic acid: Fosamax, Alenat, Adronat, Ostolek
denosumab: Prolia, Xgeva, Jubbonti, Ospomyv
zoledronic acid: Aclasta, Zometa
amoxicillin: Amoxil, Clamoxyl, Amoxypen, Amimox, Imacillin, Ospamox, Zimox, Duomox, Hiconcil
nitrofurantoin: Macrobid, Macrodantin, Furadantin, Furabid, Nifuryl
linezolid: Zyvox, Zyvoxid
vancomycin: Vancocin
meropenem: Meronem, Merrem, Merinfec
metronidazole: Flagyl, Clont, Elyzol, Rosazol, Metrogyl, Vagilen
fluconazole: Diflucan, Fungata, Flukonazol
aciclovir: Zovirax
montelukast: Singulair, Montelair, Asmenol
tiotropium: Spiriva, Braltus
ipratropium: Atrovent
budesonide: Pulmicort, Budecort, Entocort, Budelin, Miflonide, Giona
beclometasone: Clenil, Qvar, Beclojet
formoterol: Foradil, Oxis, Formatris
salmeterol: Serevent
cetirizine: Zyrtec, Zirtek, Reactine, Benaday, Zyrlex, Virlix
loratadine: Claritin, Clarityn, Lisino, Lorano, Versal, Civeran
finasteride: Proscar, Finural
tolterodine: Detrol, Detrusitol
solifenacin: Vesicare
mirabegron: Betmiga, Myrbetriq
sildenafil: Viagra, Revatio
tadalafil: Cialis, Adcirca
methotrexate: Metoject, Lantarel, Trexall, Metex, Ebetrex, Methotrexat, Ledertrexate, Nordimet
hydroxychloroquine: Plaquenil, Quensyl
azathioprine: Imuran, Imurel, Imurek
mycophenolate: CellCept, Myfortic
tacrolimus: Prograf, Advagraf, Envarsus
ciclosporin: Neoral, Sandimmun
adalimumab: Humira, Hyrimoz, Imraldi, Amgevita, Idacio, Hulio, Yuflyma, Amsparity, Hukyndra
etanercept: Enbrel, Erelzi, Benepali, Nepexto
infliximab: Remicade, Inflectra, Remsima, Flixabi, Zessly
rituximab: MabThera, Rituxan, Rixathon, Truxima, Ruxience
tamoxifen: Nolvadex
letrozole: Femara
anastrozole: Arimidex
bevacizumab: Avastin, Mvasi, Zirabev
trastuzumab: Herceptin, Herzuma, Kanjinti, Ogivri, Ontruzant
colchicine: Colcrys, Colchimax, Colchicum-Dispert, Colrefuz, Kolkicin, Colchysat, Goutnor, Colchicina
febuxostat: Adenuric, Uloric
bumetanide: Fontex
codeine: Kodein, Codipront
insulin lispro: Lyumjev
betamethasone: Betapred, Diprophos, Celeston, Celestan
flucloxacillin: Heracillin, Staphylex
pivmecillinam: Penomax
trimethoprim: Idotrim, Infectotrimet, Monotrim, Trimopan
cefotaxime: Sefotak
cefuroxime: Zinacef, Axetine, Curocef
macrogol: Dulcobalance, Moxalole, Gangiden
sodium picosulfate: Cilaxoral, Laxoberon, Guttalax, Gutalax, Euchessina
lactulose: Laktipex, Laevolac, Lactuflor, Legendal, Importal
folic acid: Folacin, Folina, Folvite, Acfol, Speciafoldine
cyanocobalamin: Behepan, Betolvex, Vibeden, Vitarubin, Optovite, Dobetin
alfuzosin: Benestan
pegfilgrastim: Pelgraz, Ziextenzo, Fulphila
filgrastim: Zarzio, Nivestim, Accofil, Tevagrastim
tocilizumab: Tyenne
ustekinumab: Wezenla, Uzpruvo
domperidone: Peridys, Domperidon
loperamide: Dimor, Travello, Lopex, Fortasec
nitroglycerin: Nitromex, Corangin, Nitro-Dur, Suscard, Trinitrina, Vernies, Nitroderm, Deponit, Cafinitrina
isosorbide mononitrate: Monoket, Isodur, Uniket
flecainide: Apocard, Almarytm, Flecaine
propafenone: Rytmol
sotalol: Sotacor, Sotalex, Sotahexal
chlortalidone: Higrotona, Igroton
dipyridamole: Persantin
mesalazine: Claversal, Mezavant, Lixacol, Asamax
sulfasalazine: Salazopirina, Pleon
ursodeoxycholic acid: Ursosan, Deursil, Ursochol
pancreatin: Kréon, Pankreon, Panzytrat
desloratadine: Caredin, Azomyr
ketoconazole: Nizoral
`;
