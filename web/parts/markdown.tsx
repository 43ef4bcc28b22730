/** Markdown as elements. No text of an answer becomes HTML, and nothing is fetched: images are shown as links. */
import { lexer, type Token, type Tokens } from 'marked';
import { type ComponentChildren, h } from 'preact';
import { useMemo } from 'preact/hooks';
import { CodeBlock } from './code-block.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** Longer texts are shown as they are, since parsing them would hold up the page. */
const charactersMax = 200_000;

export function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => (text.length > charactersMax ? undefined : lexer(text)), [text]);
  if (tokens === undefined) return <p class="plain">{text}</p>;
  return <div class="markdown">{blocks(tokens)}</div>;
}

function blocks(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token, index) => <Block key={index} token={token} />);
}

function Block({ token }: { readonly token: Token }) {
  switch (token.type) {
    case 'heading':
      // The page has the first two levels.
      return h(`h${Math.min(token.depth + 2, 6)}`, {}, inline(token.tokens));
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'text':
      return <>{token.tokens === undefined ? unescaped(token.text) : inline(token.tokens)}</>;
    case 'code':
      return <CodeBlock text={token.text} />;
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case 'list':
      return <ListBlock list={token as Tokens.List} />;
    case 'table':
      return <TableBlock table={token as Tokens.Table} />;
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    default:
      return <p class="plain">{token.raw}</p>;
  }
}

function ListBlock({ list }: { readonly list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    <li key={index}>
      {item.task && <span aria-hidden="true">{item.checked ? '☑ ' : '☐ '}</span>}
      {blocks(item.tokens)}
    </li>
  ));
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function TableBlock({ table }: { readonly table: Tokens.Table }) {
  return (
    <ScrollBox label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function inline(tokens: readonly Token[] = []): ComponentChildren {
  return tokens.map((token, index) => <Inline key={index} token={token} />);
}

function Inline({ token }: { readonly token: Token }) {
  switch (token.type) {
    case 'text':
    case 'escape':
      return <>{'tokens' in token && token.tokens ? inline(token.tokens) : unescaped(token.text)}</>;
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'del':
      return <del>{inline(token.tokens)}</del>;
    case 'codespan':
      return <code>{unescaped(token.text)}</code>;
    case 'br':
      return <br />;
    case 'link':
    case 'image':
      return <SafeLink href={token.href}>{token.type === 'image' ? token.text : inline(token.tokens)}</SafeLink>;
    default:
      return <>{token.raw}</>;
  }
}

/** Links of other schemes than these stay text. */
const linkScheme = /^(https?:|mailto:)/i;

function SafeLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  if (!linkScheme.test(href)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The lexer writes these five characters as entities. */
function unescaped(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!);
}
