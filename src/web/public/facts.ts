import { FREE_SCAN_CACHE_MS } from '../../app/free-scan/free-scan-store.js';
import type { PartDeps } from '../server/page-part.js';
import { countOf } from '../../scanner/artifacts/counts.js';

/** What the public pages speak of. */
export type Facts = Pick<PartDeps, 'publicUrl' | 'contact' | 'isSignUpOpen' | 'checks' | 'evidenceDays' | 'version'>;

/** `1 hour`: how long the result of a free scan is kept. */
export const FREE_SCAN_KEPT = countOf(FREE_SCAN_CACHE_MS / 3_600_000, 'hour');
