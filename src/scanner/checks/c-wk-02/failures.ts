import type { Failures } from '../../verdict/failure.js';
import { serveFile } from '../fixes/servers/serve-file.js';
import { AGENT_CARD } from '../fixes/snippets.js';

const CARD_PATH = '/.well-known/agent-card.json';
const GONE = 'If you no longer run the agent, remove the card and what names it.';

export const cWk02Failures = {
  INVALID_MANIFEST: {
    severity: 'BROKEN',
    headline: 'The A2A agent card is not valid',
    fix: `Correct the agent card: it must be JSON with all fields that A2A requires, each of its type, and its first interface must have a public address.

A whole card for A2A 1.0:

${AGENT_CARD}

Every skill needs id, name, description and tags. ${GONE}`,
    onFixed: {},
  },
  WK_UNREACHABLE: {
    severity: 'BROKEN',
    headline: 'The A2A agent, or its card, cannot be reached',
    fix: `Make the address that the finding names answer from the internet: the card with status 200, its first interface as an A2A agent. ${GONE}

Status 401 for callers without a token is fine at the interface, but not for the card. Rules against files whose names begin with a dot must leave out /.well-known/.

${serveFile(CARD_PATH, 'application/json')}`,
    onFixed: {},
  },
  MISSING: {
    severity: 'BROKEN',
    headline: 'The site names an A2A agent card that is not there',
    fix: `Publish the agent card at ${CARD_PATH}, or at the address that your home page or catalog names; or take that name out.

${AGENT_CARD}`,
    onFixed: {},
  },
} as const satisfies Failures;
