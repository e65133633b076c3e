import type { RouteContext } from '../../../web/kit/context.js';
import type { RunResponse } from '../../runs/run.js';

export interface FileOfRun {
  readonly body: Buffer | string;
  readonly type: string;
  readonly of: RunResponse;
  /** Such as `.json`. */
  readonly ending: string;
}

/** Answers with a file of a run, such as `www.example.com-run-12.json`, to be saved. */
export function offerFile(ctx: RouteContext, { body, type, of: { site, run }, ending }: FileOfRun): void {
  // A port's colon is not a character for the name of a file.
  const name = `${site.hostname.replaceAll(/[^a-z0-9.-]/g, '-')}-run-${run.number}${ending}`;
  ctx.body = body;
  ctx.set('Content-Type', type);
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.set('Cache-Control', 'private, no-cache');
}
