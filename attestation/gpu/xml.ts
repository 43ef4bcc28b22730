/**
 * Parses the subset of XML that NVIDIA's reference manifests use. Pure. Refuses everything else, in which parsers differ: document types (and
 * so custom entities), comments, processing instructions and CDATA.
 */
import { AttestationError } from '../base/errors.ts';

export interface XmlAttribute {
  readonly prefix: string;
  readonly name: string;
  /** Empty for an attribute without a prefix. */
  readonly namespace: string;
  readonly value: string;
}

export interface XmlElement {
  readonly prefix: string;
  readonly name: string;
  /** Empty if absent. */
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  /** All namespaces in scope by prefix; the default namespace has the prefix ''. */
  readonly scope: ReadonlyMap<string, string>;
  readonly children: readonly (XmlElement | string)[];
}

/** Above any real manifest: about 25 KB in 2026. */
export const xmlBytesMax = 1024 * 1024;
const elementsMax = 4096;
const depthMax = 16;
const attributesMax = 512;
const namespacesMax = 64;

/**
 * @param bytes UTF-8 without a byte order mark
 * @returns the root element
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 * @see XML 1.0 (fifth edition) · Namespaces in XML 1.0 (third edition)
 */
export function parseXml(bytes: Uint8Array): XmlElement {
  if (bytes.length > xmlBytesMax) throw malformed(`has ${bytes.length} bytes, at most ${xmlBytesMax} are read`);
  return new XmlReader(decode(bytes)).document();
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw malformed('is not UTF-8', cause);
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML 1.0 excludes
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) throw malformed('has a control character');
  return text.replace(/\r\n?/g, '\n');
}

const name = /([A-Za-z_][A-Za-z0-9._-]*)(?::([A-Za-z_][A-Za-z0-9._-]*))?/y;
const space = /[ \t\n]+/y;
const declaration = /<\?xml version="1\.0"(?: encoding="[Uu][Tt][Ff]-8")?(?: standalone="(?:yes|no)")?[ ]?\?>/y;
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Absolute, as the canonical form requires, without characters that serializers escape in different ways. */
const namespace = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9_./:#?=%@~+,;()-]*$/;
const noScope: ReadonlyMap<string, string> = new Map();

interface RawAttribute {
  readonly prefix: string;
  readonly name: string;
  readonly value: string;
}

class XmlReader {
  readonly #text: string;
  #at = 0;
  #elements = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): XmlElement {
    this.#match(declaration);
    this.#match(space);
    if (this.#text[this.#at] !== '<') throw this.#malformed('does not begin with an element');
    const root = this.#element(noScope, 1);
    this.#match(space);
    if (this.#at !== this.#text.length) throw this.#malformed('has something after its root element');
    return root;
  }

  /** At `<`. */
  #element(outer: ReadonlyMap<string, string>, depth: number): XmlElement {
    this.#elements += 1;
    if (depth > depthMax || this.#elements > elementsMax) {
      throw this.#malformed(`has over ${elementsMax} elements, or is nested more than ${depthMax} deep`);
    }
    this.#expect('<');
    const { prefix, name } = this.#name();
    const raw = this.#attributes();
    const scope = scopeOf(raw, outer);
    const isEmpty = this.#skip('/');
    this.#expect('>');
    return {
      prefix,
      name,
      namespace: namespaceOf(prefix, scope),
      attributes: resolve(raw, scope),
      scope,
      children: isEmpty ? [] : this.#content(scope, depth, prefix === '' ? name : `${prefix}:${name}`),
    };
  }

  #content(scope: ReadonlyMap<string, string>, depth: number, qualifiedName: string): (XmlElement | string)[] {
    const children: (XmlElement | string)[] = [];
    for (;;) {
      const open = this.#text.indexOf('<', this.#at);
      if (open < 0) throw this.#malformed(`ends inside ${qualifiedName}`);
      if (open > this.#at) children.push(this.#unescape(this.#text.slice(this.#at, open)));
      this.#at = open;
      if (this.#text[open + 1] === '/') break;
      children.push(this.#element(scope, depth + 1));
    }
    this.#expect(`</${qualifiedName}`);
    this.#match(space);
    this.#expect('>');
    return children;
  }

  #attributes(): RawAttribute[] {
    const attributes: RawAttribute[] = [];
    while (this.#match(space) !== undefined && /[A-Za-z_]/.test(this.#text[this.#at] ?? '')) {
      if (attributes.length === attributesMax) throw this.#malformed(`has over ${attributesMax} attributes`);
      const { prefix, name } = this.#name();
      this.#expect('=');
      const quote = this.#skip('"') ? '"' : "'";
      if (quote === "'") this.#expect(quote);
      const end = this.#text.indexOf(quote, this.#at);
      if (end < 0) throw this.#malformed('ends inside an attribute');
      const value = this.#text.slice(this.#at, end);
      // Parsers normalize line ends to spaces here. Manifests have none, so they are refused.
      if (/[<\t\n]/.test(value)) throw this.#malformed('has a line end, a tab or "<" in an attribute');
      attributes.push({ prefix, name, value: this.#unescape(value) });
      this.#at = end + 1;
    }
    return attributes;
  }

  #name(): { prefix: string; name: string } {
    const match = this.#match(name);
    if (match === undefined) throw this.#malformed('has an invalid name');
    return match[2] === undefined ? { prefix: '', name: match[1]! } : { prefix: match[1]!, name: match[2] };
  }

  #unescape(text: string): string {
    if (text.includes(']]>')) throw this.#malformed('has "]]>" in its text');
    return text.replace(/&([^;&]{0,8};?)/g, (_, reference: string) => {
      const character = reference.endsWith(';') ? entities[reference.slice(0, -1)] : undefined;
      if (character === undefined) throw this.#malformed('has an entity reference that XML does not predefine');
      return character;
    });
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at += match[0].length;
    return match;
  }

  #skip(text: string): boolean {
    const isHere = this.#text.startsWith(text, this.#at);
    if (isHere) this.#at += text.length;
    return isHere;
  }

  #expect(text: string): void {
    if (!this.#skip(text)) throw this.#malformed(`has no ${text}`);
  }

  #malformed(why: string): AttestationError {
    return malformed(`${why} (character ${this.#at})`);
  }
}

function scopeOf(raw: readonly RawAttribute[], outer: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (!raw.some(({ prefix, name }) => prefix === 'xmlns' || (prefix === '' && name === 'xmlns'))) return outer;
  const scope = new Map(outer);
  const seen = new Set<string>();
  for (const { prefix, name, value } of raw) {
    const declared = prefix === 'xmlns' ? name : prefix === '' && name === 'xmlns' ? '' : undefined;
    if (declared === undefined) continue;
    if (seen.has(declared) || declared === 'xml' || declared === 'xmlns' || !namespace.test(value)) {
      throw malformed(`declares the namespace "${declared}" wrongly`);
    }
    seen.add(declared);
    scope.set(declared, value);
  }
  // Each element with declarations has its own map.
  if (scope.size > namespacesMax) throw malformed(`has over ${namespacesMax} namespaces in scope`);
  return scope;
}

function resolve(raw: readonly RawAttribute[], scope: ReadonlyMap<string, string>): XmlAttribute[] {
  const names = new Set<string>();
  return raw
    .filter(({ prefix, name }) => prefix !== 'xmlns' && !(prefix === '' && name === 'xmlns'))
    .map((attribute) => {
      const namespace = attribute.prefix === '' ? '' : namespaceOf(attribute.prefix, scope);
      const key = `${namespace} ${attribute.name}`;
      if (names.has(key)) throw malformed(`has the attribute ${attribute.name} twice`);
      names.add(key);
      return { ...attribute, namespace };
    });
}

/** The prefix `xml` is deliberately undeclared: its attributes are inherited, and manifests do not use them. */
function namespaceOf(prefix: string, scope: ReadonlyMap<string, string>): string {
  const namespace = scope.get(prefix);
  if (namespace === undefined && prefix !== '') throw malformed(`uses the undeclared prefix ${prefix}`);
  return namespace ?? '';
}

function malformed(why: string, cause?: unknown): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the XML ${why}`, { cause });
}
