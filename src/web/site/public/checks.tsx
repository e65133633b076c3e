import type { JSX } from 'preact';
import type { Check } from '../../../scanner/verdict/check.js';
import { type NamedFailure, namedFailures, SEVERITIES } from '../../../scanner/verdict/failure.js';
import { escapeMarkdown, formatFailure } from '../../../scanner/report/markdown.js';
import { nameStandard, STANDARDS } from '../../../scanner/verdict/standards.js';
import { RESULTS } from '../../../scanner/verdict/vocabulary.js';
import { SERVERS, withoutServers } from '../../../scanner/verdict/fix-parts.js';
import { Fix } from '../../kit/components/fix.js';
import { headingId, Prose } from '../../kit/components/prose.js';
import { checkAnchor, failureHref } from '../../kit/components/result.js';
import { Heading } from '../../kit/layout.js';
import { SCORE_HEADING } from './home.js';
import { formatPage } from './page-text.js';
import { groupByPillar, type PillarGroup } from './pillars.js';

const LEAD = 'What each check examines, why it matters, and how to fix a failure.';

/** What both forms of the page say before the checks. */
const SCORE_TEXT = `
## ${SCORE_HEADING}

The score is passed ÷ applicable × 100 over the scored checks, rounded half up to a whole number. A check that does not apply is left out. One that could not be determined counts as not passed. When no scored check passed or failed, there is no score, which is not the same as zero.

Every finding says whether it counted towards the score of its run. The score measures readiness, not virtue: whom you let in is your decision.

## What a result means

${Object.entries(RESULTS)
  .map(([result, meaning]) => `- \`${result}\`: ${meaning}`)
  .join('\n')}

## How much a failure matters

${Object.values(SEVERITIES)
  .map(({ word, meaning }) => `- ${word}: ${meaning}`)
  .join('\n')}
`;

/** All checks of the registry, each at its own anchor. */
export function ChecksPage({ checks }: { readonly checks: readonly Check[] }): JSX.Element {
  const groups = groupByPillar(checks);
  return (
    <>
      <Heading lead={LEAD}>{headingOf(checks)}</Heading>
      <Contents groups={groups} />
      <Prose text={SCORE_TEXT} />
      <p>
        The page of each error type has an example, and how to do it in {listServers()}; so does{' '}
        <a href="/checks.md">this page as Markdown</a>.
      </p>
      {groups.map(({ name, subject, checks: members }) => (
        <section key={name} aria-labelledby={headingId(name)}>
          <h2 id={headingId(name)}>{name}</h2>
          <p>{subject}</p>
          {members.map((check) => (
            <CheckEntry key={check.id} check={check} />
          ))}
        </section>
      ))}
    </>
  );
}

function listServers(): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(Object.keys(SERVERS));
}

function Contents({ groups }: { readonly groups: readonly PillarGroup[] }): JSX.Element {
  return (
    <nav aria-label="On this page" class="columns">
      {groups.map(({ name, checks }) => (
        <div key={name}>
          <a href={`#${headingId(name)}`}>
            <strong>{name}</strong>
          </a>
          <ul>
            {checks.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${checkAnchor(id)}`}>{title}</a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function CheckEntry({ check }: { readonly check: Check }): JSX.Element {
  const { id, title, explanation, judgedBy } = check;
  return (
    <article id={checkAnchor(id)}>
      <h3>
        {title} <span class="soft mono">{id}</span>
      </h3>
      <p>{explanation}</p>
      <details>
        <summary>What it fails with, and how to fix it</summary>
        {namedFailures(check).map((failure) => (
          <FailureEntry key={failure.errorType} checkId={id} failure={failure} />
        ))}
      </details>
      <p class="soft">
        Judged by{' '}
        {judgedBy.map((standard, index) => (
          <>
            {index > 0 && ', '}
            <a href={STANDARDS[standard].url}>{nameStandard(standard)}</a>
          </>
        ))}
        .
      </p>
    </article>
  );
}

function FailureEntry({ checkId, failure }: { readonly checkId: string; readonly failure: NamedFailure }): JSX.Element {
  const { errorType, severity, headline, fix } = failure;
  return (
    <>
      <h4>{headline}</h4>
      <p class="soft">
        <a href={failureHref(checkId, errorType)}>{errorType}</a> {SEVERITIES[severity].word}
      </p>
      <Fix text={withoutServers(fix)} name={`${checkId}-${errorType}`} />
    </>
  );
}

/** The same as Markdown. */
export function formatChecks(checks: readonly Check[], publicUrl: string): string {
  const body = groupByPillar(checks).map(
    ({ name, subject, checks: members }) => `## ${name}\n\n${subject}\n\n${members.map(formatCheck).join('\n\n')}`,
  );
  return formatPage(
    { heading: headingOf(checks), lead: LEAD, body: [SCORE_TEXT.trim(), ...body].join('\n\n') },
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

function headingOf(checks: readonly Check[]): string {
  return `The ${checks.length} checks`;
}
