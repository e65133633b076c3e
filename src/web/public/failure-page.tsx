import type { JSX } from 'preact';
import { ServiceError } from '../../platform/errors.js';
import {
  type Example,
  type ExampleAnswers,
  exampleOf,
  type ShownAnswer,
  showAnswers,
} from '../../scanner/report/examples.js';
import type { Check } from '../../scanner/verdict/check.js';
import { type NamedFailure, namedFailures, SEVERITIES } from '../../scanner/verdict/failure.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import { Fix } from '../html/fix.js';
import { Group, PageHeader } from '../html/page-header.js';
import { checkHref, failureHref } from '../html/result.js';
import { DescriptionList, SidebarPart, WithSidebar } from '../html/sidebar.js';
import type { Page } from '../server/page.js';
import { PUBLIC_PAGES } from '../server/public-pages.js';

/** One kind of failure with its example, which is loaded for this page alone. */
export interface ExampledFailure {
  readonly check: Check;
  readonly failure: NamedFailure;
  readonly example: Example;
}

/** @throws ServiceError not_found where no check fails in this way */
export function findFailure(checks: readonly Check[], checkId: string, errorType: string): ExampledFailure {
  const check = checks.find(({ id }) => id === checkId);
  const failure = check && namedFailures(check).find((one) => one.errorType === errorType);
  const example = failure && exampleOf({ checkId, errorType: failure.errorType });
  if (!example) throw new ServiceError('not_found');
  return { check, failure, example };
}

export function failurePage(exampled: ExampledFailure): Pick<Page, 'header' | 'main'> {
  const { check, failure, example } = exampled;
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
      <WithSidebar rail={<Rail {...exampled} />}>
        <div class="sides">
          <section>
            <h2>A site that fails</h2>
            <Answers answers={failing} mark="bad" isMarked={failingLines(example)} />
          </section>
          <section>
            <h2>One that passes</h2>
            <Answers answers={passing} mark="good" isMarked={passingLines(example)} />
          </section>
        </div>
        <Group title="How to fix it" meaning="Your report has the code with your own addresses.">
          <Fix text={fix} name={`${check.id}-${errorType}`} />
        </Group>
        {Object.entries(otherwise).map(([way, answers]) => (
          <Group key={way} title={`Or with ${way}`}>
            <Answers answers={answers} mark="good" isMarked={passingLines(example)} />
          </Group>
        ))}
      </WithSidebar>
    ),
  };
}

/** What the failure is one of. */
function Rail({ check, failure }: ExampledFailure): JSX.Element {
  const { id, title, judgedBy } = check;
  const others = namedFailures(check).filter(({ errorType }) => errorType !== failure.errorType);
  return (
    <>
      <SidebarPart title="The check">
        <p class="small">
          <a href={checkHref(id)}>{title}</a>
        </p>
        <DescriptionList
          facts={[
            ['Severity', SEVERITIES[failure.severity].word],
            ['Check', <code>{id}</code>],
            ['Error type', <code>{failure.errorType}</code>],
          ]}
        />
      </SidebarPart>
      <Links title="Judged by" links={judgedBy.map((one) => [STANDARDS[one].url, nameStandard(one)])} />
      {others.length > 0 && (
        <Links
          title="It also fails with"
          links={others.map(({ errorType, headline }) => [failureHref(id, errorType), headline])}
        />
      )}
    </>
  );
}

interface LinksProps {
  readonly title: string;
  readonly links: readonly (readonly [href: string, words: string])[];
}

function Links({ title, links }: LinksProps): JSX.Element {
  return (
    <SidebarPart title={title}>
      {links.map(([href, words]) => (
        <p key={href} class="small">
          <a href={href}>{words}</a>
        </p>
      ))}
    </SidebarPart>
  );
}

/** True for a line that is marked. @param lines all lines of its body */
type IsMarked = (line: string, at: number, lines: readonly string[]) => boolean;

function linesOf(answers: ExampleAnswers): readonly string[] {
  return showAnswers(answers).flatMap(({ body }) => body?.split('\n') ?? []);
}

/** Those of the failing site that have to go. */
function failingLines({ passing, failingLines: named = [] }: Example): IsMarked {
  const others = new Set(linesOf(passing));
  return (line) => named.includes(line) || !others.has(line);
}

/** Those that come in their place; where the same line is there more often than before, the last ones have stayed. */
function passingLines({ failing }: Example): IsMarked {
  const before = linesOf(failing);
  const countOf = (line: string, among: readonly string[]): number => among.filter((other) => other === line).length;
  return (line, at, lines) => countOf(line, lines.slice(at)) > countOf(line, before);
}

interface AnswersProps {
  readonly answers: ExampleAnswers;
  readonly mark: 'bad' | 'good';
  readonly isMarked: IsMarked;
}

function Answers({ answers, mark, isMarked }: AnswersProps): JSX.Element {
  const shown = showAnswers(answers);
  return (
    <>
      {shown.map(({ request, answer, body }) => (
        <div key={request} class="reply">
          <h3 class="mono">{request}</h3>
          <p class="small soft">{answer}</p>
          {body !== null && <Body body={body} mark={mark} isMarked={isMarked} />}
        </div>
      ))}
      {shown.length === 0 && <p>It answers for nothing else.</p>}
    </>
  );
}

type BodyProps = Omit<AnswersProps, 'answers'> & { readonly body: NonNullable<ShownAnswer['body']> };

/** Light, like all that was seen somewhere: what is to be taken along stands in the fix. */
function Body({ body, mark, isMarked }: BodyProps): JSX.Element {
  const lines = body.replace(/\n$/, '').split('\n');
  return (
    <div class="code lite">
      <pre>
        <code>
          {lines.map((line, index) => (
            <>
              {line.trim() !== '' && isMarked(line, index, lines) ? <mark class={mark}>{line}</mark> : line}
              {index < lines.length - 1 && '\n'}
            </>
          ))}
        </code>
      </pre>
    </div>
  );
}
