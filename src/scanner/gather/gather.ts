import type { Evidence, EvidenceKind, EvidenceMap, EvidenceSet } from '../evidence/evidence.js';
import { lacking } from '../evidence/evidence.js';
import { safeText } from '../evidence/safe-text.js';
import type { CollectContext } from './collect/collector.js';

const OUT_OF_TIME = lacking(
  'UNDETERMINED',
  safeText`The run reached its time limit before this was fetched: the site answers slowly. Run again later.`,
);

/**
 * Gathers the evidence of these kinds, all at once; what one kind needs of another it awaits through the context. A kind that
 * is not there when `deadline` is aborted is a reason, so that the run still completes.
 * @param onSettled called as each kind is there, for progress
 */
export async function gather(
  context: CollectContext,
  kinds: readonly EvidenceKind[],
  deadline: AbortSignal,
  onSettled: (kind: EvidenceKind) => void = () => undefined,
): Promise<Partial<EvidenceSet>> {
  const outOfTime = whenAborted(deadline);
  const collect = async <K extends EvidenceKind>(kind: K): Promise<[K, Evidence<EvidenceMap[K]>]> => {
    const evidence = await Promise.race([context.evidence(kind), outOfTime.promise]);
    onSettled(kind);
    return [kind, evidence];
  };
  try {
    return Object.fromEntries(await Promise.all(kinds.map(collect)));
  } finally {
    outOfTime.forget();
  }
}

function whenAborted(signal: AbortSignal): { promise: Promise<typeof OUT_OF_TIME>; forget(): void } {
  let onAbort = (): void => undefined;
  const promise = new Promise<typeof OUT_OF_TIME>((resolve) => {
    onAbort = () => {
      resolve(OUT_OF_TIME);
    };
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return {
    promise,
    forget: () => {
      signal.removeEventListener('abort', onAbort);
    },
  };
}
