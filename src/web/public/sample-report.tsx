import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { failureOf, headlineOf } from '../../scanner/report/failures.js';
import { ladderOf } from '../../scanner/report/gain.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { scoreOf } from '../../scanner/report/score.js';
import type { Check } from '../../scanner/verdict/check.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import { Mark } from '../html/icons.js';
import { HostName, Score } from '../html/mast.js';
import { Pins } from '../html/pins.js';
import { failureHref } from '../html/result.js';
import { describeAllFixed, describeCounting } from '../html/score.js';
import { SAMPLE_PATH } from '../server/public-pages.js';
import { SAMPLE_HOST, sampleFailures, sampleFindings, sampleGains } from './sample.js';

/** What a report looks like: an invented site, the words of the registry, and the arithmetic of a real run. */
export function SampleReport({ checks }: { readonly checks: readonly Check[] }): JSX.Element {
  const findings = sampleFindings(checks);
  const failures = sampleFailures(checks);
  const ladder = ladderOf(
    findings,
    sampleGains(checks),
    failures.map(([finding]) => finding),
  );
  return (
    <section class="slip" aria-label="A sample report">
      <div class="row apart">
        <b>
          <HostName name={SAMPLE_HOST} />
        </b>
        <span class="soft small">sample report</span>
      </div>
      <Score
        score={scoreOf(findings)}
        words={`${countOf(failures.length, 'thing')} to fix`}
        change={describeCounting(findings)}
      />
      <Pins groups={pinGroupsOf(findings)} size="pins-l" isMoving />
      <ol>
        {failures.map(([finding, seen]) => {
          const { checkId, errorType } = finding;
          const { from = 0, to = 0 } = ladder?.rungs.get(checkId) ?? {};
          const severity = failureOf(finding)?.severity;
          return (
            <li key={checkId}>
              <Mark result="FAIL" />
              {errorType && <a href={failureHref(checkId, errorType)}>{headlineOf(finding)}</a>}
              <span class="num soft">+{to - from}</span>
              <small>
                {severity && SEVERITIES[severity].word} · {seen}
              </small>
            </li>
          );
        })}
      </ol>
      <p class="row apart soft small">
        <span>
          {describeAllFixed(failures.length)}: <b class="num">{ladder?.to}</b>
        </span>
        <a href={SAMPLE_PATH}>See the whole report</a>
      </p>
    </section>
  );
}
