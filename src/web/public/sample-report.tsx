import type { JSX } from 'preact';
import { headlineOfAnswer } from '../../scanner/report/answer.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import type { Check } from '../../scanner/verdict/check.js';
import { Mark } from '../html/icons.js';
import { HostName, Score } from '../html/page-header.js';
import { Pins } from '../html/pins.js';
import { failureHref } from '../html/result.js';
import { SAMPLE_PATH } from '../server/public-pages.js';
import { SAMPLE_ANSWER, SAMPLE_HOST } from './sample.js';
import { sampleView } from './sample-page.js';

/** The beginning of the sample report, for the home page: the answer, the score, and what to fix. */
export function SampleReport({ checks }: { readonly checks: readonly Check[] }): JSX.Element {
  const { scan, toDo, toFix, promise, passed } = sampleView(checks);
  return (
    <section class="slip" aria-label="A sample report" data-html-only>
      <div class="row apart">
        <b>
          <HostName name={SAMPLE_HOST} />
        </b>
        <span class="soft small">sample report</span>
      </div>
      <p>
        <b class="is-f">{headlineOfAnswer(SAMPLE_ANSWER)}</b>
      </p>
      <Score score={scan.score} words={toDo[0]} change={`${passed} checks that apply pass`} />
      <Pins groups={pinGroupsOf(scan.findings)} size="pins-l" isMoving />
      <ol>
        {toFix?.groups.flatMap(({ word, rows }) =>
          rows
            .filter(({ finding }) => finding.scored)
            .map(({ checkId, finding, headline, worth }) => (
              <li key={checkId}>
                <Mark result="FAIL" />
                <a href={failureHref(checkId, finding.errorType ?? '')}>{headline}</a>
                <span class="num soft">+{worth?.points}</span>
                <small>{word}</small>
              </li>
            )),
        )}
      </ol>
      <p class="row apart soft small">
        <span>
          {promise?.words}
          <b class="num">{promise?.score}</b>
        </span>
        <a href={SAMPLE_PATH}>See the whole report</a>
      </p>
    </section>
  );
}
