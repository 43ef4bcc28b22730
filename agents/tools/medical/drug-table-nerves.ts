/** Further medicines for pain, nerves, infections, lungs, eyes and imaging, in the form of `drug-table.ts`; ATC to the third level. */
export const nerveDrugs = `
etoricoxib=Arcoxia | M01A | nsaid | 120 mg
ketorolac=Toradol | M01A | nsaid bleeding |
piroxicam=Feldene | M01A | nsaid bleeding | 20 mg
dexketoprofen | M01A | nsaid bleeding | 75 mg
nefopam=Acupan | N02B | |
tilidine=tilidin=Valoron | N02A | opioid sedative |
hydromorphone=hydromorphon=Dilaudid=Palladon=Jurnista | N02A | opioid sedative |
hydrocodone=hydrocodon=Norco+=Vicodin+=Lortab+=hydrocodone-acetaminophen=hydrocodone/acetaminophen | R05D | opioid sedative |
oxycodone-paracetamol=oxycodone/acetaminophen=oxycodone-acetaminophen=Percocet+=Endocet+ | N02A | opioid sedative |
oxycodone-naloxone=oxycodon-naloxon=oxycodon/naloxon=Targin+ | N02A | opioid sedative |
codeine-paracetamol=co-codamol=acetaminophen-codeine=acetaminophen with codeine | N02A | opioid sedative codeine |
dihydrocodeine=dihydrocodein=co-dydramol | N02A | opioid sedative |
tramadol-paracetamol=Ixprim+=Ultracet+=Zaldiar+ | N02A | opioid sedative serotonergic seizure |
tapentadol=Nucynta=Palexia | N02A | opioid sedative |
pethidine=meperidine=pethidin=Demerol=Dolantin | N02A | opioid sedative serotonergic |
piritramide=piritramid=Dipidolor | N02A | opioid sedative |
remifentanil=Ultiva | N01A | opioid sedative |
sufentanil=Sufenta | N01A | opioid sedative |
alfentanil | N01A | opioid sedative |
naloxone=naloxon=Narcan | V03A | |
naltrexone=naltrexon | N07B | |
buprenorphine-naloxone=Suboxone+ | N07B | opioid sedative |
sumatriptan=Imitrex=Imigran | N02C | serotonergic |
rizatriptan=Maxalt | N02C | serotonergic |
zolmitriptan=Zomig | N02C | serotonergic |
erenumab=Aimovig | N02C | |
topiramate=topiramat=Topamax | N03A | anticonvulsant |
oxcarbazepine=oxcarbazepin=Trileptal | N03A | inducer anticonvulsant |
lacosamide=lacosamid=Vimpat | N03A | anticonvulsant |
brivaracetam=Briviact | N03A | anticonvulsant |
zonisamide=Zonegran | N03A | anticonvulsant |
clobazam=Frisium=Urbanyl=Onfi | N05B | benzodiazepine sedative |
clonazepam=Klonopin=Rivotril | N03A | benzodiazepine sedative | 20 mg
primidone=primidon=Mysoline | N03A | inducer anticonvulsant |
ethosuximide | N03A | anticonvulsant |
donepezil=Aricept | N06D | | 10 mg
rivastigmine=rivastigmin=Exelon | N06D | |
galantamine=galantamin=Razadyne=Reminyl | N06D | |
memantine=memantin=Namenda=Ebixa=Axura | N06D | | 20 mg
pramipexole=pramipexol=Mirapex=Sifrol | N04B | |
ropinirole=ropinirol=Requip | N04B | |
rotigotine=rotigotin=Neupro | N04B | |
rasagiline=rasagilin=Azilect | N04B | maoi serotonergic |
safinamide=Xadago | N04B | |
entacapone=entacapon=Comtan=Comtess | N04B | |
amantadine=amantadin=Symmetrel | N04B | |
levodopa-carbidopa-entacapone=Stalevo+ | N04B | levodopa |
trihexyphenidyl=Artane | N04A | anticholinergic |
biperiden=Akineton | N04A | anticholinergic |
tetrabenazine | N07X | |
riluzole | N07X | |
pyridostigmine=Mestinon | N07A | |
baclofen=baclofène=Lioresal | M03B | sedative |
methocarbamol=Robaxin=Ortoton | M03B | |
cyclobenzaprine=Flexeril | M03B | sedative |
temazepam=Restoril | N05C | benzodiazepine sedative |
oxazepam=Adumbran=Seresta | N05B | benzodiazepine sedative |
bromazepam=Lexotanil=Lexomil | N05B | benzodiazepine sedative |
midazolam=Versed=Dormicum=Hypnovel | N05C | benzodiazepine sedative |
lormetazepam=Noctamid | N05C | benzodiazepine sedative |
chlordiazepoxide=Librium | N05B | benzodiazepine sedative |
zopiclone=zopiclon=Imovane=Ximovan | N05C | sedative hypnotic | 7.5 mg
eszopiclone=Lunesta | N05C | sedative hypnotic |
melatonin=mélatonine=Circadin | N05C | |
suvorexant=Belsomra | N05C | sedative |
hydroxyzine=hydroxyzin=Atarax=Vistaril | N05B | sedative qt |
buspirone=buspiron=BuSpar | N05B | serotonergic |
bupropion=Wellbutrin=Elontril=Zyban | N06A | cyp2d6inhibitor | 450 mg
vortioxetine=Trintellix=Brintellix | N06A | serotonergic |
desvenlafaxine=Pristiq | N06A | snri serotonergic |
milnacipran | N06A | snri serotonergic |
nortriptyline=nortriptylin=Pamelor | N06A | tca serotonergic |
doxepin=Aponal=Sinequan | N06A | tca sedative |
clomipramine=clomipramin=Anafranil | N06A | tca serotonergic qt |
imipramine=imipramin=Tofranil | N06A | tca serotonergic |
trimipramine=trimipramin=Stangyl | N06A | tca sedative |
opipramol=Insidon | N06A | |
agomelatine=Valdoxan | N06A | |
mianserin | N06A | sedative |
esketamine=Spravato | N06A | |
ketamine=ketamin=Ketalar | N01A | |
propofol=Diprivan=Disoprivan | N01A | |
etomidate=etomidat | N01A | |
thiopental | N01A | |
rocuronium=Esmeron=Zemuron | M03A | |
succinylcholine=suxamethonium=succinylcholin | M03A | |
vecuronium | M03A | |
cisatracurium=Nimbex | M03A | |
sugammadex=Bridion | V03A | |
neostigmine=neostigmin | N07A | |
glycopyrronium=glycopyrrolate=Robinul | A03A | anticholinergic |
sevoflurane=sevofluran | N01A | |
desflurane=desfluran | N01A | |
bupivacaine=bupivacain=Marcaine=Carbostesin | N01B | |
ropivacaine=ropivacain=Naropin | N01B | |
mepivacaine=mepivacain | N01B | |
prilocaine=prilocain | N01B | |
articaine | N01B | |
dexmedetomidine=Precedex | N05C | sedative |
aripiprazole=aripiprazol=Abilify | N05A | antipsychotic | 30 mg
ziprasidone=ziprasidon=Geodon | N05A | antipsychotic qt |
lurasidone=Latuda | N05A | antipsychotic |
paliperidone=Invega | N05A | antipsychotic |
chlorpromazine=Thorazine | N05A | antipsychotic qt |
levomepromazine=levomepromazin=Neurocil | N05A | antipsychotic sedative |
melperone=melperon | N05A | antipsychotic qt |
pipamperone=pipamperon=Dipiperon | N05A | antipsychotic |
flupentixol=Fluanxol | N05A | antipsychotic |
prothipendyl=Dominal | N05A | sedative |
methylphenidate=methylphenidat=méthylphénidate=Ritalin=Ritaline=Concerta=Medikinet | N06B | |
amphetamine=dextroamphetamine=Adderall+ | N06B | |
lisdexamfetamine=Vyvanse=Elvanse | N06B | |
atomoxetine=Strattera | N06B | |
guanfacine=Intuniv | C02A | |
modafinil=Provigil | N06B | |
varenicline=Chantix=Champix | N07B | |
nicotine=nikotin=nicotine patch=nicotine replacement=NicoDerm | N07B | |
disulfiram=Antabuse | N07B | |
acamprosate=Campral=Aotal | N07B | |
betahistine=betahistin=Aequamen=Vasomotal | N07C | |
cinnarizine=cinnarizin | N07C | |
dimethyl fumarate=Tecfidera | L04A | |
flucloxacillin=floxapen | J01C | penicillin antibiotic |
dicloxacillin | J01C | penicillin antibiotic |
oxacillin | J01C | penicillin antibiotic |
nafcillin | J01C | penicillin antibiotic |
benzylpenicillin=penicillin g=benzathine penicillin | J01C | penicillin antibiotic |
penicillin=penicillins=pénicilline=pcn=penizillin | J01C | penicillin antibiotic |
ampicillin=ampicilline | J01C | penicillin antibiotic |
ampicillin-sulbactam=ampicillin/sulbactam=Unasyn+=Unacid+ | J01C | penicillin antibiotic |
pivmecillinam=Selexid | J01C | penicillin antibiotic |
temocillin | J01C | penicillin antibiotic |
cefazolin=cefazoline=Ancef=Kefzol | J01D | cephalosporin antibiotic |
cefalexin=cephalexin=céfalexine=Keflex | J01D | cephalosporin antibiotic |
cefadroxil | J01D | cephalosporin antibiotic |
cefaclor | J01D | cephalosporin antibiotic |
cefixime=cefixim=Suprax=Oroken | J01D | cephalosporin antibiotic |
cefpodoxime=cefpodoxim=Orelox | J01D | cephalosporin antibiotic |
cefdinir=Omnicef | J01D | cephalosporin antibiotic |
cefotaxime=cefotaxim=Claforan | J01D | cephalosporin antibiotic |
ceftazidime=ceftazidim=Fortum=Fortaz | J01D | cephalosporin antibiotic |
cefepime=cefepim=Maxipime | J01D | cephalosporin antibiotic |
cefoxitin=cefoxitine | J01D | cephalosporin antibiotic |
cefotetan | J01D | cephalosporin antibiotic |
ertapenem=Invanz | J01D | carbapenem antibiotic |
imipenem=imipenem-cilastatin=imipenem/cilastatin | J01D | carbapenem antibiotic |
aztreonam=Azactam | J01D | antibiotic |
norfloxacin=noroxin | J01M | quinolone antibiotic |
ofloxacin=Oflocet | J01M | quinolone antibiotic |
minocycline=minocyclin | J01A | tetracycline antibiotic |
tetracycline=tetracyclin | J01A | tetracycline antibiotic |
tigecycline=tigecyclin=Tygacil | J01A | tetracycline antibiotic |
roxithromycin=Rulid | J01F | macrolide antibiotic |
spiramycin=spiramycine=Rovamycine | J01F | macrolide antibiotic |
clindamycin=clindamycine=Cleocin=Sobelin=Dalacin=Dalacine | J01F | antibiotic |
pristinamycin=pristinamycine=Pyostacine | J01F | antibiotic |
teicoplanin=Targocid | J01X | antibiotic |
daptomycin=daptomycine=Cubicin | J01X | antibiotic |
fosfomycin=fosfomycine=Monuril=Monurol | J01X | antibiotic |
colistin=colistine | J01X | antibiotic |
methenamine=Hiprex | J01X | |
fidaxomicin=Dificid | A07A | antibiotic |
tobramycin=tobramycine | J01G | aminoglycoside antibiotic |
amikacin=amikacine | J01G | aminoglycoside antibiotic |
isoniazid=isoniazide | J04A | antibiotic |
pyrazinamide=pyrazinamid | J04A | antibiotic |
ethambutol | J04A | antibiotic |
rifabutin | J04A | inducer antibiotic |
dapsone=dapson | J04B | |
voriconazole=voriconazol=Vfend | J02A | azole cyp3a4inhibitor |
posaconazole=posaconazol=Noxafil | J02A | azole cyp3a4inhibitor |
amphotericin b=amphotericin=amphotéricine b | J02A | |
caspofungin=caspofungine | J02A | |
micafungin | J02A | |
terbinafine=terbinafin=Lamisil | D01B | |
clotrimazole=clotrimazol=Lotrimin=Canesten | D01A | |
miconazole=miconazol | D01A | |
aciclovir=acyclovir=aciclovir sodium=Zovirax | J05A | |
valaciclovir=valacyclovir=Valtrex=Zelitrex | J05A | |
famciclovir | J05A | |
ganciclovir | J05A | |
valganciclovir=Valcyte | J05A | |
oseltamivir=Tamiflu | J05A | |
remdesivir=Veklury | J05A | |
tenofovir=tenofovir disoproxil=Viread | J05A | |
emtricitabine-tenofovir=Truvada+=Descovy+ | J05A | |
bictegravir=Biktarvy+ | J05A | |
dolutegravir=Tivicay | J05A | |
efavirenz | J05A | inducer |
lamivudine=lamivudin | J05A | |
abacavir | J05A | |
darunavir | J05A | |
sofosbuvir=Sovaldi | J05A | |
entecavir=Baraclude | J05A | |
nirmatrelvir | J05A | cyp3a4inhibitor |
chloroquine=chloroquin | P01B | qt |
atovaquone-proguanil=Malarone+ | P01B | |
mefloquine | P01B | |
ivermectin=ivermectine=Stromectol | P02C | |
albendazole=albendazol | P02C | |
permethrin | P03A | |
immunoglobulin=ivig=immune globulin | J06B | |
tiotropium=tiotropium bromide=Spiriva | R03B | anticholinergic |
ipratropium=ipratropium bromide=ipratropiumbromid=Atrovent | R03B | anticholinergic |
umeclidinium=Incruse | R03B | anticholinergic |
aclidinium=Bretaris=Eklira | R03B | anticholinergic |
ipratropium-salbutamol=ipratropium-albuterol=ipratropium/albuterol=Combivent+=DuoNeb+ | R03A | anticholinergic beta2agonist |
formoterol=Foradil=Oxis | R03A | beta2agonist |
salmeterol=Serevent | R03A | beta2agonist |
indacaterol=Onbrez | R03A | beta2agonist |
olodaterol=Striverdi | R03A | beta2agonist |
terbutaline=terbutalin=Bricanyl | R03A | beta2agonist |
levalbuterol=Xopenex | R03A | beta2agonist |
fenoterol=Berotec | R03A | beta2agonist |
fluticasone-salmeterol=fluticasone/salmeterol=Advair+=Seretide+=Viani+ | R03A | beta2agonist |
budesonide-formoterol=budesonide/formoterol=budesonid/formoterol=Symbicort+ | R03A | beta2agonist |
beclometasone-formoterol=beclomethasone/formoterol=beclometasone/formoterol=Fostair+=Innovair+ | R03A | beta2agonist |
fluticasone-vilanterol=fluticasone/vilanterol=Breo+=Relvar+ | R03A | beta2agonist |
umeclidinium-vilanterol=Anoro+ | R03A | |
fluticasone-umeclidinium-vilanterol=Trelegy+=Trimbow+ | R03A | |
tiotropium-olodaterol=Stiolto+=Spiolto+ | R03A | |
beclometasone=beclomethasone=béclométasone=beclometason=Qvar=Clenil | R03B | |
fluticasone=fluticason=fluticasone propionate=fluticasone furoate=Flonase=Flovent=Flixotide=Flixonase=Avamys | R03B | |
mometasone=mometason=Nasonex=Asmanex | R03B | |
ciclesonide=ciclesonid=Alvesco | R03B | |
montelukast=Singulair | R03D | | 10 mg
aminophylline=aminophyllin | R03D | theophylline |
roflumilast=Daliresp=Daxas | R03D | |
acetylcysteine=n-acetylcysteine=acetylcystein=nac=Mucomyst=Fluimucil | R05C | |
ambroxol=Mucosolvan | R05C | |
carbocisteine=Mucodyne | R05C | |
guaifenesin=Mucinex=Robitussin | R05C | |
dextromethorphan=dextrométhorphane=Delsym | R05D | serotonergic |
benzonatate=Tessalon | R05D | |
pseudoephedrine=Sudafed | R01B | |
oxymetazoline=Afrin | R01A | |
xylometazoline=xylometazolin=Otriven | R01A | |
cetirizine=cetirizin=cétirizine=Zyrtec | R06A | | 10 mg
levocetirizine=levocetirizin=Xyzal | R06A | |
loratadine=loratadin=Claritin=Clarityn | R06A | | 10 mg
desloratadine=desloratadin=Aerius=Clarinex | R06A | |
fexofenadine=fexofenadin=Allegra=Telfast | R06A | |
diphenhydramine=diphenhydramin=Benadryl | R06A | sedative anticholinergic |
chlorphenamine=chlorpheniramine=Piriton | R06A | sedative |
clemastine=clemastin=Tavegil | R06A | sedative |
latanoprost=Xalatan | S01E | |
bimatoprost=Lumigan | S01E | |
travoprost=Travatan | S01E | |
dorzolamide=dorzolamid=Trusopt | S01E | |
dorzolamide-timolol=Cosopt+ | S01E | betablocker |
brinzolamide=brinzolamid=Azopt | S01E | |
brimonidine=brimonidin=Alphagan | S01E | |
hyaluronate=artificial tears=carbomer=hypromellose=Hylo-Comod | S01X | |
ranibizumab=Lucentis | S01L | |
aflibercept=Eylea | S01L | |
chloramphenicol | S01A | antibiotic |
mupirocin=Bactroban | D06A | |
fusidic acid=fusidinsäure=acide fusidique=Fucidin | D06A | |
silver sulfadiazine=Flammazine=Silvadene | D06B | |
clobetasol=Dermovate=Temovate | D07A | |
mometasone furoate=Elocon | D07A | |
isotretinoin=isotrétinoïne=Accutane=Roaccutane | D10B | |
calcipotriol | D05A | |
iohexol=Omnipaque | V08A | |
iopamidol=Isovue | V08A | |
iopromide=iopromid=Ultravist | V08A | |
iomeprol=Imeron=Iomeron | V08A | |
iodixanol=Visipaque | V08A | |
iobitridol=Xenetix | V08A | |
gadobutrol=Gadavist=Gadovist | V08C | |
gadoterate=gadoteric acid=gadotersäure=acide gadotérique=Dotarem=Clariscan | V08C | |
gadobenate=MultiHance | V08C | |
gadoxetate=Primovist=Eovist | V08C | |
flumazenil=Anexate=Romazicon | V03A | |
activated charcoal | A07B | |
cannabidiol=Epidiolex | N03A | |
dronabinol=Marinol | A04A | |
deferasirox=Exjade | V03A | |
sodium chloride=natriumchlorid=normal saline=Ringer's | B05X | |
dextrose=glucose 5% | B05B | |
`;
