import type { JSX } from 'preact';
import { isAtHead, MOVE_NOTE_ID, type Note } from '../../scanner/verdict/note.js';
import { SCAN_PATHS } from '../server/paths.js';
import { checkHref } from './result.js';
import { Callout } from './text.js';

interface HeadNotesProps {
  readonly notes: readonly Note[];
  readonly movedTo: string | null;
}

/** Notes shown above the findings. */
export function HeadNotes({ notes, movedTo }: HeadNotesProps): JSX.Element {
  return (
    <>
      {notes.filter(isAtHead).map((note) => (
        <Callout key={note.id} result="UNDETERMINED" role="note">
          <NoteText {...note} />
          {movedTo !== null && note.id === MOVE_NOTE_ID && (
            <>
              {' '}
              <a href={SCAN_PATHS.result(movedTo)}>Scan {movedTo}</a>
            </>
          )}
        </Callout>
      ))}
    </>
  );
}

/** Advice that does not count against the site. */
export function Notes({ notes }: Pick<HeadNotesProps, 'notes'>): JSX.Element | null {
  const others = notes.flatMap(({ checkId, ...note }) => (checkId === null ? [] : [{ ...note, checkId }]));
  if (others.length === 0) return null;
  return (
    <section class="sec" aria-labelledby="notes">
      <h2 id="notes">
        Suggestions <span class="soft num">{others.length}</span>
      </h2>
      <p class="soft">None of this is a proven defect, and none of it counts.</p>
      <ul>
        {others.map((note) => (
          <li key={note.id}>
            <NoteText {...note} />{' '}
            <a class="soft" href={checkHref(note.checkId)}>
              <code>{note.checkId}</code>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoteText({ text, standard, url }: Pick<Note, 'text' | 'standard' | 'url'>): JSX.Element {
  return (
    <>
      {text} <a href={url}>{standard}</a>
    </>
  );
}
