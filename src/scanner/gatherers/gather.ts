import { setImmediate } from 'node:timers/promises';
import type { Evidence, EvidenceKind, EvidenceMap, EvidenceSet } from '../artifacts/evidence.js';
import { lacking } from '../artifacts/evidence.js';
import { safeText } from '../artifacts/safe-text.js';
import type { CollectContext } from '../probe/collector.js';

const OUT_OF_TIME = lacking(
  'UNDETERMINED',
  safeText`The run reached its time limit before this was fetched: the site answers slowly. Run again later.`,
);

/**
 * Gathers the evidence of these kinds concurrently; a kind that depends on another awaits it through the context. A kind that is
 * missing when `deadline` aborts becomes a reason, so that the run still completes.
 * @param onSettled called when each kind is settled, with what will be returned
 */
export async function gather(
  context: CollectContext,
  kinds: readonly EvidenceKind[],
  deadline: AbortSignal,
  onSettled: <K extends EvidenceKind>(kind: K, evidence: Evidence<EvidenceMap[K]>) => void = () => undefined,
): Promise<Partial<EvidenceSet>> {
  const outOfTime = whenTimeIsUp(deadline);
  const collect = async <K extends EvidenceKind>(kind: K): Promise<[K, Evidence<EvidenceMap[K]>]> => {
    const evidence = await Promise.race([context.evidence(kind), outOfTime.promise]);
    onSettled(kind, evidence);
    return [kind, evidence];
  };
  try {
    return Object.fromEntries(await Promise.all(kinds.map(collect)));
  } finally {
    outOfTime.forget();
  }
}

/**
 * Turns of the event loop that are left to the collectors after the deadline: it fails every request under way, and what was read
 * before (a home page alongside one that drips) is judged.
 */
const LAST_TURNS = 200;

function whenTimeIsUp(signal: AbortSignal): { promise: Promise<typeof OUT_OF_TIME>; forget(): void } {
  let onAbort = (): void => undefined;
  const promise = new Promise<typeof OUT_OF_TIME>((resolve) => {
    onAbort = () => {
      void afterLastTurns().then(() => {
        resolve(OUT_OF_TIME);
      });
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

async function afterLastTurns(): Promise<void> {
  for (let turn = 0; turn < LAST_TURNS; turn += 1) await setImmediate();
}
