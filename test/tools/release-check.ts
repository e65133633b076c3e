import { AGENTS_SEEN_ON } from '../../src/scanner/artifacts/agents.js';

/** `make release-check`: fails if the pages of the agents' vendors were last read too long ago. Not a test, since it depends on the day. */

const AGE_DAYS_MAX = 180;

const days = Math.floor((Date.now() - Date.parse(AGENTS_SEEN_ON)) / 86_400_000);
if (days > AGE_DAYS_MAX) {
  console.error(`The agents' pages were read ${days} days ago. Update artifacts/agents.ts.`);
  process.exitCode = 1;
}
