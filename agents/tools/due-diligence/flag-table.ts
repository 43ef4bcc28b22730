/** The red flags of a due diligence by area, as data. Phrases are in the syntax of `compilePhrases`. */
import { phraseList } from '../text/phrases.ts';

/** The points that a flag adds to the score, regardless of the number of mentions. */
export const flagWeights = { critical: 25, high: 15, medium: 8 } as const;

export type FlagSeverity = keyof typeof flagWeights;

export type Area =
  | 'corporate'
  | 'financial'
  | 'tax'
  | 'litigation'
  | 'commercial'
  | 'intellectual property'
  | 'employment'
  | 'data and IT'
  | 'regulatory'
  | 'environment and property';

export interface Flag {
  readonly id: string;
  readonly area: Area;
  readonly title: string;
  readonly severity: FlagSeverity;
  readonly wording: readonly string[];
}

/** One line `severity :: id :: title` per flag, followed by lines with its wording in the syntax of `phraseList`. */
function flags(area: Area, table: string): Flag[] {
  const found: Flag[] = [];
  for (const line of table.split('\n').map((each) => each.trim())) {
    const [severity, id, title] = line.split(' :: ');
    if (title !== undefined) found.push({ area, id: id!, title, severity: severity as FlagSeverity, wording: [] });
    else if (line !== '') found.push(withWording(found.pop()!, line));
  }
  return found;
}

function withWording(flag: Flag, line: string): Flag {
  return { ...flag, wording: [...flag.wording, ...phraseList(line)] };
}

export const allFlags: readonly Flag[] = [
  ...flags(
    'corporate',
    `
    critical :: disputed_ownership :: Ownership of shares disputed or unclear
      disput* ~4 ownership|shares|shareholding|title; ownership ~4 disputed|unclear|contested;
      missing ~3 share certificate*|stock ledger; shares ~4 not ~3 paid up|in; nominee shareholder*
    high :: encumbered_shares :: Shares pledged or otherwise encumbered
      shares ~4 pledged|encumbered; pledge ~3 shares; share pledge*; lien ~3 shares
    high :: veto_rights :: Vetoes, drag or pre-emption that can block the transaction
      veto right*; right of first refusal; pre emption right*|rights; preemptive right*;
      consent of ~4 shareholders|investors ~3 required; reserved matter*
    medium :: missing_minutes :: Minutes or registers missing
      minutes ~9 missing|lost|not; missing ~3 minutes|registers; register ~4 not ~2 up to date;
      not ~3 filed ~4 annual|accounts|register
    medium :: related_parties :: Dealings with related parties
      loan* ~4 shareholder*|founder*|director*; intercompany ~3 loan*|balance*;
      not ~3 arm*
    `,
  ),
  ...flags(
    'financial',
    `
    critical :: going_concern :: Doubt about going concern
      going concern ~6 doubt|uncertain*; material uncertainty; doubt ~6 going concern; insolven*; over indebted*;
      negative equity; unable to pay
    critical :: qualified_audit :: Audit opinion qualified, adverse or disclaimed
      qualified ~3 opinion; adverse opinion; disclaimer of opinion; accounting irregularit*
    high :: restatement :: Accounts restated
      restat* ~4 accounts|statements|results
    high :: internal_control :: Weak internal control
      material weakness*; significant deficienc*
    high :: covenant_breach :: Financial covenant breached or waived
      breach* ~5 covenant*; covenant* ~5 breach*|waive*; waiver ~5 covenant*|lender*|bank;
      event of default ~3 occurred|continuing|exists; cross default ~3 triggered|occurred
    high :: unaudited :: Accounts unaudited or late
      unaudited; not ~3 audited; accounts ~4 late|overdue; audit ~4 outstanding|delayed
    high :: contingent_liabilities :: Guarantees and other contingent liabilities
      contingent liabilit*; parent ~2 guarantee*; guarantee* ~4 third part*; off balance; letter* of comfort
    medium :: revenue_recognition :: Aggressive or changed revenue recognition
      revenue recognition ~6 changed|change|aggressive|policy; channel stuffing; bill and hold;
      capitali* ~4 development|costs
    medium :: overdue_receivables :: Receivables or payables overdue
      overdue ~3 receivable*|invoice*|payable*; receivable* ~5 overdue|90; bad debt*;
      write off*|down* ~3 receivable*
    `,
  ),
  ...flags(
    'tax',
    `
    high :: tax_dispute :: Tax audit, assessment or dispute open
      tax ~3 audit*|assessment*|dispute*|inspection*|investigation*; reassess* ~3 tax; unpaid ~3 tax*; tax arrears;
      late ~3 tax return*
    high :: transfer_pricing_gap :: Transfer pricing undocumented
      no ~3 transfer pricing; transfer pricing ~6 missing|undocumented|outstanding;
      transfer pricing ~5 not ~2 documented|prepared|available|provided|maintained|filed
    medium :: permanent_establishment :: Permanent establishment or social security risk
      permanent establishment; misclassif* ~3 contractor*|freelancer*; false self employ*; disguised employment;
      scheinselbst*
    `,
  ),
  ...flags(
    'litigation',
    `
    critical :: criminal_investigation :: Criminal or corruption investigation
      criminal ~3 investigation*|proceeding*|charge*|complaint*; bribery ~4 investigation*|allegation*;
      corruption ~4 investigation*|allegation*; money laundering; fraud ~4 investigation*|allegation*; dawn raid*
    high :: regulatory_investigation :: Investigation by an authority
      under investigation ~2 by; subpoena ~4 from|received; statement of objections; civil investigative demand
    high :: pending_litigation :: Litigation pending or threatened
      pending ~3 litigation|claim*|proceeding*|lawsuit*|arbitration*; litigation ~4 pending|ongoing|threatened;
      lawsuit*; filed ~3 claim|action|suit; threatened ~3 litigation|claim*|action; sued ~4 by|for;
      ongoing ~3 arbitration|dispute|litigation|proceedings
    high :: product_liability :: Product liability or recall
      product liability ~4 claim*; recall* of ~3 product*|units|devices; recalled ~4 product*|units|devices; safety defect*
    `,
  ),
  ...flags(
    'commercial',
    `
    high :: customer_concentration :: Revenue depends on few customers
      customer concentration; largest customer* ~8 revenue*|sales|turnover;
      top ~2 customers ~6 account*|represent*|generate*|revenue*; single customer ~6 revenue*;
      depend* ~3 one|single|few customer*; customer* ~4 account* for ~6 revenue*|sales|turnover
    high :: change_of_control :: Change-of-control rights in contracts
      change of|in control; change ~2 of ownership; upon ~3 sale of ~3 shares|company
    medium :: supplier_dependency :: Dependence on one supplier
      sole source*; single source*; sole supplier; depend* ~4 supplier; only supplier
    medium :: exclusivity :: Exclusivity, non-compete or most-favoured terms bind the business
      exclusiv* ~5 customer*|supplier*|territory|distribut*|agreement; non compet*; most favoured|favored
    medium :: churn :: Customers lost or leaving
      churn ~4 increas*|rose|high|above; customer* ~4 terminated|cancelled|left;
      notice of termination ~4 from|by|received; contract* ~3 expired|lapsed
    `,
  ),
  ...flags(
    'intellectual property',
    `
    critical :: ip_not_owned :: Core technology not owned or not assigned
      not ~4 assign* ~4 ip|intellectual|invention*|rights|code|software;
      ip ~4 held|owned ~3 founder*|personally|university; missing ~4 ip|invention assignment*;
      ownership of ~4 code|software|patent* ~4 unclear|disputed; no ~3 ip assignment*|assignment of ip;
      registered in ~3 name of ~3 founder*
    high :: ip_infringement :: Infringement claimed
      infring* ~6 patent*|trademark*|copyright*|rights|claim*; patent ~3 claim*|suit|dispute; cease and desist
    high :: copyleft :: Copyleft code in distributed products
      gpl ~6 product*|distribut*|linked|code|component*; agpl; copyleft;
      open source ~4 violation*|non compliance|audit
    medium :: ip_expiry :: Registered rights lapsing or unregistered
      patent* ~4 expire*|lapse*; trademark* ~4 not ~2 registered; trademark* ~4 expire*|lapse*;
      unregistered ~3 trademark*|mark*; domain* ~4 registered ~4 founder*|employee*
    `,
  ),
  ...flags(
    'employment',
    `
    high :: key_people :: Dependence on key people, or their leaving
      key person|people|man|employee* ~4 depend*|risk|leav*|resign*|left; depend* ~4 founder*|cto|ceo;
      cto|ceo|cfo ~4 resign*|leav*|left; resignation of
    high :: employment_claims :: Claims of employees or unpaid wages
      unpaid ~3 wages|salar*|overtime|bonus*|holiday*; employment tribunal|claim*; wrongful|unfair dismissal;
      discrimination ~2 claim*|complaint*; harassment ~3 claim*|complaint*|allegation*
    medium :: pension_deficit :: Pension or severance liabilities not funded
      pension ~3 deficit*|shortfall*|liabilit*; unfunded ~3 pension*|liabilit*; underfunded
    medium :: works_council :: Consultation of employees outstanding
      works council ~6 consult*|not|outstanding|dispute*; collective ~2 agreement ~4 expire*|dispute*;
      strike* ~3 announced|threat*|action; redundanc*
    `,
  ),
  ...flags(
    'data and IT',
    `
    critical :: data_breach :: Security incident or breach of personal data
      data breach*; security ~2 breach*|incident*; ransomware; personal data ~4 leaked|stolen|exposed|breach*;
      unauthori* access ~6 data|systems
    high :: privacy_gaps :: Data protection gaps or proceedings of an authority
      gdpr ~5 gap*|fine*|violation*|complaint*|non compliance|breach*;
      supervisory authority ~6 inquiry|investigation|complaint*|order|fine;
      no ~3 data processing agreement*|records of processing|privacy policy; missing ~3 data processing agreement*
    medium :: legacy_systems :: End-of-life systems or no tested recovery
      end of life; end of support; legacy system*; no ~3 disaster recovery|backup*|penetration test*; technical debt;
      not ~3 patched
    `,
  ),
  ...flags(
    'regulatory',
    `
    critical :: sanctions :: Sanctions or export-control exposure
      sanction* ~4 list*|party|person|countr*|exposure|violation*; sanctioned ~2 person*|entit*|countr*|customer*;
      export control ~4 violation*|breach*|licen*; ofac; embargo*
    high :: missing_licence :: Licence missing, expired or not transferable
      without ~3 licen*|permit*|authori*;
      licen*|permit*|authori* ~8 expired|revoked|suspended|withdrawn|missing|transferable; unlicensed;
      operat* ~3 without ~3 licen*|permit*
    high :: antitrust :: Competition-law proceedings or filing duty
      antitrust ~3 investigation*|proceeding*|fine*|filing*;
      competition authority ~4 investigation*|inquiry|fine*|approval; cartel*; merger control;
      fdi ~2 filing|approval|screening; foreign direct investment
    medium :: state_aid :: Grants or aid that may be reclaimed
      grant* ~4 repay*|reclaim*|clawback; claw back ~4 grant*|subsid*; state aid;
      subsid* ~4 repay*|condition*|reclaim*
    `,
  ),
  ...flags(
    'environment and property',
    `
    high :: contamination :: Contamination or environmental order
      contaminat*; soil ~2 pollution; asbestos; environmental ~3 order|liabilit*|violation*|claim*;
      remediation ~3 cost*|order|plan
    medium :: lease_issues :: Leases expiring, in breach or with dilapidations
      lease* ~4 expire*|terminat*|breach*; rent arrears; dilapidation*; eviction;
      building permit ~3 missing|not|lacking
    medium :: insurance_gaps :: Insurance missing or claims refused
      uninsured; underinsured; no ~3 insurance; insurance ~4 lapsed|expired|refused|declined;
      insurer ~4 denied|refused|declined|rejected
    `,
  ),
];
