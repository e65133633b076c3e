import type { JSX } from 'preact';
import { wayToAccount } from '../server/paths.js';
import { addressOf } from './free-scan-addresses.js';
import { laterThan } from '../../platform/clock.js';
import { FREE_SCAN_KEPT_MS, REPLACEABLE_AFTER_MS } from '../../app/free-scan/free-scan-store.js';
import type { FreeScan } from '../../app/free-scan/free-scan.js';
import { hasMoved } from '../../scanner/verdict/note.js';
import { AssistantAnswer } from '../html/answer.js';
import { Findings, FINDINGS_ID, ladderFor, partFailures } from '../html/findings.js';
import { CopyLink } from '../html/fold.js';
import { HostName, isLongName, Score } from '../html/mast.js';
import { NoScore } from '../html/no-score.js';
import { HeadNotes } from '../html/notes.js';
import { Legend } from '../html/pins.js';
import { ScoreWords } from '../html/score-figure.js';
import { Time } from '../html/text.js';
import { ScoreFacts, Verdict } from '../html/verdict.js';
import { formatMoment } from '../html/format.js';
import type { Page } from '../server/page.js';
import { ScanForm } from '../html/scan-form.js';
import { RailPart, Two } from '../html/two.js';

/** The result of a free scan. */
export function resultPage(scan: FreeScan, now: Date, isSignUpOpen: boolean): Page {
  const { hostname } = scan;
  return {
    title: `Free scan of ${hostname}`,
    skip: [`#${FINDINGS_ID}`, 'Skip to the findings'],
    mast: (
      <div class="mast">
        <div class="w">
          <Head scan={scan} now={now} />
        </div>
      </div>
    ),
    main: (
      <Two rail={<Rail {...{ scan, isSignUpOpen }} />}>
        <Result scan={scan} />
      </Two>
    ),
  };
}

function Head({ scan, now }: { readonly scan: FreeScan; readonly now: Date }): JSX.Element {
  const { hostname, score, finishedAt, findings, gains } = scan;
  const { open } = partFailures({ findings, gains });
  return (
    <>
      <p class="over">Result of a free scan</p>
      <h1 class={isLongName(hostname) ? 'long' : undefined}>
        <HostName name={hostname} />
      </h1>
      <AssistantAnswer answer={scan.answer} />
      <Verdict
        findings={findings}
        facts={
          <>
            <li>
              Scanned{' '}
              <b>
                <Time at={finishedAt} now={now} />
              </b>
            </li>
            {score !== null && (
              <ScoreFacts
                findings={findings}
                ladder={ladderFor({ findings, gains })}
                openCount={open.filter(({ scored }) => scored).length}
              />
            )}
          </>
        }
      >
        <Score score={score} words={<ScoreWords {...{ score, findings }} />} />
      </Verdict>
    </>
  );
}

function Result({ scan }: { readonly scan: FreeScan }): JSX.Element {
  const { hostname, origin, score, finishedAt, findings } = scan;
  const { notes, movedTo, gains } = scan;
  const agentHref = addressOf.forAgents(hostname);
  return (
    <>
      <HeadNotes notes={notes} movedTo={movedTo} scanHref={addressOf.result} />
      {score === null && !hasMoved(notes) ? (
        <NoScore
          {...{ findings, notes }}
          at={`${formatMoment(finishedAt, finishedAt)} UTC`}
          again={
            <>
              <a href="#site">Scan it again</a>.
            </>
          }
          actions={<CopyLink href={agentHref} label="For your agent" />}
        />
      ) : (
        <Findings {...{ origin, findings, notes, gains, agentHref }} />
      )}
    </>
  );
}

interface RailProps {
  readonly scan: FreeScan;
  readonly isSignUpOpen: boolean;
}

function Rail({ scan: { hostname, score, finishedAt }, isSignUpOpen }: RailProps): JSX.Element {
  const [path, label] = wayToAccount(isSignUpOpen);
  const freeAgain = laterThan(new Date(finishedAt), score === null ? REPLACEABLE_AFTER_MS : FREE_SCAN_KEPT_MS);
  return (
    <>
      <RailPart title="Is this your site?">
        <p class="small soft">
          With an account you see the requests behind each failure, test how your site receives agents by name, check a
          fix within a minute, and keep and compare runs.
        </p>
        <div class="row">
          <a class="btn" href={path}>
            {label}
          </a>
          <a class="btn quiet" href="/sign-in">
            Sign in
          </a>
        </div>
      </RailPart>
      <RailPart title="Copy it">
        <p class="row">
          <CopyLink href={addressOf.markdown(hostname)} label="As Markdown" />
        </p>
      </RailPart>
      <RailPart title={score === null ? 'Scan it again, or another' : 'Scan another site'}>
        <ScanForm
          action={addressOf.form}
          value={score === null ? hostname : ''}
          hint={`This one can be scanned again from ${formatMoment(freeAgain, finishedAt)} UTC.`}
          isNamed
          isQuiet
        />
      </RailPart>
      <RailPart title="How to read the pins">
        <Legend />
      </RailPart>
    </>
  );
}
