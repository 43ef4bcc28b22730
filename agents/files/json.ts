/** Converts JSON to the form in which an author would write it: labelled lines, and a table for a list of objects. */
import { FileProblem } from './file-text.ts';
import { rowsText } from './rows.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const depthMax = 64;
const columnsMax = 200;

/** Whether the text is a single JSON value. JSON Lines are not converted, because each line is an event of a log. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws {FileProblem} if it is nested too deeply */
export function jsonToText(text: string): string {
  const lines: string[] = [];
  writeValue(JSON.parse(text), { path: '', depth: 0, lines });
  return lines.join('\n').trim();
}

interface Place {
  /** Names of the enclosing members, joined by dots. */
  readonly path: string;
  readonly depth: number;
  readonly lines: string[];
}

function writeValue(value: unknown, { path, depth, lines }: Place): void {
  if (depth > depthMax) throw new FileProblem(`is nested more than ${depthMax} levels deep`);
  const inner = (name: string): Place => ({ path: path === '' ? name : `${path}.${name}`, depth: depth + 1, lines });
  if (Array.isArray(value)) {
    const table = tableOf(value);
    if (table !== undefined) lines.push('', ...headingOf(path), table, '');
    else for (const [index, item] of value.entries()) writeValue(item, inner(String(index + 1)));
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) writeValue(member, inner(name));
  } else if (value !== null) {
    lines.push(path === '' ? String(value) : `${path}: ${String(value)}`);
  }
}

function headingOf(path: string): string[] {
  return path === '' ? [] : [`# ${path}`, ''];
}

/** Undefined unless every item is an object of scalar values. */
function tableOf(items: readonly unknown[]): string | undefined {
  if (items.length === 0 || !items.every(isFlat)) return undefined;
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
  if (columns.length > columnsMax) return undefined;
  return rowsText([columns, ...items.map((item) => columns.map((column) => item[column]))]);
}

function isFlat(item: unknown): item is JsonObject {
  return isObject(item) && Object.values(item).every((value) => typeof value !== 'object' || value === null);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
