/** The eight clauses whose absence is critical. Phrases are in the syntax of `compilePhrases`. */
import { phraseList as list } from '../text/phrases.ts';
import type { ClauseSpec } from './clause-spec.ts';

/** In the order in which they are reported. */
export const criticalClauses: readonly ClauseSpec[] = [
  {
    id: 'parties',
    title: 'Parties identified',
    severity: 'critical',
    headings: list(`parties; the parties; between; contracting parties`),
    wording: list(`
      by and between; made|entered ~8 between; agreement ~6 between; contract ~6 between; agree* is between`),
    needs: [{ what: 'two parties named with legal form or role', facts: ['two parties'] }],
    place: 'two parties',
  },
  {
    id: 'scope',
    title: 'Subject and scope',
    severity: 'critical',
    headings: list(`
      scope; services; service; subject; products; the property; property; premises; loan; facility; subject matter; supply|sale|purchase of|and; statement of work; deliverables;
      purpose; provision of; appointment; grant of licen*; licen*e grant; engagement`),
    wording: list(`
      shall|will|agrees provide|supply|deliver|perform|render ~5 services|goods|products|software|deliverables|work|works;
      agrees|undertakes to provide|supply|deliver|perform|sell|purchase|license|lease; hereby grants ~8 licen*; grant|grants ~8 licen*|right; lets ~6 property|premises; agrees to lend; appoints ~8 distributor|agent|reseller;
      hereby engages`),
    needs: [
      {
        what: 'description (what, how much, by when) or reference to one (schedule, specification, order)',
        facts: ['duration', 'percent', 'date'],
        phrases: list(`
          schedule|annex|appendix|exhibit|attachment; specification*; statement of work;
          described|set|specified|listed|defined ~2 in; order form|confirmation; consist* of;
          including|comprising|comprise*; following services|goods|products|deliverables`),
      },
    ],
  },
  {
    id: 'payment',
    title: 'Price and payment',
    severity: 'critical',
    gap: 'high',
    headings: list(`
      payment*; fees; fee; price|prices|pricing; charges; remuneration; compensation; consideration; invoic*; rent`),
    wording: list(`
      shall|will|agrees pay ~8; invoice* ~6 payable|due|paid|within; fees|price|charges|amount* ~4 payable|due;
      payable within`),
    needs: [
      {
        what: 'price, rate or where to find it',
        facts: ['amount'],
        phrases: list(`
          schedule|annex|appendix|exhibit; price list; rate card; order form; hourly|daily|monthly|annual rate*`),
      },
      {
        what: 'time for payment',
        facts: ['duration', 'date'],
        phrases: list(`upon receipt|delivery|signature; in advance; on delivery`),
      },
    ],
  },
  {
    id: 'termination',
    title: 'Termination',
    severity: 'critical',
    gap: 'high',
    headings: list(
      `résiliation; terminación; rescisión; resolución; ending ~4; stopping ~3; default; termination; cancellation; term and termination`,
    ),
    wording: list(`
      may|can terminate|cancel ~3 this|the agreement|contract; terminate* ~6 agreement|contract ~8 notice;
      right to terminate; agreement|contract may be terminated|cancelled`),
    needs: [
      { what: 'notice period', facts: ['duration'], phrases: list(`immediate* effect; with immediate; forthwith`) },
      {
        what: 'right to terminate for breach or insolvency',
        phrases: list(`breach*; default*; insolven*; bankrupt*; for cause; good cause; important reason*`),
      },
    ],
  },
  {
    id: 'limitation_of_liability',
    title: 'Limitation of liability',
    severity: 'critical',
    gap: 'high',
    headings: list(
      `responsabilité; responsabilidad; responsibility; responsibilities; limits; limitation|limitations|limit|limits of|on liability; liability; liabilities`,
    ),
    wording: list(`
      liability ~12 not exceed; liability ~8 limited to; liability ~6 capped;
      not be|neither liable ~8 indirect|consequential; in no event ~6 liable; shall|will not be liable`),
    needs: [
      { what: 'cap', phrases: list(`not ~2 exceed; limited to; capped|cap; maximum ~3 liability; up to`) },
      {
        what: 'carve-out for liability that the law does not permit to exclude (fraud, death, intent, gross negligence)',
        phrases: list(`
          fraud*; wilful|willful; intent|intentional*; gross negligence; gross* negligent*; death; mandatory ~3 law;
          product liability act; cannot be excluded|limited; nothing in ~6 exclude*|limit*`),
      },
    ],
    spoilers: [
      {
        what: 'liability is unlimited',
        phrases: list(`
          unlimited liability; liability ~4 unlimited; liable without limit*; without ~2 limit* of liability;
          no limit* of|on liability`),
      },
    ],
  },
  {
    id: 'confidentiality',
    title: 'Confidentiality',
    severity: 'critical',
    gap: 'high',
    headings: list(
      `confidentialité; confidencialidad; secrets; keeping secrets; confidential*; non disclosure; nondisclosure; secrecy`,
    ),
    wording: list(`
      keep|hold|treat|maintain ~6 confidential*; not disclose ~8; confidential information ~8 not|shall;
      strict confidence`),
    needs: [
      {
        what: 'duration or survival',
        facts: ['duration'],
        elsewhere: list(
          `confidential* ~12 surviv*; surviv* ~12 confidential*; clauses|sections|articles|obligations ~12 survive`,
        ),
        phrases: list(`
          surviv*; after ~4 termination|expiry|end; indefinite*; perpetu*; unlimited ~2 time; as long as;
          trade secret*`),
      },
      {
        what: 'exceptions (public, already known, compelled by law)',
        elsewhere: list(`publicly available; independently developed; public domain`),
        phrases: list(`
          public*; already known; required ~2 law; except*; shall not apply; does not apply|include;
          independently developed`),
      },
    ],
  },
  {
    id: 'governing_law',
    title: 'Governing law',
    severity: 'critical',
    gap: 'high',
    headings: list(
      `droit applicable; loi applicable; ley aplicable; legislación; governing law; applicable law; choice of law; law and jurisdiction; law`,
    ),
    wording: list(`
      governed by; construed ~6 laws|law of; subject to ~4 laws|law of; contract|agreement ~2 subject to ~2 law;
      laws of ~6 apply|govern; law|laws ~6 shall|will govern|apply`),
    needs: [
      {
        what: 'named law',
        phrases: list(`
          law|laws of; governed ~4 law|laws;
          english|german|french|dutch|swiss|austrian|czech|irish|belgian|italian|spanish|polish|swedish|danish|finnish|delaware|luxembourg|slovak|hungarian law`),
      },
    ],
    spoilers: [
      {
        what: 'governing law is left open',
        phrases: list(`law ~3 agreed ~3 later; competent law; applicable law ~3 defendant`),
      },
    ],
  },
  {
    id: 'data_protection',
    title: 'Data protection',
    severity: 'critical',
    gap: 'high',
    headings: list(
      `données personnelles; protection des données; protección de datos; data protection; personal data; data processing; privacy; data security and|protection; gdpr`,
    ),
    wording: list(`
      personal data ~12 process*; process* ~8 personal data; data processing agreement;
      data protection law*|legislation|act|addendum; gdpr`),
    needs: [
      {
        what: 'named law or processing agreement (Article 28 GDPR)',
        phrases: list(`
          gdpr; general data protection; regulation eu 2016; 2016 ~1 679; processing agreement|addendum|annex;
          data protection law*|legislation|act; standard contractual clauses; ccpa; hipaa`),
      },
      {
        what: 'duties: instructions, security, breach notice, sub-processors or deletion',
        phrases: list(`
          instruction*; technical and organi*; breach*; sub processor*; subprocessor*; delete|deletion|return;
          security; article 28; art 28`),
      },
    ],
  },
];
