import type { JSX } from 'preact';
import { splitFix } from '../../scanner/findings/fix-parts.js';
import { Snippet } from './text.js';

/** How to fix what a check found: each snippet with a button that copies it. */
export function Fix({ text, checkId }: { readonly text: string; readonly checkId: string }): JSX.Element {
  const parts = splitFix(text);
  const snippets = parts.filter(({ kind }) => kind === 'snippet');
  return (
    <>
      {parts.map((part) => {
        if (part.kind === 'prose') return <p key={part.text}>{part.text}</p>;
        if (part.kind === 'list') return <List key={part.text} text={part.text} />;
        const place = snippets.length > 1 ? ` ${snippets.indexOf(part) + 1}` : '';
        return <Snippet key={part.text} text={part.text} label={`snippet${place} for ${checkId}`} />;
      })}
    </>
  );
}

function List({ text }: { readonly text: string }): JSX.Element {
  return (
    <ul>
      {text.split('\n').map((line) => (
        <li key={line}>{line.slice(2)}</li>
      ))}
    </ul>
  );
}
