import type { ComponentChildren } from 'preact';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { AssistantAnswer, HeadNotes, Notes } from './report-notes.js';
import { FindingRow } from './finding-row.js';
import { ActionButton, CopyLink, Fold, Group, WithSidebar } from './sections.js';
import { Field } from './form.js';
import { Mark, Words } from './text.js';
import { Score } from './page-header.js';
import { platformField } from './platform-fix.js';
import { Legend, PinGroups } from './pins.js';
import type { FindingLine, FindingList, PlatformChoice, ReportFold, ReportView, SeverityGroup } from './report-view.js';

const FINDINGS_ID = 'findings';

/** A skip link to the list of findings. */
export const SKIP_TO_FINDINGS = [`#${FINDINGS_ID}`, 'Skip to the findings'] as const;

interface ReportHeadProps {
  readonly view: ReportView;
  readonly change?: ComponentChildren;
  /** When and how the site was scanned, as `<li>` elements. */
  readonly facts: ComponentChildren;
}

/** The answer first, then the score, each check as a pin, and how the scan was made. */
export function ReportHead({ view, change, facts }: ReportHeadProps) {
  const { scan, toDo, scoreIfFixed, fixedSince } = view;
  const [words, unscored] = toDo;
  return (
    <>
      {fixedSince !== null && (
        <p class="is-p w6">{fixedSince}. The answer and the score still show that run: “Run now” updates them.</p>
      )}
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
            change={
              <>
                {scoreIfFixed !== null && (
                  <>
                    {scoreIfFixed}
                    <br />
                  </>
                )}
                {change}
              </>
            }
          />
        </div>
        <PinGroups
          groups={pinGroupsOf(scan.findings)}
          {...(view.unjudgedReason === null && { hrefOf: ({ checkId }) => `#${checkId}` })}
        />
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

interface ReportBodyProps {
  readonly view: ReportView;
  /** In the sidebar, above the meaning of the pins. */
  readonly sidebar: ComponentChildren;
  readonly notices?: ComponentChildren;
  /** Shown instead of the findings if nothing could be judged. */
  readonly unjudged: ComponentChildren;
}

/** The findings, or the reason why there are none, and the sidebar. */
export function ReportBody({ view, sidebar, notices, unjudged }: ReportBodyProps) {
  const { notes, movedTo } = view.scan;
  return (
    <WithSidebar
      sidebar={
        <>
          {sidebar}
          <Fold title="How to read the pins">
            <Legend />
          </Fold>
        </>
      }
    >
      {notices}
      <HeadNotes notes={notes} movedTo={movedTo} />
      {view.unjudgedReason !== null ? unjudged : <Findings view={view} />}
    </WithSidebar>
  );
}

/** All findings: first those to fix, then the fixed ones, then the rest in folds. */
function Findings({ view }: Pick<ReportBodyProps, 'view'>) {
  const { toFix, fixed, agentHref, platformForm, runHref, scan, folds, announcement } = view;
  return (
    <div data-findings>
      {toFix && (
        <ListHead list={toFix}>
          {agentHref !== null && <CopyLink href={agentHref} label="All for a developer or AI" isAll />}
        </ListHead>
      )}
      <div id={FINDINGS_ID} tabIndex={-1}>
        {platformForm && <PlatformForm {...platformForm} />}
        <Severities groups={toFix?.groups ?? []} />
      </div>
      {fixed && (
        <section class="sec" aria-labelledby="fixed">
          <ListHead list={fixed} id="fixed">
            {runHref !== null && <ActionButton action={runHref} icon="play" label="Run now" />}
          </ListHead>
          <Severities groups={fixed.groups} />
        </section>
      )}
      <Notes notes={scan.notes} />
      <div class="sec">
        {folds.map((fold) => (
          <FindingFold key={fold.title} fold={fold} />
        ))}
        {announcement !== null && (
          <p class="hide" role="status">
            {announcement}
          </p>
        )}
      </div>
      <p class="soft small more">
        The score is the share of applicable scored checks that passed. Each counts the same. Undetermined checks count
        as not passed.
        {view.hasUncertainGain && ' “or more”: fixing this lets other checks run, which may add points.'}
      </p>
    </div>
  );
}

/** Asks where the site runs. The next page focuses the findings, so that a screen reader says which fixes they show. */
function PlatformForm({ action, platform }: PlatformChoice) {
  return (
    <form action={`${action}#${FINDINGS_ID}`} class="row tools">
      <Field {...platformField(platform)} />
      <button type="submit" class="quiet">
        Show fixes
      </button>
      {platform !== null && <b role="status">Fixes for {platform}</b>}
    </form>
  );
}

interface ListHeadProps {
  readonly list: FindingList;
  readonly id?: string;
  readonly children: ComponentChildren;
}

function ListHead({ list: { title, count }, id, children }: ListHeadProps) {
  return (
    <div class="head">
      <h2 id={id}>
        {title} <span class="soft num">{count}</span>
      </h2>
      {children}
    </div>
  );
}

function Severities({ groups }: { readonly groups: readonly SeverityGroup[] }) {
  return (
    <>
      {groups.map(({ word, meaning, rows }) => (
        <Group key={word} level="h3" title={word} meaning={meaning && <Words text={meaning} />}>
          {rows.map((row) => (
            <FindingRow key={row.checkId} row={row} />
          ))}
        </Group>
      ))}
    </>
  );
}

function FindingFold({ fold: { title, count, isExpanded, rows, lines } }: { readonly fold: ReportFold }) {
  return (
    <Fold
      id={title.toLowerCase().replaceAll(' ', '-')}
      title={
        <>
          {title} <span class="soft num">{count}</span>
        </>
      }
      isOpen={isExpanded}
    >
      {rows.length > 0 ? (
        <div>
          {rows.map((row) => (
            <FindingRow key={row.checkId} row={row} />
          ))}
        </div>
      ) : (
        <ul class="lines">
          {lines.map((line) => (
            <Line key={line.finding.checkId} {...line} />
          ))}
        </ul>
      )}
    </Fold>
  );
}

function Line({ finding: { checkId, result, scored, title }, href, detail }: FindingLine) {
  return (
    <li id={checkId}>
      <Mark result={result} scored={scored} isDecorative />
      <span>
        <a href={href}>{title ?? checkId}</a>
        {detail !== null && (
          <span class="detail">
            <Words text={detail} />
          </span>
        )}
      </span>{' '}
      <code class="soft nb">{checkId}</code>
    </li>
  );
}
