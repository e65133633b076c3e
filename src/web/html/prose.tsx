import MarkdownIt, { type Token } from 'markdown-it';
import type { ComponentChildren, JSX } from 'preact';
import { Snippet } from './text.js';

/** A token with its children. */
interface Node {
  readonly token: Token;
  readonly children: readonly Node[];
}

const markdown = new MarkdownIt('commonmark', { html: false }).enable('table');
// An address that is not shown leaves its words: see renderLink.
markdown.validateLink = () => true;

/** Renders our own Markdown. Images and HTML are shown as text. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  return <>{parse(text).map(renderNode)}</>;
}

/** Returns the id of a heading of {@link Prose}, such as `how-to-keep-it-out`. */
export function headingId(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function parse(text: string): Node[] {
  return nest(markdown.parse(text, {}));
}

function nest(tokens: readonly Token[]): Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  for (const token of tokens) {
    if (token.nesting < 0) open.pop();
    else {
      const children = nest(token.children ?? []);
      open.at(-1)?.push({ token, children });
      if (token.nesting > 0) open.push(children);
    }
  }
  return root;
}

function renderNode(node: Node): ComponentChildren {
  const { token, children } = node;
  switch (token.type) {
    case 'paragraph_open':
      return <p>{renderAll(node)}</p>;
    case 'heading_open':
      return renderHeading(node);
    case 'ordered_list_open':
      return <ol>{renderAll(node)}</ol>;
    case 'bullet_list_open':
      return <ul>{renderAll(node)}</ul>;
    case 'list_item_open':
      return (
        <li>
          {children.map((child) => (child.token.type === 'paragraph_open' ? renderAll(child) : renderNode(child)))}
        </li>
      );
    case 'code_inline':
      return <code>{token.content}</code>;
    case 'fence':
    case 'code_block':
      return renderCode(token);
    case 'table_open':
      return renderTable(node);
    case 'strong_open':
      return <strong>{renderAll(node)}</strong>;
    case 'em_open':
      return <em>{renderAll(node)}</em>;
    case 'link_open':
      return renderLink(node);
    case 'softbreak':
      return '\n';
    default:
      return children.length > 0 ? renderAll(node) : token.content;
  }
}

/** Uses h2 and h3: the page has its h1 already. */
function renderHeading(node: Node): JSX.Element {
  const id = headingId(textOf(node));
  return node.token.tag === 'h1' || node.token.tag === 'h2' ? (
    <h2 id={id}>{renderAll(node)}</h2>
  ) : (
    <h3 id={id}>{renderAll(node)}</h3>
  );
}

/** Rows of three columns and more become blocks on narrow screens. */
function renderTable({ children: [head, body] }: Node): JSX.Element {
  const titles = head?.children[0]?.children ?? [];
  return (
    <table class={titles.length > 2 ? 'texts stack' : 'texts'}>
      <thead>
        <tr>
          {titles.map((title) => (
            <th scope="col" class={alignmentOf(title)}>
              {renderAll(title)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body?.children.map(({ children: [name, ...cells] }) => (
          <tr>
            <th scope="row">{name && renderAll(name)}</th>
            {cells.map((cell, index) => {
              const title = titles[index + 1];
              return (
                <td class={alignmentOf(cell)} data-label={title && textOf(title)}>
                  {renderAll(cell)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function alignmentOf({ token }: Node): string | undefined {
  return String(token.attrGet('style') ?? '').includes('right') ? 'r' : undefined;
}

function renderLink(node: Node): ComponentChildren {
  const href = String(node.token.attrGet('href') ?? '');
  return /^(?:https?:|mailto:|[/#])/.test(href) ? <a href={href}>{renderAll(node)}</a> : renderAll(node);
}

/** The words after the language of a fenced block are its label. */
function renderCode({ content, info }: Token): JSX.Element {
  const [, label = 'snippet'] = /^\s*\S+\s+(\S.*)$/.exec(info) ?? [];
  return <Snippet text={content.replace(/\n$/, '')} label={label} />;
}

function textOf({ token, children }: Node): string {
  return children.length > 0 ? children.map(textOf).join('') : token.content;
}

function renderAll({ children }: Node): ComponentChildren {
  return children.map((child) => renderNode(child));
}
