import type { JSX } from 'preact';
import { isAtHead, type Note, partsOfMove } from '../../scanner/verdict/note.js';
import { SCAN_PATHS } from '../server/paths.js';
import { checkHref } from './result.js';
import { Callout } from './text.js';

interface NotesProps {
  readonly notes: readonly Note[];
}

interface HeadNotesProps extends NotesProps {
  /** The name of the host that the site has moved to. */
  readonly movedTo: string | null;
}

/** Notes shown above the findings. */
export function HeadNotes({ notes, movedTo }: HeadNotesProps): JSX.Element {
  return (
    <>
      {notes.filter(isAtHead).map((note) => (
        <Callout key={note.id} result="UNDETERMINED" role="note">
          <MoveText note={note} movedTo={movedTo} />
        </Callout>
      ))}
    </>
  );
}

/** Advice that does not count against the site. */
export function Notes({ notes }: NotesProps): JSX.Element | null {
  const others = notes.flatMap(({ checkId, ...note }) => (checkId === null ? [] : [{ ...note, checkId }]));
  if (others.length === 0) return null;
  return (
    <section class="sec" aria-labelledby="notes">
      <h2 id="notes">
        Worth a look <span class="soft num">{others.length}</span>
      </h2>
      <p class="soft">None of this is a proven defect, and none of it counts.</p>
      <ul>
        {others.map((note) => (
          <li key={note.id}>
            <NoteText note={note} />{' '}
            <a class="soft" href={checkHref(note.checkId)}>
              <code>{note.checkId}</code>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function MoveText({ note, movedTo }: Omit<HeadNotesProps, 'notes'> & { readonly note: Note }): JSX.Element {
  const parts = partsOfMove(note);
  if (parts === null || movedTo === null) return <NoteText note={note} />;
  const [before, invitation, after] = parts;
  return (
    <>
      {before}
      <strong>{movedTo}</strong>: <a href={SCAN_PATHS.result(movedTo)}>{invitation}</a>
      {after}
    </>
  );
}

function NoteText({ note: { text, standard, url } }: { readonly note: Note }): JSX.Element {
  return (
    <>
      {text} <a href={url}>{standard}</a>
    </>
  );
}
