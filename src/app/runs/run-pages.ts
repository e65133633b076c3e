import { BoundedMap, remember } from '../../net/keyed.js';
import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';

/**
 * As it is kept alongside a run: JSON. Null for one that says no more than runs of a site whose owner has chosen nothing, which have
 * nothing kept.
 */
export function packPages(pages: SampledPages | null): string | null {
  if (pages === null || (pages.chosen.length === 0 && Object.keys(pages.found).length === 0)) return null;
  const { chosen, ranked, found } = pages;
  return JSON.stringify({ chosen, ranked, found });
}

/** Different texts as parsed: most runs of a site say the same, and are compared by identity then. */
const PARSED = new BoundedMap<string, SampledPages>(1024);

export function unpackPages(kept: string | null | undefined): SampledPages | null {
  return typeof kept === 'string' ? remember(PARSED, kept, () => JSON.parse(kept) as SampledPages) : null;
}
