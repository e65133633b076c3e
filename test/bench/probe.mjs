/**
 * Loaded into a process under measurement (`node --import …/probe.mjs`), whatever it runs: tells its parent what it has used of the machine,
 * when asked or, where there is no channel, at its end as the last line of stderr.
 */
import { writeSync } from 'node:fs';

function usage() {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { cpuMs: (user + system) / 1000, rss, heapUsed, peakRss: process.resourceUsage().maxRSS * 1024 };
}

if (process.channel) {
  process.on('message', (question) => {
    if (question === 'kept') globalThis.gc?.();
    if (question === 'kept' || question === 'usage') process.send?.({ question, answer: usage() });
  });
  process.once('disconnect', () => process.exit());
  process.channel.unref();
} else process.once('exit', () => writeSync(2, `\n${JSON.stringify(usage())}`));
