import { type Check, judge } from '../../src/scanner/verdict/check.js';
import type { Evidence, EvidenceKind, EvidenceMap } from '../../src/scanner/artifacts/evidence.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { type ContextDeps, createContext } from '../../src/scanner/probe/context.js';
import { COLLECTORS } from '../../src/scanner/gatherers/collectors.js';
import { gather } from '../../src/scanner/scan/scan.js';
import type { ExchangeLog } from '../../src/scanner/trace/exchanges.js';
import { openVisit, type VisitOptions } from '../../src/scanner/client/open-visit.js';
import type { Transport } from '../../src/net/transport.js';
import { type FixtureSite, FIXTURE_ORIGIN, FixtureTransport } from './fixture-site.js';

export interface CollectOptions extends Pick<VisitOptions, 'limits' | 'limiter'> {
  /** By default true. */
  readonly isOwnershipVerified?: boolean;
  /** Pages that come first in the sample. */
  readonly pages?: readonly URL[];
  /** Replaces the collectors of the product. */
  readonly collectors?: ContextDeps['collectors'];
  readonly now?: Date;
  /** By default one that opens no socket. */
  readonly transport?: Transport;
  /** By default no exchange is logged. */
  readonly log?: ExchangeLog;
}

/** Opens a context over a fixture site: no network, no pauses between tries, and the same names of controls each time. */
export function openFixtureRun(site: FixtureSite, options: CollectOptions = {}) {
  const replay = new FixtureTransport(site);
  const {
    isOwnershipVerified = true,
    pages,
    collectors = COLLECTORS,
    now = new Date(),
    log,
    ...visitOptions
  } = options;
  const target = { origin: new URL(site.origin ?? FIXTURE_ORIGIN), isOwnershipVerified, ...(pages && { pages }) };
  const pause = async () => undefined;
  const visit = openVisit({ target, transport: replay, pause, ...(log && { watch: log.watch }), ...visitOptions });
  let names = 0;
  const randomName = () => `random-control-${(names += 1)}`;
  const context = createContext({ target, visit, collectors, randomName, now, ...(log && { parts: log.parts }) });
  return {
    visit,
    context,
    log,
    /** Every request of the site, in the order of its start. */
    requests: replay.requests,
    urls: () => replay.requests.map((request) => request.url),
    close: () => visit.close(),
  };
}

export async function collectFrom<K extends EvidenceKind>(
  site: FixtureSite,
  kind: K,
  options: CollectOptions = {},
): Promise<Evidence<EvidenceMap[K]>> {
  const run = openFixtureRun(site, options);
  try {
    return await run.context.evidence(kind);
  } finally {
    await run.close();
  }
}

/** Judges a fixture site by one check, with just the evidence that it asks for. */
export async function findingOf(check: Check, site: FixtureSite, options: CollectOptions = {}): Promise<Finding> {
  const run = openFixtureRun(site, options);
  try {
    const kinds = [...check.needs, ...check.uses];
    return judge(check, await gather(run.context, kinds)).finding;
  } finally {
    await run.close();
  }
}
