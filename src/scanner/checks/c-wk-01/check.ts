import { cWk01Failures } from './failures.js';
import { cWk01Notes } from './notes.js';
import { defineCheck } from '../../verdict/check.js';
import { fail, notApplicable } from '../../verdict/verdict.js';
import { pointToAnswer, sentences, safeText } from '../../artifacts/safe-text.js';
import { judgeDocument, judgeMoved, noteUnannounced } from '../machine-endpoints/manifest-verdict.js';

/**
 * Can an agent find the site's MCP server, and does it answer? One valid document with a live endpoint is enough.
 *
 * Sources: ARD 0.91 §4–5.1 (`/.well-known/ard.json`, `rel=ard`, Agentmap); AI Catalog, from which the card extension of MCP still
 * reads; SEP-2127 and its schema of the server card, which evolved from SEP-1649 and SEP-1960; Model Context Protocol, "Streamable
 * HTTP". By these texts a card without `remotes` is valid, since its schema requires none, and the endpoint path of SEP-1649 may be
 * relative. Of a catalog only the whole and the entries for MCP servers are judged.
 */
export const cWk01 = defineCheck({
  id: 'C-WK-01',
  revision: 2,
  pillar: 'D',
  scored: true,
  title: 'MCP discovery works',
  shortName: 'MCP',
  answer: 'The MCP server that the site names answers.',
  explanation:
    'The Model Context Protocol (MCP) lets agents use tools that you offer. A small JSON document tells them where your MCP server is. We look for a catalog (/.well-known/ard.json, or where robots.txt or the home page says), a server card and their older forms, check the required fields, and see if the endpoint answers, without calling any tool. A site without an MCP server loses nothing: the check does not apply to it.',
  judgedBy: ['ard', 'mcp-server-card', 'mcp'],
  failures: cWk01Failures,
  examples: () => import('./examples.js'),
  notes: cWk01Notes,
  needs: ['mcp'],
  judge({ mcp: { documents, endpoint } }) {
    const verdicts = documents.map((document) => judgeDocument(document, 'any'));
    const passed = verdicts.find(({ result }) => result === 'PASS');
    if (passed) return passed;
    // An unreadable document may be the valid one, so nothing is proven.
    const open = verdicts.find(({ result }) => result === 'UNDETERMINED');
    if (open) return open;
    const failures = verdicts.filter((verdict) => verdict.result === 'FAIL');
    const [failure] = [...failures.filter(isUnreachable), ...failures];
    if (failure) return failure;
    const none = safeText`No MCP server is announced under /.well-known/.`;
    const moved = judgeMoved(documents, none);
    if (moved) return moved;
    if (endpoint) {
      const charge = safeText`The home page names an MCP endpoint, which answers, but there is no discovery document: neither a catalog nor a server card.`;
      return fail('MISSING', pointToAnswer(charge, endpoint));
    }
    const unrelated = documents.find(({ state }) => state.kind === 'unrelated');
    return notApplicable(
      sentences(
        none,
        unrelated?.state.kind === 'unrelated' ? safeText`${unrelated.path} ${unrelated.state.detail}.` : null,
        noteUnannounced(documents),
      ),
    );
  },
});

function isUnreachable(verdict: { readonly errorType: string }): boolean {
  return verdict.errorType === 'WK_UNREACHABLE';
}
