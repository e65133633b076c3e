import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Check } from '../scanner/verdict/check.js';
import { ERROR_TYPES, PILLARS, RESULTS } from '../scanner/verdict/vocabulary.js';
import { describeNoScore } from '../scanner/report/no-score.js';
import { answering } from './arguments.js';
import { describePillars } from './explain-check.js';
import { DATE_TIME, FAILURE, listFailures, NO_SCORE } from './failures.js';
import { describeBriefly, describeScan } from './report.js';
import { LIMITS, scanFor, type ToolServices, type Scanned, SITE_URL } from './scan-call.js';

const DETAILS = ['brief', 'full'] as const;

interface ScanSiteInput {
  readonly url: string;
  readonly detail: (typeof DETAILS)[number];
}

/** Scans a site: by default what fails, with `detail: full` everything. */
export function scanSite(services: ToolServices) {
  const shape = {
    url: SITE_URL,
    detail: z
      .enum(DETAILS)
      .default('brief')
      .describe('brief: the failures alone; full: the findings of all checks with their texts, and notes.'),
  };
  return {
    name: 'scan_site',
    config: {
      title: 'Scan a site',
      description: `Scans a public web site for agent readiness: ${services.checks.length} checks of what AI agents need to find, read, trust and use it (llms.txt, sitemap, robots.txt, structured data, MCP and other machine endpoints). Returns the failures in the order in which to fix them. Takes up to a minute. ${LIMITS}`,
      inputSchema: z.looseObject(shape),
      outputSchema: outputSchema(services.checks),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call: answering(shape, ({ url, detail }: ScanSiteInput, context) =>
      scanFor(services, url, context, detail === 'full' ? showAll : showFailures),
    ),
  };
}

function showFailures(scanned: Scanned): CallToolResult {
  return {
    content: [{ type: 'text', text: describeBriefly(scanned) }],
    structuredContent: { ...factsOf(scanned), failures: listFailures(scanned.scan) },
  };
}

function showAll(scanned: Scanned): CallToolResult {
  const { findings, notes } = scanned.scan;
  return {
    content: [{ type: 'text', text: describeScan(scanned) }],
    structuredContent: { ...factsOf(scanned), failures: listFailures(scanned.scan), findings, notes },
  };
}

function factsOf({ scan, ageS, isFresh }: Scanned) {
  const { hostname, answer, score, startedAt, finishedAt, findings } = scan;
  return { hostname, ...answer, score, noScore: describeNoScore(findings), startedAt, finishedAt, ageS, isFresh };
}

/** Returns the contract's Finding with the time of the scan. Unknown fields are allowed, since some may be added. */
function outputSchema(checks: readonly Check[]) {
  const enumOf = <K extends string>(values: Readonly<Record<K, string>>) => z.enum(Object.keys(values) as K[]);
  const finding = z.looseObject({
    checkId: z.enum(checks.map(({ id }) => id)),
    pillar: enumOf(PILLARS).nullable().describe(describePillars()),
    scored: z.boolean().describe('True if it counts towards the score.'),
    result: enumOf(RESULTS),
    errorType: enumOf(ERROR_TYPES).nullable().describe('Set when result is FAIL.'),
    detail: z.string().nullable().describe('What was observed; never content of the site.'),
    title: z.string().nullable(),
    explanation: z.string().nullable(),
    fix: z.string().nullable(),
  });
  const note = z.looseObject({
    id: z.string(),
    checkId: z.string().nullable().describe('The check that it belongs to; null for the whole scan.'),
    text: z.string(),
    standard: z.string(),
    url: z.string().meta({ format: 'uri' }),
  });
  const token = z.looseObject({
    token: z.string().describe('The name of an agent in robots.txt.'),
    robots: z.enum(['allowed', 'disallowed', 'unknown']),
    line: z.int().nullable().describe('The line of robots.txt that disallows it.'),
    server: z.enum(['served', 'refused', 'untested']).describe('Tested on sites whose ownership is verified.'),
    status: z.int().nullable(),
  });
  const assistant = z.looseObject({
    name: z.string(),
    state: z.enum(['open', 'partly', 'blocked', 'unknown']),
    tokens: z.array(token),
  });
  return z.looseObject({
    hostname: z.string(),
    assistants: z.array(assistant).optional().describe('Which assistants can read the site.'),
    training: z
      .string()
      .optional()
      .describe('Whether the site allows AI training: allowed, refused, partly, unsaid or unknown.'),
    score: z.int().min(0).max(100).nullable().describe('Null, which is not zero: nothing could be determined.'),
    noScore: NO_SCORE,
    startedAt: DATE_TIME,
    finishedAt: DATE_TIME,
    ageS: z.int().min(0).describe('Seconds since it finished.'),
    isFresh: z.boolean().describe('False for an earlier result of this hour.'),
    failures: z.array(FAILURE).describe('In the order in which to fix them.'),
    findings: z.array(finding).optional().describe('With detail: full.'),
    notes: z
      .array(note)
      .optional()
      .describe('With detail: full. Advice that is not a proven defect and is never scored.'),
  });
}
