import { assertReady } from '../../../platform/readiness.js';
import type { SiteDeps } from '../deps.js';
import { formatUtc } from '../../kit/format.js';
import type { PageText } from './page-text.js';

/** What the public learns of the service's state: nothing of what is behind it. */
export interface Status {
  readonly isReady: boolean;
  readonly version: string;
  readonly now: Date;
}

export function statusText({ isReady, version, now }: Status): PageText {
  return {
    heading: isReady ? 'The service is ready' : 'The service is not ready',
    lead: isReady
      ? 'Scans, runs and sign-in work.'
      : 'Scans, runs and sign-in may fail right now. Nothing that is stored is lost. Try again in a few minutes.',
    body: `
- Version: ${version}
- Checked: ${formatUtc(now.toISOString())}

Monitors can ask [/readyz](/readyz): it answers 200 when the service is ready, and 503 when it is not.
`,
  };
}

/** Why the service is not ready is told to no visitor. */
export async function readStatus({ readiness, lifecycle, version, clock }: SiteDeps): Promise<Status> {
  const isReady = await assertReady(readiness, lifecycle).then(
    () => true,
    () => false,
  );
  return { isReady, version, now: clock.now() };
}
