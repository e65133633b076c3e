/** Loaded into a measured process: reports what it has used, when asked or, without a channel, at its end as the last line of stderr. */
import { writeSync } from 'node:fs';

function usage() {
  const { user, system } = process.cpuUsage();
  return {
    cpuMs: (user + system) / 1000,
    rss: process.memoryUsage.rss(),
    peakRss: process.resourceUsage().maxRSS * 1024,
  };
}

if (process.channel) {
  process.on('message', (question) => {
    if (question === 'usage') process.send?.({ question, answer: usage() });
  });
  process.once('disconnect', () => process.exit());
  process.channel.unref();
} else process.once('exit', () => writeSync(2, `\n${JSON.stringify(usage())}`));
