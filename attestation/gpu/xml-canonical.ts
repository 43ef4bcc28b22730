/** Canonical XML 1.1 without comments: the form of an XML element that signatures cover. Pure. */
import type { XmlElement } from './xml.ts';

/**
 * The canonical form of `element` and its contents in UTF-8. For a root element, this equals the document's canonical form, because
 * the parser accepts nothing outside the root element.
 * @param without an element to omit, with its contents
 * @see W3C, Canonical XML Version 1.1, §2.3: the namespaces in scope are written where the element begins the output
 */
export function canonicalXml(element: XmlElement, without?: XmlElement): Uint8Array {
  const parts: string[] = [];
  write(element, new Map(), { parts, without });
  return new TextEncoder().encode(parts.join(''));
}

interface Output {
  readonly parts: string[];
  readonly without: XmlElement | undefined;
}

/** @param rendered the namespaces in scope of the parent, which the output declares already */
function write(element: XmlElement, rendered: ReadonlyMap<string, string>, output: Output): void {
  const { parts } = output;
  const name = qualified(element.prefix, element.name);
  parts.push(`<${name}`);
  for (const [prefix, namespace] of [...element.scope].sort(([a], [b]) => order(a, b))) {
    if (rendered.get(prefix) === namespace) continue;
    parts.push(` ${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${escapeAttribute(namespace)}"`);
  }
  const attributes = [...element.attributes].sort((a, b) => order(a.namespace, b.namespace) || order(a.name, b.name));
  for (const attribute of attributes) {
    parts.push(` ${qualified(attribute.prefix, attribute.name)}="${escapeAttribute(attribute.value)}"`);
  }
  parts.push('>');
  for (const child of element.children) {
    if (typeof child === 'string') parts.push(escapeText(child));
    else if (child !== output.without) write(child, element.scope, output);
  }
  parts.push(`</${name}>`);
}

function qualified(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}:${name}`;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Tabs and line ends, which the canonical form writes as references, cannot occur in attributes that `parseXml` returns;
// carriage returns cannot occur in texts either.
function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
