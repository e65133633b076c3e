import type { JSX } from 'preact';
import { type FixPart, splitFix } from '../../scanner/verdict/fix-parts.js';
import { Snippet, Words } from './text.js';
import { Tabs, type TabsProps } from './sections.js';

export interface FixProps {
  readonly text: string;
  /** Letters, digits and hyphens; unique in the page. */
  readonly name: string;
  /** Where the owner of a site says where it runs. */
  readonly platformHref?: string | null;
}

/** Instructions that fix a failure: snippets that can be copied, and a tab for each server. */
export function Fix({ text, name, platformHref = null }: FixProps): JSX.Element {
  const parts = splitFix(text);
  const firstServer = parts.findIndex(({ kind }) => kind === 'server');
  const end = firstServer < 0 ? parts.length : firstServer;
  return (
    <>
      <Parts parts={parts.slice(0, end)} label={name} />
      {end < parts.length && <Tabs label="Server" name={name} panels={serversOf(parts, name)} />}
      {end < parts.length && platformHref !== null && (
        <p class="small">
          <a href={platformHref}>Tell us where this site runs</a>, such as Shopify or nginx, to see only the steps for
          it.
        </p>
      )}
    </>
  );
}

function Parts({ parts, label }: { readonly parts: readonly FixPart[]; readonly label: string }): JSX.Element {
  const snippets = parts.filter(({ kind }) => kind === 'snippet');
  return (
    <>
      {parts.map((part) => {
        if (part.kind === 'prose')
          return (
            <p key={part.text}>
              <Words text={part.text} />
            </p>
          );
        if (part.kind === 'list') return <List key={part.text} text={part.text} />;
        const place = snippets.length > 1 ? ` ${snippets.indexOf(part) + 1}` : '';
        return <Snippet key={part.text} text={part.text} label={`snippet${place} for ${label}`} />;
      })}
    </>
  );
}

/** Splits the parts by server: the first part of each names it. */
function serversOf(parts: readonly FixPart[], name: string): TabsProps['panels'] {
  const starts = parts.flatMap(({ kind }, index) => (kind === 'server' ? [index] : []));
  return starts.map((start, index) => {
    const server = parts[start]?.text ?? '';
    return [server, <Parts parts={parts.slice(start + 1, starts[index + 1])} label={`${name} in ${server}`} />];
  });
}

function List({ text }: { readonly text: string }): JSX.Element {
  return (
    <ul>
      {text.split('\n').map((line) => (
        <li key={line}>
          <Words text={line.slice(2)} />
        </li>
      ))}
    </ul>
  );
}
