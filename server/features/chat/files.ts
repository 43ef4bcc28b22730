/** Reads the file parts of messages, which only agents accept. */
import { fileBytesMax } from '@cloister/agents/files/file-text';
import { refusePlace } from '../../http/body-reader.ts';
import type { FilePart, Message } from './message-schema.ts';

/** A file as the caller sent it. */
export interface CallerFile {
  /** Index of its message in the caller's `messages`. */
  readonly message: number;
  /** Empty if the caller gave none. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const filesMax = 20;
const dataUrl = /^data:[^,]{0,200};base64,/;

/** @throws {ServerError} ERR_REQUEST_INVALID */
export function readFiles(messages: readonly Message[], { acceptsFiles }: { acceptsFiles: boolean }): CallerFile[] {
  const files: CallerFile[] = [];
  let bytesLeft = fileBytesMax;
  for (const [message, { content }] of messages.entries()) {
    if (typeof content !== 'object') continue;
    for (const [index, part] of content.entries()) {
      if (part.type !== 'file' && part.type !== 'input_file') continue;
      const path = `messages[${message}].content[${index}]`;
      if (!acceptsFiles) refusePlace(`${path}.type`, 'must be "text": only agents read files');
      if (files.length === filesMax) refusePlace(path, `must not be file number ${filesMax + 1} of the request`);
      const file = readFile(part, { message, path, bytesLeft });
      bytesLeft -= file.bytes.length;
      files.push(file);
    }
  }
  return files;
}

function readFile(
  part: FilePart,
  { message, path, bytesLeft }: { message: number; path: string; bytesLeft: number },
): CallerFile {
  const { filename, file_data: data } = part.type === 'file' ? part.file : part;
  const dataPath = part.type === 'file' ? `${path}.file.file_data` : `${path}.file_data`;
  const base64 = data.slice(dataUrl.exec(data)?.[0].length ?? 0);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) refusePlace(dataPath, 'must be base64 or a data URL with base64');
  if (Math.floor(base64.length / 4) * 3 > bytesLeft + 2) {
    refusePlace(dataPath, `must not raise the total size of the request's files above ${fileBytesMax} bytes`);
  }
  // A copy, because a small buffer shares its memory with others.
  return { message, name: filename ?? '', bytes: new Uint8Array(Buffer.from(base64, 'base64')) };
}
