import type { JSX } from 'preact';
import type { Check } from '../../scanner/verdict/check.js';
import { type NamedFailure, namedFailures, SEVERITIES, type Severity } from '../../scanner/verdict/failure.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { Icon } from '../html/icons.js';
import { headingId } from '../html/prose.js';
import { checkAnchor, failureHref } from '../html/result.js';
import { PUBLIC_PAGES } from '../server/public-pages.js';
import { canFailWith, type ChecksFilter, filterChecks } from './checks-filter.js';
import type { PillarGroup } from './pillars.js';
import { FindField, PickItem } from '../html/pick.js';
import { Group } from '../html/mast.js';
import { Anchors } from './long-page.js';

export const GRADES_HEADING = 'How much a failure matters';
const GRADES = Object.keys(SEVERITIES) as Severity[];
/** The graver a failure, the warmer. */
const TONES: Readonly<Record<Severity, string>> = { SHUT_OUT: 'is-f', BROKEN: 'is-f', MISSING: 'is-u', POLISH: 'is-n' };

/** The way to each check. */
export function ChecksNav({ groups }: { readonly groups: readonly PillarGroup[] }): JSX.Element {
  return (
    <>
      {groups.map(({ name, checks }) => (
        <>
          <h2 key={name}>{name}</h2>
          <Anchors links={checks.map(({ id, title }) => [checkAnchor(id), title])} />
        </>
      ))}
    </>
  );
}

interface FilterProps {
  readonly checks: readonly Check[];
  readonly filter: ChecksFilter;
  readonly shownCount: number;
}

/** What is shown, by what a check can fail with and by words: links that say what each grade means, and a form; neither needs script. */
export function Filter({ checks, filter: { find, severity }, shownCount }: FilterProps): JSX.Element {
  const isAll = severity === null;
  const isNarrowed = find !== '' || !isAll;
  const found = filterChecks(checks, { find, severity: null });
  return (
    <>
      <form class="row apart" role="search" action={PUBLIC_PAGES.checks.path}>
        {isNarrowed ? (
          <div class="row" role="status">
            <h2>{describeShown(shownCount, { find, severity })}</h2>
            <a href={PUBLIC_PAGES.checks.path}>Show all {checks.length}</a>
          </div>
        ) : (
          <h2 id={headingId(GRADES_HEADING)}>{GRADES_HEADING}</h2>
        )}
        <FindField
          name="find"
          label="Find a check"
          placeholder="Find: sitemap, JSON-LD, 404"
          value={find}
          clearHref={hrefOf('', severity)}
        />
        {severity !== null && <input type="hidden" name="severity" value={severity} />}
        <button class="hide" type="submit">
          Find
        </button>
      </form>
      <ul class={isNarrowed ? 'pick more' : 'pick tiles'} aria-label="By what they can fail with">
        <PickItem href={hrefOf(find, null)} isChosen={isAll}>
          <b class="w6">
            All <span class="num">{found.length}</span>
          </b>
          {isNarrowed ? null : 'Whatever they fail with: some in several ways.'}
        </PickItem>
        {GRADES.map((grade) => (
          <PickItem key={grade} href={hrefOf(find, grade)} isChosen={grade === severity}>
            <b class={isNarrowed ? 'w6' : TONES[grade]}>
              {SEVERITIES[grade].word}{' '}
              <span class="num">{found.filter((check) => canFailWith(check, grade)).length}</span>
            </b>
            {isNarrowed ? null : SEVERITIES[grade].meaning}
          </PickItem>
        ))}
      </ul>
    </>
  );
}

/** `3 checks: Broken, “sitemap”`. */
function describeShown(count: number, { find, severity }: ChecksFilter): string {
  const asked = [...(severity === null ? [] : [SEVERITIES[severity].word]), ...(find === '' ? [] : [`“${find}”`])];
  return `${count === 0 ? 'No check' : countOf(count, 'check')}: ${asked.join(', ')}`;
}

function hrefOf(find: string, severity: Severity | null): string {
  const query = new URLSearchParams({ ...(severity && { severity }), ...(find !== '' && { find }) }).toString();
  return PUBLIC_PAGES.checks.path + (query === '' ? '' : `?${query}`);
}

interface CheckGroupProps {
  readonly group: PillarGroup;
  /** The only failures that are listed; null for all. */
  readonly severity: Severity | null;
}

/** The checks of one pillar. */
export function CheckGroup({ group: { name, subject, checks }, severity }: CheckGroupProps): JSX.Element {
  return (
    <Group title={name} meaning={subject} id={headingId(name)}>
      {checks.map((check) => (
        <CheckEntry key={check.id} check={check} severity={severity} />
      ))}
    </Group>
  );
}

function CheckEntry({ check, severity }: Pick<CheckGroupProps, 'severity'> & { readonly check: Check }): JSX.Element {
  const { id, title, explanation, judgedBy } = check;
  const failures = namedFailures(check);
  const [first = '', ...rest] = explanation.split(/(?<=\.) (?=[A-Z])/);
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
          {GRADES.filter((grade) => severity === null || grade === severity).map((grade) => (
            <Failures
              key={grade}
              checkId={id}
              grade={grade}
              failures={failures.filter((one) => one.severity === grade)}
            />
          ))}
        </dl>
      </div>
    </article>
  );
}

interface FailuresProps {
  readonly checkId: string;
  readonly grade: Severity;
  readonly failures: readonly NamedFailure[];
}

function Failures({ checkId, grade, failures }: FailuresProps): JSX.Element | null {
  if (failures.length === 0) return null;
  return (
    <div>
      <dt class={TONES[grade]}>{SEVERITIES[grade].word}</dt>
      {failures.map(({ errorType, headline }) => (
        <dd key={errorType}>
          <a href={failureHref(checkId, errorType)}>{headline}</a>
        </dd>
      ))}
    </div>
  );
}
