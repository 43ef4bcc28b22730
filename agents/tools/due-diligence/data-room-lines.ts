/** The entries of an index that is no table: numbered, bulleted or ticked lines, and requests with their answers. */
import type { Document } from '../../document/document.ts';
import { splitLines } from '../text/lines.ts';
import { type Entry, type EntryStatus, statusIn } from './data-room-statuses.ts';

/** "├── ", "│  > ": the branches of a tree. */
const branches = /^[ \t]*[├└│╠╚║|+`][ \t├└│─═╠╚║|+`-]*(?=[\p{L}\p{N}>[(])/u;
const lineShape =
  /^[ \t]*(?:[-*•][ \t]+(?=\[))?(?:[[(]([ xX✓✔✗✘–-]?)[\])][ \t]*)?((?:\p{L}\.?)?\d{1,3}(?:\.\d{1,3}){1,4}\.?|\d{1,3}[.)]|[-*•–▪]|\(?\p{L}[.)]|[✓✔✗✘☑☒]|(?:item|request|no\.?|nr\.?|position|pos\.|point|punkt|punto|ponto)\s\d{1,3}(?:\.\d{1,3}){0,3}[.:)])?[ \t]+(\p{L}[^\n]{3,240})$/iu;
const divider = /\s{3,}|\t|\.{3,}|\s[–—|→-]{1,2}\s|:\s|;\s|\s(?=[([][^()[\]]{1,60}[)\]]\s*$)/;
/** "Copies of all leases. Response: uploaded at 5.1." */
const answerMark =
  /[.;,]?\s{1,4}(?:response|answer|reply|status|seller(?:['’]s response)?|antwort|stand|réponse|statut|respuesta|estado|risposta|stato|antwoord|odpowiedź|svar|resposta)\s?:\s/iu;

/** @param codes the legend of the index, by code in lower case */
export function entriesOfLines({ text }: Document, codes: ReadonlyMap<string, EntryStatus>): Entry[] {
  const lines = splitLines(text).flatMap(({ start, end }) => {
    if (end - start > 260) return [];
    const match = lineShape.exec(` ${text.slice(start, end).replace(branches, '')}`);
    return match === null || (match[1] === undefined && match[2] === undefined)
      ? []
      : [{ start, end, box: match[1], mark: match[2] ?? '', rest: match[3]! }];
  });
  const isDeep = lines.some(({ mark }) => /\d\.\d/.test(mark));
  return lines.flatMap(({ start, end, box, mark, rest }) => {
    // If entries are numbered "1.1", a single number marks a chapter.
    if (isDeep && box === undefined && !/\d\.\d/.test(mark)) return [];
    const cut = answerMark.exec(rest) ?? divider.exec(rest);
    const title = (cut === null ? rest : rest.slice(0, cut.index)).trim();
    const note = cut === null ? '' : rest.slice(cut.index + cut[0].length);
    const given = codeOf(note, codes) ?? statusIn(`${/[✓✔✗✘☑☒]/u.test(mark) ? mark : ''} ${note}`.trim());
    const boxed = box === undefined ? undefined : box.trim() === '' || /[✗✘–-]/.test(box) ? 'missing' : 'present';
    const isSentence = cut === null && /[.;]$/.test(rest) && rest.split(' ').length > 14;
    return title.length < 3 || isSentence || /\?$/.test(title)
      ? []
      : [
          {
            title,
            status: given ?? boxed ?? 'present',
            isStated: given !== undefined || boxed !== undefined,
            start,
            end,
          },
        ];
  });
}

function codeOf(note: string, codes: ReadonlyMap<string, EntryStatus>): EntryStatus | undefined {
  const box = /\[([^\]\n]{0,4})\]/.exec(note)?.[1];
  const shown = note.trim().toLowerCase();
  return (
    (box === undefined ? undefined : codes.get(`[${box.trim().toLowerCase()}]`)) ??
    codes.get(shown.replace(/^[([]|[)\]]$/g, '')) ??
    codes.get(shown.split(/\s/, 1)[0]!)
  );
}
