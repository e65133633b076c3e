import type { FoundOn, SampledPages } from '../artifacts/chosen-pages.js';

/** The pages behind the result of one check in one run, besides the home page. */
export interface Sight {
  /** The chosen ones that were read. */
  readonly chosen: readonly string[];
  /** See {@link SampledPages}. */
  readonly ranked: number | null;
  /** Where it failed, on which. */
  readonly found?: FoundOn;
}

/** That of a run which looked at no chosen pages, or says nothing of them. */
const USUAL: Sight = { chosen: [], ranked: null };

/** Undefined where it is the usual one. */
export function sightOf(pages: SampledPages | null | undefined, checkId: string): Sight | undefined {
  if (!pages) return undefined;
  const found = pages.found[checkId];
  return { chosen: pagesRead(pages), ranked: pages.ranked, ...(found !== undefined && { found }) };
}

/** The chosen pages that a run has looked at. */
export function pagesRead(pages: SampledPages | null | undefined): readonly string[] {
  return (pages?.chosen ?? []).flatMap(({ path, came }) => (came === 'read' ? [path] : []));
}

/**
 * Whether a failure may be compared with an earlier result of its check: some page that shows it was looked at then, too. One of all pages
 * together may if none of those that were looked at then is missing.
 */
export function isShownBefore(now: Sight = USUAL, before: Sight = USUAL): boolean {
  if (now.found === undefined) return true;
  return now.found === 'all' ? covers(now, before) : isAnySeen(now.found, before);
}

/** Whether the pages that showed an earlier failure are looked at now, so that a pass says that it is fixed. */
export function isSeenAgain(now: Sight = USUAL, before: Sight = USUAL): boolean {
  return before.found === undefined || before.found === 'all' || isAnySeen(before.found, now);
}

/** Whether two runs have looked at other chosen pages: see {@link pagesRead}. */
export function areOthers(first: readonly string[], second: readonly string[]): boolean {
  return first.length !== second.length || first.some((path) => !second.includes(path));
}

function isAnySeen(pages: Exclude<FoundOn, 'all'>, { chosen, ranked }: Sight): boolean {
  return pages.some((page) => (typeof page === 'string' ? chosen.includes(page) : ranked === null || page <= ranked));
}

function covers(now: Sight, before: Sight): boolean {
  const isAsFar = now.ranked === null || (before.ranked !== null && before.ranked <= now.ranked);
  return isAsFar && before.chosen.every((path) => now.chosen.includes(path));
}
