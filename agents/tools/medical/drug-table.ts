/**
 * Medicines with groups for interactions. Daily maxima of adults are those of the European product information (SmPC) for the common
 * oral forms; where indications differ, the highest. ATC codes: WHO Collaborating Centre for Drug Statistics Methodology.
 *
 * name, other names with = | ATC | groups | daily maximum. A name with a capital is a brand; `+` after it: a brand of a combination.
 */
export const commonDrugs = `
paracetamol=acetaminophen=Tylenol=Panadol=Paralen=Doliprane=Dafalgan=Efferalgan=Ben-u-ron=Perfalgan=Ofirmev | N02BE01 |  | 4000 mg
ibuprofen=Brufen=Nurofen=Advil=Motrin=Ibuflam=Dolormin | M01AE01 | nsaid bleeding | 2400 mg
naproxen=Aleve=Naprosyn | M01AE02 | nsaid bleeding | 1000 mg
diclofenac=Voltaren=Voltarol | M01AB05 | nsaid bleeding | 150 mg
ketoprofen=Profenid=Kétum | M01AE03 | nsaid bleeding | 200 mg
meloxicam=Mobic | M01AC06 | nsaid bleeding | 15 mg
celecoxib=Celebrex | M01AH01 | nsaid | 400 mg
indometacin=indomethacin | M01AB01 | nsaid bleeding | 200 mg
metamizole=metamizol=Novalgin=dipyrone=novaminsulfon | N02BB02 |  | 4000 mg
aspirin=acetylsalicylic acid=asa=acetylsalicylsäure=acide acétylsalicylique=ass=Anopyrin=Kardegic=Aspégic=Ecotrin | B01AC06 | antiplatelet bleeding |
clopidogrel=Plavix=Iscover | B01AC04 | antiplatelet bleeding | 75 mg
ticagrelor=Brilique=Brilinta | B01AC24 | antiplatelet bleeding cyp3a4substrate | 180 mg
prasugrel=Efient=Effient | B01AC22 | antiplatelet bleeding | 10 mg
warfarin=Coumadin=warfarin sodium=Jantoven=Marevan | B01AA03 | anticoagulant bleeding vka |
phenprocoumon=Marcumar=Falithrom | B01AA04 | anticoagulant bleeding vka |
acenocoumarol=Sintrom | B01AA07 | anticoagulant bleeding vka |
apixaban=Eliquis | B01AF02 | anticoagulant bleeding doac | 20 mg
rivaroxaban=Xarelto | B01AF01 | anticoagulant bleeding doac | 30 mg
edoxaban=Lixiana=Savaysa | B01AF03 | anticoagulant bleeding doac | 60 mg
dabigatran=Pradaxa | B01AE07 | anticoagulant bleeding doac | 300 mg
enoxaparin=Clexane=Lovenox | B01AB05 | anticoagulant bleeding heparin |
heparin=unfractionated heparin=heparin sodium=ufh=unfraktioniertes heparin | B01AB01 | anticoagulant bleeding heparin |
amiodarone=amiodaron=Cordarone=Pacerone | C01BD01 | qt antiarrhythmic |
sotalol=Betapace | C07AA07 | betablocker qt antiarrhythmic | 640 mg
dronedarone=Multaq | C01BD07 | qt antiarrhythmic | 800 mg
flecainide=Tambocor=flécaïne | C01BC04 | antiarrhythmic | 400 mg
digoxin=Lanoxin=Lanacordin | C01AA05 | glycoside |
bisoprolol=Concor=Zebeta=Cardicor | C07AB07 | betablocker | 20 mg
metoprolol=Betaloc=metoprolol succinate=metoprolol tartrate=metoprololsuccinat=metoprololtartrat=Toprol=Lopressor=Beloc=Beloc-Zok | C07AB02 | betablocker | 400 mg
atenolol=Tenormin | C07AB03 | betablocker | 100 mg
carvedilol=Coreg=Dilatrend=Querto | C07AG02 | betablocker | 100 mg
propranolol=Inderal | C07AA05 | betablocker | 320 mg
nebivolol=Bystolic=Nebilet | C07AB12 | betablocker | 10 mg
verapamil=Isoptin=Calan | C08DA01 | ratelimitingccb cyp3a4inhibitor | 480 mg
diltiazem=Cardizem=Tildiem | C08DB01 | ratelimitingccb cyp3a4inhibitor | 480 mg
amlodipine=amlodipin=Norvasc=Amlor=Istin | C08CA01 | ccb | 10 mg
nifedipine=Adalat | C08CA05 | ccb | 120 mg
ramipril=Tritace=Altace=Delix=Triatec | C09AA05 | acei raas | 10 mg
enalapril=Vasotec=Renitec | C09AA02 | acei raas | 40 mg
lisinopril=Zestril=Prinivil | C09AA03 | acei raas | 80 mg
perindopril=Prestarium=Coversyl=Coversum | C09AA04 | acei raas | 10 mg
losartan=Cozaar | C09CA01 | arb raas | 150 mg
valsartan=Diovan | C09CA03 | arb raas | 320 mg
candesartan=Atacand=Blopress | C09CA06 | arb raas | 32 mg
telmisartan=Micardis | C09CA07 | arb raas | 80 mg
sacubitril=Entresto+=sacubitril/valsartan=sacubitril-valsartan | C09DX04 | arni raas |
aliskiren | C09XA02 | raas aliskiren | 300 mg
spironolactone=spironolacton=Verospiron=Aldactone | C03DA01 | potassiumsparing | 400 mg
eplerenone=Inspra | C03DA04 | potassiumsparing cyp3a4substrate | 50 mg
furosemide=furosemid=Lasix=Furon=frusemide | C03CA01 | loopdiuretic diuretic |
torasemide=torsemide=Demadex=Torem | C03CA04 | loopdiuretic diuretic |
hydrochlorothiazide=hctz=hct=Esidrix=Microzide | C03AA03 | thiazide diuretic | 100 mg
indapamide=Fludex=Lozol | C03BA11 | thiazide diuretic | 2.5 mg
chlortalidone=chlorthalidone=Thalitone=Hygroton | C03BA04 | thiazide diuretic | 50 mg
potassium chloride=kalium chloratum=kcl=chlorure de potassium=kaliumchlorid=Diffu-K=Kalinor=Sando-K=Slow-K=K-Dur=Klor-Con=Kaleorid | A12BA01 | potassium |
simvastatin=Zocor=Zocord | C10AA01 | statin statin3a4 | 80 mg
lovastatin | C10AA02 | statin statin3a4 | 80 mg
atorvastatin=Sortis=Lipitor=Tahor | C10AA05 | statin statin3a4 | 80 mg
rosuvastatin=Crestor | C10AA07 | statin | 40 mg
pravastatin=Pravachol | C10AA03 | statin | 40 mg
gemfibrozil | C10AB04 | fibrate gemfibrozil | 1200 mg
fenofibrate=Tricor=Lipanthyl | C10AB05 | fibrate | 267 mg
ezetimibe=Zetia=Ezetrol | C10AX09 |  | 10 mg
nitroglycerin=glyceryl trinitrate=gtn=nitroglycerine=trinitrine=Nitrostat=Nitrolingual=Natispray | C01DA02 | nitrate |
isosorbide mononitrate=ismn=isosorbidmononitrat=Imdur=Ismo | C01DA14 | nitrate |
sildenafil=Viagra=Revatio | G04BE03 | pde5 cyp3a4substrate | 100 mg
tadalafil=Cialis=Adcirca | G04BE08 | pde5 cyp3a4substrate | 40 mg
tamsulosin=tamsulosin hydrochloride=Flomax=Omnic | G04CA02 | alphablocker | 0.4 mg
metformin=Glucophage=metformin hydrochloride | A10BA02 | antidiabetic metformin | 3000 mg
glimepiride=Amaryl | A10BB12 | sulfonylurea antidiabetic | 6 mg
gliclazide=Diamicron | A10BB09 | sulfonylurea antidiabetic | 320 mg
glibenclamide=glyburide=Euglucon | A10BB01 | sulfonylurea antidiabetic | 15 mg
empagliflozin=Jardiance | A10BK03 | sglt2 antidiabetic | 25 mg
dapagliflozin=Forxiga=Farxiga | A10BK01 | sglt2 antidiabetic | 10 mg
sitagliptin=Januvia=Xelevia | A10BH01 | antidiabetic | 100 mg
semaglutide=Ozempic=Wegovy=Rybelsus | A10BJ06 | antidiabetic |
levothyroxine=Euthyrox=l-thyroxine=Letrox=levothyroxine sodium=l-thyroxin=Synthroid=Lévothyrox=Levoxyl=Eltroxin | H03AA01 | levothyroxine |
prednisone=prednison=Deltasone=Cortancyl=Decortin | H02AB07 | corticosteroid |
prednisolone=Solupred=Decortin H | H02AB06 | corticosteroid |
dexamethasone=Decadron=Fortecortin | H02AB02 | corticosteroid |
omeprazole=omeprazol=Prilosec=Losec=Mopral=Antra | A02BC01 | ppi cyp2c19inhibitor | 120 mg
esomeprazole=Nexium=Inexium | A02BC05 | ppi cyp2c19inhibitor | 160 mg
pantoprazole=pantoprazol=controloc=Protonix=Pantozol=Inipomp=Controloc | A02BC02 | ppi | 160 mg
lansoprazole=Prevacid=Zoton | A02BC03 | ppi | 180 mg
famotidine=Pepcid | A02BA03 |  |
calcium carbonate=calciumcarbonat=carbonate de calcium=calcium carb=Tums | A12AA04 | cation |
ferrous sulfate=ferrous sulphate=iron sulfate=eisensulfat=eisen ii sulfat=sulfate de fer=Tardyferon=Feosol | B03AA07 | cation iron |
domperidone=Motilium | A03FA03 | qt | 30 mg
metoclopramide=Reglan=Maxolon=Paspertin=Primpéran | A03FA01 | dopamineantagonist | 30 mg
ondansetron=Zofran | A04AA01 | qt serotonergic | 32 mg
sertraline=Zoloft=Lustral | N06AB06 | ssri serotonergic | 200 mg
fluoxetine=Prozac=Sarafem | N06AB03 | ssri serotonergic cyp2d6inhibitor | 60 mg
paroxetine=Paxil=Seroxat=Deroxat | N06AB05 | ssri serotonergic cyp2d6inhibitor | 60 mg
citalopram=Celexa=Cipramil=Seropram | N06AB04 | ssri serotonergic qt | 40 mg
escitalopram=Lexapro=Cipralex=Seroplex | N06AB10 | ssri serotonergic qt | 20 mg
fluvoxamine | N06AB08 | ssri serotonergic cyp1a2inhibitor | 300 mg
venlafaxine=Effexor=Trevilor | N06AX16 | snri serotonergic | 375 mg
duloxetine=Cymbalta | N06AX21 | snri serotonergic | 120 mg
mirtazapine=Remeron=Remergil | N06AX11 | sedative | 45 mg
trazodone=Desyrel | N06AX05 | serotonergic sedative | 600 mg
amitriptyline=Elavil=Laroxyl=Saroten | N06AA09 | tca serotonergic qt sedative anticholinergic | 150 mg
moclobemide | N06AG02 | maoi serotonergic | 600 mg
selegiline | N04BD01 | maoi serotonergic | 10 mg
linezolid=Zyvox | J01XX08 | maoi serotonergic linezolid | 1200 mg
lithium carbonate=lithium=lithiumcarbonat=Téralithe=Quilonum | N05AN01 | lithium |
haloperidol=Haldol | N05AD01 | qt antipsychotic dopamineantagonist | 20 mg
quetiapine=Seroquel | N05AH04 | qt antipsychotic sedative cyp3a4substrate | 800 mg
olanzapine=Zyprexa | N05AH03 | antipsychotic sedative | 20 mg
risperidone=Risperdal | N05AX08 | antipsychotic | 16 mg
clozapine=Clozaril=Leponex | N05AH02 | antipsychotic clozapine sedative | 900 mg
levodopa=Madopar+=Sinemet+=levodopa/carbidopa=carbidopa-levodopa=carbidopa/levodopa=co-careldopa=levodopa-benserazid | N04BA02 | levodopa |
diazepam=Valium | N05BA01 | benzodiazepine sedative | 60 mg
lorazepam=Ativan=Tavor=Temesta | N05BA06 | benzodiazepine sedative | 10 mg
alprazolam=Xanax | N05BA12 | benzodiazepine sedative cyp3a4substrate | 10 mg
zolpidem=Ambien=Stilnox | N05CF02 | sedative hypnotic | 10 mg
morphine=morphin=morphine sulfate=morphine sulphate=morphinsulfat=Oramorph=MS Contin=MST=Skenan=Actiskenan | N02AA01 | opioid sedative |
oxycodone=OxyContin=Oxynorm=Roxicodone | N02AA05 | opioid sedative cyp3a4substrate |
fentanyl=Durogesic=Duragesic | N02AB03 | opioid sedative cyp3a4substrate |
tramadol=Tramal=Ultram | N02AX02 | opioid sedative serotonergic seizure | 400 mg
codeine | R05DA04 | opioid sedative codeine | 240 mg
methadone | N07BC02 | opioid sedative qt |
buprenorphine=Norspan=Butrans=Subutex | N02AE01 | opioid sedative |
carbamazepine=Tegretol=Tegretal | N03AF01 | inducer anticonvulsant | 1600 mg
phenytoin=Dilantin | N03AB02 | inducer anticonvulsant |
phenobarbital | N03AA02 | inducer anticonvulsant sedative |
valproate=valproic acid=Depakine=valproinsäure=acide valproïque=sodium valproate=divalproex=Depakote=Epilim | N03AG01 | valproate anticonvulsant |
lamotrigine=Lamictal | N03AX09 | lamotrigine anticonvulsant | 700 mg
gabapentin=Neurontin | N02BF01 | gabapentinoid sedative | 3600 mg
pregabalin=Lyrica | N02BF02 | gabapentinoid sedative | 600 mg
levetiracetam=Keppra | N03AX14 | anticonvulsant | 3000 mg
clarithromycin=Klacid=Biaxin | J01FA09 | macrolide antibiotic qt cyp3a4inhibitor | 1000 mg
erythromycin | J01FA01 | macrolide antibiotic qt cyp3a4inhibitor | 4000 mg
azithromycin=Zithromax=Z-Pak | J01FA10 | macrolide antibiotic qt | 500 mg
ciprofloxacin=Ciprinol=Cipro=Ciflox | J01MA02 | quinolone antibiotic qt cyp1a2inhibitor | 1500 mg
levofloxacin=Levaquin=Tavanic | J01MA12 | quinolone antibiotic qt | 1000 mg
moxifloxacin=Avelox=Avalox | J01MA14 | quinolone antibiotic qt | 400 mg
doxycycline=Vibramycin | J01AA02 | tetracycline antibiotic | 200 mg
amoxicillin=Amoksiklav+=Augmentin+=amoxicillin-clavulanate=amoxicillin/clavulanate=amoxicillin/clavulanic acid=amoxicillin-clavulansäure=co-amoxiclav=amox-clav | J01CA04 | penicillin antibiotic | 6000 mg
phenoxymethylpenicillin=penicillin v=penicillin vk=Isocillin | J01CE02 | penicillin antibiotic |
piperacillin=Tazocin+=piperacillin-tazobactam=piperacillin/tazobactam=pip-tazo=Zosyn+ | J01CR05 | penicillin antibiotic |
cefuroxime=Zinnat=cefuroxime axetil | J01DC02 | cephalosporin antibiotic |
ceftriaxone=Rocephin=Rocéphine | J01DD04 | cephalosporin antibiotic | 4000 mg
meropenem=Merrem | J01DH02 | carbapenem antibiotic | 6000 mg
trimethoprim=co-trimoxazole=cotrimoxazole=Biseptol+=sulfamethoxazole=sulfamethoxazole-trimethoprim=trimethoprim-sulfamethoxazole=trimethoprim/sulfamethoxazole=tmp-smx=tmp/smx=Bactrim+=Septra+=Cotrim+ | J01EE01 | trimethoprim sulfonamide antibiotic |
metronidazole=Entizol=Flagyl=Clont | J01XD01 | metronidazole antibiotic | 2000 mg
nitrofurantoin=Macrobid=Macrodantin | J01XE01 | nitrofurantoin antibiotic | 400 mg
gentamicin=gentamycin | J01GB03 | aminoglycoside antibiotic |
vancomycin=Vancocin | J01XA01 | vancomycin antibiotic |
rifampicin=rifampin=Rifadin | J04AB02 | inducer antibiotic | 1200 mg
fluconazole=Diflucan | J02AC01 | azole cyp3a4inhibitor qt | 800 mg
itraconazole | J02AC02 | azole cyp3a4inhibitor | 400 mg
ketoconazole | J02AB02 | azole cyp3a4inhibitor |
ritonavir=Paxlovid+=Norvir | J05AE03 | cyp3a4inhibitor |
methotrexate=mtx=Lantarel=Trexall | L01BA01 | methotrexate |
azathioprine=Imuran=Imurek=Azafalk | L04AX01 | thiopurine |
allopurinol=Zyloric=Zyloprim | M04AA01 | xanthineinhibitor | 900 mg
febuxostat=Uloric=Adenuric | M04AA03 | xanthineinhibitor | 120 mg
colchicine=Colcrys | M04AC01 | colchicine |
ciclosporin=cyclosporine=Neoral=Sandimmun | L04AD01 | calcineurin cyp3a4inhibitor |
tacrolimus=Prograf | L04AD02 | calcineurin cyp3a4substrate |
tamoxifen=Nolvadex | L02BA01 | tamoxifen | 40 mg
theophylline=Theo-24=Uniphyl=Bronchoretard | R03DA04 | theophylline |
salbutamol=albuterol=Ventolin=salbutamol sulfate=ProAir=Proventil=Ventoline=Sultanol=Airomir | R03AC02 | beta2agonist |
st john's wort=hypericum=johanniskraut=millepertuis=Laif | N06AP01 | inducer serotonergic |
ethinylestradiol | G03AA07 | contraceptive |
tizanidine=Zanaflex=Sirdalud | M03BX02 | tizanidine sedative | 36 mg
`;
