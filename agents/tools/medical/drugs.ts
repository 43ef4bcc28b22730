/**
 * The medicines that records name most often: international non-proprietary names with ATC codes (WHO Collaborating Centre for
 * Drug Statistics Methodology) and groups for interactions. Daily maxima for adults are those of the European product
 * information (SmPC) for the common oral forms; if they differ by indication, the highest.
 */

export interface Drug {
  readonly name: string;
  readonly atc: string;
  readonly groups: readonly string[];
  readonly maxDaily?: { readonly value: number; readonly unit: 'mg' | 'µg' };
}

/** name, other spellings and brands with = | ATC | groups | daily maximum */
const table = `
paracetamol=acetaminophen=tylenol=panadol=paralen | N02BE01 | | 4000 mg
ibuprofen=brufen=nurofen | M01AE01 | nsaid bleeding | 2400 mg
naproxen | M01AE02 | nsaid bleeding | 1000 mg
diclofenac=voltaren | M01AB05 | nsaid bleeding | 150 mg
ketoprofen | M01AE03 | nsaid bleeding | 200 mg
meloxicam | M01AC06 | nsaid bleeding | 15 mg
celecoxib | M01AH01 | nsaid | 400 mg
indometacin=indomethacin | M01AB01 | nsaid bleeding | 200 mg
metamizole=metamizol=novalgin | N02BB02 | | 4000 mg
aspirin=acetylsalicylic acid=asa=anopyrin | B01AC06 | antiplatelet bleeding |
clopidogrel=plavix | B01AC04 | antiplatelet bleeding | 75 mg
ticagrelor=brilique | B01AC24 | antiplatelet bleeding cyp3a4substrate | 180 mg
prasugrel | B01AC22 | antiplatelet bleeding | 10 mg
warfarin=coumadin | B01AA03 | anticoagulant bleeding vka |
phenprocoumon=marcumar | B01AA04 | anticoagulant bleeding vka |
acenocoumarol | B01AA07 | anticoagulant bleeding vka |
apixaban=eliquis | B01AF02 | anticoagulant bleeding doac | 20 mg
rivaroxaban=xarelto | B01AF01 | anticoagulant bleeding doac | 30 mg
edoxaban=lixiana | B01AF03 | anticoagulant bleeding doac | 60 mg
dabigatran=pradaxa | B01AE07 | anticoagulant bleeding doac | 300 mg
enoxaparin=clexane | B01AB05 | anticoagulant bleeding heparin |
heparin | B01AB01 | anticoagulant bleeding heparin |
amiodarone=amiodaron=cordarone | C01BD01 | qt antiarrhythmic |
sotalol | C07AA07 | betablocker qt antiarrhythmic | 640 mg
dronedarone=multaq | C01BD07 | qt antiarrhythmic | 800 mg
flecainide | C01BC04 | antiarrhythmic | 400 mg
digoxin=lanoxin | C01AA05 | glycoside |
bisoprolol=concor | C07AB07 | betablocker | 20 mg
metoprolol=betaloc | C07AB02 | betablocker | 400 mg
atenolol | C07AB03 | betablocker | 100 mg
carvedilol=coreg | C07AG02 | betablocker | 100 mg
propranolol | C07AA05 | betablocker | 320 mg
nebivolol | C07AB12 | betablocker | 10 mg
verapamil=isoptin | C08DA01 | ratelimitingccb cyp3a4inhibitor | 480 mg
diltiazem | C08DB01 | ratelimitingccb cyp3a4inhibitor | 480 mg
amlodipine=amlodipin=norvasc | C08CA01 | ccb | 10 mg
nifedipine | C08CA05 | ccb | 120 mg
ramipril=tritace | C09AA05 | acei raas | 10 mg
enalapril | C09AA02 | acei raas | 40 mg
lisinopril | C09AA03 | acei raas | 80 mg
perindopril=prestarium | C09AA04 | acei raas | 10 mg
losartan | C09CA01 | arb raas | 150 mg
valsartan | C09CA03 | arb raas | 320 mg
candesartan | C09CA06 | arb raas | 32 mg
telmisartan | C09CA07 | arb raas | 80 mg
sacubitril=entresto=sacubitril/valsartan | C09DX04 | arni raas |
aliskiren | C09XA02 | raas aliskiren | 300 mg
spironolactone=spironolacton=verospiron | C03DA01 | potassiumsparing | 400 mg
eplerenone | C03DA04 | potassiumsparing cyp3a4substrate | 50 mg
furosemide=furosemid=lasix=furon | C03CA01 | loopdiuretic diuretic |
torasemide=torsemide | C03CA04 | loopdiuretic diuretic |
hydrochlorothiazide=hctz | C03AA03 | thiazide diuretic | 100 mg
indapamide | C03BA11 | thiazide diuretic | 2.5 mg
chlortalidone=chlorthalidone | C03BA04 | thiazide diuretic | 50 mg
potassium chloride=kalium chloratum=kcl | A12BA01 | potassium |
simvastatin=zocor | C10AA01 | statin statin3a4 | 80 mg
lovastatin | C10AA02 | statin statin3a4 | 80 mg
atorvastatin=sortis | C10AA05 | statin statin3a4 | 80 mg
rosuvastatin=crestor | C10AA07 | statin | 40 mg
pravastatin | C10AA03 | statin | 40 mg
gemfibrozil | C10AB04 | fibrate gemfibrozil | 1200 mg
fenofibrate | C10AB05 | fibrate | 267 mg
ezetimibe | C10AX09 | | 10 mg
nitroglycerin=glyceryl trinitrate=gtn | C01DA02 | nitrate |
isosorbide mononitrate=ismn | C01DA14 | nitrate |
sildenafil=viagra | G04BE03 | pde5 cyp3a4substrate | 100 mg
tadalafil=cialis | G04BE08 | pde5 cyp3a4substrate | 40 mg
tamsulosin | G04CA02 | alphablocker | 0.4 mg
metformin=glucophage | A10BA02 | antidiabetic metformin | 3000 mg
glimepiride | A10BB12 | sulfonylurea antidiabetic | 6 mg
gliclazide | A10BB09 | sulfonylurea antidiabetic | 320 mg
glibenclamide=glyburide | A10BB01 | sulfonylurea antidiabetic | 15 mg
empagliflozin=jardiance | A10BK03 | sglt2 antidiabetic | 25 mg
dapagliflozin=forxiga | A10BK01 | sglt2 antidiabetic | 10 mg
sitagliptin | A10BH01 | antidiabetic | 100 mg
insulin=insulin glargine=insulin aspart=insulin lispro | A10A | insulin antidiabetic |
semaglutide=ozempic | A10BJ06 | antidiabetic |
levothyroxine=euthyrox=l-thyroxine=letrox | H03AA01 | levothyroxine |
prednisone=prednison | H02AB07 | corticosteroid |
prednisolone | H02AB06 | corticosteroid |
dexamethasone | H02AB02 | corticosteroid |
omeprazole=omeprazol | A02BC01 | ppi cyp2c19inhibitor | 120 mg
esomeprazole | A02BC05 | ppi cyp2c19inhibitor | 160 mg
pantoprazole=pantoprazol=controloc | A02BC02 | ppi | 160 mg
lansoprazole | A02BC03 | ppi | 180 mg
famotidine | A02BA03 | |
calcium carbonate | A12AA04 | cation |
ferrous sulfate=ferrous sulphate=iron sulfate | B03AA07 | cation iron |
domperidone | A03FA03 | qt | 30 mg
metoclopramide | A03FA01 | dopamineantagonist | 30 mg
ondansetron=zofran | A04AA01 | qt serotonergic | 32 mg
sertraline=zoloft | N06AB06 | ssri serotonergic | 200 mg
fluoxetine=prozac | N06AB03 | ssri serotonergic cyp2d6inhibitor | 60 mg
paroxetine | N06AB05 | ssri serotonergic cyp2d6inhibitor | 60 mg
citalopram | N06AB04 | ssri serotonergic qt | 40 mg
escitalopram | N06AB10 | ssri serotonergic qt | 20 mg
fluvoxamine | N06AB08 | ssri serotonergic cyp1a2inhibitor | 300 mg
venlafaxine | N06AX16 | snri serotonergic | 375 mg
duloxetine | N06AX21 | snri serotonergic | 120 mg
mirtazapine | N06AX11 | sedative | 45 mg
trazodone | N06AX05 | serotonergic sedative | 600 mg
amitriptyline | N06AA09 | tca serotonergic qt sedative anticholinergic | 150 mg
moclobemide | N06AG02 | maoi serotonergic | 600 mg
selegiline | N04BD01 | maoi serotonergic | 10 mg
linezolid | J01XX08 | maoi serotonergic linezolid | 1200 mg
lithium carbonate=lithium | N05AN01 | lithium |
haloperidol | N05AD01 | qt antipsychotic dopamineantagonist | 20 mg
quetiapine | N05AH04 | qt antipsychotic sedative cyp3a4substrate | 800 mg
olanzapine | N05AH03 | antipsychotic sedative | 20 mg
risperidone | N05AX08 | antipsychotic | 16 mg
clozapine | N05AH02 | antipsychotic clozapine sedative | 900 mg
levodopa=madopar=sinemet | N04BA02 | levodopa |
diazepam | N05BA01 | benzodiazepine sedative | 60 mg
lorazepam | N05BA06 | benzodiazepine sedative | 10 mg
alprazolam | N05BA12 | benzodiazepine sedative cyp3a4substrate | 10 mg
zolpidem | N05CF02 | sedative hypnotic | 10 mg
morphine=morphin | N02AA01 | opioid sedative |
oxycodone | N02AA05 | opioid sedative cyp3a4substrate |
fentanyl | N02AB03 | opioid sedative cyp3a4substrate |
tramadol=tramal | N02AX02 | opioid sedative serotonergic seizure | 400 mg
codeine | R05DA04 | opioid sedative codeine | 240 mg
methadone | N07BC02 | opioid sedative qt |
buprenorphine | N02AE01 | opioid sedative |
carbamazepine=tegretol | N03AF01 | inducer anticonvulsant | 1600 mg
phenytoin | N03AB02 | inducer anticonvulsant |
phenobarbital | N03AA02 | inducer anticonvulsant sedative |
valproate=valproic acid=depakine | N03AG01 | valproate anticonvulsant |
lamotrigine | N03AX09 | lamotrigine anticonvulsant | 700 mg
gabapentin | N02BF01 | gabapentinoid sedative | 3600 mg
pregabalin=lyrica | N02BF02 | gabapentinoid sedative | 600 mg
levetiracetam | N03AX14 | anticonvulsant | 3000 mg
clarithromycin=klacid | J01FA09 | macrolide antibiotic qt cyp3a4inhibitor | 1000 mg
erythromycin | J01FA01 | macrolide antibiotic qt cyp3a4inhibitor | 4000 mg
azithromycin | J01FA10 | macrolide antibiotic qt | 500 mg
ciprofloxacin=ciprinol | J01MA02 | quinolone antibiotic qt cyp1a2inhibitor | 1500 mg
levofloxacin | J01MA12 | quinolone antibiotic qt | 1000 mg
moxifloxacin | J01MA14 | quinolone antibiotic qt | 400 mg
doxycycline | J01AA02 | tetracycline antibiotic | 200 mg
amoxicillin=amoksiklav=augmentin | J01CA04 | penicillin antibiotic | 6000 mg
phenoxymethylpenicillin=penicillin v | J01CE02 | penicillin antibiotic |
piperacillin=tazocin | J01CR05 | penicillin antibiotic |
cefuroxime=zinnat | J01DC02 | cephalosporin antibiotic |
ceftriaxone | J01DD04 | cephalosporin antibiotic | 4000 mg
meropenem | J01DH02 | carbapenem antibiotic | 6000 mg
trimethoprim=co-trimoxazole=cotrimoxazole=biseptol=sulfamethoxazole | J01EE01 | trimethoprim sulfonamide antibiotic |
metronidazole=entizol | J01XD01 | metronidazole antibiotic | 2000 mg
nitrofurantoin | J01XE01 | nitrofurantoin antibiotic | 400 mg
gentamicin | J01GB03 | aminoglycoside antibiotic |
vancomycin | J01XA01 | vancomycin antibiotic |
rifampicin=rifampin | J04AB02 | inducer antibiotic | 1200 mg
fluconazole | J02AC01 | azole cyp3a4inhibitor qt | 800 mg
itraconazole | J02AC02 | azole cyp3a4inhibitor | 400 mg
ketoconazole | J02AB02 | azole cyp3a4inhibitor |
ritonavir=paxlovid | J05AE03 | cyp3a4inhibitor |
methotrexate | L01BA01 | methotrexate |
azathioprine=imuran | L04AX01 | thiopurine |
allopurinol | M04AA01 | xanthineinhibitor | 900 mg
febuxostat | M04AA03 | xanthineinhibitor | 120 mg
colchicine | M04AC01 | colchicine |
ciclosporin=cyclosporine | L04AD01 | calcineurin cyp3a4inhibitor |
tacrolimus | L04AD02 | calcineurin cyp3a4substrate |
tamoxifen | L02BA01 | tamoxifen | 40 mg
theophylline | R03DA04 | theophylline |
salbutamol=albuterol=ventolin | R03AC02 | beta2agonist |
st john's wort=hypericum | N06AP01 | inducer serotonergic |
ethinylestradiol | G03AA07 | contraceptive |
tizanidine | M03BX02 | tizanidine sedative | 36 mg
`;

export const drugs: readonly (Drug & { readonly names: readonly string[] })[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [names = '', atc = '', groups = '', max = ''] = line.split('|').map((cell) => cell.trim());
    const [value, unit] = max.split(' ');
    const all = names.split('=');
    return {
      name: all[0]!,
      names: all,
      atc,
      groups: groups.split(' ').filter(Boolean),
      ...(max === '' ? {} : { maxDaily: { value: Number(value), unit: unit as 'mg' | 'µg' } }),
    };
  });
