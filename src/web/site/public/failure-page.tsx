import type { JSX } from 'preact';
import { ServiceError } from '../../../platform/errors.js';
import type { Check } from '../../../scanner/verdict/check.js';
import { type Example, type ExampleAnswers, type ShownAnswer, showAnswers } from '../../../scanner/verdict/example.js';
import { type NamedFailure, namedFailures, SEVERITIES } from '../../../scanner/verdict/failure.js';
import { escapeMarkdown, formatFailure, formatSnippet } from '../../../scanner/report/markdown.js';
import { Fix } from '../../kit/components/fix.js';
import { checkHref } from '../../kit/components/result.js';
import { Snippet } from '../../kit/components/text.js';
import { Heading } from '../../kit/layout.js';
import { formatPage } from './page-text.js';

/** One kind of failure with its example, which is loaded for this page alone. */
export interface ExampledFailure {
  readonly check: Check;
  readonly failure: NamedFailure;
  readonly example: Example;
}

/** @throws ServiceError not_found where no check fails in this way */
export async function findFailure(
  checks: readonly Check[],
  checkId: string | undefined,
  errorType: string | undefined,
): Promise<ExampledFailure> {
  const check = checks.find(({ id }) => id === checkId);
  const failure = check && namedFailures(check).find((named) => named.errorType === errorType);
  const example = failure && (await check.examples()).EXAMPLES[failure.errorType];
  if (!example) throw new ServiceError('not_found');
  return { check, failure, example };
}

export function FailurePage({ check, failure, example }: ExampledFailure): JSX.Element {
  const { severity, headline, fix, errorType } = failure;
  return (
    <>
      <Heading lead={leadOf(failure)}>{headline}</Heading>
      <p class="soft">
        <a href={checkHref(check.id)}>{check.title}</a> <span class="mono">{`${check.id} ${errorType}`}</span>{' '}
        {SEVERITIES[severity].word}
      </p>
      <h2>How to fix it</h2>
      <Fix text={fix} name={`${check.id}-${errorType}`} />
      {partsOf(example).map(([title, answers]) => (
        <section key={title}>
          <h2>{title}</h2>
          {showAnswers(answers).map((shown) => (
            <Answer key={shown.request} {...shown} />
          ))}
          {Object.keys(answers).length === 0 && <p>{NOTHING}</p>}
        </section>
      ))}
    </>
  );
}

function Answer({ request, answer, body }: ShownAnswer): JSX.Element {
  return (
    <>
      <h3 class="mono">{request}</h3>
      <p>{answer}</p>
      {body !== null && <Snippet text={body} label={`what ${request} answers`} />}
    </>
  );
}

/** The same as Markdown. */
export function formatFailurePage({ check, failure, example }: ExampledFailure, publicUrl: string): string {
  const parts = partsOf(example).map(([title, answers]) =>
    [`## ${title}`, formatAnswers(answers) || NOTHING].join('\n\n'),
  );
  const ofCheck = `[${escapeMarkdown(check.title)}](${checkHref(check.id)})`;
  const body = [`${ofCheck} (${check.id})`, formatFailure(failure, '##'), ...parts].join('\n\n');
  return formatPage({ heading: failure.headline, lead: leadOf(failure), body }, publicUrl);
}

function formatAnswers(answers: ExampleAnswers): string {
  return showAnswers(answers)
    .map(({ request, answer, body }) =>
      [`### ${escapeMarkdown(request)}`, escapeMarkdown(answer), ...(body === null ? [] : [formatSnippet(body)])].join(
        '\n\n',
      ),
    )
    .join('\n\n');
}

const NOTHING = 'It answers for nothing else.';

function leadOf({ severity }: NamedFailure): string {
  return `${SEVERITIES[severity].meaning} An example of a site that fails so, and how it passes.`;
}

/** The parts of an example, by their headings. */
function partsOf({ failing, passing, otherwise = {} }: Example): [title: string, answers: ExampleAnswers][] {
  return [
    ['A site that fails', failing],
    ['It passes with', passing],
    ...Object.entries(otherwise).map(([way, answers]): [string, ExampleAnswers] => [`Or with ${way}`, answers]),
  ];
}
