import type { JSX } from 'preact';
import { drawBadge } from '../../../app/badges/pages/badge.js';
import { ScoreChart } from '../../../app/dashboard/pages/chart.js';
import { drawPreview } from '../../../app/sharing/pages/preview.js';
import { WAITING_PINS } from '../../../scanner/report/pins.js';
import type { Finding } from '../../../scanner/verdict/finding.js';
import { FindingRow } from '../../kit/components/finding-row.js';
import { Hang } from '../../kit/components/hang.js';
import { checkHref } from '../../kit/components/result.js';
import type { SheetPart } from './sheet-part.js';

const HOST = 'kilnstreet.example';
const FINISHED_AT = '2026-11-24T14:39:00.000Z';
const SCORES = [33, 46, 54, 62, null, 77, 85, 77];

const FIX = 'Delete line 6, or let this agent in:\n\n```\nUser-agent: OAI-SearchBot\nAllow: /\n```';

/** A run in which these checks failed. */
function findingsOf(failed: Readonly<Record<string, Finding['errorType']>>): Finding[] {
  return WAITING_PINS.flatMap(({ pillar, pins }) =>
    pins.map(({ checkId, scored, title }): Finding => {
      const errorType = failed[checkId] ?? null;
      const isFailed = errorType !== null;
      return {
        ...{ checkId, pillar, scored, title, errorType, explanation: null },
        result: isFailed ? 'FAIL' : 'PASS',
        detail: isFailed ? 'robots.txt line 6 keeps OAI-SearchBot out.' : null,
        fix: isFailed ? FIX : null,
      };
    }),
  );
}

const RUN = findingsOf({ 'C-BOT-01': 'BLOCKED', 'C-SD-02': 'SCHEMA_MISMATCH', 'C-MD-01': 'NO_NEGOTIATION' });

/** A picture of ours that has its colours in itself. */
function Picture({ svg }: { readonly svg: string }): JSX.Element {
  return <div class="picture" dangerouslySetInnerHTML={{ __html: svg }}></div>;
}

export const REPORT_PARTS: readonly SheetPart[] = [
  {
    id: 'finding',
    name: 'Finding',
    use: 'What is wrong, where, and what it is worth; the fix inside.',
    avoid: 'An id first, or a fix without its reason.',
    content: () => (
      <>
        {RUN.filter(({ result }) => result === 'FAIL')
          .slice(0, 1)
          .map((finding) => (
            <FindingRow
              key={finding.checkId}
              finding={finding}
              origin={`https://${HOST}`}
              rung={null}
              gain={{ checkId: finding.checkId, points: 7, isAtLeast: false }}
              agentHref={null}
              isOpen
            />
          ))}
      </>
    ),
  },
  {
    id: 'chart',
    name: 'Chart',
    use: 'Ink, one point a run; red where a check broke, a dot below zero where there is no score.',
    avoid: 'Colour for a trend, or a scale that does not begin at 0.',
    content: () => (
      <ScoreChart
        runs={SCORES.map((score, index) => ({
          number: index + 1,
          score,
          finishedAt: `2026-11-${17 + index}T06:12:00.000Z`,
          isWorse: index === SCORES.length - 1,
        }))}
      />
    ),
  },
  {
    id: 'hang',
    name: 'Hanging bars',
    use: 'Where many sites fail: the longest bar where most do.',
    avoid: 'For one site, which has its pins.',
    content: () => (
      <Hang
        counts={
          new Map([
            ['C-BOT-01', 4],
            ['C-SD-02', 11],
            ['C-MD-01', 19],
          ])
        }
        siteCount={40}
        hrefOf={checkHref}
      />
    ),
  },
  {
    id: 'badge',
    name: 'Badge',
    use: 'The pins and the score of the last run, on anybody’s page.',
    avoid: 'Another form of it, or a score without its pins.',
    content: () => (
      <>
        <Picture svg={drawBadge({ score: 77, findings: RUN })} />
        <Picture svg={drawBadge({ score: null, findings: [] })} />
      </>
    ),
  },
  {
    id: 'preview',
    name: 'Preview',
    use: 'What is shown where the address of a report is shared.',
    avoid: 'Words of the site.',
    content: () => (
      <Picture
        svg={drawPreview({
          hostname: HOST,
          origin: `https://${HOST}`,
          gains: [],
          score: 77,
          finishedAt: FINISHED_AT,
          findings: RUN,
        })}
      />
    ),
  },
];
