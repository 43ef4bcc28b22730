/** The texts of documents, which callers send as texts or as objects with several fields. Pure. */
import { refuseField, refusePlace } from '../../http/body-reader.ts';

export type Document = string | { readonly [field: string]: unknown };

/**
 * @param rankFields the fields that are compared with the query, in this order; texts have none
 * @throws {ServerError} ERR_REQUEST_INVALID naming the document, without its text
 */
export function readDocuments(documents: readonly Document[], rankFields: readonly string[] = ['text']): string[] {
  return documents.map((document, index) => {
    if (typeof document === 'string') return document;
    return textOf(document, `documents[${index}]`, rankFields);
  });
}

/** The fields of a document, one per line; fields that it does not have are left out. */
function textOf(document: Exclude<Document, string>, path: string, rankFields: readonly string[]): string {
  const texts = rankFields.flatMap((name) => {
    const value = Object.hasOwn(document, name) ? (document[name] ?? '') : '';
    if (typeof value === 'object') refuseField(path, 'must have texts or numbers in its ranked fields', value);
    const text = String(value);
    return text === '' ? [] : [text];
  });
  if (texts.length > 0) return texts.join('\n');
  return refusePlace(path, 'must be a text, or have `text` or one of the fields in `rank_fields`, not empty');
}
