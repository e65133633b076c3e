import { cWk02Failures } from './failures.js';
import { cWk02Notes } from './notes.js';
import { defineCheck } from '../../verdict/check.js';
import { fail, notApplicable } from '../../verdict/verdict.js';
import { pointTo, sentences, safeText } from '../../artifacts/safe-text.js';
import { judgeDocument, judgeMoved, noteUnannounced } from '../machine-endpoints/manifest-verdict.js';

/**
 * Is the agent card of the A2A protocol complete, and does its first interface answer?
 *
 * Sources: ARD 0.91 §5.1 (entries that name a card); A2A 1.0 §4.4 (AgentCard, AgentInterface, AgentSkill; a2a.proto) and §8.2
 * (discovery); A2A 0.3 §5.5 and its a2a.json, which has `url` instead of `supportedInterfaces`; A2A 0.2, which placed the card at
 * `agent.json`. Each member has the type of its version, and null is absent. Empty required arrays, an empty description and a 0.3
 * card without `protocolVersion` are advice: 1.0 §5.7 asks for content that its own §8.4.1 lacks, the schema of 0.3 has a default
 * for the version, and the SDKs read all of them. A gRPC interface cannot be probed by plain HTTP and is
 * skipped. An interface with the HTTP+JSON binding (A2A 1.0 §11, 0.3 §3.5.3) is asked by GET alone, at its extended card, its
 * list of tasks and where it takes messages; 404 there proves nothing.
 */
export const cWk02 = defineCheck({
  id: 'C-WK-02',
  revision: 2,
  pillar: 'D',
  scored: true,
  title: 'The A2A agent card is valid',
  shortName: 'A2A',
  answer: 'The agent card is valid, and the agent answers.',
  explanation:
    'With the Agent2Agent protocol (A2A), other agents can hand work to yours. Its agent card at /.well-known/agent-card.json tells them what it can do and where it is; a catalog such as /.well-known/ard.json may name another place. We check that the card has the required fields and that its first interface answers; we never send it a message. A site without an A2A agent loses nothing: the check does not apply to it.',
  judgedBy: ['a2a', 'ard'],
  failures: cWk02Failures,
  examples: () => import('./examples.js'),
  notes: cWk02Notes,
  needs: ['a2a'],
  judge({ a2a: { documents, announcedBy } }) {
    const verdicts = documents.map((card) => judgeDocument(card, 'every')).filter(isApplicable);
    const verdict = verdicts.find(({ result }) => result === 'PASS') ?? verdicts[0];
    if (verdict) return verdict;
    const none = safeText`No A2A agent is announced: there is no agent card.`;
    const moved = judgeMoved(documents, none);
    if (moved) return moved;
    const places = documents.flatMap(({ path }) => path.places);
    switch (announcedBy) {
      case 'home':
        return fail(
          'MISSING',
          pointTo(safeText`The home page names an A2A agent card, but the card is not there.`, ...places),
        );
      case 'catalog':
        return fail(
          'MISSING',
          pointTo(safeText`A catalog names an A2A agent card, but the card is not there.`, ...places),
        );
      default:
        return notApplicable(sentences(none, noteUnannounced(documents)));
    }
  },
});

function isApplicable({ result }: { readonly result: string }): boolean {
  return result !== 'NOT_APPLICABLE';
}
