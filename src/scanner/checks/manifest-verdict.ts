import type { ManifestDocument, ReadManifest, TargetState } from '../artifacts/manifests.js';
import { count, joinSafeText, listSafeText, POSITIONS_MAX, safeText, type SafeText } from '../artifacts/safe-text.js';
import { fail, notApplicable, pass, undetermined, type Verdict } from '../verdict/verdict.js';

type ManifestVerdict = Verdict<'INVALID_MANIFEST' | 'MISSING' | 'WK_UNREACHABLE'>;

/**
 * Judges one well-known document and its targets. `every`: each target must be alive, as in an API catalog. `any`: one is enough, since a
 * client uses the first endpoint that suits it.
 */
export function judgeDocument({ path, state }: ManifestDocument, aliveNeeded: 'any' | 'every'): ManifestVerdict {
  switch (state.kind) {
    case 'absent':
      return notApplicable(safeText`${path} does not exist.`);
    case 'missing':
      return fail('MISSING', safeText`${path} ${state.detail}.`);
    case 'unrelated':
    case 'unannounced':
      return notApplicable(safeText`${path} ${state.detail}.`);
    case 'unknown':
      return undetermined(safeText`${path} could not be checked: ${state.detail}.`);
    case 'unreachable':
      return fail('WK_UNREACHABLE', safeText`${path} ${state.detail}.`);
    case 'read':
      return judgeRead(path, state, aliveNeeded);
  }
}

/** Describes the first unannounced document and counts the others. Returns null if there is none. */
export function noteUnannounced(documents: readonly ManifestDocument[]): SafeText | null {
  const [first, ...others] = documents.flatMap(({ path, state }) =>
    state.kind === 'unannounced' ? [safeText`${path} ${state.detail}.`] : [],
  );
  if (first === undefined || others.length === 0) return first ?? null;
  return safeText`${first} The same is true of ${count(others.length, 'more address', 'more addresses')}.`;
}

function judgeRead(
  path: SafeText,
  { problems, notes, targets }: ReadManifest,
  aliveNeeded: 'any' | 'every',
): ManifestVerdict {
  if (problems.length > 0) return fail('INVALID_MANIFEST', safeText`${path} ${listProblems(problems)}.`, ...notes);
  if (targets.length === 0) return pass(safeText`${path} is valid.`, ...notes);
  const alive = targets.filter(({ state }) => state === 'alive');
  const others = targets.filter(({ state }) => state !== 'alive');
  if (others.length === 0 || (aliveNeeded === 'any' && alive.length > 0)) {
    const rest = others.length > 0 ? safeText`However, ${describeTargets(others)}.` : null;
    return pass(safeText`${path} is valid; ${describeTargets(alive)}.`, rest, ...notes);
  }
  const worst = others.find(({ state }) => state === 'unreachable') ?? others.find(({ state }) => state === 'invalid');
  // If one live target is enough, an unknown one may be alive.
  const isUncertain = aliveNeeded === 'any' && others.some(({ state }) => state === 'unknown');
  if (worst === undefined || isUncertain)
    return undetermined(safeText`${path} is valid, but ${describeTargets(others)}.`);
  const errorType = worst.state === 'unreachable' ? 'WK_UNREACHABLE' : 'INVALID_MANIFEST';
  return fail(errorType, safeText`${path} exists, but ${describeTargets(others)}.`, ...notes);
}

/** Lists at most {@link POSITIONS_MAX} problems: "lacks version; skill 3 lacks tags". */
function listProblems(problems: readonly SafeText[]): SafeText {
  const shown = joinSafeText(problems.slice(0, POSITIONS_MAX), '; ');
  return problems.length > POSITIONS_MAX ? safeText`${shown}; and more` : shown;
}

function describeTargets(targets: readonly TargetState[]): SafeText {
  return listSafeText(targets.map(({ name, detail }) => safeText`${name} ${detail}`));
}
