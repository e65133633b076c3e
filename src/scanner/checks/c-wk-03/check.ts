import { cWk03Failures } from './failures.js';
import { cWk03Notes } from './notes.js';
import { defineCheck } from '../../verdict/check.js';
import type { FoundOpenApi } from '../../artifacts/manifests.js';
import { fail, notApplicable, pass } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { count, sentences, safeText } from '../../artifacts/safe-text.js';
import { judgeDocument, judgeMoved, noteUnannounced } from '../machine-endpoints/manifest-verdict.js';

/**
 * Are the documents valid that lead agents to the site's APIs and to their authorization?
 *
 * Sources: RFC 9727 §2 and §4 with RFC 9264 §4.2 (linkset in JSON); RFC 9728 §2 and §3.3; RFC 8414 §2 and §3.3. By RFC 9264 a
 * link context without an API relation (`describedby` alone) is not a fault, so only one of them must have `item`, `service-desc`,
 * `service-doc`, or metadata of an endpoint that its anchor names; and `anchor` may be omitted where the catalog itself is the context of its items.
 * That a description is charged which nothing names is ours, and only where the site links documentation of an API: frameworks
 * publish descriptions that their users know nothing of.
 */
export const cWk03 = defineCheck({
  id: 'C-WK-03',
  revision: 2,
  pillar: 'D',
  scored: true,
  title: 'API catalog and auth metadata are valid',
  shortName: 'API',
  answer: 'The API catalog and what it names are valid.',
  explanation:
    'If your site has an API, agents look for it in fixed places: a catalog at /.well-known/api-catalog that links to its descriptions, and OAuth metadata that say how to get a token. We check the documents that are there, follow up to three links to descriptions and documentation, and, if your pages or llms.txt link documentation of an API, look for anything that names your OpenAPI file. A site without an API loses nothing: the check does not apply to it.',
  judgedBy: ['api-catalog', 'openapi', 'oauth-resource', 'oauth-server'],
  failures: cWk03Failures,
  examples: () => import('./examples.js'),
  notes: cWk03Notes,
  needs: ['apiMetadata'],
  judge({ apiMetadata: { documents, openApi } }) {
    const verdicts = documents.map((document) => judgeDocument(document, 'every'));
    const failures = verdicts.filter((verdict) => verdict.result === 'FAIL');
    const isMissing = openApi?.standing === 'unnamed';
    const others = failures.length - 1 + (isMissing ? 1 : 0);
    const note =
      others > 0 ? safeText`${count(others, 'more fault is', 'more faults are')} in the API documents.` : null;
    const unreachable = failures.find(({ errorType }) => errorType === 'WK_UNREACHABLE');
    if (unreachable) return fail('WK_UNREACHABLE', sentences(unreachable.detail, note));
    if (isMissing) {
      const charge = safeText`An OpenAPI description is at ${openApi.path}, but agents do not find it: the site links documentation of an API, yet no API catalog, Link header, page that was looked at or llms.txt names the description.`;
      return fail('MISSING', sentences(charge, failures[0]?.detail ?? null));
    }
    if (failures[0]) return fail('INVALID_MANIFEST', sentences(failures[0].detail, note));
    const open = verdicts.find(({ result }) => result === 'UNDETERMINED');
    if (open) return open;
    const passed = verdicts.filter(({ result }) => result === 'PASS');
    const unoffered = openApi?.standing === 'unoffered' ? describeUnoffered(openApi) : null;
    const unannounced = noteUnannounced(documents);
    if (passed.length > 0) return pass(sentences(...passed.map(({ detail }) => detail), unoffered, unannounced));
    const none = safeText`No API is announced: there is no API catalog and no OAuth metadata.`;
    return judgeMoved(documents, none) ?? notApplicable(sentences(none, unoffered, unannounced));
  },
});

function describeUnoffered({ path }: FoundOpenApi): SafeText {
  return safeText`No page that was looked at and no llms.txt leads to the description at ${path}: name it in an API catalog if the API is meant for others.`;
}
