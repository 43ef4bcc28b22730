/** Further medicines for metabolism, heart, blood, bowel, hormones and tumours, in the form of `drug-table.ts`; ATC to the third level. */
export const furtherDrugs = `
palonosetron=Aloxi=Onicit | A04A | antiemetic |
sulprostone=sulproston=Nalador | G02A | |
carbetocin=Pabal=Duratobal | H01B | |
insulin=insuline | A10A | insulin antidiabetic |
insulin glargine=insulin glargin=insuline glargine=Lantus=Toujeo=Basaglar=Semglee=Abasaglar | A10A | insulin antidiabetic |
insulin aspart=insuline asparte=NovoRapid=NovoLog=Fiasp | A10A | insulin antidiabetic |
insulin lispro=insuline lispro=Humalog=Liprolog=Admelog | A10A | insulin antidiabetic |
insulin degludec=insuline dégludec=Tresiba | A10A | insulin antidiabetic |
insulin detemir=insuline détémir=Levemir | A10A | insulin antidiabetic |
insulin glulisine=Apidra | A10A | insulin antidiabetic |
insulin human=insulin regular=regular insulin=humaninsulin=Actrapid=Humulin R=Novolin R | A10A | insulin antidiabetic |
insulin isophane=nph insulin=insulin nph=nph=isophane insulin=Humulin N=Insulatard=Protaphane=Humulin I | A10A | insulin antidiabetic |
liraglutide=Victoza=Saxenda | A10B | antidiabetic |
dulaglutide=Trulicity | A10B | antidiabetic |
tirzepatide=Mounjaro=Zepbound | A10B | antidiabetic |
exenatide=Byetta=Bydureon | A10B | antidiabetic |
linagliptin=Tradjenta=Trajenta | A10B | antidiabetic |
saxagliptin=Onglyza | A10B | antidiabetic |
vildagliptin=Galvus | A10B | antidiabetic |
alogliptin=Vipidia=Nesina | A10B | antidiabetic |
canagliflozin=Invokana | A10B | sglt2 antidiabetic | 300 mg
ertugliflozin=Steglatro | A10B | sglt2 antidiabetic | 15 mg
pioglitazone=Actos | A10B | antidiabetic | 45 mg
repaglinide=Prandin=NovoNorm | A10B | antidiabetic |
glipizide=Glucotrol | A10B | sulfonylurea antidiabetic | 20 mg
acarbose=Glucobay=Precose | A10B | antidiabetic |
sitagliptin-metformin=Janumet+=Velmetia+ | A10B | antidiabetic metformin |
spironolactone-hydrochlorothiazide=Aldactazide+ | C03E | potassiumsparing |
amiloride=Midamor | C03D | potassiumsparing |
triamterene=triamteren=Dyazide+=Maxzide+ | C03D | potassiumsparing |
bumetanide=Bumex=Burinex | C03C | loopdiuretic diuretic |
metolazone=Zaroxolyn | C03B | thiazide diuretic |
bendroflumethiazide=bendrofluazide | C03A | thiazide diuretic | 10 mg
xipamide | C03B | thiazide diuretic |
acetazolamide=Diamox | S01E | |
finerenone=Kerendia | C03D | potassiumsparing |
captopril=Capoten=Lopirin | C09A | acei raas | 150 mg
quinapril=Accupril=Accupro | C09A | acei raas | 40 mg
benazepril=Lotensin=Cibacen | C09A | acei raas | 80 mg
fosinopril | C09A | acei raas | 40 mg
trandolapril=Mavik=Gopten | C09A | acei raas | 8 mg
irbesartan=Avapro=Aprovel | C09C | arb raas | 300 mg
olmesartan=olmesartan medoxomil=Benicar=Olmetec=Votum | C09C | arb raas | 40 mg
azilsartan=Edarbi | C09C | arb raas | 80 mg
eprosartan=Teveten | C09C | arb raas |
felodipine=Plendil | C08C | ccb | 20 mg
lercanidipine=Zanidip | C08C | ccb | 20 mg
nitrendipine=Bayotensin | C08C | ccb | 40 mg
nimodipine=Nimotop | C08C | ccb | 360 mg
nicardipine=Cardene=Loxen | C08C | ccb |
isradipine | C08C | ccb |
clonidine=clonidin=Catapres=Catapressan | C02A | |
moxonidine=Physiotens | C02A | | 0.6 mg
methyldopa=alpha-methyldopa=Aldomet=Presinol | C02A | |
hydralazine=Apresoline | C02D | |
dihydralazine=Nepresol | C02D | |
minoxidil=Loniten | C02D | |
doxazosin=Cardura=doxazosin mesylate | C02C | alphablocker | 16 mg
prazosin=Minipress | C02C | alphablocker |
terazosin=Hytrin | G04C | alphablocker |
urapidil=Ebrantil=Eupressyl | C02C | alphablocker |
alfuzosin=Uroxatral=Xatral | G04C | alphablocker | 10 mg
silodosin=Rapaflo=Urorec | G04C | alphablocker | 8 mg
labetalol=Trandate=Normodyne | C07A | betablocker | 2400 mg
nadolol=Corgard | C07A | betablocker | 240 mg
esmolol=Brevibloc | C07A | betablocker |
timolol=Timoptic=Timoptol | S01E | betablocker |
acebutolol=Sectral | C07A | betablocker |
celiprolol=Selectol | C07A | betablocker |
isosorbide dinitrate=isosorbiddinitrat=isdn=Isordil=Isoket=Risordan | C01D | nitrate |
isosorbide | C01D | nitrate |
molsidomine=molsidomin=Corvaton | C01D | |
ivabradine=ivabradin=Corlanor=Procoralan | C01E | | 15 mg
ranolazine=ranolazin=Ranexa | C01E | qt | 2000 mg
trimetazidine=Vastarel | C01E | |
vericiguat=Verquvo | C01D | |
digitoxin=digitoxine=Digimerck | C01A | glycoside |
propafenone=propafenon=Rythmol=Rytmonorm | C01B | antiarrhythmic |
quinidine=chinidin | C01B | antiarrhythmic qt |
procainamide | C01B | antiarrhythmic qt |
mexiletine | C01B | antiarrhythmic |
lidocaine=lidocain=lignocaine=xylocaine=Lidoderm=Versatis | N01B | |
adenosine=adenosin=Adenocard | C01E | |
ajmaline=ajmalin=Gilurytmal | C01B | |
atropine=atropin | A03B | anticholinergic |
midodrine=midodrin=Gutron=ProAmatine | C01C | |
fludrocortisone=fludrocortison=Florinef=Astonin | H02A | corticosteroid |
norepinephrine=noradrenaline=noradrenalin=noradrénaline=norépinéphrine=Levophed=Arterenol | C01C | |
epinephrine=adrenaline=adrenalin=adrénaline=EpiPen=Suprarenin | C01C | |
dobutamine=dobutamin | C01C | |
dopamine=dopamin | C01C | |
phenylephrine=phénylephrine | C01C | |
ephedrine=éphédrine | C01C | |
vasopressin=argipressin | H01B | |
terlipressin | H01B | |
milrinone=milrinon | C01C | |
levosimendan | C01C | |
isoprenaline=isoproterenol | C01C | |
bempedoic acid=Nexletol=Nilemdo | C10A | |
fluvastatin=Lescol=Locol | C10A | statin | 80 mg
pitavastatin=Livalo | C10A | statin | 4 mg
bezafibrate=bezafibrat | C10A | fibrate |
evolocumab=Repatha | C10A | |
alirocumab=Praluent | C10A | |
inclisiran=Leqvio | C10A | |
colestyramine=cholestyramine=Questran | C10A | |
colesevelam=Welchol | C10A | |
icosapent ethyl=Vascepa | C10A | |
omega-3=fish oil=Lovaza=Omacor | C10A | |
simvastatin-ezetimibe=ezetimibe-simvastatin=Inegy+=Vytorin+ | C10B | statin statin3a4 |
dalteparin=Fragmin | B01A | anticoagulant bleeding heparin |
tinzaparin=Innohep | B01A | anticoagulant bleeding heparin |
nadroparin=Fraxiparine=Fraxiparin | B01A | anticoagulant bleeding heparin |
certoparin=Mono-Embolex | B01A | anticoagulant bleeding heparin |
fondaparinux=Arixtra | B01A | anticoagulant bleeding |
argatroban=Argatra | B01A | anticoagulant bleeding |
bivalirudin=Angiox=Angiomax | B01A | anticoagulant bleeding |
alteplase=rt-pa=rtpa=tpa=Actilyse=Activase | B01A | bleeding |
tenecteplase=Metalyse=TNKase | B01A | bleeding |
eptifibatide=Integrilin | B01A | antiplatelet bleeding |
tirofiban=Aggrastat | B01A | antiplatelet bleeding |
cangrelor=Kengrexal | B01A | antiplatelet bleeding |
dipyridamole=Persantine | B01A | antiplatelet bleeding |
aspirin-dipyridamole=Aggrenox+ | B01A | antiplatelet bleeding |
cilostazol=Pletal | B01A | antiplatelet bleeding | 200 mg
pentoxifylline=pentoxifyllin=Trental | C04A | |
tranexamic acid=tranexamsäure=acide tranexamique=txa=Cyklokapron=Exacyl | B02A | |
vitamin k=phytomenadione=phytonadione=vitamine k=Konakion=Mephyton | B02B | |
prothrombin complex concentrate=pcc=Kcentra=Beriplex=Octaplex | B02B | |
idarucizumab=Praxbind | V03A | |
andexanet alfa=Andexxa=Ondexxya | V03A | |
protamine=protamin | V03A | |
folic acid=folsäure=acide folique=folate=Folsan=Spéciafoldine | B03B | |
cyanocobalamin=cyanocobalamine=vitamin b12=vitamine b12=hydroxocobalamin | B03B | |
iron sucrose=eisensaccharose=Venofer | B03A | iron |
ferric carboxymaltose=eisencarboxymaltose=Ferinject=Injectafer | B03A | iron |
iron=ferrous fumarate=eisenfumarat=ferrous gluconate=eisengluconat=eisen=Maltofer=Ferrograd=ferrous sulfat | B03A | cation iron |
epoetin=epoetin alfa=erythropoietin=Epogen=Procrit=Eprex | B03X | |
darbepoetin=darbepoetin alfa=Aranesp | B03X | |
filgrastim=g-csf=Neupogen | L03A | |
pegfilgrastim=Neulasta | L03A | |
colecalciferol=cholecalciferol=vitamin d3=vitamin d=vitamine d3=vitamine d=Vigantol=Dekristol=Uvedose=Zymad | A11C | |
ergocalciferol=vitamin d2=Drisdol | A11C | |
calcitriol=Rocaltrol | A11C | |
alfacalcidol=One-Alpha | A11C | |
thiamine=thiamin=vitamin b1=vitamine b1=Benerva | A11D | |
pyridoxine=pyridoxin=vitamin b6=vitamine b6 | A11H | |
ascorbic acid=vitamin c=vitamine c=ascorbinsäure | A11G | |
multivitamin=multivitamins=prenatal vitamin=prenatal vitamins=multivitamine | A11B | |
calcium carbonate-colecalciferol=calcium carbonate/vitamin d=calcium/vitamin d=calcium vitamine d=Adcal-D3+=Adcal+=Calcichew D3+=Calcichew+=Calcimagon D3+=Cacit D3+=Orocal D3+=Caltrate+=Calci-Chew+ | A12A | cation |
calcium acetate=PhosLo=Phosex | V03A | cation |
calcium gluconate=calciumgluconat=gluconate de calcium | A12A | |
calcium chloride | A12A | |
sevelamer=Renvela=Renagel | V03A | |
lanthanum=Fosrenol | V03A | |
cinacalcet=Sensipar=Mimpara | H05B | |
magnesium sulfate=magnesium sulphate=magnesiumsulfat=sulfate de magnésium | A12C | |
magnesium oxide=magnesiumoxid=Mag-Ox | A12C | cation |
magnesium glycerophosphate=magnesium citrate=magnesium aspartate=Magnesiocard=Mg-Verla=Magnaspartate | A12C | cation |
potassium citrate=kaliumcitrat | A12B | potassium |
sodium bicarbonate=natriumhydrogencarbonat=natriumbicarbonat=bicarbonate de sodium=Bicanorm | B05X | |
sodium polystyrene sulfonate=calcium resonium=resonium=Kayexalate | V03A | |
patiromer=Veltassa | V03A | |
zirconium cyclosilicate=sodium zirconium cyclosilicate=Lokelma | V03A | |
alendronic acid=alendronate=alendronsäure=acide alendronique=alendronate sodium=Fosamax | M05B | |
risedronate=risedronic acid=risedronsäure=Actonel | M05B | |
ibandronate=ibandronic acid=ibandronsäure=Boniva=Bonviva | M05B | |
zoledronic acid=zoledronate=zoledronsäure=acide zolédronique=Zometa=Reclast=Aclasta | M05B | |
pamidronate | M05B | |
denosumab=Prolia=Xgeva | M05B | |
teriparatide=Forteo=Forsteo | H05A | |
romosozumab=Evenity | M05B | |
raloxifene=Evista | G03X | |
rabeprazole=AcipHex=Pariet | A02B | ppi |
dexlansoprazole=Dexilant | A02B | ppi |
ranitidine=Zantac | A02B | |
sucralfate=Carafate=Ulcogant | A02B | |
misoprostol=Cytotec | A02B | |
alginate=sodium alginate=Gaviscon+ | A02B | |
aluminium hydroxide=Maalox+ | A02A | cation |
simeticone=simethicone=Gas-X | A03A | |
butylscopolamine=hyoscine butylbromide=butylscopolamin=Buscopan | A03B | anticholinergic |
dicyclomine=dicycloverine=Bentyl | A03A | anticholinergic |
mebeverine=mebeverin=Colofac=Duspatal | A03A | |
phloroglucinol=Spasfon | A03A | |
granisetron=Kytril | A04A | |
aprepitant=Emend | A04A | |
prochlorperazine=Compazine=Stemetil | N05A | dopamineantagonist |
promethazine=Phenergan | R06A | sedative |
cyclizine | R06A | |
dimenhydrinate=dimenhydrinat=Vomex=Dramamine | R06A | |
meclizine=meclozine=Antivert | R06A | |
ursodeoxycholic acid=ursodiol=ursodeoxycholsäure=Ursofalk=Actigall=Delursan | A05A | |
lactulose=Bifiteral=Duphalac=Enulose | A06A | |
macrogol=polyethylene glycol=peg 3350=macrogol 3350=MiraLAX=Movicol=Laxido+=Forlax=Movicol+ | A06A | |
senna=sennosides=sennoside=Senokot | A06A | |
bisacodyl=Dulcolax | A06A | |
docusate=docusate sodium=Colace | A06A | |
sodium picosulfate=natriumpicosulfat=Laxoberal | A06A | |
psyllium=ispaghula=ispaghula husk=Metamucil=Fybogel | A06A | |
magnesium hydroxide=milk of magnesia | A06A | cation |
linaclotide=Linzess | A06A | |
loperamide=loperamid=Imodium | A07D | |
racecadotril=Tiorfan | A07X | |
mesalazine=mesalamine=mesalazin=Pentasa=Asacol=Salofalk=Lialda | A07E | |
sulfasalazine=sulfasalazin=Azulfidine=Salazopyrin | A07E | sulfonamide |
rifaximin=Xifaxan=Tixtar | A07A | |
nystatin=nystatine=Mycostatin | A07A | |
pancreatin=pancrelipase=pankreatin=Creon=Kreon=Zenpep | A09A | |
orlistat=Xenical | A08A | |
octreotide=Sandostatin | H01C | |
desmopressin=Minirin=DDAVP | H01B | |
oxytocin=Syntocinon=Pitocin | H01B | |
liothyronine=Cytomel=Thybon | H03A | levothyroxine |
carbimazole=carbimazol | H03B | |
thiamazole=methimazole=thiamazol=Tapazole=Favistan | H03B | |
propylthiouracil=ptu | H03B | |
hydrocortisone=hydrocortison=Cortef=Solu-Cortef=Cortison | H02A | corticosteroid |
methylprednisolone=methylprednisolon=Medrol=Solu-Medrol=Urbason | H02A | corticosteroid |
triamcinolone=triamcinolon=Kenalog=Volon | H02A | corticosteroid |
betamethasone=betamethason=Celestone=Célestène | H02A | corticosteroid |
budesonide=budesonid=Pulmicort=Entocort=Budenofalk=Rhinocort | R03B | |
estradiol=oestradiol=Estrace=Vagifem=Gynokadin | G03C | |
progesterone=progesteron=Prometrium=Utrogest | G03D | |
medroxyprogesterone=Depo-Provera=Provera | G03A | |
levonorgestrel=Mirena=Kyleena | G03A | |
desogestrel=Cerazette | G03A | |
norethisterone=norethindrone | G03A | |
testosterone=testosteron=AndroGel=Nebido | G03B | |
finasteride=finasterid=Proscar=Propecia | G04C | | 5 mg
dutasteride=dutasterid=Avodart | G04C | |
oxybutynin=Ditropan | G04B | anticholinergic |
tolterodine=tolterodin=Detrol=Detrusitol | G04B | anticholinergic |
solifenacin=Vesicare=Vesikur | G04B | anticholinergic |
trospium=Spasmex | G04B | anticholinergic |
mirabegron=Myrbetriq=Betmiga | G04B | |
fesoterodine=Toviaz | G04B | anticholinergic |
phenazopyridine=Pyridium | G04B | |
anastrozole=anastrozol=Arimidex | L02B | |
letrozole=letrozol=Femara | L02B | |
exemestane=exemestan=Aromasin | L02B | |
bicalutamide=Casodex | L02B | |
enzalutamide=Xtandi | L02B | |
abiraterone=abirateron=Zytiga | L02B | |
leuprorelin=leuprolide=Lupron=Eligard | L02A | |
goserelin=Zoladex | L02A | |
fulvestrant=Faslodex | L02B | |
capecitabine=capecitabin=Xeloda | L01B | |
fluorouracil=5-fluorouracil=5-fu | L01B | |
gemcitabine=gemcitabin=Gemzar | L01B | |
cisplatin=cisplatine | L01X | |
carboplatin=carboplatine | L01X | |
oxaliplatin=oxaliplatine=Eloxatin | L01X | |
paclitaxel=Taxol=Abraxane | L01C | |
docetaxel=Taxotere | L01C | |
doxorubicin=Adriamycin | L01D | |
epirubicin | L01D | |
cyclophosphamide=cyclophosphamid=Cytoxan=Endoxan | L01A | |
vincristine=vincristin | L01C | |
etoposide=etoposid | L01C | |
irinotecan | L01C | |
temozolomide=Temodar | L01A | |
imatinib=Gleevec=Glivec | L01E | |
ibrutinib=Imbruvica | L01E | |
osimertinib=Tagrisso | L01E | |
palbociclib=Ibrance | L01E | |
trastuzumab=Herceptin | L01F | |
bevacizumab=Avastin | L01F | |
pembrolizumab=Keytruda | L01F | |
nivolumab=Opdivo | L01F | |
rituximab=MabThera=Rituxan | L01F | |
bortezomib=Velcade | L01X | |
lenalidomide=Revlimid | L04A | |
hydroxycarbamide=hydroxyurea=Hydrea=Litalir | L01X | |
mercaptopurine=6-mercaptopurine=Purinethol | L01B | thiopurine |
mycophenolate=mycophenolate mofetil=mycophenolatmofetil=mycophénolate=CellCept=Myfortic | L04A | |
sirolimus=Rapamune | L04A | calcineurin |
everolimus=Afinitor=Certican | L04A | |
leflunomide=leflunomid=Arava | L04A | |
hydroxychloroquine=hydroxychloroquin=Plaquenil=Quensyl | P01B | qt |
adalimumab=Humira | L04A | |
etanercept=Enbrel | L04A | |
infliximab=Remicade | L04A | |
tocilizumab=Actemra=RoActemra | L04A | |
tofacitinib=Xeljanz | L04A | |
upadacitinib=Rinvoq | L04A | |
ustekinumab=Stelara | L04A | |
vedolizumab=Entyvio | L04A | |
secukinumab=Cosentyx | L04A | |
dupilumab=Dupixent | D11A | |
omalizumab=Xolair | R03D | |
interferon | L03A | |
natalizumab=Tysabri | L04A | |
ocrelizumab=Ocrevus | L04A | |
`;
