/** Questionnaires in running text: a question on a line of its own, and the answer beneath it, become a row of a register. */
import type { Range } from '../text/span.ts';
import type { DocumentPart, Paragraph } from './paragraphs.ts';

/** A question and, as `answer`, all that follows up to the next question, title or table. */
export interface AnsweredQuestion extends Range {
  readonly answer: Range;
}

/** Fewer questions with answers are rhetorical. */
const pairsMin = 3;

export function questionsAndAnswers(
  parts: readonly DocumentPart[],
  flat: string,
): readonly (DocumentPart | AnsweredQuestion)[] {
  const divided = parts.flatMap((part): DocumentPart[] => ('table' in part ? [part] : dividedAtQuestion(part, flat)));
  const joined: (DocumentPart | AnsweredQuestion)[] = [];
  let count = 0;
  for (let index = 0; index < divided.length; index += 1) {
    const part = divided[index]!;
    let to = index;
    if (isQuestion(part, flat)) while (isAnswer(divided[to + 1], flat)) to += 1;
    if (to === index) joined.push(part);
    else {
      count += 1;
      const [first, last] = [divided[index + 1] as Paragraph, divided[to] as Paragraph];
      const { start, end } = part as Paragraph;
      joined.push({ start, end, answer: { start: first.start, end: last.end } });
      index = to;
    }
  }
  return count < pairsMin ? parts : joined;
}

const questionCharactersMax = 400;

function isQuestion(part: DocumentPart | undefined, flat: string): part is Paragraph {
  return (
    part !== undefined &&
    !('table' in part) &&
    part.end - part.start <= questionCharactersMax &&
    /\?[\s*_]{0,4}$/.test(flat.slice(part.end - 6, part.end))
  );
}

function isAnswer(part: DocumentPart | undefined, flat: string): boolean {
  return part !== undefined && !('table' in part) && part.title === undefined && !isQuestion(part, flat);
}

/** "Do you encrypt data at rest? Yes", "Q4: Are logs kept? / A: Yes": the answer in the paragraph of its question. */
function dividedAtQuestion(part: Paragraph, flat: string): Paragraph[] {
  const text = flat.slice(part.start, Math.min(part.end, part.start + questionCharactersMax));
  const at = text.search(/\?[*_]{0,3}\s{1,20}(?=\S)/);
  if (at === -1 || /[.;]\s/.test(text.slice(0, at).replace(/^\S{1,8}[.)]\s/, ''))) return [part];
  const end = part.start + at + 1;
  const start = end + /^[*_]{0,3}\s{0,20}/.exec(flat.slice(end, end + 24))![0].length;
  const { title: _, ...rest } = part;
  return [
    { ...part, end },
    { ...rest, start },
  ];
}
