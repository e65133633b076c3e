import { cBot02Failures } from './failures.js';
import type { CoreToken } from '../../artifacts/agents/tokens.js';
import { defineCheck } from '../../verdict/check.js';
import type { Evidence } from '../../artifacts/evidence.js';
import { valueOf } from '../../artifacts/evidence.js';
import type { LlmsDocument, LlmsFile } from '../../artifacts/llms.js';
import type { Home, Sample } from '../../artifacts/pages.js';
import type { Outcome } from '../../artifacts/resource.js';
import type { RobotsFile } from '../../artifacts/robots.js';
import type { SitemapEntries } from '../../artifacts/sitemaps.js';
import { fail, notApplicable, pass } from '../../verdict/verdict.js';
import { sentences, safeText } from '../../artifacts/safe-text.js';
import { findAdmission } from '../bot-policy/admission.js';
import type { Advertised } from './advertised.js';
import { findBarredAdvertisements, findUnindexedHome } from './advertised.js';
import { describeOmissions, findOpposedRules } from './rules.js';
import { findOpposedSignals, findSignalsOfBarredGroups } from './signals.js';

/**
 * Is the access policy consistent everywhere? Each charge is based on two statements of the site that cannot both hold; what only
 * looks odd (a training ban alongside open search, `ai-train=no` with GPTBot allowed) is not a contradiction. A token that already
 * fails C-BOT-01 is not charged again under (b), nor is a group for training crawlers alone under (d): barring them is the
 * owner's right, whatever signal comes with it. Nor is one under (b) whose vendor is not known to read the list or the file: owners
 * keep search engines from llms.txt and Markdown twins, which repeat the pages.
 */
export const cBot02 = defineCheck({
  id: 'C-BOT-02',
  revision: 2,
  pillar: 'B',
  scored: true,
  title: 'The access policy does not contradict itself',
  shortName: 'Policy',
  answer: 'No two statements of the site about access contradict each other.',
  explanation:
    'Agents can follow your policy only if it says one thing. We look for statements that cannot both hold: "Allow: /" alongside "Disallow: /" for the same agent, pages that llms.txt or the sitemap advertises but robots.txt closes to an agent that is known to read that list, a Content-Signal that says both yes and no or invites agents into a closed group, and a listed home page that says noindex. Different rules for search and for training are not contradiction. The score measures readiness, not virtue: the policy itself is your choice.',
  judgedBy: ['robots', 'content-signals', 'agents'],
  failures: cBot02Failures,
  examples: () => import('./examples.js'),
  needs: ['home'],
  uses: ['robots', 'sample', 'llms', 'llmsDocument', 'sitemapEntries'],
  judge({ home, robots, sample, llms, llmsDocument, sitemapEntries }) {
    const outcome = valueOf(robots);
    if (!isReadOrAbsent(outcome)) {
      return notApplicable(safeText`robots.txt could not be read (see C-BOT-01), so there is no policy to compare.`);
    }
    const file = outcome.kind === 'present' ? outcome.value : null;
    if (file === null && !hasOtherPolicy(home)) {
      return notApplicable(
        safeText`The site states no access policy: it has no robots.txt, Content-Signal, X-Robots-Tag or robots meta element.`,
      );
    }
    const advertised = advertisedBy(valueOf(llms), valueOf(llmsDocument), sitemapEntries);
    const contradictions = [
      ...(file === null ? [] : findOpposedRules(file.robots)),
      ...(file === null
        ? []
        : findBarredAdvertisements(file, advertised, listChargedElsewhere(file, home, valueOf(sample)))),
      ...findOpposedSignals(file?.robots ?? null, home),
      ...(file === null ? [] : findSignalsOfBarredGroups(file.robots)),
      ...findUnindexedHome(file?.robots ?? null, home, advertised),
    ];
    return contradictions.length > 0
      ? fail('POLICY_INCONSISTENT', sentences(...contradictions))
      : pass(file === null ? null : describeOmissions(file.robots));
  },
});

/** C-BOT-01 reports which tokens robots.txt bars; that the site also advertises those pages is the same defect. */
function listChargedElsewhere(file: RobotsFile, home: Home, sample: Sample | null): ReadonlySet<CoreToken> {
  const { fromHome, fromOthers } = findAdmission(file, home, sample);
  return new Set([...fromHome, ...fromOthers].map(({ token }) => token));
}

function isReadOrAbsent(
  robots: Outcome<RobotsFile> | null,
): robots is Extract<Outcome<RobotsFile>, { kind: 'present' | 'absent' | 'blocked' }> {
  if (robots === null || robots.kind === 'unreachable' || robots.kind === 'timeout') return false;
  return robots.kind !== 'present' || !robots.value.file.isHtml;
}

function hasOtherPolicy({ preferenceHeaders, robotsTags, page }: Home): boolean {
  return preferenceHeaders.length > 0 || robotsTags.length > 0 || page?.metas.has('robots') === true;
}

function advertisedBy(
  llms: Outcome<LlmsFile> | null,
  document: LlmsDocument | null,
  sitemapEntries: Evidence<SitemapEntries>,
): Advertised {
  const entries = valueOf(sitemapEntries);
  return {
    llmsTxt: llms?.kind === 'present' && !llms.value.isHtml ? llms.value.url : null,
    llmsLinks: document?.links.flatMap(({ line, url }) => (url === null ? [] : [{ line, url }])) ?? [],
    sampledEntries: entries?.probed ?? [],
    listedEntries: entries?.parts.flatMap((part) => part.file.kept.map((entry) => entry.url)) ?? [],
  };
}
