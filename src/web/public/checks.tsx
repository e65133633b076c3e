import { groupNameOf } from '../../scanner/report/pins.js';
import type { Check } from '../../scanner/verdict/check.js';
import { namedFailures, SEVERITIES, type Severity } from '../../scanner/verdict/failure.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import type { Pillar } from '../../scanner/verdict/vocabulary.js';
import { PageHeader } from '../html/page-header.js';
import { Group } from '../html/sections.js';
import { checkAnchor, failureHref } from '../server/paths.js';
import type { Page } from '../server/page.js';
import { Anchors, headingId, Prose } from './long-page.js';

const NOTES: readonly (readonly [heading: string, text: string])[] = [
  [
    'How the score is calculated',
    'The score is passed ÷ applicable × 100 over the scored checks, rounded half up to a whole number. A check that does not apply is left out. An undetermined check counts as not passed. If no scored check passed or failed, there is no score, which is not the same as zero.\n\n' +
      'Every finding says whether it counted towards the score of its run. The score measures readiness, not virtue: whom you let in is your decision.',
  ],
  [
    'What a result means',
    `- Passed (\`PASS\`): The site does what the check asks.
- Failed (\`FAIL\`): A proven defect that you can reproduce and fix.
- Undetermined (\`UNDETERMINED\`): No result this time, for example because the site was down, too slow or refused the scanner. Counts as not passed.
- Does not apply (\`NOT_APPLICABLE\`): Your site has nothing that the check is about. Left out of the score.`,
  ],
  [
    'How much a failure matters',
    Object.values(SEVERITIES)
      .map(({ word, meaning }) => `- ${word}: ${meaning}`)
      .join('\n'),
  ],
];

const QUESTIONS: Readonly<Record<Pillar | 'none', string>> = {
  A: 'Do llms.txt and the sitemap lead agents to what matters?',
  B: 'Do robots.txt and your CDN or firewall let agents in?',
  C: 'Does JSON-LD tell agents who you are and what you offer?',
  D: 'Can agents use your site directly, over MCP, A2A, its API or as Markdown?',
  none: 'Do you say what AI may do with your content? Not scored.',
};

/** Groups the checks by pillar. */
export function groupByPillar(checks: readonly Check[]) {
  return [...Map.groupBy(checks, ({ pillar }): Pillar | null => pillar)].map(([pillar, members]) => ({
    name: groupNameOf(pillar),
    question: QUESTIONS[pillar ?? 'none'],
    checks: members,
  }));
}

export function checksPage(checks: readonly Check[]): Pick<Page, 'header' | 'main'> {
  const groups = groupByPillar(checks);
  return {
    header: (
      <PageHeader
        title={`The ${checks.length} checks`}
        lead="What each check looks at, how it can fail, and the standard behind it."
      />
    ),
    main: (
      <div class="w with-contents">
        <nav class="contents" aria-label="Checks">
          {groups.map(({ name, checks: members }) => (
            <>
              <h2 key={name}>{name}</h2>
              <Anchors links={members.map(({ id, title }) => [checkAnchor(id), title])} />
            </>
          ))}
        </nav>
        <div>
          {groups.map(({ name, question, checks: members }) => (
            <Group key={name} title={name} meaning={question} id={headingId(name)}>
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

const TONES: Readonly<Record<Severity, string>> = { SHUT_OUT: 'is-f', BROKEN: 'is-f', MISSING: 'is-u', POLISH: 'is-n' };

function CheckEntry({ check }: { readonly check: Check }) {
  const { id, title, explanation, judgedBy } = check;
  const bySeverity = Map.groupBy(namedFailures(check), ({ severity }) => severity);
  const severities = (Object.keys(SEVERITIES) as Severity[]).filter((severity) => bySeverity.has(severity));
  return (
    <article id={checkAnchor(id)} class="check">
      <div>
        <h3>{title}</h3>
        <p>{explanation}</p>
        <p class="small">
          <code class="nb">{id}</code> judged by{' '}
          {judgedBy.map((standard, index) => (
            <>
              {index > 0 && ', '}
              <a href={STANDARDS[standard].url}>{nameStandard(standard)}</a>
            </>
          ))}
        </p>
      </div>
      <div>
        <h4 class="hide">Failures</h4>
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
