/** Reads tables with one act in each row; the headings give the meaning of the columns. */
import { findDates } from '../text/dates.ts';
import { allWithin, indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { FlatBlock } from './flat-text.ts';
import type { LawText } from './read-law.ts';

export type LawColumn =
  | 'entry into force'
  | 'application'
  | 'from'
  | 'partial application'
  | 'transposition'
  | 'measures'
  | 'repeals'
  | 'amends'
  | 'status'
  | 'due';

/** Headings of columns; the first that a heading contains decides. In the order in which they must be asked. */
const headings: readonly (readonly [LawColumn, RegExp])[] = [
  [
    'measures',
    /(?<!\p{L})(?:measures? (?:to )?appl(?:y|ies)|apply (?:the )?measures|anwendung der (?:vorschriften|maßnahmen)|(?:vorschriften|maßnahmen) (?:gelten|anzuwenden) ab|mesures applicables|application des mesures|aplicación de las (?:medidas|disposiciones)|medidas aplicables|applicazione delle (?:misure|disposizioni)|maatregelen (?:van toepassing|toepassen)|toepassing van de maatregelen|stosowanie przepisów|použití předpisů)/iu,
  ],
  [
    'transposition',
    /(?<!\p{L})(?:transpos|umsetzung|umzusetzen|délai de transposition|à transposer|plazo de transposición|recepimento|recepire|attuazione entro|omzetting|om te zetten|transpozycj|wdrożeni|lhůta pro provedení|provedení do|transposição|införliva|gennemfør)/iu,
  ],
  [
    'partial application',
    /(?<!\p{L})(?:articles? (?:that|which) differ|partial(?:ly)? appli|differing (?:dates|articles)|exceptions?|early application|abweichende|ausnahmen|teilweise anwend|application (?:partielle|anticipée)|exceptions|dates différentes|aplicación parcial|excepciones|applicazione parziale|eccezioni|gedeeltelijke toepassing|uitzonderingen|częściowe stosowanie|wyjątki|výjimky)/iu,
  ],
  [
    'entry into force',
    /(?<!\p{L})(?:enter(?:ed|s)? into force|entry into force|in force (?:since|from|on|as of)|inkrafttreten|in kraft (?:seit|ab|getreten)|entrée en vigueur|en vigueur (?:depuis|le|dès)|entrada en vigor|en vigor (?:desde|el)|entrata in vigore|in vigore (?:dal|da)|inwerkingtreding|in werking (?:sinds|getreden|per)|van kracht sinds|wejści[ae] w życie|obowiązuje od|vstup v platnost|v platnosti od|entrada em vigor|ikraftträdande|ikrafttræden|intrare[a]? în vigoare|voimaantulo)|^(?:in force|in kraft|en vigueur|en vigor|in vigore|in werking|w życie)$/iu,
  ],
  [
    'application',
    /(?<!\p{L})(?:appl(?:y|ies|icable|ied)(?: (?:from|as of|since|to us from))?|date of application|application date|datum der anwendung|anwendbar|anwendung ab|gilt ab|geltung ab|geltungsbeginn|anzuwenden ab|applicables?|date d'application|mise en application|s'applique|aplicables?|fecha de aplicación|se aplica|applicabil[ei]|data di applicazione|si applica|van toepassing|toepassing|toepasselijk|stosowan[A-Za-zÀ-ž]{0,2}|stosuje się|data rozpoczęcia stosowania|použiteln\p{L}{1,3}|použije se|aplicáve(?:l|is)|tillämp\p{L}{1,6}|anvendelse|finder anvendelse|aplicabil|soveltami\p{L}{1,5}|(?:entry into|start of|mise en|entrée en|inicio de la|inizio dell') ?(?:application|aplicación|applicazione))|^(?:application|anwendung|geltung|aplicación|applicazione|aplicação)(?!\p{L})(?! (?:for|of|number|by|von|de|della)(?!\p{L}))/iu,
  ],
  [
    'repeals',
    /(?<!\p{L})(?:repeals|replaces|hebt auf|ersetzt|aufgehoben\p{L}{0,2} (?:rechts)?akte?|abroge|remplace|deroga|sustituye|abroga|sostituisce|trekt in|vervangt|uchyla|zastępuje|zrušuje|nahrazuje|revoga|upphäver|ophæver)/iu,
  ],
  [
    'amends',
    /^(?:amends|amended acts?|acts? amended|ändert|geänderte (?:rechts)?akte?|modifie|actes? modifiés?|modifica|acto modificado|atto modificato|wijzigt|gewijzigde handeling|zmienia|zmieniany akt|altera|ändrar|ændrer)$/iu,
  ],
  [
    'status',
    /(?<!\p{L})(?:status|position|stand|rechtslage|statut|état|estado|situación|stato|situazione|situatie|stav|situação|läge|tila)(?!\p{L})/iu,
  ],
  [
    'due',
    /(?<!\p{L})(?:due|deadlines?|time[- ]limits?|\p{L}*frist(?:en)?|fällig|délais?|échéances?|plazos?|vencimiento|fecha límite|termin[ei]|scadenz[ae]|termijn(?:en)?|uiterste datum|vervaldatum|termin\p{L}{0,2}|lhůt\p{L}{1,2}|prazos?|tidsfrist|förfallodag|termen|määräaika|rok)(?!\p{L})/iu,
  ],
];

/** A heading that says only that something begins: what, the row says. */
const fromHeading =
  /^(?:from|as (?:of|from)|since|with effect from|ab|ab wann|seit|wirksam ab|à partir d[ue]|à compter d[ue]|dès|a partir de|desde|con efectos desde|dal|a decorrere dal|vanaf|per|met ingang van|od|od dnia|från|fra)$/iu;

/** What a heading or a label says of the dates under it. */
export function columnOf(words: string): LawColumn | undefined {
  return headings.find(([, shape]) => shape.test(words))?.[0] ?? (fromHeading.test(words.trim()) ? 'from' : undefined);
}

/** Headings of the column that names the act. */
const actHeading =
  /(?<!\p{L})(?:acts?|instruments?|legislation|law|rechtsakte?|akt|vorschrift|acte|texte|instrument|acto|norma|atto|handeling|regeling|wetgeving|besluit|akt prawny|předpis|ato|rättsakt|retsakt|act(?:ul)?|säädös)(?!\p{L})/iu;
const headingCharactersMax = 60;

export interface LawRow extends Range {
  /** CELEX number of the act that the row is about. */
  readonly act?: string;
  /** Of a proposal: none of its dates hold. */
  readonly isProposal: boolean;
  readonly cells: readonly (Range & { readonly column?: LawColumn; readonly heading: string })[];
}

const read = new WeakMap<LawText, readonly LawRow[]>();

/** Rows below a row of headings of which at least one has a meaning here. Ordered by position. */
export function lawRows(law: LawText): readonly LawRow[] {
  const known = read.get(law);
  if (known !== undefined) return known;
  const found = readRows(law);
  read.set(law, found);
  return found;
}

/** The row of a position. */
export function lawRowAt(law: LawText, position: number): LawRow | undefined {
  const rows = lawRows(law);
  const index = indexAt(rows, position);
  const row = index === undefined ? undefined : rows[index];
  return row !== undefined && position < row.end ? row : undefined;
}

interface Heading {
  readonly words: string;
  readonly column?: LawColumn;
}

function readRows(law: LawText): LawRow[] {
  const { flat } = law;
  const found: LawRow[] = [];
  let header: Header | undefined;
  for (const block of flat.blocks) {
    if (block.kind !== 'row') {
      header = undefined;
      continue;
    }
    if (block.cells.length < 2) continue;
    const next = headerOf(law, block);
    if (next !== undefined) {
      header = next;
      continue;
    }
    if (header === undefined) continue;
    const headingsOfRow = headingsFor(header, block);
    found.push({
      ...actOfRow(law, block, headingsOfRow),
      start: block.start,
      end: block.end,
      cells: block.cells.map(({ start, end }, index) => {
        const heading = headingsOfRow[index];
        return {
          start,
          end,
          heading: heading?.words ?? '',
          ...(heading?.column === undefined ? {} : { column: heading.column }),
        };
      }),
    });
  }
  return found;
}

interface Header {
  readonly list: readonly Heading[];
  /** Undefined if two headings have one column, because the table was not understood. */
  readonly byColumn: ReadonlyMap<number, Heading> | undefined;
}

/** One heading per cell: by order if the row is as long as the row of headings, else by column. */
function headingsFor({ list, byColumn }: Header, { cells }: FlatBlock): readonly (Heading | undefined)[] {
  if (cells.length === list.length) return list;
  const isUnique = new Set(cells.map(({ column }) => column)).size === cells.length;
  return cells.map(({ column }) => (isUnique ? byColumn?.get(column) : undefined));
}

/** A row of short cells without acts; only the heading of a status may contain a date. */
function headerOf({ flat, mentions }: LawText, { start, end, cells }: FlatBlock): Header | undefined {
  const byColumn = new Map<number, Heading>();
  const list: Heading[] = [];
  let known = 0;
  if (allWithin(mentions, { start, end }).some(({ how }) => how === 'number')) return undefined;
  for (const cell of cells) {
    if (cell.end - cell.start > headingCharactersMax) return undefined;
    const words = flat.text.slice(cell.start, cell.end);
    const column = columnOf(words);
    if (column !== undefined && column !== 'status' && findDates(words).length > 0) return undefined;
    if (column !== undefined) known += 1;
    const heading = { words, ...(column === undefined ? {} : { column }) };
    byColumn.set(cell.column, heading);
    list.push(heading);
  }
  if (known === 0) return undefined;
  return { list, byColumn: byColumn.size === list.length ? byColumn : undefined };
}

/** The act in the column of acts, else the only act that begins a cell before the columns with a meaning. */
function actOfRow(
  { flat, mentions }: LawText,
  { cells }: FlatBlock,
  headingsOfRow: readonly (Heading | undefined)[],
): { readonly act?: string; readonly isProposal: boolean } {
  const headed = cells.map((cell, index) => ({ ...cell, heading: headingsOfRow[index] }));
  for (const cell of headed.sort((one, other) => Number(isActs(other.heading)) - Number(isActs(one.heading)))) {
    if (cell.heading?.column !== undefined) continue;
    const named = allWithin(mentions, cell);
    const [first] = named;
    const isProposal =
      /^(?:(?:proposal|proposition|propuesta|proposta|vorschlag|voorstel|wniosek|návrh) )?(?:COM|JOIN|SWD) ?\(\d{4}\)|^(?:proposal|proposition de|propuesta|proposta|vorschlag|voorstel|wniosek|projekt|návrh|entwurf|draft)/iu.test(
        flat.text.slice(cell.start, cell.start + 40),
      );
    if (isProposal) return { isProposal };
    if (first === undefined) continue;
    const isOnly = new Set(named.map(({ celex }) => celex)).size === 1;
    if (first.start - cell.start < 20 || isOnly) return { act: first.celex, isProposal: false };
  }
  return { isProposal: false };
}

function isActs(heading: Heading | undefined): boolean {
  return heading !== undefined && heading.column === undefined && actHeading.test(heading.words);
}
