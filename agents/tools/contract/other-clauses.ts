/** The seven clauses of high weight and the eight of medium weight. Phrases are in the syntax of `compilePhrases`. */
import { phraseList as list } from '../text/phrases.ts';
import type { ClauseSpec } from './clause-spec.ts';

/** In the order in which they are reported. */
export const highClauses: readonly ClauseSpec[] = [
  {
    id: 'term',
    title: 'Term and renewal',
    severity: 'high',
    gap: 'medium',
    headings: list(
      `durée; duración; durata; looptijd; how long ~6; term; duration; term and termination; commencement; initial term; renewal`,
    ),
    wording: list(`
      commence* ~8 effective|date|on; remain* ~4 in force|effect; initial term|period of;
      shall continue ~6 until|for; term of ~6 year*|month*; enters|enter into force`),
    needs: [
      {
        what: 'length',
        facts: ['duration'],
        phrases: list(`indefinite*; until terminated; unlimited period; until completion`),
      },
      {
        what: 'beginning',
        facts: ['date'],
        phrases: list(`
          effective date; commencement date; date of signature|signing; upon|on signature; start date;
          last signature; date ~4 agreement; service* ~3 date`),
      },
    ],
  },
  {
    id: 'indemnification',
    title: 'Indemnification',
    severity: 'high',
    headings: list(`indemni*; hold harmless`),
    wording: list(`indemnif* ~8 against|from|for; hold ~4 harmless; shall|will indemnify`),
    needs: [
      {
        what: 'scope (against which claims or losses)',
        phrases: list(`claim*; loss|losses; damage*; third party; liabilit*`),
      },
      {
        what: 'procedure (notice of claims, control of the defence)',
        phrases: list(`notif*; notice; control ~4 defen*; conduct ~4 defen*|claim*; settle*`),
      },
    ],
  },
  {
    id: 'intellectual_property',
    title: 'Intellectual property',
    severity: 'high',
    gap: 'high',
    headings: list(`
      intellectual property; ip rights|ownership; ownership; licen*; proprietary rights; copyright; trade marks|mark; trademarks;
      work product; results; deliverables; title; propriété intellectuelle; propiedad intelectual; ownership ~4; who owns ~4`),
    wording: list(`
      intellectual property ~10 remain*|vest*|own*|belong*|assign*|transfer*; all rights ~6 title; ownership of ~8;
      right title and interest`),
    needs: [
      {
        what: 'statement who owns what',
        phrases: list(`
          own|owns|owned|ownership; vest|vests|vested; remain* ~4 property|with|vested; assign*; title; retain*;
          belong*`),
      },
    ],
  },
  {
    id: 'warranties',
    title: 'Warranties',
    severity: 'high',
    gap: 'medium',
    headings: list(`garantie*; garantía*; promises; warrant*; representation*; guarantee*; defects`),
    wording: list(`
      warrants|represents that; warrant* ~4 that; represents and warrants; warranty ~6 period|months|years; no warrant*|representation* ~6 given|made|accuracy; make|makes|give|gives no ~4 warrant*;
      disclaim* ~6 warrant*; we promise|guarantee ~8; promise* ~6 reasonable skill; guaranteed for; warranty ~2 months|years|from; garantit ~6; garantía; without ~3 warranty of any; we|party|parties warrant|represent`),
    needs: [
      {
        what: 'positive warranty',
        phrases: list(`
          warrants|represents; shall|will ~2 warrant|represent; warrant* that; free from|of defects; conform* ~4;
          reasonable skill; guarantee*`),
      },
    ],
    spoilers: [
      { what: 'given as is', phrases: list(`provided ~4 as is; as is ~4 without; without ~2 warrant* of any`) },
    ],
  },
  {
    id: 'dispute_resolution',
    title: 'Dispute resolution and forum',
    severity: 'high',
    headings: list(
      `litiges; juridiction; jurisdicción; forum; venue; dispute*; jurisdiction; arbitration; mediation; law and jurisdiction; place of jurisdiction`,
    ),
    wording: list(`
      courts of ~8 jurisdiction; submit* ~8 jurisdiction; dispute* ~12 arbitration|courts|court|mediation;
      exclusive jurisdiction; place of jurisdiction; settled|resolved ~6 arbitration`),
    needs: [
      {
        what: 'named court or arbitral rules',
        phrases: list(`
          courts|court of|in|at; courts ~2 located; federal|state courts;
          english|german|french|dutch|irish|swiss|austrian|czech courts; icc; lcia; uncitral;
          vienna international|rules; dis; chamber of commerce; arbitration ~4 rules; rules of arbitration;
          arbitra* ~6 court|institute|association|centre|center`),
      },
    ],
  },
  {
    id: 'force_majeure',
    title: 'Force majeure',
    severity: 'high',
    gap: 'medium',
    headings: list(
      `force majeure; excusable delay*; hardship; fuerza mayor; overmacht; events outside|beyond ~3 control`,
    ),
    wording: list(
      `force majeure; beyond|outside ~4 control; act of god; acts of god; fuerza mayor; overmacht; forza maggiore`,
    ),
    needs: [
      {
        what: 'consequence (notice, suspension, termination)',
        phrases: list(`
          notif*|notice; suspend*|suspension; terminat*; extend*|extension; excused; not ~4 liable|breach; relieved`),
      },
    ],
  },
  {
    id: 'assignment',
    title: 'Assignment and change of control',
    severity: 'high',
    headings: list(`cession; cesión; no transfer; assign*; transfer; change of control; subcontract*; novation`),
    wording: list(`
      not ~3 assign*; not ~3 transfer ~4 agreement|contract|lease|rights; may|shall ~2 assign ~6; assign* ~6 without ~6 consent; change of|in control`),
    needs: [
      {
        what: 'consent requirement or its express absence',
        phrases: list(`consent; approval; freely; without ~3 restriction; prior written`),
      },
    ],
  },
];

/** In the order in which they are reported. */
export const mediumClauses: readonly ClauseSpec[] = [
  {
    id: 'notices',
    title: 'Notices',
    severity: 'medium',
    headings: list(`notice; notices; communications; notifications; notificaciones; contact details`),
    wording: list(`
      notices ~8 in writing; notice* ~6 shall|must be ~4 writing|delivered|sent;
      any notice ~10 sent|delivered|given|addressed; notices require|go|under; give notice ~3 by|to; notice is given|deemed;
      notices to|for ~6 sent|addressed|at; notices ~4 address*; notices ~2 sent|given|served|delivered|go; we write|notify ~8 address|email|e mail; writes|write to ~6 address|email|e mail; communications ~8 sent|addressed|writing; notifications ~6 adressées|écrit; notificaciones ~8 escrito`),
    needs: [
      {
        what: 'form and address or means',
        phrases: list(`writing|written; email|e mail; courier; registered ~2 post|mail|letter; address*`),
      },
    ],
  },
  {
    id: 'amendment',
    title: 'Amendment',
    severity: 'medium',
    headings: list(`amend*; variation*; modification*; changes`),
    wording: list(`
      amend* ~8 writing|written|signed; no variation|amendment|modification; varied|modified|amended only ~8;
      amend*|modif*|var* ~6 unless ~6 writing`),
    needs: [{ what: 'written form', phrases: list(`writing; written; signed; text form`) }],
    spoilers: [
      {
        what: 'one side may change the terms alone',
        phrases: list(`
          may|can|reserves ~6 amend|modify|change ~6 at any time;
          right to amend|modify|change ~6 without ~3 notice|consent; unilateral* ~4 amend|modify|change`),
      },
    ],
  },
  {
    id: 'entire_agreement',
    title: 'Entire agreement',
    severity: 'medium',
    headings: list(
      `intégralité; acuerdo completo; entire contract; whole contract; entire agreement; whole agreement; integration; complete agreement; merger`,
    ),
    wording: list(`
      entire|whole|complete|full agreement; entire|full|complete understanding; contains all ~4 agreements|arrangements|terms;
      everything ~4 we|parties ~3 agreed; whole|entire contract; only agreement ~4 between; intégralité ~6 accord; totalidad ~6 acuerdo; replaces all|any ~4 agreements|arrangements|terms; no other ~3 terms|agreements|promises;
      supersede* ~8 agreements|understandings|negotiations|representations|arrangements`),
    needs: [
      {
        what: 'effect on earlier agreements',
        phrases: list(`supersed*; replac*; prior|previous|earlier; extinguish*`),
      },
    ],
  },
  {
    id: 'severability',
    title: 'Severability',
    severity: 'medium',
    headings: list(`severability; severance; invalidity; partial invalidity`),
    wording: list(`
      invalid|unenforceable|illegal|void ~12 remain*|remaining|other; sever|severed|severable;
      provision* ~8 unenforceable|invalid|void|illegal`),
    needs: [
      {
        what: 'statement that the other provisions remain in effect',
        phrases: list(`remain*; not ~3 affect*; continue* ~4 effect|force; unaffected; full force`),
      },
    ],
  },
  {
    id: 'waiver',
    title: 'Waiver',
    severity: 'medium',
    headings: list(`waiver*; no waiver`),
    wording: list(`
      no failure|delay|waiver ~12 waiver|right|exercise; not ~4 constitute|operate|deemed ~4 waiver;
      waiver ~8 writing|written; failure ~6 enforce|exercise ~10 waiver; waivers ~6 signed|writing|written;
      waiver ~6 must|shall; failure ~3 enforce ~6 not`),
    needs: [],
  },
  {
    id: 'survival',
    title: 'Survival',
    severity: 'medium',
    headings: list(`
      survival; surviving provisions|clauses|terms; consequences ~2 termination|expiry; effect ~2 termination|expiry`),
    wording: list(`
      surviv* ~8 termination|expiry|expiration; clauses|provisions|sections ~12 survive;
      continue in force ~4 after ~4 termination; shall|will survive; survive* ~4 for|until|termination`),
    needs: [
      {
        what: 'which provisions survive',
        phrases: list(`
          surviv* ~12 clause|clauses|section|sections|article|articles;
          clause|clauses|section|sections|article|articles ~12 surviv*; confidential* ~12 surviv*;
          provision* ~12 surviv*; obligation* ~12 surviv*; by ~2 nature; clauses|sections|articles ~12 continue;
          accrued`),
      },
    ],
  },
  {
    id: 'insurance',
    title: 'Insurance',
    severity: 'medium',
    headings: list(`insurance*; assurance*; seguro*`),
    wording: list(`
      maintain|carry|hold|take|effect ~6 insurance; insurance ~8 cover*; policy|policies of insurance; shall|will|must|to insure;
      keep ~6 insured; insure|insures ~8 for|against; carry|carries|maintains|holds|effects ~8 insurance|cover; insurance ~3 cover|of|policy; insured ~4 for; assurance ~4 responsabilité; seguro ~4 responsabilidad`),
    needs: [{ what: 'insured sum', facts: ['amount'] }],
  },
  {
    id: 'audit_and_compliance',
    title: 'Audit and compliance',
    severity: 'medium',
    headings: list(`audit*; compliance*; anti bribery|corruption; anticorruption; records; inspection*`),
    wording: list(`
      right to audit; may|shall|entitled ~4 audit|inspect; comply with ~6 laws|law|regulations|legislation;
      anti bribery|corruption; books and records`),
    needs: [
      {
        what: 'right to audit or inspect',
        phrases: list(`audit*; inspect*; access to ~4 records|books|premises; evidence of compliance`),
      },
    ],
  },
];
