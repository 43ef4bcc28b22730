/** Compiles the rooms for an installed package: Node does not strip types below node_modules, so every file becomes JavaScript. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** Maps `@cloister/room/name` to the path of its source from the root of the repository. */
export type RoomExports = ReadonlyMap<string, string>;

/** Reads the exports of the rooms. */
export function readRoomExports(root: string, rooms: readonly string[]): RoomExports {
  const exports = new Map<string, string>();
  for (const room of rooms) {
    const manifest = JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as {
      name: string;
      exports: Record<string, string>;
    };
    for (const [name, path] of Object.entries(manifest.exports)) {
      exports.set(join(manifest.name, name), join(room, path));
    }
  }
  return exports;
}

/** The path of a source in the package. */
export function compiledPath(path: string): string {
  return path.replace(/\.ts$/, '.js');
}

/**
 * Replaces types with blanks, which keeps lines, and names compiled files in every import and `new URL`.
 * @param path of the file from the root of the repository · @param text TypeScript or JavaScript
 * @throws {Error} if an import names a room's file that the room does not export
 */
export function compileSource(path: string, text: string, exports: RoomExports): string {
  const code = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  let compiled = '';
  let end = 0;
  for (const { value, start, end: next } of specifiersOf(code)) {
    compiled += code.slice(end, start) + JSON.stringify(compiledSpecifier(path, value, exports));
    end = next;
  }
  return compiled + code.slice(end);
}

function compiledSpecifier(path: string, specifier: string, exports: RoomExports): string {
  if (specifier.startsWith('.')) return compiledPath(specifier);
  if (!specifier.startsWith('@cloister/')) return specifier;
  const target = exports.get(specifier);
  if (target === undefined) throw new Error(`${path} imports ${specifier}, which no room exports`);
  const fromHere = relative(dirname(path), compiledPath(target));
  return fromHere.startsWith('.') ? fromHere : `./${fromHere}`;
}

interface Literal {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The literals that name modules and files, in order. */
function specifiersOf(code: string): readonly Literal[] {
  const found: Literal[] = [];
  const add = (node: unknown) => {
    if (isNode(node) && node.type === 'Literal' && typeof node.value === 'string')
      found.push(node as unknown as Literal);
  };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (!isNode(node)) return;
    if (/^(Import|ExportNamed|ExportAll)(Declaration|Expression)$/.test(node.type)) add(node.source);
    if (node.type === 'NewExpression' && isNode(node.callee) && node.callee.name === 'URL') {
      add((node.arguments as readonly unknown[])[0]);
    }
    for (const one of Object.values(node)) visit(one);
  };
  visit(parseAst(code, { lang: 'js', sourceType: 'module' }));
  return found.filter(({ value }) => /^\.{1,2}\/|^@cloister\//.test(value)).sort((a, b) => a.start - b.start);
}

type SyntaxNode = Readonly<Record<string, unknown>> & { readonly type: string };

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}
