import type { JSX } from 'preact';
import { type FixPart, splitFix } from '../../../scanner/verdict/fix-parts.js';
import { Snippet, Words } from './text.js';

export interface FixProps {
  readonly text: string;
  /** Of what it is the fix, in letters, digits and hyphens; unique in the page. */
  readonly name: string;
}

/** How to fix what a check found: each snippet with a button that copies it, and a tab for each server that differs. */
export function Fix({ text, name }: FixProps): JSX.Element {
  const parts = splitFix(text);
  const firstServer = parts.findIndex(({ kind }) => kind === 'server');
  const end = firstServer < 0 ? parts.length : firstServer;
  return (
    <>
      <Parts parts={parts.slice(0, end)} label={name} />
      {end < parts.length && <Servers blocks={blocksOf(parts.slice(end))} name={name} />}
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

interface Block {
  readonly server: string;
  readonly parts: readonly FixPart[];
}

function blocksOf(parts: readonly FixPart[]): Block[] {
  const blocks: { server: string; parts: FixPart[] }[] = [];
  for (const part of parts) {
    if (part.kind === 'server') blocks.push({ server: part.text, parts: [] });
    else blocks.at(-1)?.parts.push(part);
  }
  return blocks;
}

/**
 * Radio buttons work without script and by keyboard: the style sheet shows the panel of the one that is checked. Each panel has its
 * server's name for paper, where all of them show.
 */
function Servers({ blocks, name }: { readonly blocks: readonly Block[]; readonly name: string }): JSX.Element {
  return (
    <div class="opts" role="radiogroup" aria-label="Server">
      {blocks.map(({ server }, index) => (
        <>
          <input type="radio" name={name} id={`${name}-${index}`} checked={index === 0} />
          <label for={`${name}-${index}`}>{server}</label>
        </>
      ))}
      {blocks.map(({ server, parts }) => (
        <div key={server} data-name={server}>
          <Parts parts={parts} label={`${name} in ${server}`} />
        </div>
      ))}
    </div>
  );
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
