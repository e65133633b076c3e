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
import { capitalise } from '../../kit/format.js';
import type { Page } from '../../kit/page.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
import { formatPage } from './page-text.js';
import { Facts, RailPart, Two } from '../../kit/components/two.js';

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
  const parts = partsOf(example);
  const [sides, others] = [parts.slice(0, SIDES), parts.slice(SIDES)];
  return {
    mast: (
      <Mast
        crumbs={[
          [checks.path, checks.label],
          [checkHref(check.id), check.title],
        ]}
        title={headline}
        lead={leadOf(exampled)}
      />
    ),
    main: (
      <Two rail={<Rail {...exampled} />}>
        <div class="sides more">
          {sides.map(([title, answers], index) => (
            <section key={title}>
              <h2>{title}</h2>
              <Answers answers={answers} good={index === 0 ? goodLines(example) : null} />
            </section>
          ))}
        </div>
        <Group title="How to fix it">
          <Fix text={fix} name={`${check.id}-${errorType}`} />
        </Group>
        {others.map(([title, answers]) => (
          <Group key={title} title={title}>
            <Answers answers={answers} good={null} />
          </Group>
        ))}
      </Two>
    ),
  };
}

/** What the failure is one of. */
function Rail({ check, failure }: ExampledFailure): JSX.Element {
  const { id, title, judgedBy } = check;
  const others = namedFailures(check).filter(({ errorType }) => errorType !== failure.errorType);
  return (
    <>
      <RailPart title="The check">
        <p class="small">
          <a href={checkHref(id)}>{title}</a>
        </p>
        <Facts
          facts={[
            ['Severity', SEVERITIES[failure.severity].word],
            ['Check', <code>{id}</code>],
            ['Error type', <code>{failure.errorType}</code>],
          ]}
        />
      </RailPart>
      <RailPart title="Judged by">
        {judgedBy.map((standard) => (
          <p key={standard} class="small">
            <a href={STANDARDS[standard].url}>{nameStandard(standard)}</a>
          </p>
        ))}
      </RailPart>
      {others.length > 0 && (
        <RailPart title="It also fails with">
          {others.map(({ errorType, headline }) => (
            <p key={errorType} class="small">
              <a href={failureHref(id, errorType)}>{headline}</a>
            </p>
          ))}
        </RailPart>
      )}
    </>
  );
}

interface AnswersProps {
  readonly answers: ExampleAnswers;
  /** The lines that may stay; null where all may. */
  readonly good: ReadonlySet<string> | null;
}

/** The lines of the failing site that are not at fault. */
function goodLines({ passing, failingLines = [] }: Example): ReadonlySet<string> {
  const lines = new Set(showAnswers(passing).flatMap(({ body }) => body?.split('\n') ?? []));
  for (const line of failingLines) lines.delete(line);
  return lines;
}

function Answers({ answers, good }: AnswersProps): JSX.Element {
  return (
    <>
      {showAnswers(answers).map((shown) => (
        <Answer key={shown.request} {...shown} good={good} />
      ))}
      {Object.keys(answers).length === 0 && <p>{NOTHING}</p>}
    </>
  );
}

/** What fails is light, its lines that have to go marked; what is to be taken along is dark. */
function Answer({ request, answer, body, good }: ShownAnswer & Pick<AnswersProps, 'good'>): JSX.Element {
  return (
    <div class="answer">
      <h3 class="mono">{request}</h3>
      <p class="small soft">{answer}</p>
      {body !== null && good === null && <Snippet text={body} label={`what ${request} answers`} />}
      {body !== null && good !== null && <Failing body={body} good={good} />}
    </div>
  );
}

function Failing({ body, good }: { readonly body: string; readonly good: ReadonlySet<string> }): JSX.Element {
  const lines = body.replace(/\n$/, '').split('\n');
  return (
    <div class="code lite">
      <pre>
        <code>
          {lines.map((line, index) => (
            <>
              {good.has(line) || line.trim() === '' ? line : <mark class="bad">{line}</mark>}
              {index < lines.length - 1 && '\n'}
            </>
          ))}
        </code>
      </pre>
    </div>
  );
}

/** The same as Markdown. */
export function formatFailurePage(exampled: ExampledFailure, publicUrl: string): string {
  const { check, failure, example } = exampled;
  const parts = partsOf(example).map(([title, answers]) =>
    [`## ${title}`, formatAnswers(answers) || NOTHING].join('\n\n'),
  );
  const ofCheck = `[${escapeMarkdown(check.title)}](${checkHref(check.id)})`;
  const [sides, others] = [parts.slice(0, SIDES), parts.slice(SIDES)];
  const body = [`${ofCheck} (${check.id})`, ...sides, formatFailure(failure, '##'), ...others].join('\n\n');
  return formatPage({ heading: failure.headline, lead: leadOf(exampled), body }, publicUrl);
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

function leadOf({ failure, example }: ExampledFailure): string {
  return `${SEVERITIES[failure.severity].meaning} ${capitalise(nameOf(example))} that fails, and one that passes.`;
}

/** `a robots.txt` where the example is of one file. */
function nameOf({ failing }: Example): string {
  const [address = '', ...more] = Object.keys(failing);
  const [, file] = /^\/(?:\S+\/)?([\w-]+\.[a-z]+)$/.exec(address) ?? [];
  if (file === undefined || more.length > 0) return 'a site';
  return `${/^(?:[aeio]|llms|mcp)/.test(file) ? 'an' : 'a'} ${file}`;
}

/** So many parts stand side by side: what fails, and what passes. */
const SIDES = 2;

/** The parts of an example, by their headings. */
function partsOf(example: Example): [title: string, answers: ExampleAnswers][] {
  const { failing, passing, otherwise = {} } = example;
  return [
    [`${capitalise(nameOf(example))} that fails`, failing],
    ['One that passes', passing],
    ...Object.entries(otherwise).map(([way, answers]): [string, ExampleAnswers] => [`Or with ${way}`, answers]),
  ];
}
