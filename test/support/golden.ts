import { join } from 'node:path';
import type { Transport } from '../../src/net/transport.js';
import type { Clock } from '../../src/platform/clock.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { scan, type ScanReport } from '../../src/scanner/scan/scan.js';
import { ExchangeLog } from '../../src/scanner/trace/exchanges.js';
import type { Check } from '../../src/scanner/verdict/check.js';
import { namedFailures } from '../../src/scanner/verdict/failure.js';
import { splitFix } from '../../src/scanner/verdict/fix-parts.js';
import { openFixtureRun } from './collect.js';
import { addressed, FIXTURE_ORIGIN, type FixtureSite, FixtureTransport } from './fixture-site.js';
import { PROJECT } from './project.js';

export const EXPECTED_FOLDER = join(PROJECT, 'test', 'scanner', 'golden', 'expected');

export const GOLDEN_NOW = new Date('2026-06-01T12:00:00.000Z');

const clock: Clock = { now: () => GOLDEN_NOW };

/** Scans a fixture site, by default without a network. */
export function scanFixture(site: FixtureSite, transport?: Transport): Promise<ScanReport> {
  return scan(openFixtureRun(site, { now: GOLDEN_NOW, ...(transport && { transport }) }), { clock });
}

/** Scans a fixture site with the evidence of its failures. Its hosts have public addresses. */
export function scanKeeping(
  site: FixtureSite,
  transport: Transport = addressed(new FixtureTransport(site)),
): Promise<ScanReport> {
  const log = new ExchangeLog({ origin: new URL(site.origin ?? FIXTURE_ORIGIN) });
  return scan(openFixtureRun(site, { now: GOLDEN_NOW, transport, log }), { clock });
}

export function expectedPath(name: string): string {
  return join(EXPECTED_FOLDER, `${name}.json`);
}

/** A golden has no texts of findings: they are in the checks. */
export function formatGolden({ score, findings, notes }: ScanReport): string {
  const rows = findings.map(({ checkId, result, errorType, detail }) => ({ checkId, result, errorType, detail }));
  return `${JSON.stringify({ score, findings: rows, notes: notes.map(({ id, text }) => ({ id, text })) }, null, 2)}\n`;
}

export const TEXTS_PATH = join(EXPECTED_FOLDER, '..', 'texts.json');

/** Lists the severity of each failure and the parts of its fix. */
export function formatTexts(checks: readonly Check[] = CHECKS): string {
  const parts = checks.flatMap((check) =>
    namedFailures(check).map(
      ({ errorType, severity, fix }) => [`${check.id} ${errorType}`, `${severity}: ${partsOf(fix)}`] as const,
    ),
  );
  return `${JSON.stringify(Object.fromEntries(parts), null, 2)}\n`;
}

function partsOf(fix: string): string {
  return splitFix(fix)
    .map(({ kind, text }) => (kind === 'server' ? text : kind))
    .join(', ');
}
