/** Words for disputes and their status, in English, German, French, Spanish and Dutch. */
import type { Range } from '../text/span.ts';
import { cueReader } from './cues.ts';
import { capitalisedIn, type Name, namesIn } from './names.ts';

export interface Dispute extends Range {
  readonly claimant?: string;
  readonly respondent?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly status?: DisputeStatus;
}

export type DisputeStatus = 'pending' | 'threatened' | 'settled' | 'dismissed' | 'judgment';

const statusCues = cueReader<DisputeStatus | 'appealed' | 'unfinished'>({
  appealed: `under appeal; appeal ~3 pending|filed|lodged|brought|heard; appealed; has appealed; berufung ~3 eingelegt|anhängig|läuft; revision eingelegt; appel interjeté|en cours; a ~1 fait|interjeté appel; recurrid*; recurso ~3 interpuesto|pendiente|apelación; recurso de apelación; hoger beroep; in beroep`,
  unfinished: `settlement ~2 talks|discussions|negotiations; negotiat*; vergleichsverhandlungen; vergleichsgespräche; pourparlers; negociaciones; schikkingsonderhandelingen; no ~1 settlement; judgment ~1 reserved|pending|awaited|expected; no date ~2 judgment|trial|hearing; no appeal`,
  settled: `settled; settlement; settlement agreement; compromised; consent order; vergleich*; verglichen; protocole transactionnel; transaction; transig*; acuerdo transaccional|extrajudicial; transacción; geschikt; schikking*; vaststellingsovereenkomst; accord amiable; closed by agreement`,
  dismissed: `dismissed; dismissal with|order; struck out; withdrawn; discontinued; rejected; klageabweisung erfolgt; abgewiesen; zurückgenommen; eingestellt; débouté*; rejeté*; désist*; radié*; classé* sans; desestimad*; archivad*; sobreseíd*; desistid*; desistimiento; afgewezen; respint*; rigettat*; estint*; ingetrokken; niet ontvankelijk`,
  threatened: `no ~1 complaint|lawsuit|action ~2 filed|issued; would sue; will sue; wrote ~8 asked; has written ~4 solicitors|lawyers; mit schreiben; gesommeerd; threat*; letter before claim|action; written|wrote ~2 solicitors|lawyers|attorneys; lawyer|solicitor|attorney|counsel ~2 wrote|written; no claim ~3 presented|issued|filed; no suit; pre action; demand letter; letter of claim; cease and desist; notice of claim; intends to ~2 sue|file|bring|commence; reserved ~2 right*; not ~2 issued; no proceedings ~2 issued|commenced; angedroht*; abmahn*; außergerichtlich*; anspruchsschreiben; mise en demeure; menac*; amenaz*; gesommeerd; sommeert; requerimiento extrajudicial; burofax; reclamación previa; sommatie*; aangekondigd*; dreig*; ingebrekestelling; minacciat*; diffid*`,
  judgment: `judgment; judgement; awarded; ordered to pay; award ~2 issued|rendered|made|against|of; verdict; verurteilt; urteil; schiedsspruch; condamné*; jugement; condamn* ~3 payer; condenad*; sentencia; laudo; veroordeeld; vonnis; uitspraak`,
  pending: `pending; ongoing; sued; filed; issued; served; trial; hearing; appeal*; defence; arbitration; arbitrat*; mediation; discovery; disclosure; claim; claims; claiming; seeks; seeking; commenced; brought; proceedings; klage; klageschrift; klagt; verklagt; gerichtlich; landgericht; amtsgericht; arbeitsgericht; anhängig*; rechtshängig; fordert; geltend; beweisaufnahme; verhandlung*; verhandlungstermin; güteverhandlung; schiedsverfahren; laufend*; läuft; assign*; réclam*; demande; en cours; pendant*; audience; instance; instruction; expertise; reclama*; demand*; juicio; pendiente*; en curso; vista; señalad*; vorder*; dagvaard*; gedagvaard; aanhangig; lopend*; loopt; zitting; comparitie; arbitrage; arbitraje`,
});

/** An appeal keeps a dispute open regardless of earlier events. */
export function statusOf(text: string): DisputeStatus | undefined {
  const cues = statusCues.of(text);
  const labels = new Set(cues.map(({ label }) => label));
  if (labels.has('appealed')) return 'pending';
  const skipped = cues.filter(({ label }) => label === 'unfinished');
  const isLive = (status: DisputeStatus) =>
    cues.some(({ label, at, to }) => label === status && !skipped.some((each) => at < each.to && to > each.at));
  return (
    (['settled', 'dismissed', 'threatened', 'judgment', 'pending'] as const).find(isLive) ??
    (skipped.length > 0 ? 'pending' : undefined)
  );
}

/** What stands between the parties of a case's name; prose says "against" too. */
export const caseMark = /\sv\.?\s|\svs\.?\s|\s?\.\/\.\s?|\sc\/\s/i;
const versus =
  /^[\s,]{0,2}(?:v\.?|vs\.?|\.\/\.|\/\.|c\/|c\.|against|gegen|contre|contra|tegen|versus)\s{1,2}(?:the |die |der |la |le |de )?$/i;

/** "Alpha Ltd v Beta GmbH", "Alpha ./. Beta". */
export function captionIn(
  text: string,
  names: readonly Name[] = partiesIn(text),
): { claimant: string; respondent: string; at: number; to: number } | undefined {
  for (const [index, claimant] of names.entries()) {
    const respondent = names[index + 1];
    if (respondent === undefined || !versus.test(text.slice(claimant.end, respondent.start))) continue;
    return { claimant: claimant.name, respondent: respondent.name, at: claimant.start, to: respondent.end };
  }
  return undefined;
}

/** Of a short text: names of companies and people, and any capitalised words where those are not two. */
export function partiesIn(text: string): readonly Name[] {
  const names = namesIn(text);
  if (names.length > 1) return names;
  const more = capitalisedIn(text).filter(
    (each) => !names.some(({ start, end }) => each.start < end && each.end > start),
  );
  return [...names, ...more].sort((a, b) => a.start - b.start);
}
