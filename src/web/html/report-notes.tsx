import type { ComponentChildren } from 'preact';
import { type AnswerLine, headlineOfAnswer, linesOfAnswer, TRAINING_WORDS } from '../../scanner/report/answer.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { Callout, formatUtc, Mark, Snippet, toneOf, Words } from './text.js';
import { isReportNote, MOVE_NOTE_ID, type Note } from '../../scanner/verdict/note.js';
import { checkHref, SCAN_PATHS } from '../server/paths.js';
import { SCANNER_TOKEN } from '../../scanner/artifacts/scanner.js';
import { CopyLink } from './sections.js';
import type { ReportView, ShownScan } from './report-view.js';

/** Says which AI assistants can read the site. Empty if the run has no answer. */
export function AssistantAnswer({ answer }: Pick<ShownScan, 'answer'>) {
  if (answer === null) return null;
  const lines = linesOfAnswer(answer);
  const [first] = lines;
  const isOneReason = first && lines.every(({ state, rest }) => state === 'unknown' && rest === first.rest);
  return (
    <section class="answer" aria-labelledby="answer">
      <h2 id="answer">
        <Words text={headlineOfAnswer(answer)} />
      </h2>
      <ul class="plain">
        {(isOneReason ? [{ ...first, label: 'All assistants' }] : lines).map((line) => (
          <Line key={line.name} {...line} />
        ))}
      </ul>
      <p class="small soft">Training of AI models: {TRAINING_WORDS[answer.training].toLowerCase()}</p>
    </section>
  );
}

const RESULTS: Readonly<Record<AnswerLine['state'], Result>> = {
  open: 'PASS',
  partly: 'FAIL',
  blocked: 'FAIL',
  unknown: 'UNDETERMINED',
};

function Line({ label, state, isTested, verdict, rest }: AnswerLine) {
  // Green only if the server was tested.
  const result = state === 'open' && !isTested ? 'NOT_APPLICABLE' : RESULTS[state];
  return (
    <li>
      <Mark result={result} isDecorative />
      <span>{label}</span>
      <span>
        <b class={toneOf(result)}>{verdict}</b>
        <Words text={rest} />
      </span>
    </li>
  );
}

interface HeadNotesProps {
  readonly notes: readonly Note[];
  readonly movedTo: string | null;
}

export function HeadNotes({ notes, movedTo }: HeadNotesProps) {
  return (
    <>
      {notes.filter(isReportNote).map((note) => (
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
export function Notes({ notes }: Pick<HeadNotesProps, 'notes'>) {
  const others = notes.flatMap(({ checkId, ...note }) => (checkId === null ? [] : [{ ...note, checkId }]));
  if (others.length === 0) return null;
  return (
    <section class="sec" aria-labelledby="notes">
      <h2 id="notes">
        Suggestions <span class="soft num">{others.length}</span>
      </h2>
      <p class="soft">These are not proven defects, and they do not change the score.</p>
      <ul>
        {others.map((note) => (
          <li key={note.id}>
            <NoteText {...note} />{' '}
            <a class="soft" href={checkHref(note.checkId)}>
              <code class="nb">{note.checkId}</code>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoteText({ text, standard, url }: Pick<Note, 'text' | 'standard' | 'url'>) {
  return (
    <>
      {text} <a href={url}>{standard}</a>
    </>
  );
}

interface NoScoreProps {
  readonly view: ReportView;
  /** When the site was visited: ISO 8601, UTC. */
  readonly at: string;
  /** Buttons that scan again. */
  readonly children?: ComponentChildren;
}

/** Says why nothing could be judged, and what to do. */
export function NoScore({ view, at, children }: NoScoreProps) {
  const { agentHref, scan, unjudgedReason } = view;
  return (
    <div id="findings" tabIndex={-1}>
      <Callout result="UNDETERMINED">
        <b>{unjudgedReason}</b> No check could be judged, and none counts against the site.
      </Callout>
      {agentHref !== null && (
        <>
          <h2>What to do</h2>
          <ol>
            <li>
              Check whether the site was down at {formatUtc(at)}. If a firewall, a CDN such as Cloudflare or a security
              plugin refused us, it may also refuse AI assistants.
            </li>
            <li>
              Let <a href="/about">our scanner</a> in: allow this User-Agent, or ask your hosting provider to do so.
              <Snippet text={SCANNER_TOKEN} label="the scanner’s name" />
            </li>
          </ol>
          <div class="row more">
            {children}
            <CopyLink href={agentHref} label="For a developer or AI" />
          </div>
        </>
      )}
      <Notes notes={scan.notes} />
    </div>
  );
}
