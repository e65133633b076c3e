import type { RouteContext } from '../../../web/kit/context.js';
import type { RunResponse } from '../../runs/run.js';

export interface FileOfSite {
  readonly body: Buffer | string;
  readonly type: string;
  /** Of one run, or of all. */
  readonly of: Pick<RunResponse, 'site'> & Partial<Pick<RunResponse, 'run'>>;
  /** Such as `.json`. */
  readonly ending: string;
}

/** Answers with a file to be saved, such as `www.example.com-run-12.json` or `www.example.com-runs.csv`. */
export function offerFile(ctx: RouteContext, { body, type, of: { site, run }, ending }: FileOfSite): void {
  // A port's colon is not a character for the name of a file.
  const name = `${site.hostname.replaceAll(/[^a-z0-9.-]/g, '-')}${run ? `-run-${run.number}` : '-runs'}${ending}`;
  offerText(ctx, { body, type, name });
}

/** The same by a name of its own, in which every character may stand. */
export function offerText(
  ctx: RouteContext,
  { body, type, name }: Pick<FileOfSite, 'body' | 'type'> & { readonly name: string },
): void {
  ctx.body = body;
  ctx.set('Content-Type', type);
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.set('Cache-Control', 'private, no-cache');
}
