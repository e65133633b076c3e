import type { JSX } from 'preact';
import type { Check } from '../../../scanner/verdict/check.js';
import { type NamedFailure, namedFailures, SEVERITIES, type Severity } from '../../../scanner/verdict/failure.js';
import { shortNameOf } from '../../../scanner/report/pins.js';
import { nameStandard, STANDARDS } from '../../../scanner/verdict/standards.js';
import { countOf } from '../../../platform/counts.js';
import { Icon } from '../../kit/components/icons.js';
import { headingId } from '../../kit/components/prose.js';
import { checkAnchor, failureHref } from '../../kit/components/result.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
import { canFailWith, type ChecksFilter, filterChecks } from './checks-filter.js';
import type { PillarGroup } from './pillars.js';
import { FindField, PickItem } from '../../kit/components/pick.js';
import { Group } from '../../kit/components/mast.js';
import { Anchors } from './long-page.js';

const GRADES = Object.keys(SEVERITIES) as Severity[];

/** The way to each check. */
export function ChecksNav({ groups }: { readonly groups: readonly PillarGroup[] }): JSX.Element {
  return (
    <>
      {groups.map(({ name, checks }) => (
        <>
          <h2 key={name}>{name}</h2>
          <Anchors links={checks.map(({ id }) => [checkAnchor(id), shortNameOf(id)])} />
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

/** What is shown, by what a check can fail with and by words: links and a form, which need no script. */
export function Filter({ checks, filter: { find, severity }, shownCount }: FilterProps): JSX.Element {
  const isAll = severity === null;
  const found = filterChecks(checks, { find, severity: null });
  return (
    <>
      <form class="row apart" role="search" action={PUBLIC_PAGES.checks.path}>
        <ul class="pick" aria-label="By what they fail with">
          <PickItem href={hrefOf(find, null)} isChosen={isAll} count={found.length}>
            All
          </PickItem>
          <li class="of small soft">Can fail as:</li>
          {GRADES.map((grade) => (
            <PickItem
              key={grade}
              href={hrefOf(find, grade)}
              isChosen={grade === severity}
              count={found.filter((check) => canFailWith(check, grade)).length}
              title={SEVERITIES[grade].meaning}
            >
              {SEVERITIES[grade].word}
            </PickItem>
          ))}
        </ul>
        <FindField name="find" label="Find a check" placeholder="Find: sitemap, JSON-LD, 404" value={find} />
        {severity !== null && <input type="hidden" name="severity" value={severity} />}
        <button class="hide" type="submit">
          Find
        </button>
      </form>
      {(find !== '' || !isAll) && (
        <p class="more" role="status">
          {shownCount === 0 ? 'No check' : countOf(shownCount, 'check')}:{' '}
          {[...(severity === null ? [] : [SEVERITIES[severity].word]), ...(find === '' ? [] : [`“${find}”`])].join(
            ', ',
          )}
          . {severity !== null && <span class="soft">{SEVERITIES[severity].meaning} </span>}
          <a href={PUBLIC_PAGES.checks.path}>Show all {checks.length}</a>
        </p>
      )}
    </>
  );
}

function hrefOf(find: string, severity: Severity | null): string {
  const query = new URLSearchParams({ ...(severity && { severity }), ...(find !== '' && { find }) }).toString();
  return PUBLIC_PAGES.checks.path + (query === '' ? '' : `?${query}`);
}

/** The checks of one pillar. */
export function CheckGroup({ group: { name, subject, checks } }: { readonly group: PillarGroup }): JSX.Element {
  return (
    <Group title={name} meaning={subject} id={headingId(name)}>
      {checks.map((check) => (
        <CheckEntry key={check.id} check={check} />
      ))}
    </Group>
  );
}

function CheckEntry({ check }: { readonly check: Check }): JSX.Element {
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
          {GRADES.map((grade) => (
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
      <dt>{SEVERITIES[grade].word}</dt>
      {failures.map(({ errorType, headline }) => (
        <dd key={errorType}>
          <a href={failureHref(checkId, errorType)}>{headline}</a>
        </dd>
      ))}
    </div>
  );
}
