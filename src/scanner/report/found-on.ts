import type { EventLoopYielder } from '../../net/event-loop.js';
import type { FoundOn, PageName, SampledPages } from '../artifacts/chosen-pages.js';
import { pathOf } from '../artifacts/chosen-pages.js';
import type { Evidence, EvidenceKind, EvidenceSet } from '../artifacts/evidence.js';
import { found, valueOf } from '../artifacts/evidence.js';
import { judge, type Judgement } from '../verdict/judge.js';

/** The evidence that is made up of pages of the sample. */
const OF_PAGES: readonly EvidenceKind[] = ['sample', 'structuredData', 'markdown', 'agentReplies'];

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
  const sample = evidence.sample ? valueOf(evidence.sample) : null;
  const chosen =
    sample === null ? pages.map((page) => ({ path: pathOf(page), came: 'unasked' as const })) : (sample.chosen ?? []);
  const where: Record<string, FoundOn> = {};
  for (const judgement of judgements) {
    if (yielder.isDue) await yielder.yieldNow();
    const foundOn = foundOnOf(judgement, evidence);
    if (foundOn) where[judgement.check.id] = foundOn;
  }
  return { chosen, ranked: sample?.ranked ?? null, found: where };
}

/**
 * On which pages of the sample a check fails, by judging it again as if the others had not been read. Null where it does not fail, where
 * that has nothing to do with pages, and where the home page shows it.
 */
function foundOnOf({ check, finding, isOfAll }: Judgement, evidence: Partial<EvidenceSet>): FoundOn | null {
  if (finding.result !== 'FAIL') return null;
  if (isOfAll) return 'all';
  if (![...check.needs, ...check.uses].some((kind) => OF_PAGES.includes(kind))) return null;
  const others = (evidence.sample && valueOf(evidence.sample)?.pages.slice(1)) ?? [];
  const failsWith = (positions: readonly number[]): boolean =>
    judge(check, withPages(evidence, [1, ...positions])).result === 'FAIL';
  if (others.length === 0 || failsWith([])) return null;
  const failing = others.filter(({ position }) => failsWith([position]));
  // None of them fails alone: it takes several.
  const names = (failing.length > 0 ? failing : others).flatMap(({ name }): PageName[] =>
    name === undefined ? [] : [name],
  );
  return names.length > 0 ? names : null;
}

/** The evidence as it would be if no other pages of the sample had been read. */
function withPages(evidence: Partial<EvidenceSet>, positions: readonly number[]): Partial<EvidenceSet> {
  const isRead = ({ position }: { readonly position: number }): boolean => positions.includes(position);
  const { sample, structuredData, markdown, agentReplies } = evidence;
  return {
    ...evidence,
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
