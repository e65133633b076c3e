import type { ComponentChildren, JSX } from 'preact';
import { ladderOf } from '../../../scanner/report/ladder.js';
import { orderFailures } from '../../../scanner/report/order.js';
import { commonCause } from '../../../scanner/report/no-score.js';
import { headlineOf } from '../../../scanner/report/failures.js';
import { pinGroupsOf, type PinGroup } from '../../../scanner/report/pins.js';
import type { Finding } from '../../../scanner/verdict/finding.js';
import type { Pillar } from '../../../scanner/verdict/vocabulary.js';
import { type FindingRowProps, Worth } from '../../../web/kit/components/finding-row.js';
import { CopyLink } from '../../../web/kit/components/fold.js';
import { Mark } from '../../../web/kit/components/icons.js';
import { Group, HostName, isLongName, Score } from '../../../web/kit/components/mast.js';
import { Empty, Legend } from '../../../web/kit/components/pins.js';
import { checkHref, failureHref } from '../../../web/kit/components/result.js';
import { describeCounting, describeScore } from '../../../web/kit/components/score.js';
import { ScoreWords } from '../../../web/kit/components/score-figure.js';
import { Verdict } from '../../../web/kit/components/verdict.js';
import type { Page } from '../../../web/kit/page.js';
import { PUBLIC_PAGES } from '../../../web/kit/public-pages.js';
import type { SharedReport } from '../shared-report.js';
import { addressOf, picturePath } from './addresses.js';
import { RailPart, Two } from '../../../web/kit/components/two.js';
import { ScanForm } from '../../../web/kit/components/scan-form.js';

/** A report as anyone sees it. */
export interface ReportPageProps {
  readonly hostname: string;
  /** Null before the first run. */
  readonly report: SharedReport | null;
  /** Whose it is and of when, in a line above the name. */
  readonly over: ComponentChildren;
  /** What a link to it shows, without its name. */
  readonly what: string;
  readonly path: string;
  /** Null until the preview is drawn. */
  readonly pictureTag: string | null;
  /** At the top of the rail. */
  readonly aside?: ComponentChildren;
  /** What its form to scan a site has in it; by default nothing, for the reader's own. */
  readonly scanned?: string;
}

export function reportPage(props: ReportPageProps): Page {
  const { hostname, report, over, what, path, pictureTag, aside, scanned } = props;
  const title = report === null ? hostname : `${hostname}: ${scoreWords(report)}`;
  return {
    title,
    shared: {
      description: report === null ? what : `${what} ${describeCounting(report.findings)}.`,
      imagePath: pictureTag === null ? null : picturePath(path, pictureTag),
    },
    mast: (
      <div class="mast">
        <div class="w">
          {over}
          {report === null ? <Title hostname={hostname} /> : <Answer report={report} />}
        </div>
      </div>
    ),
    main: (
      <Two
        rail={
          <>
            {aside}
            <RailPart title={scanned === undefined ? 'Is your site ready?' : 'Scan it again, or yours'}>
              <ScanForm action="/scan" isNamed value={scanned ?? ''} hint="Free, without an account." />
            </RailPart>
            {report !== null && (
              <>
                <RailPart title="Copy it">
                  <p class="row">
                    <CopyLink href={addressOf.markdown(path)} label="As Markdown" />
                  </p>
                </RailPart>
                <RailPart title="How to read the pins">
                  <Legend />
                </RailPart>
              </>
            )}
          </>
        }
      >
        {report === null ? <NoRun /> : <Checks report={report} />}
      </Two>
    ),
  };
}

function scoreWords({ score, findings }: SharedReport): string {
  return score === null ? 'no score' : `${score} of 100, ${describeScore(score, findings).toLowerCase()}`;
}

function Title({ hostname }: { readonly hostname: string }): JSX.Element {
  return (
    <h1 class={isLongName(hostname) ? 'long' : undefined}>
      <HostName name={hostname} />
    </h1>
  );
}

function Answer({ report }: { readonly report: SharedReport }): JSX.Element {
  const { hostname, score, findings } = report;
  const cause = score === null ? commonCause(findings) : null;
  return (
    <>
      <Verdict
        findings={findings}
        facts={
          <li>
            <a href={PUBLIC_PAGES.checks.path}>What is checked, and how the score is made</a>
          </li>
        }
      >
        <Title hostname={hostname} />
        <Score
          score={score}
          words={<ScoreWords {...{ score, findings }} />}
          change={score === null ? undefined : describeCounting(findings)}
        />
      </Verdict>
      {cause !== null && <p class="more">Most checks say: {cause}</p>}
    </>
  );
}

const MEANINGS: Readonly<Record<Pillar | 'none', string>> = {
  A: 'Do llms.txt and the sitemap lead agents to what matters?',
  B: 'Do robots.txt and the CDN or firewall let agents in?',
  C: 'Does JSON-LD say who this is and what they offer?',
  D: 'Can agents use the site directly: MCP, A2A, API, Markdown?',
  none: 'Does it say what AI may do with its content? Not scored.',
};

/** Every check of the run, what failed before all else; one that today's registry does not have any more comes last. */
function Checks({ report: { score, findings, gains } }: { readonly report: SharedReport }): JSX.Element {
  const groups = pinGroupsOf(findings);
  const byId = new Map(findings.map((finding) => [finding.checkId, finding]));
  const isFailed = ({ result }: Finding): boolean => result === 'FAIL';
  const othersOf = ({ pins }: PinGroup) =>
    pins.flatMap(({ checkId }) => byId.get(checkId) ?? []).filter((finding) => !isFailed(finding));
  const retired = findings.filter(
    ({ checkId }) => !groups.some(({ pins }) => pins.some((pin) => pin.checkId === checkId)),
  );
  const cause = score === null ? commonCause(findings) : null;
  const failures = orderFailures(findings, gains);
  const ladder = ladderOf(findings, gains, failures);
  return (
    <>
      <CheckGroup
        title="To fix"
        meaning={
          ladder === null ? 'Each leads to its fix.' : 'Each leads to its fix, and says what that adds to the score.'
        }
        findings={failures}
        said={cause}
        worthOf={({ checkId }) => ({
          rung: ladder?.rungs.get(checkId) ?? null,
          gain: gains.find((gain) => gain.checkId === checkId) ?? null,
        })}
      />
      {groups.map((group) => (
        <CheckGroup
          key={group.name}
          title={group.name}
          meaning={MEANINGS[group.pillar ?? 'none']}
          findings={othersOf(group)}
          said={cause}
        />
      ))}
      <CheckGroup
        title="Retired"
        meaning="Checks of before."
        findings={retired.filter((finding) => !isFailed(finding))}
        said={cause}
      />
    </>
  );
}

interface CheckGroupProps {
  readonly title: string;
  readonly meaning: string;
  readonly findings: readonly Finding[];
  /** What is said once for all. */
  readonly said: string | null;
  /** What fixing one adds to the score. */
  readonly worthOf?: (finding: Finding) => Pick<FindingRowProps, 'rung' | 'gain'>;
}

function CheckGroup({ title, meaning, findings, ...check }: CheckGroupProps): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <Group title={title} meaning={meaning}>
      <ul class="items">
        {findings.map((finding) => (
          <Check key={finding.checkId} finding={finding} {...check} />
        ))}
      </ul>
    </Group>
  );
}

interface CheckProps extends Pick<CheckGroupProps, 'said' | 'worthOf'> {
  readonly finding: Finding;
}

function Check({ finding, said, worthOf }: CheckProps): JSX.Element {
  const { checkId, result, scored, errorType, detail } = finding;
  const isFailed = result === 'FAIL';
  const isTold = (isFailed || result === 'UNDETERMINED') && detail !== null && detail !== said;
  return (
    <li id={checkId}>
      <Mark {...{ result, scored }} isSaid={result === 'NOT_APPLICABLE'} />
      <span>
        <a
          class={isFailed ? 'w6' : undefined}
          href={isFailed && errorType !== null ? failureHref(checkId, errorType) : checkHref(checkId)}
        >
          {headlineOf(finding)}
        </a>
        {isTold && (
          <>
            <br />
            <span class="soft">{detail}</span>
          </>
        )}
        {result === 'NOT_APPLICABLE' && <span class="soft small"> does not apply</span>}
        {worthOf && (
          <>
            <br />
            <span class="soft mono">{checkId}</span>
          </>
        )}
      </span>
      {worthOf ? (
        <span class="gain">
          <Worth finding={finding} {...worthOf(finding)} />
        </span>
      ) : (
        <code class="soft">{checkId}</code>
      )}
    </li>
  );
}

function NoRun(): JSX.Element {
  return (
    <Empty>
      <h2>No run yet</h2>
      <p>The report stands here once the first run has ended.</p>
    </Empty>
  );
}
