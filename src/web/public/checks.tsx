import type { JSX } from 'preact';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import type { Check } from '../../scanner/verdict/check.js';
import { namedFailures, SEVERITIES, type Severity } from '../../scanner/verdict/failure.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import { Icon } from '../html/icons.js';
import { Lock } from '../html/lock.js';
import { Group } from '../html/page-header.js';
import { headingId, Prose } from '../html/prose.js';
import { checkAnchor, failureHref } from '../html/result.js';
import type { Page } from '../server/page.js';
import { Anchors } from './long-page.js';
import { groupByPillar } from './pillars.js';

const SCORE_HEADING = 'How the score is made';

/** What the page says besides the checks, by heading. */
const NOTES: readonly (readonly [heading: string, text: string])[] = [
  [
    SCORE_HEADING,
    'The score is passed ÷ applicable × 100 over the scored checks, rounded half up to a whole number. A check that does not apply is left out. One that could not be determined counts as not passed. When no scored check passed or failed, there is no score, which is not the same as zero.\n\n' +
      'Every finding says if it counted towards the score of its run. The score measures readiness, not virtue: whom you let in is your decision.',
  ],
  [
    'What a result means',
    `- Passed (\`PASS\`): The site does what the check asks.
- Failed (\`FAIL\`): A proven defect: you can see it again, and fix it.
- Undetermined (\`UNDETERMINED\`): No answer this time, for example because the site was down, too slow or refused the scanner. Counts as not passed.
- Does not apply (\`NOT_APPLICABLE\`): Your site has nothing that the check is about. Left out of the score.`,
  ],
  [
    'How much a failure matters',
    Object.values(SEVERITIES)
      .map(({ word, meaning }) => `- ${word}: ${meaning}`)
      .join('\n'),
  ],
];

/** All checks of the registry, each at its own anchor. */
export function checksPage(checks: readonly Check[]): Pick<Page, 'header' | 'main'> {
  const groups = groupByPillar(checks);
  return {
    header: <ChecksHeader checks={checks} />,
    main: (
      <div class="w ref">
        <nav class="side" aria-label="Checks">
          {groups.map(({ name, checks: members }) => (
            <>
              <h2 key={name}>{name}</h2>
              <Anchors links={members.map(({ id, title }) => [checkAnchor(id), title])} />
            </>
          ))}
        </nav>
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
              <Prose text={text} />
            </Group>
          ))}
        </div>
      </div>
    ),
  };
}

function ChecksHeader({ checks }: { readonly checks: readonly Check[] }): JSX.Element {
  const pins = pinGroupsOf(checks.map(({ id }) => ({ checkId: id, result: 'PASS' })));
  return (
    <div class="mast">
      <div class="w verdict catalog">
        <div>
          <h1>The {checks.length} checks</h1>
          <p class="lead">What each one looks at, what it fails with, and the standard that decides.</p>
          <p class="small more" data-html-only>
            <b>Score:</b>{' '}
            <span class="soft">
              checks passed ÷ checks that apply, from 0 to 100. Undetermined counts as not passed; what does not apply
              is left out. <a href={`#${headingId(SCORE_HEADING)}`}>More</a>
            </span>
          </p>
        </div>
        <div data-html-only>
          <Lock groups={pins} hrefOf={({ checkId }) => `#${checkAnchor(checkId)}`} isCatalog />
        </div>
      </div>
    </div>
  );
}

const TONES: Readonly<Record<Severity, string>> = { SHUT_OUT: 'is-f', BROKEN: 'is-f', MISSING: 'is-u', POLISH: 'is-n' };

function CheckEntry({ check }: { readonly check: Check }): JSX.Element {
  const { id, title, explanation, judgedBy } = check;
  const [first = '', ...rest] = explanation.split(/(?<=\.) (?=[A-Z])/);
  const bySeverity = Map.groupBy(namedFailures(check), ({ severity }) => severity);
  const severities = (Object.keys(SEVERITIES) as Severity[]).filter((severity) => bySeverity.has(severity));
  return (
    <article id={checkAnchor(id)} class="check">
      <div>
        <h3>{title}</h3>
        <p>{first}</p>
        <details>
          <summary data-html-only>
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
          {severities.map((severity) => (
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
