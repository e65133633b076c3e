import type { JSX } from 'preact';
import { ServiceError } from '../../../platform/errors.js';
import type { Check } from '../../../scanner/verdict/check.js';
import { type Example, type ExampleAnswers, type ShownAnswer, showAnswers } from '../../../scanner/verdict/example.js';
import { type NamedFailure, namedFailures, SEVERITIES } from '../../../scanner/verdict/failure.js';
import { nameStandard, STANDARDS } from '../../../scanner/verdict/standards.js';
import { escapeMarkdown, formatFailure, formatSnippet } from '../../../scanner/report/markdown.js';
import { Fix } from '../../kit/components/fix.js';
import { Group, Mast } from '../../kit/components/mast.js';
import { checkHref, failureHref } from '../../kit/components/result.js';
import { Snippet } from '../../kit/components/text.js';
import type { Page } from '../../kit/page.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
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

export function failurePage(exampled: ExampledFailure): Pick<Page, 'mast' | 'main'> {
  const { check, failure, example } = exampled;
  const { headline, fix, errorType } = failure;
  const { checks } = PUBLIC_PAGES;
  return {
    mast: (
      <Mast
        crumbs={[
          [checks.path, checks.label],
          [checkHref(check.id), check.title],
        ]}
        here={errorType}
        title={headline}
        lead={leadOf(failure)}
      />
    ),
    main: (
      <div class="w two">
        <div>
          <Group level="h2" title="How to fix it">
            <Fix text={fix} name={`${check.id}-${errorType}`} />
          </Group>
          {partsOf(example).map(([title, answers], index) => (
            <Group key={title} level="h2" title={title}>
              {showAnswers(answers).map((shown) => (
                <Answer key={shown.request} {...shown} isSeen={index === 0} />
              ))}
              {Object.keys(answers).length === 0 && <p>{NOTHING}</p>}
            </Group>
          ))}
        </div>
        <Rail {...exampled} />
      </div>
    ),
  };
}

/** What the failure is one of. */
function Rail({ check, failure }: ExampledFailure): JSX.Element {
  const { id, title, judgedBy } = check;
  const others = namedFailures(check).filter(({ errorType }) => errorType !== failure.errorType);
  return (
    <aside class="rail">
      <section>
        <h2>The check</h2>
        <p class="small">
          <a href={checkHref(id)}>{title}</a>
        </p>
        <dl class="dl">
          <dt>Severity</dt>
          <dd>{SEVERITIES[failure.severity].word}</dd>
          <dt>Check</dt>
          <dd>
            <code>{id}</code>
          </dd>
          <dt>Error type</dt>
          <dd>
            <code>{failure.errorType}</code>
          </dd>
        </dl>
      </section>
      <section>
        <h2>Judged by</h2>
        {judgedBy.map((standard) => (
          <p key={standard} class="small">
            <a href={STANDARDS[standard].url}>{nameStandard(standard)}</a>
          </p>
        ))}
      </section>
      {others.length > 0 && (
        <section>
          <h2>It also fails with</h2>
          {others.map(({ errorType, headline }) => (
            <p key={errorType} class="small">
              <a href={failureHref(id, errorType)}>{headline}</a>
            </p>
          ))}
        </section>
      )}
    </aside>
  );
}

/** What is seen is light; what is to be taken along is dark. */
function Answer({ request, answer, body, isSeen }: ShownAnswer & { readonly isSeen: boolean }): JSX.Element {
  return (
    <div class="answer">
      <h3 class="mono">{request}</h3>
      <p class="small soft">{answer}</p>
      {body !== null && !isSeen && <Snippet text={body} label={`what ${request} answers`} />}
      {body !== null && isSeen && (
        <div class="code lite">
          <pre>
            <code>{body}</code>
          </pre>
        </div>
      )}
    </div>
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
