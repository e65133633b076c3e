/** `make release-check`: fails where what we know of others is too old to be released today. No test, since it depends on the day. */
import { AGENTS } from '../../src/scanner/artifacts/agents/agents.js';
import { listStaleAgents } from './stale-agents.js';

const stale = listStaleAgents(AGENTS, new Date());
for (const { agent, days } of stale) {
  process.stdout.write(`${agent.token}: read ${days} days ago, ${agent.source ?? 'no page known'}\n`);
}
if (stale.length > 0) {
  process.stdout.write('Read these pages again, and bring src/scanner/artifacts/agents/agents.ts up to date.\n');
  process.exitCode = 1;
}
