/**
 * Loaded into a process under measurement (`node --import …/probe.mjs`) whatever it runs: answers the questions of its parent
 * about its own use of the machine. Does nothing else, and keeps no process alive.
 */
import { Session } from 'node:inspector/promises';

/** Bytes between two samples of the allocation profile, on average. */
const SAMPLING_BYTES = 16_384;

let session;

const ANSWERS = {
  usage: () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    return {
      cpuUs: user + system,
      rssBytes: rss,
      heapBytes: heapUsed,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
    };
  },
  collect: () => {
    globalThis.gc?.();
    return null;
  },
  startAllocations: async () => {
    session = new Session();
    session.connect();
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: SAMPLING_BYTES,
      // What was collected meanwhile counts as well: it was allocated.
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    return null;
  },
  stopAllocations: async () => {
    const { profile } = await session.post('HeapProfiler.stopSampling');
    session.disconnect();
    return sumOf(profile.head);
  },
};

function sumOf({ selfSize, children }) {
  return children.reduce((sum, child) => sum + sumOf(child), selfSize);
}

process.on('message', async (question) => {
  if (Object.hasOwn(ANSWERS, question)) process.send?.({ question, answer: await ANSWERS[question]() });
});
// Nobody is left to ask, and nobody to end this process.
process.on('disconnect', () => process.exit());
process.channel?.unref();
