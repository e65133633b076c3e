import type { Test } from 'tap';
import { entityTagOf } from '../../src/platform/http/answer.js';
import type { Admission } from '../../src/app/keys/access.js';
import type { StartedRun } from '../../src/app/runs/runs.js';
import { TestClock } from './accounts.js';
import { ServiceError } from '../../src/platform/errors.js';
import { startApi, type StartDeps } from './start-api.js';

export const SITE_ID = `site_${'a'.repeat(20)}`;
const NOW = new TestClock().now();
/** A key that the fake access takes. */
export const GOOD = { Authorization: 'Bearer good' };

/** A run whose text no serialiser would write so: whoever sends these bytes did not rewrite them. */
export const RUN: StartedRun = startedRun(
  3,
  `{ "site": {"id": "${SITE_ID}", "hostname": "www.example.com"}, "findings": [],
  "run": {"number": 3, "reference": "CR-000003", "score": null, "trigger": "API",
  "startedAt": "2026-01-02T03:04:05.000Z", "finishedAt": "2026-01-02T03:04:06.000Z"} }`,
);

function startedRun(number: number, text: string): StartedRun {
  const body = Buffer.from(text);
  return {
    siteId: SITE_ID,
    number,
    body,
    etag: entityTagOf(body),
    daily: { policy: 'day', limit: 5, remaining: 3, at: NOW },
    isReplay: false,
  };
}

export interface FakeDeps extends Partial<Omit<StartDeps, 'runs'>> {
  readonly runs?: Partial<StartDeps['runs']>;
}

export type FakeApi = Awaited<ReturnType<typeof startFakeApi>>;

/** Serves the API over stand-ins of access and runs; whatever a test gives takes their place. */
export async function startFakeApi(t: Test, { runs, ...given }: FakeDeps = {}) {
  const ledger = { used: 0 };
  const api = await startApi(t, {
    access: { admit: (authorization) => Promise.resolve(admit(authorization, ledger)) },
    runs: {
      start: () => Promise.resolve(RUN),
      latest: () => Promise.resolve(RUN),
      byNumber: () => Promise.resolve(RUN),
      prepareRead: () => undefined,
      close: () => undefined,
      ...runs,
    },
    ...given,
  });
  return {
    ...api,
    /** How many requests were charged and not given back. */
    charges: () => ledger.used,
  };
}

const LIMIT = 100;

function admit(authorization: string | undefined, ledger: { used: number }): Admission {
  if (authorization === undefined) throw new ServiceError('missing_api_key');
  if (authorization !== GOOD.Authorization) throw new ServiceError('invalid_api_key');
  ledger.used += 1;
  const rest = () => ({ policy: 'month', limit: LIMIT, remaining: Math.max(0, LIMIT - ledger.used), at: NOW }) as const;
  const refund = () => {
    ledger.used -= 1;
    return Promise.resolve(rest());
  };
  return { accountId: 'acc_a', keyId: 'key_a', rateLimit: rest(), refund };
}
