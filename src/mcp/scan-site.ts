import { z } from 'zod';
import { CAPS } from '../app/limits/caps.js';
import { orderFailures } from '../scanner/report/failures.js';
import { describeNoScore } from '../scanner/report/no-score.js';
import type { Check } from '../scanner/verdict/check.js';
import {
  DATE_TIME,
  describeFailure,
  DETAIL,
  ERROR_TYPE,
  FAILURE,
  NO_SCORE,
  RESULT,
  SCORE,
  shortFixOf,
} from './failures.js';
import { describeScan } from './report.js';
import { defineTool, type Scanned, scanFor, SITE_URL, type ToolServices } from './tool.js';

/** The limits of all tools. Only this description names them, since each repetition costs every conversation tokens. */
const LIMITS = `A host is scanned at most once an hour; sooner callers get the last result with its age. The first caller may repeat it after a minute, and so may anyone where there was no score. All tools together: ${CAPS['free-scan'].max.address} fresh scans an hour for each network address, and ${CAPS['host-scans'].total?.max} for each host.`;

/** Scans a site: by default what fails, with `detail: full` everything. */
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
        .describe('brief: the failures alone; full: the findings of all checks with their texts, and notes.'),
    },
    output: outputSchema(checks),
    call: ({ url, detail }, context) => scanFor(services, url, context, (scanned) => show(scanned, detail === 'full')),
  });
}

function show(scanned: Scanned, isFull: boolean) {
  const { scan, ageS, isFresh } = scanned;
  const { hostname, answer, score, startedAt, finishedAt, findings, notes, gains } = scan;
  const failures = orderFailures(findings, gains).map((failure) => ({
    ...describeFailure(failure),
    fix: shortFixOf(failure.fix),
  }));
  const noScore = describeNoScore(findings);
  const brief = { hostname, ...answer, score, noScore, startedAt, finishedAt, ageS, isFresh, failures };
  return {
    content: [{ type: 'text' as const, text: describeScan(scanned, isFull) }],
    structuredContent: isFull ? { ...brief, findings, notes } : brief,
  };
}

function outputSchema(checks: readonly Check[]) {
  const finding = z.looseObject({
    checkId: z.enum(checks.map(({ id }) => id)),
    result: RESULT,
    errorType: ERROR_TYPE.nullable().describe('Set when result is FAIL.'),
    detail: DETAIL,
  });
  const note = z.looseObject({
    checkId: z.string().nullable().describe('Null for the whole scan.'),
    text: z.string(),
    url: z.string().meta({ format: 'uri', description: 'The standard.' }),
  });
  const token = z.looseObject({
    token: z.string().describe('The name of an agent in robots.txt.'),
    robots: z.enum(['allowed', 'disallowed', 'unknown']),
    line: z.int().nullable().describe('The line of robots.txt that disallows it.'),
    server: z.enum(['served', 'refused', 'untested']).describe('Tested on sites whose ownership is verified.'),
  });
  const assistant = z.looseObject({
    name: z.string(),
    state: z.enum(['open', 'partly', 'blocked', 'unknown']),
    tokens: z.array(token),
  });
  const training = z.enum(['allowed', 'refused', 'partly', 'unsaid', 'unknown']);
  return z.looseObject({
    hostname: z.string(),
    assistants: z.array(assistant).optional().describe('Which assistants can read the site.'),
    training: training.optional().describe('Whether the site allows AI training.'),
    score: SCORE,
    noScore: NO_SCORE,
    startedAt: DATE_TIME,
    finishedAt: DATE_TIME,
    ageS: z.int().min(0).describe('Seconds since it finished.'),
    isFresh: z.boolean().describe('False for an earlier result of this hour.'),
    failures: z.array(FAILURE).describe('In the order in which to fix them.'),
    findings: z.array(finding).optional().describe('With detail: full. With the fields of the API.'),
    notes: z.array(note).optional().describe('With detail: full. Advice that is never scored.'),
  });
}
