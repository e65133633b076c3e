import { HOSTILE_READERS } from '../security/hostile/hostile-readers.js';
import { rssMib, threadTimes } from '../security/hostile/process-watch.js';

/**
 * `make torture TORTURE=blocks`: gives every reader of what sites serve and people type, and whole scans, hostile texts at the limits of their length, and measures the longest
 * that each keeps the event loop from everything else. Exit code 1 when one is longer than LIMIT_MS.
 */
const LIMIT_MS = 1_000;
const SHOWN_MS = Number(process.env.BLOCKS_SHOWN_MS ?? 20);
const ONLY = process.env.BLOCKS_ONLY ?? '';
/** The best of so many counts: what a collection of garbage or another process added is not a property of the reader. */
const TRIES = 3;

/** The longest turn of the event loop until `work` has come to its end. */
async function measureLongestTurn(work: () => unknown): Promise<number> {
  let longest = 0;
  let began = threadTimes().ranMs;
  const look = (): void => {
    const now = threadTimes().ranMs;
    longest = Math.max(longest, now - began);
    began = now;
  };
  let isDone = false;
  const tick = (): void => {
    look();
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  await new Promise(setImmediate);
  began = threadTimes().ranMs;
  await work();
  look();
  isDone = true;
  return longest;
}

let count = 0;
const tooLong: string[] = [];
let worst = { ms: 0, what: 'none' };
const beganMs = performance.now();
const rssBefore = rssMib();
let rssMost = rssBefore;

for (const { name, charsMax, read, texts } of HOSTILE_READERS) {
  if (!name.includes(ONLY)) continue;
  let longestOfReader = 0;
  for (const { name: textName, make } of texts) {
    const text = make(charsMax);
    let ms = Infinity;
    for (let tries = 0; tries < TRIES && ms > SHOWN_MS; tries += 1) {
      ms = Math.min(ms, await measureLongestTurn(() => read(text)));
    }
    count += 1;
    longestOfReader = Math.max(longestOfReader, ms);
    rssMost = Math.max(rssMost, rssMib());
    const what = `${name}: ${textName}`;
    if (ms > worst.ms) worst = { ms, what };
    if (ms > LIMIT_MS) tooLong.push(what);
    if (ms > SHOWN_MS) console.log(`${ms.toFixed(0).padStart(6)} ms  ${what}`);
  }
  console.log(`${longestOfReader.toFixed(0).padStart(6)} ms  at most: ${name}, ${texts.length} texts`);
}

const seconds = ((performance.now() - beganMs) / 1000).toFixed(0);
const grownMib = (rssMost - rssBefore).toFixed(0);
console.log(
  `${count} hostile texts in ${seconds} s: the longest block is ${worst.ms.toFixed(0)} ms (${worst.what}); resident memory grew by at most ${grownMib} MiB.`,
);
if (tooLong.length > 0) {
  console.error(`Longer than ${LIMIT_MS} ms: ${tooLong.join('; ')}`);
  process.exitCode = 1;
}
