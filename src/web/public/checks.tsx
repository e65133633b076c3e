import type { JSX } from 'preact';
import type { Check } from '../../scanner/verdict/check.js';
import { namedFailures, SEVERITIES } from '../../scanner/verdict/failure.js';
import { escapeMarkdown, formatFailure } from '../../scanner/report/markdown.js';
import { pinGroupsOf, type PinGroup } from '../../scanner/report/pins.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { Mark } from '../html/icons.js';
import { Group } from '../html/mast.js';
import { Lock } from '../html/lock.js';
import { headingId, Prose } from '../html/prose.js';
import { checkHref } from '../html/result.js';
import type { Page } from '../server/page.js';
import { CheckGroup, ChecksNav, Filter, GRADES_HEADING } from './check-entries.js';
import { type ChecksFilter, filterChecks } from './checks-filter.js';
import { SideNav } from './long-page.js';
import { SCORE_HEADING } from './home.js';
import { formatPage } from './page-text.js';
import { groupByPillar } from './pillars.js';

const LEAD = 'What each one looks at, what it fails with, and the standard that decides.';

const SCORE_TEXT =
  'The score is passed ÷ applicable × 100 over the scored checks, rounded half up to a whole number. A check that does not apply is left out. One that could not be determined counts as not passed. When no scored check passed or failed, there is no score, which is not the same as zero.\n\n' +
  'Every finding says if it counted towards the score of its run. The score measures readiness, not virtue: whom you let in is your decision.';

/** As people are told; the API's reference has the words for programs. */
const RESULT_WORDS: readonly (readonly [result: Result, word: string, meaning: string])[] = [
  ['PASS', 'Passed', 'The site does what the check asks.'],
  ['FAIL', 'Failed', 'A proven defect: you can see it again, and fix it.'],
  [
    'UNDETERMINED',
    'Undetermined',
    'No answer this time, for example because the site was down, too slow or refused the scanner. Counts as not passed.',
  ],
  ['NOT_APPLICABLE', 'Does not apply', 'Your site has nothing that the check is about. Left out of the score.'],
];

const RESULTS_HEADING = 'What a result means';
const RESULTS_TEXT = RESULT_WORDS.map(([result, word, meaning]) => `- ${word} (\`${result}\`): ${meaning}`).join('\n');

const SEVERITIES_TEXT = Object.values(SEVERITIES)
  .map(({ word, meaning }) => `- ${word}: ${meaning}`)
  .join('\n');

/** What both forms of the page say besides the checks, by its heading. */
const NOTES: readonly (readonly [heading: string, text: string])[] = [
  [SCORE_HEADING, SCORE_TEXT],
  [RESULTS_HEADING, RESULTS_TEXT],
  [GRADES_HEADING, SEVERITIES_TEXT],
];

/** All checks of the registry, each at its own anchor; those that a filter leaves. */
export function checksPage(checks: readonly Check[], filter: ChecksFilter): Pick<Page, 'mast' | 'main'> {
  const shown = filterChecks(checks, filter);
  const pins = pinGroupsOf(shown.map(({ id }) => ({ checkId: id, result: 'PASS' })));
  return {
    mast: <ChecksMast count={checks.length} pins={pins} />,
    main: (
      <div class="w ref">
        <SideNav label="Checks">
          <ChecksNav groups={groupByPillar(shown)} />
        </SideNav>
        <div>
          <Filter checks={checks} filter={filter} shownCount={shown.length} />
          {groupByPillar(shown).map((group) => (
            <CheckGroup key={group.name} group={group} severity={filter.severity} />
          ))}
          {NOTES.filter(([heading]) => heading !== GRADES_HEADING).map(([heading, text]) => (
            <Group key={heading} id={headingId(heading)} title={heading}>
              {heading === RESULTS_HEADING ? <ResultWords /> : <Prose text={text} />}
            </Group>
          ))}
        </div>
      </div>
    ),
  };
}

function ResultWords(): JSX.Element {
  return (
    <ul class="items">
      {RESULT_WORDS.map(([result, word, meaning]) => (
        <li key={result}>
          <Mark result={result} />
          <span>
            <b class="w6">{word}.</b> <span class="soft">{meaning}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function ChecksMast({ count, pins }: { readonly count: number; readonly pins: readonly PinGroup[] }): JSX.Element {
  return (
    <div class="mast">
      <div class="w verdict catalog">
        <div>
          <h1>{headingOf(count)}</h1>
          <p class="lead">{LEAD}</p>
          <p class="small more">
            <b>Score:</b>{' '}
            <span class="soft">
              checks passed ÷ checks that apply, from 0 to 100. Undetermined counts as not passed; what does not apply
              is left out. <a href={`#${headingId(SCORE_HEADING)}`}>More</a>
            </span>
          </p>
        </div>
        <Lock groups={pins} hrefOf={({ checkId }) => checkHref(checkId).slice('/checks'.length)} isCatalog />
      </div>
    </div>
  );
}

/** The same as Markdown. */
export function formatChecks(checks: readonly Check[], publicUrl: string): string {
  const notes = NOTES.map(([heading, text]) => `## ${heading}\n\n${text}`);
  const body = groupByPillar(checks).map(
    ({ name, subject, checks: members }) => `## ${name}\n\n${subject}\n\n${members.map(formatCheck).join('\n\n')}`,
  );
  return formatPage(
    { heading: headingOf(checks.length), lead: LEAD, body: [...notes, ...body].join('\n\n') },
    publicUrl,
  );
}

function formatCheck({ id, title, explanation, failures, judgedBy }: Check): string {
  return [
    `### ${id}: ${escapeMarkdown(title)}`,
    escapeMarkdown(explanation),
    ...namedFailures({ failures }).map((failure) => formatFailure(failure, '####')),
    `Judged by ${judgedBy.map((standard) => `[${nameStandard(standard)}](${STANDARDS[standard].url})`).join(', ')}.`,
  ].join('\n\n');
}

function headingOf(count: number): string {
  return `The ${count} checks`;
}
