import { BoundedMap, remember } from '../../net/keyed.js';
import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';

/** As it is kept alongside a run: JSON. Nothing is of a site whose owner has never chosen any. */
export function packPages(pages: SampledPages | null): string | null {
  if (pages === null) return null;
  const { chosen, read, usual, found } = pages;
  return JSON.stringify({ chosen, read, usual, found });
}

/** Different texts as parsed: most runs of a site say the same, and are compared by identity then. */
const PARSED = new BoundedMap<string, SampledPages>(1024);

export function unpackPages(kept: string | null | undefined): SampledPages | null {
  return typeof kept === 'string' ? remember(PARSED, kept, () => JSON.parse(kept) as SampledPages) : null;
}
