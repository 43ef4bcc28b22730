/** The text of an `input_file` part. Files of other kinds are refused: the models here read text and images. Pure. */
import { refusePlace } from '../../http/body-reader.ts';
import type { ResponsePart } from './item-schema.ts';

const textFile =
  /^data:(?:text\/[\w.+-]+|application\/(?:json|xml|yaml|x-yaml|toml|javascript|typescript|[\w.-]+\+(?:json|xml)))(?:;[\w-]+=[\w-]+)*;base64,/i;
const headLengthMax = 200;

/** @param path of the part in the body · @throws {ServerError} ERR_REQUEST_INVALID */
export function fileText(
  { filename, file_data: data }: Extract<ResponsePart, { type: 'input_file' }>,
  path: string,
): string {
  const [head] = textFile.exec(data.slice(0, headLengthMax)) ?? [];
  if (head === undefined) {
    refusePlace(
      `${path}.file_data`,
      'must be a data URL of a text file in base64: PDF and other files are read by agents only',
    );
  }
  const bytes = Buffer.from(data.slice(head.length), 'base64');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return filename === undefined ? text : `${filename}\n${text}`;
  } catch {
    return refusePlace(`${path}.file_data`, 'must be a text file in UTF-8');
  } finally {
    bytes.fill(0);
  }
}
