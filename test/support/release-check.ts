/** `make release-check`: fails if the page of an agent's vendor was last read too long ago. Not a test, since it depends on the day. */
import { AGENTS } from '../../src/scanner/artifacts/agents/agents.js';

const AGE_DAYS_MAX = 180;

for (const { token, seenOn, source } of AGENTS) {
  const days = Math.floor((Date.now() - Date.parse(seenOn)) / 86_400_000);
  if (days <= AGE_DAYS_MAX) continue;
  console.error(`${token}: read ${days} days ago, ${source ?? 'no page known'}. Update artifacts/agents/agents.ts.`);
  process.exitCode = 1;
}
