import { ServiceError } from '../../platform/errors.js';
import { type ExampleAnswers, exampleOf, showAnswers } from '../../scanner/report/examples.js';
import type { Check } from '../../scanner/verdict/check.js';
import { namedFailures, SEVERITIES } from '../../scanner/verdict/failure.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import { Fix } from '../html/finding-row.js';
import { PageHeader } from '../html/page-header.js';
import { checkHref, failureHref, PUBLIC_PAGES } from '../server/paths.js';
import { DescriptionList } from '../html/table.js';
import { Group, SidebarPart, WithSidebar } from '../html/sections.js';
import type { Page } from '../server/page.js';

/** One kind of failure with its example. */
type FailureWithExample = ReturnType<typeof findFailure>;

/** @throws ServiceError not_found if no check has this failure */
export function findFailure(checks: readonly Check[], checkId: string, errorType: string) {
  const check = checks.find(({ id }) => id === checkId);
  const failure = check && namedFailures(check).find((one) => one.errorType === errorType);
  const example = failure && exampleOf({ checkId, errorType: failure.errorType });
  if (!example) throw new ServiceError('not_found');
  return { check, failure, example };
}

export function failurePage(found: FailureWithExample): Pick<Page, 'header' | 'main'> {
  const { check, failure, example } = found;
  const { headline, fix, errorType, severity } = failure;
  const { failing, passing, otherwise = {} } = example;
  return {
    header: (
      <PageHeader
        crumbs={[
          [PUBLIC_PAGES.checks.path, PUBLIC_PAGES.checks.label],
          [checkHref(check.id), check.title],
        ]}
        title={headline}
        lead={`${SEVERITIES[severity].meaning} An example that fails, and one that passes.`}
      />
    ),
    main: (
      <WithSidebar sidebar={<FailureSidebar {...found} />}>
        <div class="sides">
          <section>
            <h2>A site that fails</h2>
            <Answers answers={failing} other={passing} mark="bad" marked={example.failingLines} />
          </section>
          <section>
            <h2>One that passes</h2>
            <Answers answers={passing} other={failing} mark="good" />
          </section>
        </div>
        <Group title="How to fix it" meaning="Your report has the code with your own addresses.">
          <Fix text={fix} name={`${check.id}-${errorType}`} />
        </Group>
        {Object.entries(otherwise).map(([method, answers]) => (
          <Group key={method} title={/^(by|in) /.test(method) ? `Or ${method}` : `Or with ${method}`}>
            <Answers answers={answers} other={failing} mark="good" />
          </Group>
        ))}
      </WithSidebar>
    ),
  };
}

function FailureSidebar({ check, failure }: FailureWithExample) {
  const { id, judgedBy } = check;
  const others = namedFailures(check).filter(({ errorType }) => errorType !== failure.errorType);
  return (
    <>
      <SidebarPart title="The check">
        <DescriptionList
          facts={[
            ['Severity', SEVERITIES[failure.severity].word],
            ['Check', <code>{id}</code>],
            ['Error type', <code>{failure.errorType}</code>],
            [
              'Judged by',
              judgedBy.map((one) => (
                <div key={one}>
                  <a href={STANDARDS[one].url}>{nameStandard(one)}</a>
                </div>
              )),
            ],
          ]}
        />
      </SidebarPart>
      {others.length > 0 && (
        <SidebarPart title="It also fails with">
          <ul class="plain small">
            {others.map(({ errorType, headline }) => (
              <li key={errorType}>
                <a href={failureHref(id, errorType)}>{headline}</a>
              </li>
            ))}
          </ul>
        </SidebarPart>
      )}
    </>
  );
}

interface AnswersProps {
  readonly answers: ExampleAnswers;
  /** Answers of the other site. Lines that it lacks are marked. */
  readonly other: ExampleAnswers;
  readonly mark: 'bad' | 'good';
  /** Lines to mark even if the other site has them. */
  readonly marked?: readonly string[] | undefined;
}

function Answers({ answers, other, mark, marked = [] }: AnswersProps) {
  const shown = showAnswers(answers);
  const others = new Set(showAnswers(other).flatMap(({ body }) => body?.split('\n') ?? []));
  const isMarked = (line: string): boolean => line.trim() !== '' && (marked.includes(line) || !others.has(line));
  return (
    <>
      {shown.map(({ request, answer, body }) => (
        <div key={request} class="reply">
          <h3 class="mono">{request}</h3>
          <p class="small soft">{answer}</p>
          {body !== null && (
            <div class="code lite">
              <pre>
                <code>
                  {body
                    .trimEnd()
                    .split('\n')
                    .map((line) => (
                      <>
                        {isMarked(line) ? <mark class={mark}>{line}</mark> : line}
                        {'\n'}
                      </>
                    ))}
                </code>
              </pre>
            </div>
          )}
        </div>
      ))}
      {shown.length === 0 && <p>It serves none of the files that the passing site serves.</p>}
    </>
  );
}
