import type { EventLoopYielder } from '../../net/event-loop.js';
import { pageDigest, pathOf, type SampledPages } from '../artifacts/chosen-pages.js';
import type { Evidence, EvidenceKind, EvidenceSet } from '../artifacts/evidence.js';
import { found, lacking, valueOf } from '../artifacts/evidence.js';
import { safeText } from '../artifacts/safe-text.js';
import { judge, type Judgement } from '../verdict/judge.js';

/** The evidence that is made up of pages of the sample, or that one of them may have led to. */
const OF_PAGES: readonly EvidenceKind[] = [
  ...(['sample', 'structuredData', 'markdown', 'agentReplies'] as const),
  ...(['llmsDocument', 'llmsLinks'] as const),
];

/**
 * Which pages a scan has looked at, and which of them show its failures.
 * @param pages those that were chosen; undefined, as the answer is null, where nobody has ever chosen any
 */
export async function sampledPages(
  pages: readonly URL[] | undefined,
  judgements: readonly Judgement[],
  evidence: Partial<EvidenceSet>,
  yielder: EventLoopYielder,
): Promise<SampledPages | null> {
  if (pages === undefined) return null;
  const sample = evidence.sample && valueOf(evidence.sample);
  if (!sample) {
    const came = whyUnasked(evidence.sample);
    return { chosen: pages.map((page) => ({ path: pathOf(page), came })), read: [], usual: [], found: {} };
  }
  const [home, ...others] = sample.pages;
  const digestsOf = (urls: readonly URL[]): string[] => [...new Set(urls.map((url) => pageDigest(url, home.url)))];
  const read = others.map(({ url }) => url);
  const where: Record<string, readonly string[]> = {};
  for (const judgement of judgements) {
    if (yielder.isDue) await yielder.yieldNow();
    const shown = showing(
      judgement,
      evidence,
      others.map(({ position }) => position),
    );
    const urls = others.flatMap(({ url, position }) => (shown.includes(position) ? [url] : []));
    if (urls.length > 0) where[judgement.check.id] = digestsOf(urls);
  }
  const { chosen = [], usual = read } = sample;
  return { chosen, read: digestsOf(read), usual: digestsOf(usual), found: where };
}

function whyUnasked(sample: EvidenceSet['sample'] | undefined): 'unneeded' | 'unasked' | 'late' {
  if (sample === undefined || 'ok' in sample) return 'unneeded';
  return sample.failed.result === 'NOT_APPLICABLE' ? 'unasked' : 'late';
}

/**
 * Those of the other pages that show a failure, by judging it again as if only one of them had been read. None where it does not vanish
 * without them: then the home page shows it, all of them together, or something that has nothing to do with pages.
 */
function showing(
  { check, finding: { result, errorType } }: Judgement,
  evidence: Partial<EvidenceSet>,
  others: readonly number[],
): readonly number[] {
  if (result !== 'FAIL' || ![...check.needs, ...check.uses].some((kind) => OF_PAGES.includes(kind))) return [];
  const judgeWith = (positions: readonly number[]) => judge(check, withPages(evidence, [1, ...positions]));
  const shown = others.filter((position) => judgeWith([position]).errorType === errorType);
  return judgeWith(others.filter((position) => !shown.includes(position))).result === 'FAIL' ? [] : shown;
}

/** The evidence as it would be if no other pages of the sample had been read. */
function withPages(evidence: Partial<EvidenceSet>, positions: readonly number[]): Partial<EvidenceSet> {
  const isRead = ({ position }: { readonly position: number }): boolean => positions.includes(position);
  const { sample, structuredData, markdown, agentReplies, llms } = evidence;
  const file = llms && valueOf(llms);
  const announcers = file?.kind === 'present' ? file.value.pages : null;
  return {
    ...evidence,
    ...(announcers?.every((position) => !positions.includes(position)) && WITHOUT_LLMS),
    ...(sample && { sample: map(sample, (all) => ({ ...all, pages: withFirst(all.pages, isRead) })) }),
    ...(structuredData && {
      structuredData: map(structuredData, ({ pages }) => ({ pages: withFirst(pages, ({ page }) => isRead(page)) })),
    }),
    ...(markdown && { markdown: map(markdown, ({ pages }) => ({ pages: withFirst(pages, isRead) })) }),
    ...(agentReplies && {
      agentReplies: map(agentReplies, (all) => ({
        ...all,
        pages: withFirst(all.pages, isRead),
        unasked: all.unasked.filter((position) => positions.includes(position)),
      })),
    }),
  };
}

const UNANNOUNCED = lacking('NOT_APPLICABLE', safeText`No page that was read announces an llms.txt.`);
const WITHOUT_LLMS = { llmsDocument: UNANNOUNCED, llmsLinks: UNANNOUNCED };

/** The first is the home page. */
function withFirst<Page>(
  [home, ...others]: readonly [Page, ...Page[]],
  isRead: (page: Page) => boolean,
): readonly [Page, ...Page[]] {
  return [home, ...others.filter(isRead)];
}

function map<T>(evidence: Evidence<T>, change: (value: T) => T): Evidence<T> {
  return 'ok' in evidence ? found(change(evidence.ok)) : evidence;
}
