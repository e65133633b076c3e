import { setImmediate as turn } from 'node:timers/promises';
import { literalAddressOf } from '../../../src/net/address.js';
import { isPublicHostName } from '../../../src/net/url-gate.js';
import type { Case } from './cases.js';
import type { World } from './world.js';

export interface Outcome {
  /** `taken`: connected to, or stored. `passed by`: not an address for this door. */
  readonly verdict: 'refused' | 'taken' | 'passed by';
  /** The guard's reasons, as logged. */
  readonly reasons: readonly string[];
  /** Everything that the client sees. */
  readonly told: string;
}

/** A way in which a URL or host reaches the product. */
export interface Door {
  readonly name: string;
  /** True if the guard must decide about this target. */
  expects(target: Case, world: World): boolean;
  open(target: Case, world: World): Promise<Outcome>;
}

/** Starts watching. The returned function reads the outcome from the guard's log and the connections. */
export function outcomeSince({ refusals, tap }: World, { place }: Case): (told: string) => Outcome {
  const [refusalsBefore, attemptsBefore] = [refusals.length, tap.attempts.length];
  return (told) => {
    const reasons = [...new Set(refusals.slice(refusalsBefore).map(({ reason }) => reason))];
    const isTaken = place !== null && tap.attempts.slice(attemptsBefore).includes(place);
    return { verdict: reasons.length > 0 ? 'refused' : isTaken ? 'taken' : 'passed by', reasons, told };
  };
}

/**
 * Gives every target to a door. Nothing may connect except to the world's sites and to public targets, and the guard must decide
 * correctly. A refusal may depend only on the target's spelling, and may contain neither its name nor its address.
 * @returns the faults, and how many targets the guard decided
 */
export async function walkThrough(door: Door, cases: readonly Case[], world: World) {
  const faults: string[] = [];
  const answers = new Map<string, Map<string, string>>();
  let decided = 0;
  for (const target of cases) {
    const [attemptsBefore, intrusionsBefore] = [world.tap.attempts.length, world.intrusions()];
    const outcome = await door.open(target, world);
    // Connections that a scan began shortly before its end show up by now.
    await turn();
    await turn();
    const say = (fault: string): void => void faults.push(`${door.name}, ${target.label}: ${fault}`);
    const strays = world.strayAttempts(attemptsBefore).filter((place) => !isAddressOf(target, place));
    if (strays.length > 0) say(`connected to ${strays.join(', ')}`);
    if (world.intrusions() !== intrusionsBefore) say('a forbidden listener was connected to');
    if (target.code !== null && outcome.verdict === 'taken') say(`must be refused as ${target.code}, but was taken`);
    if (!door.expects(target, world)) continue;
    decided += 1;
    for (const fault of faultsOf(target, outcome)) say(fault);
    if (outcome.verdict === 'refused') {
      const spelling = spellingOf(target.url);
      answers.set(spelling, (answers.get(spelling) ?? new Map<string, string>()).set(outcome.told, target.label));
    }
  }
  for (const [spelling, told] of answers) {
    if (told.size > 1)
      faults.push(`${door.name}: refused targets are told apart: ${spelling}: ${JSON.stringify([...told.entries()])}`);
  }
  return { faults, decided };
}

/** Returns scheme, port and kind of host. Public names and addresses are one kind. */
function spellingOf(text: string): string {
  const url = URL.parse(text.trim());
  if (url === null) return 'no URL';
  const { protocol, port, hostname } = url;
  const isOrdinary = isPublicHostName(hostname) || literalAddressOf(hostname) !== null;
  return `${protocol} ${port} ${isOrdinary ? 'a public name or an address' : hostname}`;
}

function faultsOf({ code, url }: Case, { verdict, reasons, told }: Outcome): string[] {
  if (code === null) return verdict === 'taken' ? [] : [`is public, but ${verdict} (${reasons.join(', ')})`];
  if (verdict === 'taken') return [];
  if (verdict !== 'refused') return [`must be refused as ${code}, but was ${verdict}`];
  const hostname = URL.parse(url)?.hostname ?? url;
  // An invalid URL may be valid relative to a base; then any reason is right.
  const isRight = code === 'url_invalid' || reasons.every((reason) => reason === code);
  const faults = isRight ? [] : [`must be refused as ${code}, not ${reasons.join(', ')}`];
  // Our own hints name example.com.
  const isNamed =
    ADDRESS.test(told) || (hostname.includes('.') && hostname !== 'example.com' && told.includes(hostname));
  return isNamed ? [...faults, `what is told names the target: ${told}`] : faults;
}

const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}::[0-9a-f]{0,4}/i;

/** Compares addresses without ports, because a scan also tries http. */
function isAddressOf({ place }: Case, attempt: string): boolean {
  return place !== null && attempt.slice(0, attempt.lastIndexOf(':')) === place.slice(0, place.lastIndexOf(':'));
}
