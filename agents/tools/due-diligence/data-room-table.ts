/** The usual contents of the data room of a company for sale, by area. Phrases are in the syntax of `compilePhrases`. */
import { phraseList } from '../text/phrases.ts';

export interface DataRoomItem {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  /** Without the required items, a buyer cannot complete the review of that area. */
  readonly required: boolean;
  readonly wording: readonly string[];
}

/** `title | required or optional | wording`, one per line. */
function items(area: string, table: string): DataRoomItem[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [title = '', level = '', wording = ''] = line.split(' | ').map((part) => part.trim());
      return {
        id: title.toLowerCase().replaceAll(/[^a-z]{1,10}/g, '_'),
        area,
        title,
        required: level === 'required',
        wording: phraseList(wording),
      };
    });
}

export const dataRoomItems: readonly DataRoomItem[] = [
  ...items(
    'corporate',
    `
    Articles of association | required | articles of association|incorporation; bylaws; statutes; certificate of incorporation; satzung
    Register extract | required | register extract; extract from ~4 register; commercial register; good standing; handelsregister*
    Cap table and share register | required | cap table; capitalization table; share register; shareholder list|register; stock ledger; register of members
    Shareholders' agreement | required | shareholders|shareholder|stockholders agreement; shareholders' agreement|agreements; investment agreement; sha
    Minutes of board and shareholders | required | board minutes; minutes of ~4 meetings|board|shareholders; shareholder resolutions; board resolutions; minutes
    Group structure | optional | group structure; structure chart; organisation|organization chart; subsidiaries ~2 list; organigram
    Option plan | required | option plan; esop; vsop; incentive plan; option grants|agreements
    Convertibles | optional | convertible notes|loans; safes; safe agreements; warrants`,
  ),
  ...items(
    'financial',
    `
    Annual accounts of three years | required | annual accounts|reports; audited accounts|financial; financial statements; annual financial
    Auditor's reports | required | audit report*; auditor's ~2 report*; auditors' report*; management letter*
    Management accounts | required | management accounts; monthly reporting|accounts; interim accounts; trial balance
    Budget and forecast | required | budget*; business plan; forecast*; financial model
    Debt and security | required | loan agreements|agreement; credit facility|agreement*; facility agreement*; bank debt; security ~2 agreements
    Receivables and payables by age | optional | aged ~2 receivables|debtors|payables; ageing|aging ~2 list|report*; debtors list
    Working capital and net debt | optional | working capital; net debt; quality of earnings`,
  ),
  ...items(
    'tax',
    `
    Tax returns | required | tax returns|return|declarations; corporate income tax; vat returns
    Tax assessments and audits | required | tax assessments|assessment|audits|audit; tax correspondence; tax rulings
    Transfer pricing documentation | optional | transfer pricing; local file; master file
    Tax clearance | optional | tax clearance; no debt certificate; certificate ~3 tax`,
  ),
  ...items(
    'commercial',
    `
    Material customer contracts | required | customer contracts|agreements; material contracts; top ~3 customers; key customer*; sales contracts
    Material supplier contracts | required | supplier contracts|agreements; vendor contracts; key suppliers; purchase agreements
    Standard terms | optional | standard terms; terms and conditions; general terms; gtc; agb
    Revenue by customer | required | revenue by customer; customer list; sales by customer; customer concentration
    Pipeline | optional | pipeline; order book; backlog
    Distribution and partner agreements | optional | distribution agreements|agreement; reseller agreements; partner agreements; agency agreements`,
  ),
  ...items(
    'intellectual property',
    `
    List of registered rights | required | trademarks|trademark|patents|patent ~3 list|register|schedule|portfolio; list of ~4 trademarks|patents; ip register|portfolio; registered rights; domain names
    Assignments of inventions | required | ip assignment*; invention assignment*; assignment of ~3 rights|ip|inventions; assignment agreements
    Licences in and out | required | licence|license agreements; licences in; inbound licen*; software licen*
    Open-source audit | optional | open source; oss ~2 audit|report|scan; sbom; software bill of materials`,
  ),
  ...items(
    'employment',
    `
    List of employees | required | list of employees; employee list|census|register; headcount; staff list
    Employment contracts | required | employment contracts|agreements|contract; key ~2 employment; managing director ~2 contract*; service agreements ~3 directors
    Bonus and pension schemes | required | bonus ~2 plan*|scheme*; pension ~2 plan*|scheme*; benefits
    Freelancers | optional | freelancer* ~2 agreements|contracts|list; contractor* ~2 agreements|contracts|list; consultants
    Collective agreements | optional | collective agreements|agreement; works council; union agreements`,
  ),
  ...items(
    'litigation',
    `
    List of disputes | required | litigation ~2 list|schedule|overview; disputes; list of ~3 litigation|proceedings|claims; pending litigation; legal proceedings
    Settlements and judgments | optional | settlement agreements; judgments; settlements`,
  ),
  ...items(
    'data and IT',
    `
    Privacy documentation | required | records of processing; privacy policy|policies; data protection ~3 documentation|policy|policies; gdpr; dpia*
    Data processing agreements | required | data processing agreements|agreement; dpas
    Security policies and certificates | required | security policy|policies; iso 27001; soc 2; security ~2 certificates; information security
    Penetration tests | optional | penetration test*; pentest*; security audit*
    Incidents | optional | incident log|register|reports; breach register; security incidents
    System overview | optional | it ~2 landscape|architecture|overview; system architecture; architecture ~2 overview`,
  ),
  ...items(
    'regulatory',
    `
    Licences and permits | required | licences ~2 permits; permits; licenses ~2 permits; regulatory licen*; operating licen*; authorisations
    Compliance policies | required | compliance policy|policies|programme|program; code of conduct; anti bribery|corruption; whistleblow*; sanctions policy
    Correspondence with authorities | optional | correspondence ~3 authorities|regulator*; regulatory correspondence`,
  ),
  ...items(
    'property and insurance',
    `
    Real estate and leases | required | lease agreements|agreement; leases; real estate; land register; premises
    Insurance policies | required | insurance ~2 policies|policy|overview|schedule; d&o; insurance
    Claims history | optional | claims history; loss history; insurance claims
    Environmental reports | optional | environmental report*|audit*|permit*; contamination report*; phase i`,
  ),
];
