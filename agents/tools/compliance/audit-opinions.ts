/** The overall conclusion of an audit that a document reports as its own, with the auditor and the period. */
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { frameworkMentions, frameworksIn } from './applied-frameworks.ts';
import { documentTypeOf } from './document-types.ts';
import { printed } from './flat-text.ts';
import type { FrameworkId } from './framework-names.ts';
import { isOrganisation, withoutMarks } from './organisation-names.ts';
import type { Clause, Reading } from './reading.ts';
import { hasCue, isAside } from './sense.ts';

export type OpinionResult = 'unqualified' | 'qualified' | 'adverse' | 'disclaimer' | 'recommended' | 'not-recommended';

export interface AuditOpinion {
  readonly framework: FrameworkId;
  /** Undefined for an assessment of payment cards that is not compliant. */
  readonly result?: OpinionResult;
  /** As printed. */
  readonly auditor?: string;
  /** ISO dates. */
  readonly from?: string;
  readonly to?: string;
  readonly range: Range;
}

const opinion =
  /(?<!\p{L})(?:in our opinion|nach unserer (?:beurteilung|auffassung)|unser prüfungsurteil|à notre avis|selon notre opinion|en nuestra opinión|a nostro (?:giudizio|avviso)|naar ons oordeel|in unserer beurteilung)(?!\p{L})/iu;
const exceptFor =
  /(?<!\p{L})(?:except for|with the exception of|mit ausnahme|abgesehen von|à l'exception|sous réserve|excepto por|salvo por|ad eccezione|fatta eccezione|behalve voor|met uitzondering van|uitgezonderd)(?!\p{L})/iu;
const notFair =
  /(?<!\p{L})(?:(?:does|did) not (?:fairly )?present|is not (?:fairly )?presented|(?:were|was|did) not (?:suitably designed|operat\p{L}* effectively|operating effectively)|nicht (?:wirksam|angemessen)|ne (?:sont|présente) pas|no (?:presenta|funcion\p{L}*|operaron)|non (?:presenta|hanno operato)|niet (?:effectief|getrouw))(?!\p{L})/iu;
const disclaimed =
  /(?<!\p{L})(?:do(?:es)? not express an opinion|disclaim\p{L}* (?:an |of )?opinion|we were unable to obtain|geben kein prüfungsurteil|versagung des|n'exprimons pas d'opinion|no expresamos (?:una )?opinión|non esprimiamo|geven geen oordeel)(?!\p{L})/iu;
const recommends =
  /(?<!\p{L})(?:recommend\p{L}*|empf(?:iehlt|ehlen|ohlen)|recommand\p{L}*|recomiend\p{L}*|recomend\p{L}*|raccomand\p{L}*|propon\p{L}*|propos\p{L}*|beveelt|adviseert|aanbevolen|geadviseerd|beveel\p{L}*|adviseren)(?!\p{L})[^.]{0,120}?(?<!\p{L})(?:certif\p{L}*|zertifi\p{L}*|zertifikat\p{L}*|hercertific\p{L}*|rezertifi\p{L}*|registration|maintenance|mantenimento)(?!\p{L})|(?:certif\p{L}*|zertifi\p{L}*)[^.]{0,60}?(?<!\p{L})(?:is (?:not )?recommended|wird (?:nicht )?empfohlen|est recommandée?|se recomienda|è raccomandata|wordt aanbevolen)/iu;

/** A questionnaire has one opinion per answer, a certificate one per standard, other documents at most one. */
export function findAuditOpinions(reading: Reading): AuditOpinion[] {
  const type = documentTypeOf(reading)?.type;
  if (type === 'attestation-of-compliance') return attested(reading);
  if (type === 'vendor-questionnaire') return answeredOpinion(reading);
  if (type === 'certificate') return renewalOpinions(reading);
  if (type !== 'soc-2-report' && type !== 'audit-report') return [];
  const certified = type === 'soc-2-report' ? undefined : certificationOpinion(reading);
  const found = certified ?? serviceOpinion(reading);
  const isService = certified === undefined;
  const framework = frameworkMentions(reading).find(
    ({ id, status }) => status === 'applied' && (isService ? id === 'soc_2' || id === 'c5' : true),
  )?.id;
  if (found === undefined || framework === undefined) return [];
  const { clause, result } = found;
  const auditor = auditorOf(reading, clause, isService);
  return [
    {
      framework,
      result,
      ...(auditor === undefined ? {} : { auditor }),
      ...periodOf(reading),
      range: { start: clause.start, end: clause.end },
    },
  ];
}

/** "SOC 2 Type II, period 2025-01-01 to 2025-12-31, unqualified opinion, auditor Acme LLP", as the answer of a supplier. */
function answeredOpinion({ clauses, document }: Reading): AuditOpinion[] {
  return clauses.flatMap((clause): AuditOpinion[] => {
    const result =
      /(?<!\p{L})(unqualified|qualified|adverse|uneingeschränkt\p{L}*|eingeschränkt\p{L}*|sans réserve|avec réserve|sin salvedades|con salvedades|senza rilievi|goedkeurend\p{L}*)(?!\p{L})[^.;]{0,20}(?:opinion|urteil|testat|oordeel|giudizio)?/iu.exec(
        clause.text,
      )?.[1];
    const [framework] = frameworksIn(clause).filter(({ label }) => label === 'soc_2' || label === 'c5');
    const dates = allWithin(document.dates, clause).filter(({ iso, ambiguous }) => iso.length === 10 && !ambiguous);
    if (result === undefined || framework === undefined || dates.length !== 2) return [];
    const auditor =
      /(?:auditor|prüfer|auditeur|auditado por|by|durch)\s?:?\s((?:\p{Lu}[\p{L}\d&'’.-]*\s?(?:&\s)?){1,6})/u
        .exec(clause.text)?.[1]
        ?.trim();
    return [
      {
        framework: framework.label,
        result: /^(?:un|sans|sin|senza|goed)/iu.test(result)
          ? 'unqualified'
          : /adverse/iu.test(result)
            ? 'adverse'
            : 'qualified',
        ...(auditor === undefined ? {} : { auditor }),
        from: dates[0]!.iso,
        to: dates[1]!.iso,
        range: { start: clause.start, end: clause.end },
      },
    ];
  });
}

/** "Renewal recommended", in the annex of a certificate: for each of its standards. */
function renewalOpinions(reading: Reading): AuditOpinion[] {
  const clause = reading.clauses.find(({ text }) =>
    /(?<!\p{L})(?:renewal|renouvellement|rezertifizierung|verlängerung|renovación|rinnovo|verlenging|renovação)(?!\p{L})[^.]{0,20}(?:recommended|recommandée?|empfohlen|recomendad[ao]|raccomandat[ao]|aanbevolen)/iu.test(
      text,
    ),
  );
  if (clause === undefined) return [];
  const days = periodOf(reading);
  return frameworkMentions(reading)
    .filter(({ id, status }) => status === 'applied' && id.startsWith('iso_'))
    .map(({ id }) => ({
      framework: id,
      result: 'recommended' as const,
      ...days,
      range: { start: clause.start, end: clause.end },
    }));
}

const compliant = /\[[xX✓✔]\]\s{1,4}(?:fully )?compliant|[☒☑]\s{0,4}(?:fully )?compliant/iu;
const began =
  /(?:assessment|audit)[^:]{0,20}(?:began|started?|commenced)|(?:start|first day|beginning) of (?:the )?assessment/iu;
const ended =
  /(?:assessment|audit)[^:]{0,20}(?:ended|completed|concluded)|(?:end|last day|completion) of (?:the )?assessment/iu;

/** PCI DSS: the assessor, the days of the assessment and the ticked box of the rating. */
function attested(reading: Reading): AuditOpinion[] {
  const { clauses, rows, document } = reading;
  const [first] = clauses;
  const labelled = [
    ...rows
      .filter(({ cells }) => cells.length === 2)
      .map(({ cells: [label, value], heading }) => ({ label: label!.text, value: value!.text, heading })),
    ...clauses.flatMap(({ label, text, heading }) =>
      label === undefined ? [] : [{ label, value: text.slice(text.indexOf(':') + 1), heading }],
    ),
  ];
  const company = labelled.find(
    ({ label, heading }) =>
      /^(?:qsa|assessor) company/iu.test(label) || (/assessor|qsa/iu.test(heading) && /^company/iu.test(label)),
  );
  const auditor = withoutMarks(company?.value ?? '');
  const dayOf = (shape: RegExp) => {
    const line =
      rows.find(({ cells }) => shape.test(cells[0]?.text ?? '')) ?? clauses.find(({ text }) => shape.test(text));
    return line === undefined ? undefined : allWithin(document.dates, line).find(({ iso }) => iso.length === 10)?.iso;
  };
  const [from, to] = [dayOf(began), dayOf(ended)];
  if (first === undefined || (auditor === '' && from === undefined && to === undefined)) return [];
  return [
    {
      framework: 'pci_dss',
      ...(clauses.some(({ text }) => compliant.test(text)) ? { result: 'unqualified' as const } : {}),
      ...(auditor === '' ? {} : { auditor }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      range: { start: first.start, end: first.end },
    },
  ];
}

interface Conclusion {
  readonly clause: Clause;
  readonly result: OpinionResult;
}

/** The first clause with "in our opinion", with the rest of its sentence; else a disclaimer. */
function serviceOpinion({ clauses }: Reading): Conclusion | undefined {
  const plain = (clause: Clause) => clause.text.replaceAll('´', "'");
  const refusal = clauses.find(
    (clause) =>
      disclaimed.test(plain(clause)) &&
      !/(?<!\p{L})(?:on (?:the )?(?:other|unaudited)|section v|complementary|on such)(?!\p{L})/iu.test(clause.text) &&
      /opinion/iu.test(clause.heading),
  );
  const clause = clauses.find((each) => opinion.test(plain(each)) && !isAside(each));
  if (clause === undefined) return refusal === undefined ? undefined : { clause: refusal, result: 'disclaimer' };
  const sentence = clauses
    .filter((each) => each.sentence === clause.sentence)
    .map(plain)
    .join('; ');
  const heading = `${clause.heading} ${clauses[clauses.indexOf(clause) - 1]?.text ?? ''}`;
  if (/(?<!\p{L})adverse opinion(?!\p{L})/iu.test(clause.heading) || notFair.test(sentence))
    return { clause, result: 'adverse' };
  if (disclaimed.test(sentence)) return { clause, result: 'disclaimer' };
  return {
    clause,
    result: exceptFor.test(sentence) || /^\s{0,4}qualified opinion/iu.test(heading) ? 'qualified' : 'unqualified',
  };
}

/** A recommendation about the certification by the team of a certification body. */
function certificationOpinion({ clauses, language }: Reading): Conclusion | undefined {
  const clause = clauses.find(
    (each) =>
      recommends.test(each.text.replaceAll('´', "'")) &&
      !isAside(each) &&
      !hasCue(each, language, { start: 0, end: each.text.length }, 'conditional'),
  );
  if (clause === undefined) return undefined;
  const isDenied =
    /(?<!\p{L})(?:not|nicht|ne|pas|no|non|niet)\s{1,3}(?:to )?(?:be )?(?:recommend|empf|recommand|recom|raccomand|aanbev|gead)|(?:cannot|kann nicht|können nicht|kein\p{L}* empfehl)/iu.test(
      clause.text.replaceAll('´', ' '),
    );
  return { clause, result: isDenied ? 'not-recommended' : 'recommended' };
}

const auditorLabel =
  /^(?:service auditor|independent (?:service )?auditors?|auditor|audit firm|certification body|prüfer|wirtschaftsprüfer|zertifizierungsstelle|auditeur|organisme (?:de certification|certificateur)|organismo (?:de certificación|di certificazione)|entidad de certificación|ente di certificazione|certificatie-?instelling|certification body name)$/iu;
const firmForm =
  /(?<!\p{L})(?:LLP|PLLC|CPAs?|P\.?C\.?|Wirtschaftsprüfungsgesellschaft|WPG|Accountants|Auditors|Assurance|Chartered|Certified Public Accountants)(?!\p{L})/u;
const certifier =
  /(?<!\p{L})(?:certif\p{L}*|zertifizierung\p{L}*|registrar|TÜV|DEKRA|DNV|BSI|SGS|AENOR|Bureau Veritas|AFNOR|KIWA|LRQA|Intertek|DQS|keuring\p{L}*)(?!\p{L})/iu;

/** A labelled firm; the signature below the opinion; for audits of certification bodies, the head of the paper. */
function auditorOf({ clauses, rows }: Reading, conclusion: Clause, isService: boolean): string | undefined {
  const labelled = clauses.find(({ label }) => label !== undefined && auditorLabel.test(label));
  if (labelled !== undefined) return withoutMarks(labelled.text.slice(labelled.text.indexOf(':') + 1));
  const row = rows.find(({ cells }) => auditorLabel.test((cells[0]?.text ?? '').replace(/\s?:$/, '')));
  if (row?.cells[1] !== undefined) return withoutMarks(row.cells[1].text);
  if (isService) {
    const at = clauses.indexOf(conclusion);
    const signature = clauses
      .slice(at + 1, at + 14)
      .find(
        ({ text }) =>
          text.trim().length < 80 &&
          firmForm.test(text) &&
          !/[.!?]\s/.test(text.trim().replace(/(?<!\p{L})(?:Dr|Prof|Dipl|Ing|St)\.\s/gu, '')) &&
          isOrganisation(text, true),
      );
    const any =
      signature ??
      clauses.find(({ text }) => text.trim().length < 60 && firmForm.test(text) && isOrganisation(text, true));
    return any === undefined ? undefined : printed(any.text);
  }
  const head = clauses.slice(0, 4).find(({ text }) => certifier.test(text) && /\p{Lu}{3}/u.test(text));
  return head === undefined ? undefined : printed(head.text.split(/\s{3,}/)[0]!);
}

const periodWords =
  /(?<!\p{L})(?:(?:throughout|during|for|over) the period|period|examination period|audit dates?|dates? of (?:the )?audit|date[sn]?|zeitraum|prüfungszeitraum|auditdatum|auditzeitraum|période|dates de l'audit|periodo|período|fechas? de la auditoría|data|periode|auditdata|auditperiode|as of|stichtag|zum|al \d|au \d)(?!\p{L})/iu;

/** The first two dates after words of a period; the only date of a point in time. */
function periodOf({ clauses, rows, document }: Reading): { from?: string; to?: string } {
  const lines: (Range & { readonly text: string })[] = [
    ...clauses.filter(({ row }) => row === undefined),
    ...rows.map(({ start, end, cells }) => ({ start, end, text: cells.map(({ text }) => text).join(' ') })),
  ].sort((a, b) => a.start - b.start);
  for (const line of lines) {
    const dates = allWithin(document.dates, line).filter(({ iso, ambiguous }) => iso.length === 10 && !ambiguous);
    if (dates.length >= 2 && periodWords.test(line.text.replaceAll('´', "'")) && dates[0]!.iso <= dates[1]!.iso)
      return { from: dates[0]!.iso, to: dates[1]!.iso };
    const partial =
      dates.length === 1 ? sharedYear(document.text.slice(line.start, line.end), dates[0]!.iso) : undefined;
    if (partial !== undefined) return partial;
  }
  const point = lines.find(({ text }) => /(?<!\p{L})as of(?!\p{L})/iu.test(text));
  const date = point === undefined ? undefined : allWithin(document.dates, point).find(({ iso }) => iso.length === 10);
  return date === undefined ? {} : { from: date.iso };
}

/** "9 to 11 June 2026": the first day has the month and year of the second. */
function sharedYear(text: string, iso: string): { from: string; to: string } | undefined {
  if (!/(?<!\p{L})(?:audit|prüfung|auditoría|visita|on site|vor ort|sur site|data|date|datum|fecha)/iu.test(text))
    return undefined;
  const match =
    /(?<!\d)(\d{1,2})\.?\s?(?:to|and|-|–|bis|und|au|et|al|a|y|e|t\/m|tot(?: en met)?|en)\s?(?:l'|the |le )?(\d{1,2})(?!\d)/iu.exec(
      text,
    );
  if (match === null || Number(match[2]) !== Number(iso.slice(8)) || Number(match[1]) >= Number(match[2]))
    return undefined;
  return { from: `${iso.slice(0, 8)}${match[1]!.padStart(2, '0')}`, to: iso };
}
