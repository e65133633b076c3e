import type { Readable } from 'node:stream';
import type { RouteContext } from '../server/context.js';
import type { RunResponse } from '../../app/runs/run.js';

export interface FileOfSite {
  readonly body: Buffer | string | Readable;
  readonly type: string;
  readonly of: Pick<RunResponse, 'site' | 'run'>;
  /** Such as `.json`. */
  readonly ending: string;
}

/** Sends a download about a run, such as `www.example.com-run-12.json`. */
export function offerFile(ctx: RouteContext, { body, type, of, ending }: FileOfSite): void {
  // A port's colon is not a character for the name of a file.
  const host = of.site.hostname.replaceAll(/[^a-z0-9.-]/g, '-');
  offerText(ctx, { body, type, name: `${host}-run-${of.run.number}${ending}` });
}

/** Sends a download. @param name only safe characters */
export function offerText(
  ctx: RouteContext,
  { body, type, name }: Pick<FileOfSite, 'body' | 'type'> & { readonly name: string },
): void {
  ctx.body = body;
  ctx.set('Content-Type', type);
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.set('Cache-Control', 'no-store');
}
