import type { ComponentChildren, JSX } from 'preact';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { AssistantAnswer } from './answer.js';
import { FindingRow } from './finding-row.js';
import { CopyLink, CountedFold } from './fold.js';
import { ActionButton } from './form.js';
import { Mark } from './icons.js';
import { memoized } from './memoized.js';
import { Lock, type LockProps } from './lock.js';
import { Group, Score } from './page-header.js';
import { HeadNotes, Notes } from './notes.js';
import type { AcceptedUnseen, FindingLine, FindingList, ReportFold, ReportView, SeverityGroup } from './report-view.js';
import { Time, Words } from './text.js';

/** Where the list of findings begins: a link at the top of the page skips to it. */
export const FINDINGS_ID = 'findings';

interface ReportProps {
  readonly view: ReportView;
  readonly now: Date;
}

interface ReportHeadProps {
  readonly view: ReportView;
  /** What changed since the run before. */
  readonly change?: ComponentChildren;
  /** When and how, as items of a list. */
  readonly facts: ComponentChildren;
}

/** The answer first, then the score, each check as a pin, and how the scan was made. */
export function ReportHead({ view, change, facts }: ReportHeadProps): JSX.Element {
  const { scan, toDo, promise, fixedWords } = view;
  const [words, unscored] = toDo;
  const lines = [
    promise && (
      <>
        {promise.words}
        <b class="num">{promise.score}</b>
      </>
    ),
    fixedWords !== null && <span class="is-p w6">{fixedWords}</span>,
    change,
  ].filter(Boolean);
  return (
    <>
      <AssistantAnswer answer={scan.answer} />
      <div class="verdict">
        <div>
          <Score
            score={scan.score}
            words={
              <>
                {words}
                {unscored !== undefined && <span class="soft w4">{unscored}</span>}
              </>
            }
            change={lines.map((line, index) => (
              <>
                {index > 0 && <br />}
                {line}
              </>
            ))}
          />
        </div>
        <LinkedLock groups={pinGroupsOf(scan.findings)} />
        <ul class="facts">
          {facts}
          {scan.score !== null && (
            <li>
              <b class="num">{view.passed}</b> checks that apply pass
            </li>
          )}
        </ul>
      </div>
    </>
  );
}

/** Its pins lead the mouse to their findings. */
const LinkedLock = memoized(
  ({ groups }: Pick<LockProps, 'groups'>) => <Lock groups={groups} hrefOf={({ checkId }) => `#${checkId}`} />,
  ({ groups }) => groups,
  () => '',
);

interface ReportBodyProps extends ReportProps {
  /** Shown instead of the findings if nothing could be judged. */
  readonly unjudged: ComponentChildren;
}

/** What is below the head: the findings, or why there are none. */
export function ReportBody({ view, now, unjudged }: ReportBodyProps): JSX.Element {
  return (
    <>
      <HeadNotes notes={view.scan.notes} movedTo={view.scan.movedTo} />
      {view.isUnjudged ? unjudged : <Findings view={view} now={now} />}
    </>
  );
}

/** All findings: what to fix first, what is fixed already, then, folded, the rest. */
function Findings({ view, now }: ReportProps): JSX.Element {
  const { toFix, ladderWords, agentHref, scan, folds, acceptedUnseen } = view;
  return (
    <div data-findings>
      {toFix && (
        <>
          <div class="head">
            <ListTitle list={toFix} />
            {agentHref !== null && <CopyLink href={agentHref} label="All for your agent" isAll />}
          </div>
          {ladderWords !== null && (
            <div class="adds soft small">
              <p>{ladderWords}</p>
            </div>
          )}
        </>
      )}
      <div id={FINDINGS_ID} tabIndex={-1}>
        {toFix?.groups.map((group) => (
          <Severity key={group.id} id={group.id} group={group} now={now} />
        ))}
      </div>
      <Fixed view={view} now={now} />
      <Notes notes={scan.notes} />
      <div class="sec">
        {folds.map((fold) => (
          <Folded key={fold.title} fold={fold} now={now} />
        ))}
        <NotFound items={acceptedUnseen} now={now} />
        {view.spoken !== null && (
          <p class="hide" role="status">
            {view.spoken}
          </p>
        )}
      </div>
      <p class="soft small more">
        The score is the share of scored checks that passed, of those that apply; each counts the same. Undetermined
        checks count as not passed.
        {view.hasUncertainGain && ' “or more”: fixing this lets other checks run, which may add points.'}
      </p>
    </div>
  );
}

function ListTitle({ list: { title, count }, id }: { readonly list: FindingList; readonly id?: string }): JSX.Element {
  return (
    <h2 id={id}>
      {title} <span class="soft num">{count}</span>
    </h2>
  );
}

function Fixed({ view: { fixed, runHref }, now }: ReportProps): JSX.Element | null {
  if (fixed === null) return null;
  return (
    <section class="sec" aria-labelledby="fixed">
      <div class="head">
        <ListTitle list={fixed} id="fixed" />
        {runHref !== null && (
          <ActionButton action={runHref} icon="play">
            Run now
          </ActionButton>
        )}
      </div>
      {fixed.groups.map((group) => (
        <Severity key={group.id} group={group} now={now} />
      ))}
    </section>
  );
}

interface SeverityProps {
  readonly group: SeverityGroup;
  readonly now: Date;
  readonly id?: string;
}

function Severity({ group: { word, meaning, rows }, now, id }: SeverityProps): JSX.Element {
  return (
    <Group level="h3" id={id} title={word} meaning={meaning ?? undefined}>
      {rows.map((row) => (
        <FindingRow key={row.checkId} row={row} now={now} />
      ))}
    </Group>
  );
}

function Folded({
  fold: { title, count, isOpen, rows, lines },
  now,
}: {
  readonly fold: ReportFold;
  readonly now: Date;
}) {
  return (
    <CountedFold title={title} count={count} isOpen={isOpen}>
      {rows.length > 0 ? (
        <div>
          {rows.map((row) => (
            <FindingRow key={row.checkId} row={row} now={now} />
          ))}
        </div>
      ) : (
        <ul class="lines">
          {lines.map((line) => (
            <Line key={line.checkId} {...line} />
          ))}
        </ul>
      )}
    </CountedFold>
  );
}

function Line({ checkId, result, scored, title, href, detail }: FindingLine): JSX.Element {
  return (
    <li id={checkId}>
      <Mark result={result} scored={scored} isDecorative />
      <span>
        <a href={href}>{title}</a>
        {detail !== null && (
          <span class="says">
            <Words text={detail} />
          </span>
        )}
      </span>{' '}
      <code class="soft">{checkId}</code>
    </li>
  );
}

function NotFound({ items, now }: { readonly items: readonly AcceptedUnseen[]; readonly now: Date }) {
  if (items.length === 0) return null;
  return (
    <CountedFold title="Accepted, but not found" count={items.length}>
      <ul class="items">
        {items.map(({ accepted, headline, undoHref }) => (
          <li key={undoHref}>
            <span />
            <div>
              <b>{headline}</b> <code>{accepted.checkId}</code>
              <p class="soft">
                Accepted <Time at={accepted.acceptedAt} now={now} />, because: <bdi>{accepted.reason}</bdi>
              </p>
            </div>
            <ActionButton action={undoHref} kind="quiet">
              Undo accept<span class="hide"> {accepted.checkId}</span>
            </ActionButton>
          </li>
        ))}
      </ul>
    </CountedFold>
  );
}
