import type { StoredRun } from '../app/runs/run-performer.js';

/** The caching headers of a finished run: it never changes, but who may read it does, so a cache has to ask each time. */
export function runHeaders(run: StoredRun): { readonly ETag: string; readonly 'Cache-Control': string } {
  return { ETag: run.etag, 'Cache-Control': 'private, no-cache' };
}
