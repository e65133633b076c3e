import { addPlaces, safeText, term } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { fail, notApplicable } from '../verdict/verdict.js';
import { fenced, serveFile } from './fixes.js';
import { judgeDocument, noteUnannounced } from './manifest-verdict.js';

const AGENT_CARD = fenced(`{"name": "NAME OF YOUR AGENT", "version": "1.0.0",
 "description": "WHAT THE AGENT DOES, IN ONE SENTENCE",
 "supportedInterfaces": [{"url": "https://www.example.com/a2a",
   "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
 "capabilities": {"streaming": false},
 "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
 "skills": [{"id": "ID-OF-SKILL", "name": "NAME OF SKILL",
   "description": "WHAT THE SKILL DOES, IN ONE SENTENCE", "tags": ["SUBJECT"]}]}`);

const CARD_PATH = '/.well-known/agent-card.json';
const CARD = `${AGENT_CARD}

Replace the words in capitals, and /a2a if your agent has another address.`;
const IF_RETIRED = 'If you no longer run the agent, remove the card and every link to it.';

/**
 * Is the agent card of the A2A protocol complete, and does its first interface answer? Empty required arrays, an empty description and a
 * card of A2A 0.3 without `protocolVersion` do not fail: A2A 1.0 §5.7 requires content that its own example lacks, the schema of 0.3 has a
 * default version, and the SDKs read all of them. gRPC cannot be probed over plain HTTP; HTTP+JSON only gets a GET request, whose 404
 * proves nothing.
 */
export const cWk02 = defineCheck({
  id: 'C-WK-02',
  revision: 3,
  pillar: 'D',
  title: 'A2A agent card',
  shortName: 'A2A',
  answer: 'The agent card is valid, and the agent answers.',
  explanation:
    'With the Agent2Agent protocol (A2A), other agents can delegate work to yours. Its agent card at /.well-known/agent-card.json tells them what it can do and where it is. A catalog such as /.well-known/ard.json may point to another address. We check that the card has the required fields and that its first interface answers. We never send it a message. Without an A2A agent, this check does not apply.',
  judgedBy: ['a2a', 'ard'],
  failures: {
    INVALID_MANIFEST: {
      severity: 'BROKEN',
      headline: 'The A2A agent card is not valid',
      fix: `Correct the agent card. It must be JSON with all fields that A2A requires, each of the right type, and its first interface must have a public address.

A complete card for A2A 1.0:

${CARD}

Every skill needs id, name, description and tags. ${IF_RETIRED}`,
    },
    WK_UNREACHABLE: {
      severity: 'BROKEN',
      headline: 'The A2A agent or its card cannot be reached',
      fix: `Make the address named in the finding reachable from the internet. The card must return status 200, and its first interface must answer as an A2A agent.

${IF_RETIRED} The interface may return 401 to callers without a token, but the card must be public. If a rule blocks paths that start with a dot, exempt /.well-known/.

${serveFile(CARD_PATH, 'application/json')}`,
    },
    MISSING: {
      severity: 'BROKEN',
      headline: 'The site refers to an A2A agent card that does not exist',
      fix: `Publish the agent card at ${CARD_PATH}, or at the address in your home page or catalog. Or remove that reference.

${CARD}`,
    },
  },
  needs: ['a2a'],
  judge({ a2a: { documents, announcedBy } }) {
    const verdicts = documents.map((card) => judgeDocument(card, 'every'));
    const verdict =
      verdicts.find(({ result }) => result === 'PASS') ?? verdicts.find(({ result }) => result !== 'NOT_APPLICABLE');
    if (verdict) return verdict;
    if (announcedBy === null) return notApplicable(safeText`There is no A2A agent card.`, noteUnannounced(documents));
    const source = announcedBy === 'home' ? term('The home page') : term('A catalog');
    const places = documents.flatMap(({ path }) => path.places);
    return fail('MISSING', addPlaces(safeText`${source} refers to an A2A agent card that does not exist.`, ...places));
  },
});
