/** Reads files for an agent. The server extracts their text; the page only encodes them. */
import type { Attachment } from './conversation.ts';

/** The limits of the API. */
export const filesMax = 20;
const bytesMax = 5_000_000;

/** Kinds that agents read. */
export const acceptedFiles = '.pdf,.docx,.xlsx,.eml,.html,.htm,.json,.csv,.md,.txt,.log';

/** @throws {Error} with a sentence for people if the files are too many or too large */
export async function readAttachments(
  files: readonly File[],
  known: readonly Attachment[],
): Promise<readonly Attachment[]> {
  if (known.length + files.length > filesMax) throw new Error(`attach at most ${filesMax} files`);
  const bytes = [...known.map((file) => file.bytes), ...files.map(({ size }) => size)];
  if (bytes.reduce((sum, size) => sum + size, 0) > bytesMax) throw new Error('attach at most 5 MB in total');
  const read = await Promise.all(
    files.map(async (file) => ({ name: file.name, bytes: file.size, data: await dataUrl(file) })),
  );
  return [...known, ...read];
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read`));
    reader.readAsDataURL(file);
  });
}
