import { ALIVE, FAILING, home, json, type Proofs, type ReadFix, readFix, type Routes } from './proof.js';

const AGENT_CARD = '/.well-known/agent-card.json';

const A2A: Routes = { '/a2a': ALIVE };

const agentCard = ({ snippet }: ReadFix): Routes => ({ [AGENT_CARD]: json(snippet('{"name"')) });

export const PROOFS: Proofs = {
  INVALID_MANIFEST: { failing: { ...A2A, [AGENT_CARD]: json('{"name": "Shop agent"}') }, mended: agentCard },
  WK_UNREACHABLE: {
    failing: { ...A2A, '/': home(`<a href="${AGENT_CARD}">A2A</a>`), [AGENT_CARD]: FAILING.refused },
    mended: ({ served }) => served(readFix('C-WK-02', 'MISSING').snippet('{"name"')),
  },
  MISSING: {
    failing: { ...A2A, '/': home('<link rel="agent-card" href="/agent.json">') },
    mended: agentCard,
  },
};
