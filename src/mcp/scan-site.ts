import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CAPS } from '../app/limits/caps.js';
import { describeWait } from '../platform/errors.js';
import { headlineOfAnswer, listAnswer, TRAINING_WORDS } from '../scanner/report/answer.js';
import { describeReport } from '../scanner/report/describe-report.js';
import { orderFailures } from '../scanner/report/failures.js';
import { describeNothingDetermined } from '../scanner/report/no-score.js';
import { summarizeFailures } from '../scanner/report/score.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { isReportNote, type Note } from '../scanner/verdict/note.js';
import { toolResult, DATE_TIME, describeFailure, DETAIL, FAILURE, NO_SCORE, OUTCOME, SCORE } from './answers.js';
import { defineTool, type Scanned, scanFor, SITE_URL, type ToolServices } from './tool.js';

/** The limits of all tools. Only this description names them, since each repetition costs every conversation tokens. */
const LIMITS = `A scan from the last minute is not repeated. All tools together: ${CAPS['free-scan'].max.address} new scans an hour for each network address, and ${CAPS['host-scans'].total?.max} for each host. After that you get the last result of the hour, with its age.`;

const NOTE = z.looseObject({
  checkId: z.string().nullable().describe('Null for the whole scan.'),
  text: z.string(),
  url: z.string().meta({ format: 'uri', description: 'The standard.' }),
});
const TOKEN = z.looseObject({
  token: z.string().describe('The name of an agent in robots.txt.'),
  robots: z.enum(['allowed', 'disallowed', 'unknown']),
  line: z.int().nullable().describe('The line of robots.txt that disallows it.'),
  server: z.enum(['served', 'refused', 'untested']).describe('Tested on sites whose ownership is verified.'),
});
const ASSISTANT = z.looseObject({
  name: z.string(),
  state: z.enum(['open', 'partly', 'blocked', 'unknown']),
  tokens: z.array(TOKEN),
});
const SCAN = z.looseObject({
  hostname: z.string(),
  assistants: z.array(ASSISTANT).optional().describe('Which assistants can read the site.'),
  training: z.enum(Object.keys(TRAINING_WORDS)).optional().describe('Whether the site allows AI training.'),
  score: SCORE,
  noScore: NO_SCORE,
  startedAt: DATE_TIME,
  finishedAt: DATE_TIME,
  ageS: z.int().min(0).describe('Seconds since it finished.'),
  isFresh: z.boolean().describe('False for a stored result.'),
  failures: z.array(FAILURE).describe('In the order in which to fix them.'),
  findings: z
    .array(OUTCOME.omit({ headline: true }))
    .optional()
    .describe('With detail: full. Fields as in the API.'),
  notes: z.array(NOTE).optional().describe('With detail: full. Advice that is never scored.'),
});

/** Scans a site. Returns what fails or, with `detail: full`, everything. */
export function scanSite(services: ToolServices) {
  const { checks } = services;
  return defineTool({
    name: 'scan_site',
    title: 'Scan a site',
    description: `Scans a public web site for agent readiness: ${checks.length} checks of what AI agents need to find, read, trust and use it (llms.txt, sitemap, robots.txt, structured data, MCP and other machine endpoints). Returns the failures in the order in which to fix them. Takes up to a minute. ${LIMITS}`,
    input: {
      url: SITE_URL,
      detail: z
        .enum(['brief', 'full'])
        .default('brief')
        .describe('brief: only the failures; full: the findings of all checks with their texts, and notes.'),
    },
    output: SCAN,
    call: ({ url, detail }, context) => scanFor(services, url, context, detail === 'full' ? showAll : showFailures),
  });
}

function showFailures(scanned: Scanned): CallToolResult {
  const { answer, findings, gains } = scanned.scan;
  const failures = orderFailures(findings, gains).map((failure, index) => {
    const { headline, fix } = describeFailure(failure);
    return `${index + 1}. ${nameOf(failure)}: ${headline}.${fix === null ? '' : ` ${fix}`}`;
  });
  const paragraphs = [
    answer === null ? '' : `${headlineOfAnswer(answer)}.\n${listAnswer(answer, '')}`,
    ...describeVerdict(scanned),
    failures.join('\n'),
    listUndetermined(findings),
    failures.length === 0 ? '' : 'explain_check gives the full fix of each; verify_fix proves them.',
  ];
  return toolResult(paragraphs, summaryOf(scanned));
}

function showAll(scanned: Scanned): CallToolResult {
  const { findings, notes } = scanned.scan;
  const advice = notes
    .filter((note) => !isReportNote(note))
    .map(({ checkId, text, url }) => `- ${checkId ?? ''} ${text} (${url})`);
  const paragraphs = [
    describeReport(scanned.scan, [...listHeadNotes(notes), describeAge(scanned)].join('\n\n')),
    advice.length === 0 ? '' : `Suggestions (not failures):\n${advice.join('\n')}`,
  ];
  return toolResult(paragraphs, { ...summaryOf(scanned), findings, notes });
}

/** Returns `C-LLMS-01 (MISSING)`: the arguments of explain_check. */
function nameOf({ checkId, errorType }: Pick<Finding, 'checkId' | 'errorType'>): string {
  return errorType === null ? checkId : `${checkId} (${errorType})`;
}

function summaryOf({ scan, ageS, isFresh }: Scanned) {
  const { hostname, answer, score, startedAt, finishedAt, findings, gains } = scan;
  const failures = orderFailures(findings, gains).map(describeFailure);
  const noScore = describeNothingDetermined(findings);
  return { hostname, ...answer, score, noScore, startedAt, finishedAt, ageS, isFresh, failures };
}

export function fixPlan(services: ToolServices) {
  return defineTool({
    name: 'fix_plan',
    title: 'Plan the fixes of a site',
    description:
      'Returns what to fix on a site so that AI agents can use it: each failure in the order in which to fix it, with what was observed, what to do, and what it adds to the score. Uses a scan from the last hour, or runs a new one.',
    input: { url: SITE_URL },
    output: z.looseObject({
      hostname: z.string(),
      score: SCORE,
      noScore: NO_SCORE,
      ageS: z.int().min(0).describe('Seconds since the scan.'),
      steps: z.array(
        FAILURE.extend({
          points: z.int().describe('What fixing it adds to the score.'),
          isAtLeast: z.boolean().describe('True if it may add more.'),
          detail: DETAIL,
        }),
      ),
    }),
    call: ({ url }, context) => scanFor(services, url, context, showPlan, true),
  });
}

function showPlan(scanned: Scanned): CallToolResult {
  const { scan, ageS } = scanned;
  const { hostname, score, findings, gains } = scan;
  const steps = orderFailures(findings, gains).map((failure) => {
    const { points = 0, isAtLeast = false } = gains.find(({ checkId }) => checkId === failure.checkId) ?? {};
    return { ...describeFailure(failure), points, isAtLeast, detail: failure.detail };
  });
  const described = steps.map((step, index) => {
    const gain = step.points > 0 ? ` (${step.points} points)` : '';
    const head = `${index + 1}. ${nameOf(step)}: ${step.headline}${gain}.`;
    return [head, step.detail, step.fix].filter(Boolean).join('\n');
  });
  const paragraphs = [
    ...describeVerdict(scanned),
    steps.length === 0
      ? ''
      : 'Fix these in this order. explain_check with the check and its error type gives the full fix. Prove all fixes that went live together with one verify_fix.',
    ...described,
    listUndetermined(findings),
  ];
  return toolResult(paragraphs, { hostname, score, noScore: describeNothingDetermined(findings), ageS, steps });
}

/** Returns the score and the age of a scan, and the notes that change how to read it. */
function describeVerdict(scanned: Scanned): string[] {
  const { hostname, score, findings, notes } = scanned.scan;
  const verdict =
    score === null
      ? `no score, which is not zero. ${describeNothingDetermined(findings) ?? 'No scored check applies.'}`
      : `${score} of 100. ${summarizeFailures(findings).join('')}.`;
  return [`${hostname}: ${verdict}\n${describeAge(scanned)}`, ...listHeadNotes(notes)];
}

function describeAge({ scan: { finishedAt }, ageS, isFresh }: Scanned): string {
  return isFresh || ageS < 60
    ? `Scanned just now (${finishedAt}).`
    : `Scanned ${describeWait(ageS)} ago (${finishedAt}). scan_site scans it again if that is over a minute ago, within the limits.`;
}

function listHeadNotes(notes: readonly Note[]): string[] {
  return notes.filter(isReportNote).map(({ text }) => text);
}

function listUndetermined(findings: readonly Finding[]): string {
  const ids = findings.filter(({ result }) => result === 'UNDETERMINED').map(({ checkId }) => checkId);
  return ids.length === 0 ? '' : `Could not be determined: ${ids.join(', ')}.`;
}
