import { CHECKS } from '../../../src/scanner/checks/index.js';
import { COLLECTORS } from '../../../src/scanner/gatherers/collectors.js';
import { createContext } from '../../../src/scanner/probe/context.js';
import { controlNames, newControlSeed } from '../../../src/scanner/probe/control.js';
import { Limiter } from '../../../src/scanner/client/limiter.js';
import { openVisit } from '../../../src/scanner/client/open-visit.js';
import type { HopRequest } from '../../../src/net/transport.js';
import { scan } from '../../../src/scanner/scan/scan.js';
import { perfect } from '../../fixtures/sites/perfect.js';
import { FixtureTransport } from '../../support/fixture-site.js';

/** How late each answer is while the plan is taken: long alongside whatever the scanner itself does between two rounds. */
const ROUND_MS = 250;

/**
 * The requests of each dependent round of a scan, as they start where nothing but what they need holds them up: no network, no
 * limit of requests in flight, and every answer late by the same time.
 */
export async function takePlan(): Promise<number[]> {
  const transport = new FixtureTransport(perfect);
  const startsMs: number[] = [];
  const late = {
    exchange: async (request: HopRequest) => {
      startsMs.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
      return transport.exchange(request);
    },
    close: () => transport.close(),
  };
  const target = { origin: new URL(perfect.origin ?? ''), isOwnershipVerified: true };
  const limits = { inFlightMax: 1000, inFlightMaxSlow: 1000 };
  await scan(target, {
    checks: CHECKS,
    clock: { now: () => new Date() },
    openSession: () => {
      const visit = openVisit({ target, transport: late, limiter: new Limiter(limits) });
      const context = createContext({
        ...{ target, visit, collectors: COLLECTORS, randomName: controlNames(newControlSeed()), now: new Date() },
      });
      return { visit, context, close: () => visit.close() };
    },
  });
  const firstMs = startsMs[0] ?? 0;
  const rounds: number[] = [];
  for (const startMs of startsMs) {
    const round = Math.round((startMs - firstMs) / ROUND_MS);
    rounds[round] = (rounds[round] ?? 0) + 1;
  }
  return Array.from(rounds, (count) => count ?? 0);
}

/** The least time of a scan: each round needs as many round trips as its requests fill the connections. */
export function boundOf(rounds: readonly number[], inFlight: number, rttMs: number): number {
  return rounds.reduce((sum, requests) => sum + Math.ceil(requests / inFlight) * rttMs, 0);
}
