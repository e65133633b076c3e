import { Worker } from 'node:worker_threads';
import { Slots } from '../../platform/slots.js';

/** What the worker is asked. */
export interface StrengthQuestion {
  readonly password: string;
  /** What others know of the account. */
  readonly ownWords: readonly string[];
}

/**
 * Whether a password takes many guesses.
 * @param party for whom it is judged, among whom the judge's time is shared; null: nobody in particular
 */
export type StrengthTest = (password: string, ownWords: readonly string[], party?: string | null) => Promise<boolean>;

/** Of 0 to 4: "safely unguessable, moderate protection from offline slow-hash scenario". */
const SCORE_MIN = 3;

/** The time that zxcvbn takes grows faster than the length, and so many characters that are hard to guess are enough. */
const JUDGED_CHARS = 32;

/** With dictionaries and what the search for matches leaves behind it takes about 70 MiB. */
const WORKER_MIB_MAX = 256;

/**
 * Judges passwords by zxcvbn, one after another. Each gets its own worker: the dictionaries take half a second to load and as much
 * memory as half the service, and a password is chosen so rarely that neither may stay; the judging itself may take another second.
 */
export function createStrengthTest(slots = new Slots(1, { waitingMax: 20 })): StrengthTest {
  return (password, ownWords, party = null) =>
    slots.run(async () => {
      const judged = Array.from(password).slice(0, JUDGED_CHARS).join('');
      return (await scoreOf({ password: judged, ownWords })) >= SCORE_MIN;
    }, party);
}

function scoreOf(question: StrengthQuestion): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('password-strength-worker.js', import.meta.url), {
      ...{ workerData: question, env: {} },
      resourceLimits: { maxOldGenerationSizeMb: WORKER_MIB_MAX },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The judge of passwords ended without an answer.')));
  });
}
