import type { JSX } from 'preact';
import type { Check } from '../../scanner/verdict/check.js';
import { namedFailures, SEVERITIES, type Severity } from '../../scanner/verdict/failure.js';
import { escapeMarkdown, formatFailure } from '../../scanner/report/markdown.js';
import { pinGroupsOf, type PinGroup } from '../../scanner/report/pins.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { Icon, Mark } from '../html/icons.js';
import { Group } from '../html/page-header.js';
import { Lock } from '../html/lock.js';
import { headingId, Prose } from '../html/prose.js';
import { checkAnchor, failureHref } from '../html/result.js';
import type { Page } from '../server/page.js';
import { Anchors, SideNav } from './long-page.js';
import { SCORE_HEADING } from './home.js';
import { formatPage } from './page-text.js';
import { groupByPillar } from './pillars.js';

const LEAD = 'What each one looks at, what it fails with, and the standard that decides.';

const SCORE_TEXT =
  'The score is passed ÷ applicable × 100 over the scored checks, rounded half up to a whole number. A check that does not apply is left out. One that could not be determined counts as not passed. When no scored check passed or failed, there is no score, which is not the same as zero.\n\n' +
  'Every finding says if it counted towards the score of its run. The score measures readiness, not virtue: whom you let in is your decision.';

/** For people. The API reference has the words for programs. */
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

const SEVERITY_ORDER = Object.keys(SEVERITIES) as Severity[];
const TONES: Readonly<Record<Severity, string>> = { SHUT_OUT: 'is-f', BROKEN: 'is-f', MISSING: 'is-u', POLISH: 'is-n' };

/** What the page says besides the checks, by heading. */
const NOTES: readonly (readonly [heading: string, text: string])[] = [
  [SCORE_HEADING, SCORE_TEXT],
  [RESULTS_HEADING, RESULTS_TEXT],
  ['How much a failure matters', SEVERITIES_TEXT],
];

/** All checks of the registry, each at its own anchor. */
export function checksPage(checks: readonly Check[]): Pick<Page, 'header' | 'main'> {
  const groups = groupByPillar(checks);
  const pins = pinGroupsOf(checks.map(({ id }) => ({ checkId: id, result: 'PASS' })));
  return {
    header: <ChecksMast count={checks.length} pins={pins} />,
    main: (
      <div class="w ref">
        <SideNav label="Checks">
          {groups.map(({ name, checks: members }) => (
            <>
              <h2 key={name}>{name}</h2>
              <Anchors links={members.map(({ id, title }) => [checkAnchor(id), title])} />
            </>
          ))}
        </SideNav>
        <div>
          {groups.map(({ name, subject, checks: members }) => (
            <Group key={name} title={name} meaning={subject} id={headingId(name)}>
              {members.map((check) => (
                <CheckEntry key={check.id} check={check} />
              ))}
            </Group>
          ))}
          {NOTES.map(([heading, text]) => (
            <Group key={heading} id={headingId(heading)} title={heading}>
              {heading === RESULTS_HEADING ? <ResultWords /> : <Prose text={text} />}
            </Group>
          ))}
        </div>
      </div>
    ),
  };
}

function CheckEntry({ check }: { readonly check: Check }): JSX.Element {
  const { id, title, explanation, judgedBy } = check;
  const [first = '', ...rest] = explanation.split(/(?<=\.) (?=[A-Z])/);
  const bySeverity = Map.groupBy(namedFailures(check), ({ severity }) => severity);
  return (
    <article id={checkAnchor(id)} class="check">
      <div>
        <h3>{title}</h3>
        <p>{first}</p>
        <details>
          <summary>
            More<span class="hide"> about {id}</span> <Icon name="right" />
          </summary>
          {rest.length > 0 && <p>{rest.join(' ')}</p>}
          <p class="small">
            <code>{id}</code> judged by{' '}
            {judgedBy.map((standard, index) => (
              <>
                {index > 0 && ', '}
                <a href={STANDARDS[standard].url}>{nameStandard(standard)}</a>
              </>
            ))}
          </p>
        </details>
      </div>
      <div>
        <h4 class="hide">It fails with</h4>
        <dl class="errs">
          {SEVERITY_ORDER.filter((severity) => bySeverity.has(severity)).map((severity) => (
            <div key={severity}>
              <dt class={TONES[severity]}>{SEVERITIES[severity].word}</dt>
              {bySeverity.get(severity)?.map(({ errorType, headline }) => (
                <dd key={errorType}>
                  <a href={failureHref(id, errorType)}>{headline}</a>
                </dd>
              ))}
            </div>
          ))}
        </dl>
      </div>
    </article>
  );
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
        <Lock groups={pins} hrefOf={({ checkId }) => `#${checkAnchor(checkId)}`} isCatalog />
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
