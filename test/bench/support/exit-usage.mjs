/** Loaded into a program under measurement: at its end it says on file descriptor 3 what the program has used. */
import { writeSync } from 'node:fs';

process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpuMs: (user + system) / 1000, peakRssMib: maxRSS / 1024 }));
});
