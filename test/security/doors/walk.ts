import { setImmediate as turn } from 'node:timers/promises';
import { literalAddressOf } from '../../../src/net/address.js';
import { isPublicHostName } from '../../../src/net/url-gate.js';
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

/**
 * Gives every target to one door. Of each it must hold that nothing connects anywhere but to the sites of the world, or to a
 * public target itself; that the guard's verdict is the right one; and that what is said of a refused target depends on how it is
 * written alone, not on what is behind its name, and holds neither the address nor the name.
 * @returns what was wrong, and how many targets the guard itself had to decide
 */
export async function walkThrough(door: Door, cases: readonly Case[], world: World) {
  const faults: string[] = [];
  const answers = new Map<string, Map<string, string>>();
  let decided = 0;
  for (const target of cases) {
    const [attemptsBefore, intrusionsBefore] = [world.tap.attempts.length, world.intrusions()];
    const outcome = await door.open(target, world);
    // What was begun before a scan ended shows itself by now.
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

/** Scheme, port and kind of host: all public names and all addresses are of one kind. */
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
  // What is not a URL by itself may be one where it stands: the guard's own reason is right then.
  const isRight = code === 'url_invalid' || reasons.every((reason) => reason === code);
  const faults = isRight ? [] : [`must be refused as ${code}, not ${reasons.join(', ')}`];
  // Our own words name example.com where they say what to give instead.
  const isNamed =
    ADDRESS.test(told) || (hostname.includes('.') && hostname !== 'example.com' && told.includes(hostname));
  return isNamed ? [...faults, `what is told names the target: ${told}`] : faults;
}

/** Any address, be it of IPv4 or IPv6. */
const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}::[0-9a-f]{0,4}/i;

/** A site without https is asked by http, at another port of the very address. */
function isAddressOf({ place }: Case, attempt: string): boolean {
  return place !== null && attempt.slice(0, attempt.lastIndexOf(':')) === place.slice(0, place.lastIndexOf(':'));
}
