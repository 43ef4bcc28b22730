/**
 * Tables that compare what the sides of a negotiation asked for with what they agreed: only the agreed column states facts, so
 * proposals and remarks are blanked.
 */
import { blankRanges } from '../tools/text/blanks.ts';
import type { Block } from './blocks.ts';
import type { Cell, Table } from './table.ts';

const agreed =
  /^(?:as )?(?:agreed|final(?:ly agreed)?|settled|agreed (?:position|terms?|wording|text)|contract|vereinbart|einigung|verhandlungsergebnis|convenu|accord(?: final)?|acordado|pactado|concordato|pattuito|overeengekomen|akkoord|uzgodniono|uzgodnione)$/iu;
const asked =
  /(?<!\p{L})(?:paper|asks?|asked|requests?|requested|proposals?|proposed|drafts?|first draft|mark-?up|counter(?:-?proposal)?|offer(?:ed)?|demands?|wants?|position|forderung|wunsch|vorschlag|entwurf|angebot|demande|proposition|projet|propuesta|petición|borrador|proposta|richiesta|bozza|voorstel|eis|wens|propozycja|żądanie|remarks?|comments?|notes?|bemerkung(?:en)?|anmerkung(?:en)?|remarques?|observaciones|opmerkingen|osservazioni|uwagi)(?!\p{L})/iu;

/** Replaces the cells of proposals by blanks, so that all offsets stay. */
export function blankPositions(text: string, blocks: readonly Block[]): string {
  return blankRanges(
    text,
    blocks.flatMap((block) => (block.kind === 'table' ? proposalsIn(block.table) : [])),
  );
}

function proposalsIn({ columns, rows, headerRows }: Table): Cell[] {
  const titles = columns.map((_, index) =>
    headerRows
      .map((_row, row) => columns[index]!.headerCells[row]?.text ?? '')
      .join(' ')
      .replace(/[*_]/g, '')
      .trim(),
  );
  if (!titles.some((title) => agreed.test(title))) return [];
  const others = titles.flatMap((title, index) => (index > 0 && asked.test(title) ? [index] : []));
  return rows.flatMap(({ cells }) => others.flatMap((index) => cells[index] ?? []));
}
