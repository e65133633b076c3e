import type { Case } from './cases.js';
import type { World } from './world.js';

/** What came of a target at a door. */
export interface Outcome {
  /**
   * `refused`: the guard refused it. `taken`: it was connected to, or stored as a target. `passed by`: it was not followed at all,
   * since it is not an address for this door.
   */
  readonly verdict: 'refused' | 'taken' | 'passed by';
  /** The reasons that the guard gave to the log, where the door has one. */
  readonly reasons: readonly string[];
  /** Everything that whoever is served gets to see of it. */
  readonly told: string;
}

/** One way in which a URL or a host of somebody else gets to the product. */
export interface Door {
  readonly name: string;
  /** Whether a target of this kind is an address for this door, so that the guard itself has to decide. */
  expects(target: Case, world: World): boolean;
  open(target: Case, world: World): Promise<Outcome>;
}

/** Begins to watch; what comes back tells what became of the target since, by the guard's log and the connections. */
export function outcomeSince({ refusals, tap }: World, { place }: Case): (told: string) => Outcome {
  const [refusalsBefore, attemptsBefore] = [refusals.length, tap.attempts.length];
  return (told) => {
    const reasons = [...new Set(refusals.slice(refusalsBefore).map(({ reason }) => reason))];
    const isTaken = place !== null && tap.attempts.slice(attemptsBefore).includes(place);
    return { verdict: reasons.length > 0 ? 'refused' : isTaken ? 'taken' : 'passed by', reasons, told };
  };
}
