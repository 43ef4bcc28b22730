/** Turns each file of a caller into a separate message, so that each is a document for the tools. Pure. */
import type { FileKind, FileText } from '@cloister/agents/files/file-text';
import type { ChatMessage } from '@cloister/models/interface/model';
import type { CallerFile } from '../chat/files.ts';

/** A document of a request with files. Its place in the list is the message number in findings and passages. */
export type NumberedDocument =
  | { readonly message: number }
  | {
      /** The caller's message that the file belongs to. */
      readonly message: number;
      /** Which of its files, from 0. */
      readonly file: number;
      readonly kind: FileKind;
      /** UTF-16 units of its text. */
      readonly characters: number;
      /** For a PDF, the offset in the text at which each page begins. */
      readonly page_starts?: readonly number[];
    };

/** Inserts each file as a separate user message directly before the message that contains it. */
export function withFiles(
  messages: readonly ChatMessage[],
  files: readonly CallerFile[],
  texts: readonly FileText[],
): { messages: ChatMessage[]; documents: NumberedDocument[] } {
  const withTexts = files.map((file, index) => ({ ...file, read: texts[index]! }));
  const byMessage = Map.groupBy(withTexts, ({ message }) => message);
  const expanded: ChatMessage[] = [];
  const documents: NumberedDocument[] = [];
  for (const [index, message] of messages.entries()) {
    for (const [file, { read }] of (byMessage.get(index) ?? []).entries()) {
      const { kind, text, pageStarts } = read;
      expanded.push({ role: 'user', content: text });
      const pages = pageStarts === undefined ? {} : { page_starts: pageStarts };
      documents.push({ message: index, file, kind, characters: text.length, ...pages });
    }
    // A message of nothing but files has no text.
    if (message.content === '' && byMessage.has(index)) continue;
    expanded.push(message);
    documents.push({ message: index });
  }
  return { messages: expanded, documents };
}
