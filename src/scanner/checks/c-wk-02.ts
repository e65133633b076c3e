import { pointTo, safeText, term } from '../artifacts/safe-text.js';
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
const PUBLISHED = `${AGENT_CARD}

Replace the words in capitals, and /a2a if your agent has another address.`;
const GONE = 'If you no longer run the agent, remove the card and every link to it.';

/**
 * Is the agent card of the A2A protocol complete, and does its first interface answer? Empty required arrays, an empty description and a
 * card of A2A 0.3 without `protocolVersion` do not fail: A2A 1.0 §5.7 requires content that its own example lacks, the schema of 0.3 has a
 * default version, and the SDKs read all of them. gRPC cannot be probed over plain HTTP; HTTP+JSON is only asked by GET, where 404 proves
 * nothing.
 */
export const cWk02 = defineCheck({
  id: 'C-WK-02',
  revision: 3,
  pillar: 'D',
  scored: true,
  title: 'A2A agent card',
  shortName: 'A2A',
  answer: 'The agent card is valid, and the agent answers.',
  explanation:
    'With the Agent2Agent protocol (A2A), other agents can hand work to yours. Its agent card at /.well-known/agent-card.json tells them what it can do and where it is; a catalog such as /.well-known/ard.json may name another place. We check that the card has the required fields and that its first interface answers; we never send it a message. Without an A2A agent, this check does not apply.',
  judgedBy: ['a2a', 'ard'],
  failures: {
    INVALID_MANIFEST: {
      severity: 'BROKEN',
      headline: 'The A2A agent card is not valid',
      fix: `Correct the agent card. It must be JSON with all fields that A2A requires, each of its type, and its first interface must have a public address.

A complete card for A2A 1.0:

${PUBLISHED}

Every skill needs id, name, description and tags. ${GONE}`,
    },
    WK_UNREACHABLE: {
      severity: 'BROKEN',
      headline: 'The A2A agent, or its card, cannot be reached',
      fix: `Make the address that the finding names answer from the internet: the card with status 200, its first interface as an A2A agent.

${GONE} The interface may answer callers without a token with 401, but the card may not. Rules against paths that start with a dot must exempt /.well-known/.

${serveFile(CARD_PATH, 'application/json')}`,
    },
    MISSING: {
      severity: 'BROKEN',
      headline: 'The site names an A2A agent card that is not there',
      fix: `Publish the agent card at ${CARD_PATH}, or at the address that your home page or catalog names. Or remove that name.

${PUBLISHED}`,
    },
  },
  needs: ['a2a'],
  judge({ a2a: { documents, announcedBy } }) {
    const verdicts = documents.map((card) => judgeDocument(card, 'every'));
    const verdict =
      verdicts.find(({ result }) => result === 'PASS') ?? verdicts.find(({ result }) => result !== 'NOT_APPLICABLE');
    if (verdict) return verdict;
    if (announcedBy === null)
      return notApplicable(safeText`No A2A agent is announced: there is no agent card.`, noteUnannounced(documents));
    const source = announcedBy === 'home' ? term('The home page') : term('A catalog');
    const places = documents.flatMap(({ path }) => path.places);
    return fail('MISSING', pointTo(safeText`${source} names an A2A agent card, but the card is not there.`, ...places));
  },
});
