/** The fields of log records that are written as JSON, as key=value pairs, or as CEF and LEEF. */
import type { Fields } from './field-names.ts';

const pairsMax = 120;

/** `{"a":{"b":1}}` → `a.b`. @returns undefined for text that is not an object */
export function fieldsOfJson(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = new Map<string, string>();
  const visit = (object: object, prefix: string, depth: number) => {
    for (const [name, inner] of Object.entries(object)) {
      if (fields.size >= pairsMax) return;
      const path = `${prefix}${name.toLowerCase()}`;
      if (typeof inner === 'object' && inner !== null && depth < 4) visit(inner, `${path}.`, depth + 1);
      else if (inner !== null && !fields.has(path)) fields.set(path, String(inner).slice(0, 400));
    }
  };
  visit(value, '', 0);
  return fields;
}

/** `date=2026-10-05 devname="FGT-OSL-01"`. @returns undefined for a line with fewer than four pairs */
export function fieldsOfPairs(line: string): Fields | undefined {
  const fields = new Map<string, string>();
  for (const match of line.matchAll(/(?<![\w"])([A-Za-z_][\w.-]{0,40})=(?:"([^"]{0,400})"|([^\s"]{0,200}))/g)) {
    const name = match[1]!.toLowerCase();
    if (!fields.has(name)) fields.set(name, match[2] ?? match[3]?.replace(/[,;]$/, '') ?? '');
    if (fields.size >= pairsMax) break;
  }
  return fields.size < 4 ? undefined : fields;
}

const extensionHead = /(?:^|\s)(?:CEF:\d|LEEF:[\d.]{1,4})\|/;

/**
 * CEF: header of seven parts, and an extension whose values may contain blanks. LEEF: five or six parts, and pairs between tabs or
 * the declared delimiter. @see ArcSight Common Event Format; IBM QRadar LEEF guide
 */
export function fieldsOfExtension(line: string): Fields | undefined {
  const head = extensionHead.exec(line);
  if (head === null) return undefined;
  const isCef = head[0].includes('CEF:');
  const parts = line.slice(head.index).split(/(?<!\\)\|/);
  const named = isCef ? 7 : head[0].includes('LEEF:2') ? 6 : 5;
  if (parts.length <= named - 1) return undefined;
  const fields = new Map<string, string>();
  const name = isCef ? `${parts[5] ?? ''}` : (parts[4] ?? '');
  if (name !== '') fields.set('eventname', name);
  const extension = parts.slice(named).join('|') || parts.at(-1)!;
  const pairs = [...extension.matchAll(/(?<![\w.\\])([A-Za-z_][\w.]{0,40})=/g)];
  for (const [index, match] of pairs.entries()) {
    const value = extension
      .slice(match.index + match[0].length, pairs[index + 1]?.index ?? extension.length)
      .replace(/[\s^]+$/, '')
      .slice(0, 400);
    const key = match[1]!.toLowerCase();
    if (!fields.has(key)) fields.set(key, value);
    if (fields.size >= pairsMax) break;
  }
  return fields.size < 3 ? undefined : fields;
}
