/**
 * Well-known interactions, written for this table from general pharmacology (class of source: product information of the
 * medicines concerned, sections 4.3 to 4.5, and standard textbooks; CredibleMeds' published principle for QT). It contains
 * pairs that a pharmacist checks first; it is not complete, and a pair that is not listed can interact.
 */

export type InteractionSeverity = 'contraindicated' | 'major' | 'moderate';

export interface Interaction {
  /** Names of medicines, or of groups with `@` before them. */
  readonly pair: readonly [string, string];
  readonly severity: InteractionSeverity;
  readonly effect: string;
  readonly advice: string;
}

const table = `
@vka|@nsaid|major|bleeding, gastrointestinal above all|avoid; else gastroprotection and close INR
@doac|@nsaid|major|bleeding|avoid or shortest time, gastroprotection
@anticoagulant|@antiplatelet|major|bleeding|only with an indication for both; gastroprotection
@antiplatelet|@nsaid|moderate|bleeding; ibuprofen can block the effect of aspirin|avoid; gastroprotection
@anticoagulant|@ssri|moderate|bleeding by impaired platelet function|watch for bleeding
@anticoagulant|@snri|moderate|bleeding by impaired platelet function|watch for bleeding
@antiplatelet|@ssri|moderate|bleeding|consider gastroprotection
@nsaid|@ssri|moderate|gastrointestinal bleeding|consider gastroprotection
@nsaid|@corticosteroid|moderate|ulcer and bleeding|gastroprotection
@vka|amiodarone|major|INR rises for weeks|reduce the dose, INR weekly
@vka|metronidazole|major|INR rises|avoid or reduce, INR in 3 to 5 days
@vka|trimethoprim|major|INR rises|avoid or reduce, INR in 3 to 5 days
@vka|fluconazole|major|INR rises|reduce, INR in 3 to 5 days
@vka|@macrolide|moderate|INR rises|INR in 3 to 5 days
@vka|@quinolone|moderate|INR rises|INR in 3 to 5 days
@vka|@inducer|major|INR falls, rises when the inducer is stopped|INR often; other anticoagulant only if it is no substrate
@vka|paracetamol|moderate|INR rises at 2 g daily and more for days|INR check in regular use
@vka|allopurinol|moderate|INR can rise|INR check
@doac|@inducer|major|loss of anticoagulation|avoid
@doac|@azole|major|higher levels, bleeding|avoid or reduce by product information
@doac|ritonavir|major|higher levels, bleeding|avoid or reduce by product information
dabigatran|verapamil|moderate|higher dabigatran level|reduce by product information
dabigatran|dronedarone|contraindicated|higher dabigatran level|do not combine
dabigatran|ciclosporin|contraindicated|higher dabigatran level|do not combine
clopidogrel|@cyp2c19inhibitor|moderate|less active metabolite of clopidogrel|pantoprazole instead
@raas|@potassiumsparing|major|hyperkalaemia|potassium and creatinine after 1 and 4 weeks
@raas|@potassium|major|hyperkalaemia|potassium check, stop the supplement if possible
@raas|trimethoprim|major|hyperkalaemia, sudden death in the old|other antibiotic, else potassium in days
@potassiumsparing|trimethoprim|major|hyperkalaemia|other antibiotic
@potassiumsparing|@potassium|major|hyperkalaemia|avoid
@acei|@arb|major|hyperkalaemia, kidney failure, hypotension|do not combine as a rule
@acei|sacubitril|contraindicated|angioedema|36 hours between them
@raas|aliskiren|major|hyperkalaemia, kidney failure|contraindicated in diabetes or eGFR below 60
@raas|@nsaid|moderate|kidney failure, less effect on blood pressure|avoid, creatinine check
@diuretic|@nsaid|moderate|kidney failure, less diuresis|avoid; with a RAAS blocker it is a triple risk
@raas|@lithium|major|lithium toxicity|lithium level in a week, reduce
@thiazide|@lithium|major|lithium toxicity|avoid or reduce, level in a week
@loopdiuretic|@lithium|moderate|lithium toxicity|level in a week
@nsaid|@lithium|major|lithium toxicity|avoid, level
@betablocker|@ratelimitingccb|major|bradycardia, AV block, heart failure|avoid; never intravenous together
@glycoside|amiodarone|major|digoxin toxicity|halve digoxin, level
@glycoside|verapamil|major|digoxin toxicity, bradycardia|reduce digoxin by a third to a half, level
@glycoside|@macrolide|major|digoxin toxicity|other antibiotic, level
@glycoside|@loopdiuretic|moderate|hypokalaemia favours toxicity|potassium above 4
@glycoside|@thiazide|moderate|hypokalaemia favours toxicity|potassium above 4
@betablocker|@glycoside|moderate|bradycardia|heart rate
amiodarone|@betablocker|moderate|bradycardia, AV block|heart rate, ECG
amiodarone|@ratelimitingccb|major|bradycardia, AV block|avoid
sotalol|@diuretic|moderate|torsades with low potassium|potassium and magnesium
@statin3a4|@macrolide|major|rhabdomyolysis (clarithromycin, erythromycin)|pause the statin
@statin3a4|@azole|major|rhabdomyolysis|pause the statin
@statin3a4|ciclosporin|major|rhabdomyolysis|avoid
@statin|gemfibrozil|contraindicated|rhabdomyolysis|do not combine
simvastatin|amlodipine|moderate|myopathy|simvastatin at most 20 mg
simvastatin|amiodarone|major|myopathy|simvastatin at most 20 mg
simvastatin|@ratelimitingccb|major|myopathy|simvastatin at most 20 mg
@statin3a4|ritonavir|contraindicated|rhabdomyolysis|pause or change the statin
@nitrate|@pde5|contraindicated|severe hypotension|do not combine
@alphablocker|@pde5|moderate|hypotension|low dose, apart
@maoi|@ssri|contraindicated|serotonin syndrome|two weeks apart, five after fluoxetine
@maoi|@snri|contraindicated|serotonin syndrome|two weeks apart
@maoi|tramadol|contraindicated|serotonin syndrome, seizures|do not combine
@ssri|tramadol|major|serotonin syndrome, seizures|other analgesic
@snri|tramadol|major|serotonin syndrome, seizures|other analgesic
@ssri|@tca|moderate|serotonin syndrome, higher tricyclic level|level, ECG
@ssri|st john's wort|major|serotonin syndrome|do not combine
@cyp2d6inhibitor|tamoxifen|major|less active metabolite of tamoxifen|other antidepressant
@cyp2d6inhibitor|codeine|moderate|no analgesia from codeine|other analgesic
@cyp2d6inhibitor|metoprolol|moderate|bradycardia|heart rate, reduce
@opioid|@benzodiazepine|major|respiratory depression|avoid; lowest doses, naloxone
@opioid|@gabapentinoid|major|respiratory depression|reduce, above all with kidney failure
@opioid|@hypnotic|major|respiratory depression|avoid
@benzodiazepine|@hypnotic|moderate|sedation, falls|one of them
@levodopa|@dopamineantagonist|major|loss of effect of levodopa|domperidone instead of metoclopramide
tizanidine|@cyp1a2inhibitor|contraindicated|severe hypotension and sedation|do not combine
theophylline|@cyp1a2inhibitor|major|theophylline toxicity|reduce, level
theophylline|@macrolide|moderate|theophylline toxicity|level
clozapine|@cyp1a2inhibitor|major|clozapine toxicity|reduce, level
valproate|lamotrigine|major|severe rash, higher lamotrigine level|half the dose, slowly
valproate|meropenem|major|loss of valproate, seizures|other antibiotic
methotrexate|trimethoprim|contraindicated|bone marrow failure|do not combine
methotrexate|@nsaid|major|methotrexate toxicity|avoid at high dose; blood count
methotrexate|@penicillin|moderate|methotrexate toxicity|blood count
methotrexate|@ppi|moderate|methotrexate toxicity at high dose|pause
azathioprine|@xanthineinhibitor|major|bone marrow failure|a quarter of the azathioprine, or none
colchicine|@cyp3a4inhibitor|major|colchicine toxicity|reduce; contraindicated with kidney or liver failure
colchicine|@statin|moderate|myopathy|watch for weakness
@calcineurin|@azole|major|toxic level|reduce, level
@calcineurin|@macrolide|major|toxic level (clarithromycin, erythromycin)|other antibiotic
@calcineurin|@inducer|major|loss of effect, rejection|avoid, level
@calcineurin|@nsaid|moderate|kidney failure|avoid
@contraceptive|@inducer|major|pregnancy|other contraception
@levothyroxine|@cation|moderate|less absorbed|four hours apart
@levothyroxine|@ppi|moderate|less absorbed|TSH check
@quinolone|@cation|major|not absorbed|two hours before or six after
@tetracycline|@cation|major|not absorbed|two to three hours apart
@quinolone|@corticosteroid|moderate|tendon rupture|avoid in the old
@sulfonylurea|@azole|major|hypoglycaemia|glucose
@sulfonylurea|trimethoprim|major|hypoglycaemia|glucose, reduce
@sulfonylurea|@insulin|moderate|hypoglycaemia|review the sulfonylurea
@insulin|@betablocker|moderate|hypoglycaemia goes unnoticed|glucose
@aminoglycoside|@loopdiuretic|major|deafness, kidney failure|avoid; levels
@aminoglycoside|vancomycin|major|kidney failure|levels, creatinine daily
vancomycin|piperacillin|major|kidney failure|creatinine daily, other beta-lactam
@fibrate|@statin|moderate|myopathy|fenofibrate rather than gemfibrozil
`;

export const interactions: readonly Interaction[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [first = '', second = '', severity = '', effect = '', advice = ''] = line.split('|');
    return { pair: [first, second], severity: severity as InteractionSeverity, effect, advice };
  });

/** Two medicines that each prolong QT; listing all pairs would fill the table. */
export const qtInteraction: Omit<Interaction, 'pair'> = {
  severity: 'major',
  effect: 'both prolong QT: torsades de pointes',
  advice: 'avoid; ECG, potassium and magnesium',
};

/** Two serotonergic medicines without their own line in the table. */
export const serotoninInteraction: Omit<Interaction, 'pair'> = {
  severity: 'moderate',
  effect: 'both are serotonergic: serotonin syndrome',
  advice: 'watch for tremor, sweating, clonus',
};
