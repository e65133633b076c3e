import type { JSX } from 'preact';
import { commonCause } from '../../../scanner/report/no-score.js';
import { ShareResult } from '../../sharing/pages/share-result.js';
import { addressOf } from './addresses.js';
import { laterThan } from '../../../platform/clock.js';
import { FREE_SCAN_KEPT_MS, FREE_SCAN_REPEATED_MS } from '../free-scan-statements.js';
import type { FreeScan } from '../free-scans.js';
import { hasMoved } from '../../../scanner/verdict/move.js';
import { Findings } from '../../../web/kit/components/findings.js';
import { HeadNotes } from '../../../web/kit/components/notes.js';
import { describeCounting, describeScore, formatScore } from '../../../web/kit/components/score.js';
import { Time } from '../../../web/kit/components/text.js';
import { formatUtc } from '../../../web/kit/format.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';

/** What a scan without a key came to: the answer first, the evidence after it. */
export function resultPage(scan: FreeScan, now: Date): Page {
  return { title: `Free scan of ${scan.hostname}`, main: <Result scan={scan} now={now} /> };
}

function Result({ scan, now }: { readonly scan: FreeScan; readonly now: Date }): JSX.Element {
  const {
    hostname,
    origin = `https://${hostname}`,
    score,
    finishedAt,
    findings,
    notes = [],
    movedTo = null,
    gains = [],
  } = scan;
  const freeAgain = laterThan(new Date(finishedAt), score === null ? FREE_SCAN_REPEATED_MS : FREE_SCAN_KEPT_MS);
  return (
    <>
      <Heading lead="Free scan">{hostname}</Heading>
      <p class="verdict">
        <span class="score">{formatScore(score)}</span>: {describeScore(score, findings)}
      </p>
      <p>
        Scanned <Time at={finishedAt} now={now} />.{score !== null && ` ${describeCounting(findings)}.`}
      </p>
      <HeadNotes notes={notes} movedTo={movedTo} scanHref={addressOf.result} />
      {score === null && !hasMoved(notes) && <NoScore cause={commonCause(findings)} />}
      <Findings {...{ origin, findings, notes, gains }} agentHref={addressOf.forAgents(hostname)} />
      <ShareResult hostname={hostname} />
      <p>
        Everyone who asks for this host sees this result until {formatUtc(freeAgain)}; after that it can be{' '}
        <a href="/">scanned again</a>. With an account you can also test how your site receives agents by name, and keep
        and compare runs.
      </p>
    </>
  );
}

function NoScore({ cause }: { readonly cause: string | null }): JSX.Element {
  return (
    <p>
      {cause !== null && <>Most checks say: {cause} </>}
      This is not a score of zero. The site has to answer from the internet, and to let the <a href="/about">
        scanner
      </a>{' '}
      in.
    </p>
  );
}
