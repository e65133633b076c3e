import { fail } from 'node:assert/strict';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { systemClock } from '../../src/platform/clock.js';
import type { Listener } from '../../src/scanner/client/visit.js';
import type { VisitLimits } from '../../src/scanner/client/open-visit.js';
import type { Transport } from '../../src/net/transport.js';
import { recordScan, replayScan } from '../../src/scanner/scan/recorded-scan.js';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import { writeRecording } from '../../src/scanner/trace/har.js';
import { readRecording, type Recording } from '../../src/scanner/trace/recording.js';
import { FIXTURE_ORIGIN, type FixtureSite, FixtureTransport } from './fixture-site.js';
import { readFixture } from './project.js';

export interface RecordOptions {
  /** By default one that opens no socket. */
  readonly transport?: Transport;
  readonly limits?: Partial<VisitLimits>;
  /** Ends the scan as its time limit would. */
  readonly timeUp?: AbortSignal;
  readonly isOwnershipVerified?: boolean;
  readonly listeners?: readonly Listener[];
}

export async function recordFixture(site: FixtureSite, options: RecordOptions = {}) {
  const { transport = new FixtureTransport(site), limits = {}, isOwnershipVerified = true, listeners = [] } = options;
  const timeUp = options.timeUp ?? new AbortController().signal;
  const target = { origin: new URL(site.origin ?? FIXTURE_ORIGIN), isOwnershipVerified };
  const visit = { target, transport, pause: async () => undefined, limits, timeUp, listeners };
  return recordScan({ ...visit, infoUrl: 'https://scanner.example/about' }, { clock: systemClock });
}

export function harOf(recording: Recording): Buffer {
  return Buffer.from(writeRecording(recording, '1.2.3'));
}

export async function recordAndReplay(site: FixtureSite, options: RecordOptions = {}) {
  const { report, recording } = await recordFixture(site, options);
  const file = harOf(recording);
  return { report, recording, file, replayed: await replayScan(readRecording(file, fail)) };
}

/** A replay sends no requests, so their number is left out. */
export function withoutCount(report: ScanReport): string {
  return JSON.stringify({ ...report, siteRequestCount: 0 });
}

/** Schemas of draft 06, which later drafts extend. */
const schemas = JSON.parse(readFixture('schemas-har/schemas.json')) as { readonly $schema?: string }[];
const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(schemas.map(({ $schema, ...schema }) => schema));

/** Returns how a HAR file breaks the published schema. */
export function harFaults(text: string): string[] {
  const isValid = ajv.validate('har.json#', JSON.parse(text));
  return isValid ? [] : (ajv.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
