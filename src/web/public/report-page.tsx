import type { JSX } from 'preact';
import { ladderOf } from '../../scanner/report/gain.js';
import { headlineOf, orderFailures } from '../../scanner/report/failures.js';
import { commonCause } from '../../scanner/report/no-score.js';
import { pinGroupsOf, type PinGroup } from '../../scanner/report/pins.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Pillar } from '../../scanner/verdict/vocabulary.js';
import { type FindingRowProps, Worth } from '../html/finding-row.js';
import { CopyLink } from '../html/fold.js';
import { Mark } from '../html/icons.js';
import { Group, HostName, isLongName, Score } from '../html/mast.js';
import { Empty, Legend } from '../html/pins.js';
import { checkHref, failureHref } from '../html/result.js';
import { describeCounting, describeScore } from '../html/score.js';
import { ScoreWords } from '../html/score-figure.js';
import { Verdict } from '../html/verdict.js';
import { formatMoment } from '../html/format.js';
import type { Page } from '../server/page.js';
import { PUBLIC_PAGES } from '../server/public-pages.js';
import type { FoundReport, ShownReport } from '../../app/publications/publications.js';
import { addressOf } from './publications-addresses.js';
import { RailPart, Two } from '../html/two.js';
import { ScanForm } from '../html/scan-form.js';

interface ReportPageProps extends FoundReport {
  readonly token: string;
  readonly now: Date;
}

/** A public report. */
export function reportPage({ hostname, report, token, now }: ReportPageProps): Page {
  const what = 'How ready the site is for AI agents, published by its owner.';
  return {
    title: report === null ? hostname : `${hostname}: ${scoreWords(report)}`,
    sharedDescription: report === null ? what : `${what} ${describeCounting(report.findings)}.`,
    mast: (
      <div class="mast">
        <div class="w">
          <p class="by">
            <Mark result="PASS" isSaid />
            <span>
              Published by its verified owner
              {report && `, run of ${formatMoment(report.finishedAt, now.toISOString())} UTC`}
            </span>
          </p>
          {report === null ? <Title hostname={hostname} /> : <Answer report={report} />}
        </div>
      </div>
    ),
    main: (
      <Two
        rail={
          <>
            <RailPart title="Is your site ready?">
              <ScanForm action="/scan" isNamed hint="Free, without an account." />
            </RailPart>
            {report !== null && (
              <>
                <RailPart title="Copy it">
                  <p class="row">
                    <CopyLink href={addressOf.markdown(token)} label="As Markdown" />
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

function scoreWords({ score, findings }: ShownReport): string {
  return score === null ? 'no score' : `${score} of 100, ${describeScore(score, findings).toLowerCase()}`;
}

function Title({ hostname }: { readonly hostname: string }): JSX.Element {
  return (
    <h1 class={isLongName(hostname) ? 'long' : undefined}>
      <HostName name={hostname} />
    </h1>
  );
}

function Answer({ report }: { readonly report: ShownReport }): JSX.Element {
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

/** Every check of the run: failures first, checks that no longer exist last. */
function Checks({ report: { score, findings, gains } }: { readonly report: ShownReport }): JSX.Element {
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
          ladder === null ? 'Each links to its fix.' : 'Each links to its fix, and shows what that adds to the score.'
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
        meaning="Checks that we no longer run."
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
  /** A common cause that the page states once, and rows leave out. */
  readonly said: string | null;
  /** Points that fixing a failure adds. */
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
  const hasDetail = (isFailed || result === 'UNDETERMINED') && detail !== null && detail !== said;
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
        {hasDetail && (
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
      <p>The report appears here after the first run.</p>
    </Empty>
  );
}
