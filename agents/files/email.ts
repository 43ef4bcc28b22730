/** Reads email messages (RFC 5322): the headers that a reader sees, the body, and the text of readable attachments. */
import PostalMime, { type Address, type Email } from 'postal-mime';
import { htmlToMarkdown } from '../document/markdown.ts';
import { FileProblem, type FileSource, requireUnits } from './file-text.ts';

const attachmentsMax = 20;

/**
 * @param readAttachment the text of an attachment, or undefined if it cannot be read
 * @throws {FileProblem} if the message is damaged
 */
export async function readEmail(
  bytes: Uint8Array,
  readAttachment: (source: FileSource) => Promise<string | undefined>,
  stopIfCancelled: () => void,
): Promise<string> {
  const email = await parseEmail(bytes);
  const parts = [headersOf(email), bodyOf(email)];
  for (const { filename, content } of email.attachments.slice(0, attachmentsMax)) {
    stopIfCancelled();
    if (typeof content === 'string') continue;
    const text = await readAttachment({ name: filename ?? '', bytes: new Uint8Array(content) });
    parts.push(`# Attachment ${filename ?? ''}`.trim(), text?.trim() ?? '(not read)');
    requireUnits(parts.reduce((sum, part) => sum + part.length, 0));
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

async function parseEmail(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer', maxNestingDepth: 16 });
  } catch {
    throw new FileProblem('is damaged: it is not an RFC 5322 message');
  }
}

function headersOf({ from, to, cc, date, subject }: Email): string {
  const addresses = (list: readonly Address[] | undefined) => list?.map(addressText).join(', ');
  const lines = [
    ['From', from && addressText(from)],
    ['To', addresses(to)],
    ['Cc', addresses(cc)],
    ['Date', date],
    ['Subject', subject],
  ];
  return lines.flatMap(([label, text]) => (text === undefined || text === '' ? [] : [`${label}: ${text}`])).join('\n');
}

function addressText({ name, address, group }: Address): string {
  if (group !== undefined) return `${name}: ${group.map(addressText).join(', ')}`;
  return name === '' ? (address ?? '') : `${name} <${address ?? ''}>`;
}

function bodyOf({ text, html }: Email): string {
  if (text !== undefined && text.trim() !== '') return text.trim();
  return html === undefined ? '' : htmlToMarkdown(html);
}
