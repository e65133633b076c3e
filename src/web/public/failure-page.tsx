import type { JSX } from 'preact';
import { ServiceError } from '../../platform/errors.js';
import type { Check } from '../../scanner/verdict/check.js';
import { type NamedFailure, namedFailures, SEVERITIES } from '../../scanner/verdict/failure.js';
import { CORE_TOKENS } from '../../scanner/artifacts/agents/tokens.js';
import { fixFor } from '../../scanner/verdict/fix-parts.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import {
  type Example,
  type ExampleAnswers,
  exampleOf,
  type ShownAnswer,
  showAnswers,
} from '../../scanner/report/examples.js';
import { escapeMarkdown, formatFailure, formatSnippet } from '../../scanner/report/markdown.js';
import { Fix } from '../html/fix.js';
import { Group, PageHeader } from '../html/page-header.js';
import { checkHref, failureHref } from '../html/result.js';
import { capitalise } from '../html/format.js';
import type { Page } from '../server/page.js';
import { PUBLIC_PAGES } from '../server/public-pages.js';
import { formatPage } from './page-text.js';
import { DescriptionList, SidebarPart, WithSidebar } from '../html/sidebar.js';

/** A kind of failure, and the check that proves it. */
interface OfCheck extends NamedFailure {
  readonly checkId: string;
}

/** One kind of failure with its example, which is loaded for this page alone. */
export interface ExampledFailure {
  readonly check: Check;
  readonly failure: NamedFailure;
  readonly example: Example;
  /** In the order of the catalogue; undefined at its ends. */
  readonly before: OfCheck | undefined;
  readonly after: OfCheck | undefined;
}

/** @throws ServiceError not_found where no check fails in this way */
export function findFailure(
  checks: readonly Check[],
  checkId: string | undefined,
  errorType: string | undefined,
): ExampledFailure {
  const all = checks.flatMap((check): OfCheck[] =>
    namedFailures(check).map((named) => ({ ...named, checkId: check.id })),
  );
  const at = all.findIndex((named) => named.checkId === checkId && named.errorType === errorType);
  const [check, failure] = [checks.find(({ id }) => id === checkId), all[at]];
  const example = check && failure && exampleOf({ checkId: check.id, errorType: failure.errorType });
  if (!example) throw new ServiceError('not_found');
  return { check, failure, example, before: all[at - 1], after: all[at + 1] };
}

export function failurePage(exampled: ExampledFailure): Pick<Page, 'header' | 'main'> {
  const { check, failure, example } = exampled;
  const { headline, fix, errorType } = failure;
  const { checks } = PUBLIC_PAGES;
  const parts = partsOf(example);
  const [sides, others] = [parts.slice(0, SIDES), parts.slice(SIDES)];
  return {
    header: (
      <PageHeader
        crumbs={[
          [checks.path, checks.label],
          [checkHref(check.id), check.title],
        ]}
        title={headline}
        lead={leadOf(exampled)}
      />
    ),
    main: (
      <WithSidebar rail={<Rail {...exampled} />}>
        <div class="sides">
          {sides.map(([title, answers], index) => (
            <section key={title}>
              <h2>{title}</h2>
              <Answers answers={answers} lines={index === 0 ? failingLines(example) : passingLines(example)} />
            </section>
          ))}
        </div>
        <Group title="How to fix it" meaning={howYourReportHasIt(fix)}>
          <Fix text={fix} name={`${check.id}-${errorType}`} />
        </Group>
        {others.map(([title, answers]) => (
          <Group key={title} title={title}>
            <Answers answers={answers} lines={passingLines(example)} />
          </Group>
        ))}
        <Neighbours {...exampled} />
      </WithSidebar>
    ),
  };
}

/** A fix that is shown for a site of its own differs from this one in its code. */
function howYourReportHasIt(fix: string): string | null {
  const isNamed = fix.includes('finding');
  const isMade = fixFor('https://shop.test', fix, CORE_TOKENS[0] ?? null) !== fix;
  if (isNamed && isMade) return 'Your report has the finding, and this code with your own addresses.';
  if (isMade) return 'Your report has this code with your own addresses.';
  return isNamed ? 'Your report has the finding.' : null;
}

/** The failures before and after it, in the order of the catalogue. */
function Neighbours({ before, after }: Pick<ExampledFailure, 'before' | 'after'>): JSX.Element {
  const ends = [
    ['← Previous failure', before],
    ['Next failure →', after],
  ] as const;
  return (
    <nav class="ways sec" aria-label="Other failures">
      {ends.map(
        ([words, other]) =>
          other && (
            <a key={words} href={failureHref(other.checkId, other.errorType)}>
              <small>{words}</small>
              {other.headline}
            </a>
          ),
      )}
    </nav>
  );
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
      <SidebarPart title="Judged by">
        {judgedBy.map((standard) => (
          <p key={standard} class="small">
            <a href={STANDARDS[standard].url}>{nameStandard(standard)}</a>
          </p>
        ))}
      </SidebarPart>
      {others.length > 0 && (
        <SidebarPart title="It also fails with">
          {others.map(({ errorType, headline }) => (
            <p key={errorType} class="small">
              <a href={failureHref(id, errorType)}>{headline}</a>
            </p>
          ))}
        </SidebarPart>
      )}
    </>
  );
}

/** Which lines of an answer are marked, and how. */
interface Lines {
  readonly mark: 'bad' | 'good';
  readonly isMarked: (line: string, at: number, lines: readonly string[]) => boolean;
}

interface AnswersProps {
  readonly answers: ExampleAnswers;
  readonly lines: Lines;
}

function linesOf(answers: ExampleAnswers): readonly string[] {
  return showAnswers(answers).flatMap(({ body }) => body?.split('\n') ?? []);
}

/** Those of the failing site that have to go. */
function failingLines({ passing, failingLines = [] }: Example): Lines {
  const others = new Set(linesOf(passing));
  return { mark: 'bad', isMarked: (line) => failingLines.includes(line) || !others.has(line) };
}

/** Those that come in their place; where the same line is there more often than before, the last ones have stayed. */
function passingLines({ failing }: Example): Lines {
  const before = linesOf(failing);
  const countOf = (line: string, among: readonly string[]): number => among.filter((other) => other === line).length;
  return { mark: 'good', isMarked: (line, at, lines) => countOf(line, lines.slice(at)) > countOf(line, before) };
}

function Answers({ answers, lines }: AnswersProps): JSX.Element {
  return (
    <>
      {showAnswers(answers).map((shown) => (
        <Answer key={shown.request} {...shown} lines={lines} />
      ))}
      {Object.keys(answers).length === 0 && <p>{NOTHING}</p>}
    </>
  );
}

function Answer({ request, answer, body, lines }: ShownAnswer & Pick<AnswersProps, 'lines'>): JSX.Element {
  return (
    <div class="reply">
      <h3 class="mono">{request}</h3>
      <p class="small soft">{answer}</p>
      {body !== null && <Body body={body} lines={lines} />}
    </div>
  );
}

/** Light, like all that was seen somewhere: what is to be taken along stands in the fix. */
function Body({ body, lines: { mark, isMarked } }: { readonly body: string; readonly lines: Lines }): JSX.Element {
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
