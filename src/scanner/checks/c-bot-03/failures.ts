import type { Failures } from '../../verdict/failure.js';
import { admitAgents, exemptAgents } from '../fixes/servers/admit-agents.js';

const OR_SAY_SO = `It is safer to admit the address ranges that the vendors publish than the names alone. If you do want to keep an agent out, say so in robots.txt:

User-agent: PerplexityBot
Disallow: /`;

export const cBot03Failures = {
  UA_REJECTED: {
    severity: 'SHUT_OUT',
    headline: "The server refuses requests under AI agents' names",
    fix: `Find the rule that refuses these names, at your CDN, firewall, security plugin or web server, and let the agents that the finding names through, on the page that it names.

${OR_SAY_SO}

${admitAgents()}`,
    onFixed: {},
  },
  TIMEOUT: {
    severity: 'SHUT_OUT',
    headline: "The server leaves requests under AI agents' names without an answer",
    fix: `Find the rule that slows down or drops AI agents by their name, such as a rate limit or a trap for bots, and exempt the agents that the finding names, on the page that it names.

${OR_SAY_SO}

${exemptAgents()}`,
    onFixed: {},
  },
} as const satisfies Failures;
