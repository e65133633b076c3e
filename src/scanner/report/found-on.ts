import { pageDigest, pathOf, type SampledPages } from '../artifacts/chosen-pages.js';
import { type EvidenceKind, type EvidenceSet, valueOf } from '../artifacts/evidence.js';
import type { Judgement } from '../verdict/judge.js';

/** Evidence about an llms.txt, which a page may have announced. */
const LLMS: readonly EvidenceKind[] = ['llmsDocument', 'llmsLinks'];

/** Evidence that is gathered from the sample. */
export const READS_SAMPLE: readonly EvidenceKind[] = [
  ...(['sample', 'structuredData', 'markdown', 'agentReplies'] as const),
  ...(['llms', 'announcedLlms', 'llmsDocument', 'llmsLinks', 'sameAs', 'apiMetadata'] as const),
];

/**
 * Lists the pages that a scan read, and those that show its failures.
 * @param pages the chosen pages. Undefined if no pages were chosen; then returns null.
 */
export function sampledPages(
  pages: readonly URL[] | undefined,
  judgements: readonly Judgement[],
  evidence: Partial<EvidenceSet>,
): SampledPages | null {
  if (pages === undefined) return null;
  const sample = evidence.sample && valueOf(evidence.sample);
  if (!sample) {
    return { chosen: pages.map((page) => ({ path: pathOf(page), came: 'unread' })), read: [], usual: [], found: {} };
  }
  const [home, ...others] = sample.pages;
  const digestsOf = (urls: readonly URL[]): string[] => [...new Set(urls.map((url) => pageDigest(url, home.url)))];
  const announcers = announcersOf(evidence);
  const found: Record<string, readonly string[]> = {};
  for (const { check, finding, pages: named } of judgements) {
    if (finding.result !== 'FAIL') continue;
    const showing = check.needs.some((kind) => LLMS.includes(kind)) ? announcers : named;
    // If the home page shows a failure, the choice of other pages did not cause it.
    const urls = showing.includes(home.position)
      ? []
      : others.flatMap(({ url, position }) => (showing.includes(position) ? [url] : []));
    if (urls.length > 0) found[check.id] = digestsOf(urls);
  }
  const read = others.map(({ url }) => url);
  const { chosen = [], usual = read } = sample;
  return { chosen, read: digestsOf(read), usual: digestsOf(usual), found };
}

/** Positions of the pages that announce the llms.txt; none for the one at the root. */
function announcersOf({ llms }: Partial<EvidenceSet>): readonly number[] {
  const file = llms && valueOf(llms);
  return file?.kind === 'present' ? (file.value.pages ?? []) : [];
}
