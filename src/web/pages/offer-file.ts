import type { Readable } from 'node:stream';
import type { RouteContext } from '../server/context.js';
import type { PartDeps } from '../server/page-part.js';
import type { RunResponse } from '../../app/runs/run.js';

export interface FileOfSite {
  readonly body: Buffer | string | Readable;
  readonly type: string;
  /** The run; without it, all runs of the site. */
  readonly of: Pick<RunResponse, 'site'> & Partial<Pick<RunResponse, 'run'>>;
  /** Such as `.json`. */
  readonly ending: string;
}

/** Sends a download, such as `www.example.com-run-12.json` or `www.example.com-runs.csv`. */
export function offerFile(ctx: RouteContext, { body, type, of, ending }: FileOfSite): void {
  offerText(ctx, { body, type, name: fileNameOf(of, ending) });
}

export function fileNameOf({ site, run }: FileOfSite['of'], ending: string): string {
  // A port's colon is not a character for the name of a file.
  return `${site.hostname.replaceAll(/[^a-z0-9.-]/g, '-')}${run ? `-run-${run.number}` : '-runs'}${ending}`;
}

interface ExportedFile {
  readonly accountId: string;
  readonly parts: AsyncIterable<string>;
  readonly type: string;
  readonly name: string;
}

/** Streams a download. */
export async function offerExport(
  ctx: RouteContext,
  { exports }: Pick<PartDeps, 'exports'>,
  { accountId, parts, type, name }: ExportedFile,
): Promise<void> {
  const body = await exports.open(accountId, parts);
  body.once('error', () => ctx.res.destroy());
  offerText(ctx, { body, type, name });
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
