import type { JSX } from 'preact';
import { Snippet } from './text.js';

/** A part of a check's fix: sentences, a list of them, or something to paste. */
export interface FixPart {
  readonly kind: 'prose' | 'list' | 'snippet';
  readonly text: string;
}

/**
 * The parts of a fix, which is plain text: paragraphs with snippets between them. Stored runs keep the texts of their day,
 * so that the parts are told apart by how they look. One snippet may hold empty lines.
 */
export function splitFix(fix: string): readonly FixPart[] {
  const parts: FixPart[] = [];
  for (const text of fix.split(/\n{2,}/)) {
    const kind = kindOf(text);
    const last = parts.at(-1);
    if (kind === 'snippet' && last?.kind === 'snippet') parts.splice(-1, 1, { kind, text: `${last.text}\n\n${text}` });
    else parts.push({ kind, text });
  }
  return parts;
}

/** A line of code may hold as many words as a short sentence, but does not end like one. */
const PROSE_WORDS_MIN = 6;

/** Prose begins with a word, and ends like a sentence or with an address; what is pasted does neither. */
function kindOf(text: string): FixPart['kind'] {
  const lines = text.split('\n');
  const isList = lines.every((line) => line.startsWith('- '));
  const isWordy = lines.some((line) => line.split(' ').length >= PROSE_WORDS_MIN);
  const beginsLikeProse = /^(?:- )?(?:"|\/\.?)?[A-Za-z]/.test(text);
  const endsLikeProse = /[.:?!]$/.test(text) || (isWordy && !/[\])}>;,]$/.test(text));
  if (!beginsLikeProse || !endsLikeProse) return 'snippet';
  return isList ? 'list' : 'prose';
}

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
