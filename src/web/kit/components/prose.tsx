import type { Code, Heading, Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { ComponentChildren, JSX } from 'preact';
import { Snippet } from './text.js';

/** Our own Markdown as HTML. What it does not use (tables, images, HTML) is shown as its text. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  return <>{fromMarkdown(text).children.map(renderNode)}</>;
}

/** The same in line where it is one paragraph: the text of a table's cell. */
export function ShortProse({ text }: { readonly text: string }): JSX.Element {
  const { children } = fromMarkdown(text);
  const [first] = children;
  return <>{children.length === 1 && first?.type === 'paragraph' ? renderAll(first) : children.map(renderNode)}</>;
}

/** The id that a heading of {@link Prose} gets: its words in lower case, such as `how-to-keep-it-out`. */
export function headingId(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function renderNode(node: RootContent): ComponentChildren {
  switch (node.type) {
    case 'paragraph':
      return <p>{renderAll(node)}</p>;
    case 'heading':
      return renderHeading(node);
    case 'list':
      return node.ordered ? <ol>{renderAll(node)}</ol> : <ul>{renderAll(node)}</ul>;
    case 'listItem':
      return (
        <li>{node.children.map((child) => (child.type === 'paragraph' ? renderAll(child) : renderNode(child)))}</li>
      );
    case 'inlineCode':
      return <code>{node.value}</code>;
    case 'code':
      return renderCode(node);
    case 'strong':
      return <strong>{renderAll(node)}</strong>;
    case 'emphasis':
      return <em>{renderAll(node)}</em>;
    case 'link':
      return /^(?:https?:|mailto:|[/#])/.test(node.url) ? <a href={node.url}>{renderAll(node)}</a> : renderAll(node);
    default:
      return 'value' in node ? node.value : renderAll(node);
  }
}

/** The page has its h1 already. */
function renderHeading(node: Heading): JSX.Element {
  const id = headingId(textOf(node));
  return node.depth <= 2 ? <h2 id={id}>{renderAll(node)}</h2> : <h3 id={id}>{renderAll(node)}</h3>;
}

/** The words after the language of a fenced block say what it is. */
function renderCode({ value, meta }: Code): JSX.Element {
  return <Snippet text={value} label={meta ?? 'snippet'} />;
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

function renderAll(node: Nodes): ComponentChildren {
  return 'children' in node ? node.children.map((child) => renderNode(child)) : null;
}
