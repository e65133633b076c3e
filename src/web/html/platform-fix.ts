import type { ScanToDescribe } from '../../scanner/report/describe-report.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { type Hosted, type Platform, PLATFORMS, SERVERS, generalPart } from '../../scanner/verdict/fix-parts.js';
import type { FieldProps } from './form.js';

export const PLATFORM_FIELD = 'platform';

export function platformField(platform: Platform | null): FieldProps {
  const options = ['', ...PLATFORMS].map((name) => [name, name || 'Not set'] as const);
  return { name: PLATFORM_FIELD, label: 'Where it runs', value: platform ?? '', options };
}

/** What a fix changes. Hosted platforms have instructions for each kind. */
type Kind = 'robots' | 'preference' | 'llms' | 'sitemap' | 'head' | 'files' | 'markdown' | 'access';

/** Kinds by the middle of a check's id. Refused requests are `access`. */
const KINDS: Readonly<Record<string, Kind>> = {
  BOT: 'robots',
  FWD: 'preference',
  LLMS: 'llms',
  SITE: 'sitemap',
  SD: 'head',
  WK: 'files',
  MD: 'markdown',
};

interface HostedFixes {
  /** Added before the fix: where to apply it. */
  readonly where: Readonly<Partial<Record<Kind | 'redirect', string>>>;
  /** Replaces a fix that only works on your own server. */
  readonly instead: Readonly<Partial<Record<Kind, string>>>;
}

function snippet(line: string): string {
  return `\`\`\`\n${line}\n\`\`\``;
}

function explainNoFiles(name: Hosted): string {
  return `On ${name} you cannot put files of your own at the root or under /.well-known/. If you have another server, publish the document there and correct the link that names it. If an app or ${name} itself made the document, report the finding to them.`;
}

function explainNoMarkdown(name: Hosted): string {
  return `This check cannot pass on ${name}, which has no setting that sends Markdown instead of HTML, or that changes the type of a page.

What you can do instead: publish an llms.txt with links to your main pages. Agents can read HTML, so this keeps none of them out. As the verified owner you can accept this failure: it then leaves the list, and the score stays.`;
}

function askHost(name: Hosted, first: string): string {
  return `${first} Then look at what you have added yourself: an app that blocks bots, or a CDN such as Cloudflare in front of the site.

${name} runs the server and its firewall. If you have added neither, send the finding to ${name}’s support.`;
}

/*
 * What owners can do, as of November 2026. Shopify: shopify.dev/docs/storefronts/themes/architecture/templates (robots.txt.liquid,
 * llms.txt.liquid), help.shopify.com (URL redirects, password). Wix: dev.wix.com/docs (About Custom Code, Llms Txt, Redirects, Wix IDE),
 * support.wix.com (robots.txt, sitemap). Squarespace: support.squarespace.com (AI crawlers, Site Availability, URL redirects, code
 * injection, file URLs).
 */

const SHOPIFY_ROBOTS = `In Shopify, go to Online Store > Themes, and choose Edit code in the menu of your theme. Open templates/robots.txt.liquid. If there is none, choose "Add a new template", then robots.txt.

Keep the Liquid code there, which writes Shopify’s own rules. Write your groups below it, and correct those that were added before. A second group for the same agent is read together with the first.`;

const WIX_ROBOTS = `In your Wix dashboard, open the SEO tools, then the Robots.txt Editor, and edit the file there.`;

const FIXES: Readonly<Record<Hosted, HostedFixes>> = {
  Shopify: {
    where: {
      robots: SHOPIFY_ROBOTS,
      preference: SHOPIFY_ROBOTS,
      llms: `Shopify writes /llms.txt itself. To replace it, go to Online Store > Themes, choose Edit code in the menu of your theme, and add the template llms.txt.liquid with your own text. It replaces the whole file, so copy the parts that you want to keep.`,
      head: `In Shopify, go to Online Store > Themes, choose Edit code in the menu of your theme, and open layout/theme.liquid. What belongs on every page goes right after <head>. Change blocks that an app writes in the settings of that app.`,
      files: explainNoFiles('Shopify'),
      redirect: `In the Shopify admin, search for "URL redirects", and create one from the old path to the new one. It works once no published page has the old path.`,
    },
    instead: {
      sitemap: `Shopify writes /sitemap.xml from what you have published, and you cannot edit it. To remove a page from it, delete or unpublish that page.

If the sitemap cannot be read, remove the password in Online Store > Preferences. If robots.txt names another sitemap, remove that line from templates/robots.txt.liquid. Otherwise, send the finding to Shopify’s support.`,
      markdown: explainNoMarkdown('Shopify'),
      access: askHost('Shopify', 'Check that the shop is open: remove the password in Online Store > Preferences.'),
    },
  },
  Squarespace: {
    where: {
      llms: `On Squarespace you cannot put a file at the root. Upload llms.txt in the link editor, which gives it the address /s/llms.txt. Then add this line in Settings > Developer tools > URL Mappings:

${snippet('/llms.txt -> /s/llms.txt 301')}`,
      head: `In Squarespace, open Settings > Developer tools > Code Injection, and put the code into the header. For a single page, use the advanced settings of that page. Both need a plan with code injection.`,
      files: explainNoFiles('Squarespace'),
      redirect: `In Squarespace, open Settings > Developer tools > URL Mappings, and add a line:

${snippet('/OLD-PAGE -> /NEW-PAGE 301')}`,
    },
    instead: {
      robots: `Squarespace writes robots.txt, and you cannot edit it. In Settings > Crawlers, clear "Block known artificial intelligence crawlers" and leave search engines allowed. You cannot choose single agents.

If a page that agents should find says noindex, clear "Hide this page from search results" in its SEO settings.`,
      preference: `On Squarespace you can neither edit robots.txt nor send a header. The nearest thing is to reserve text and data mining: put this line into Settings > Developer tools > Code Injection > Header, if your plan has it.

${snippet('<meta name="tdm-reservation" content="1">')}`,
      sitemap: `Squarespace writes /sitemap.xml from your published pages, and you cannot edit it. To remove a page from it, delete the page, or choose "Hide this page from search results" in its SEO settings. The sitemap follows within a day.

If it cannot be read, choose Public in Settings > Site Availability. Otherwise, send the finding to Squarespace’s support.`,
      markdown: explainNoMarkdown('Squarespace'),
      access: askHost(
        'Squarespace',
        'Choose Public in Settings > Site Availability, and clear "Block known artificial intelligence crawlers" in Settings > Crawlers.',
      ),
    },
  },
  Wix: {
    where: {
      robots: WIX_ROBOTS,
      preference: WIX_ROBOTS,
      llms: `Wix serves /llms.txt itself, and you can replace its text. Look for llms.txt in the SEO tools of your dashboard. If it is not there, ask Wix whether your plan has it.`,
      head: `In your Wix dashboard, open Settings > Custom Code, and add the code to the head of the pages that it describes. Choose the type Essential, because other types may wait for the visitor’s consent. The site must be published under its own domain.`,
      files: explainNoFiles('Wix'),
      redirect: `In your Wix dashboard, open the SEO tools, then the URL Redirect Manager, and redirect the old path to the new one.`,
    },
    instead: {
      sitemap: `Wix writes the sitemap from your published pages, and you cannot edit it. To remove a page from it, delete the page or hide it from search engines in its SEO settings.

If the sitemap cannot be read, publish the site. Otherwise, send the finding to Wix’s support.`,
      markdown: explainNoMarkdown('Wix'),
      access: askHost('Wix', 'Check that the site is published and that its pages need no password.'),
    },
  },
};

type Failure = Pick<Finding, 'checkId' | 'errorType'>;

export function adaptFix(platform: Platform, fix: string, failure: Failure): string {
  const general = generalPart(fix);
  if (!isHosted(platform)) {
    const [, serverPart = ''] = fix.split(`\n\n${SERVERS[platform]}\n`);
    return `${general}\n${generalPart(serverPart)}`;
  }
  const { where, instead } = FIXES[platform];
  const kind = kindOf(failure);
  const needsServer = failure.errorType === 'WRONG_MIME';
  const parts = instead[kind] === undefined ? [where[kind], !needsServer && removeLeadIn(general)] : [instead[kind]];
  return [...parts, failure.errorType === 'DEAD_LINK' && where.redirect].filter(Boolean).join('\n\n');
}

/** True if the platform has no way to fix the failure. */
export function isUnfixableOn(platform: Platform | null, failure: Failure): boolean {
  return platform !== null && isHosted(platform) && kindOf(failure) === 'markdown';
}

/** Adapts the fixes of a scan to a platform, and drops the gains of what it cannot fix. Changes nothing if the platform is null. */
export function adaptScan<Scan extends Pick<ScanToDescribe, 'findings' | 'gains'>>(
  platform: Platform | null,
  scan: Scan,
): Scan {
  if (platform === null) return scan;
  const findings = scan.findings.map((finding) =>
    finding.fix === null ? finding : { ...finding, fix: adaptFix(platform, finding.fix, finding) },
  );
  const unfixable = findings.filter((finding) => isUnfixableOn(platform, finding)).map(({ checkId }) => checkId);
  return { ...scan, findings, gains: scan.gains.filter(({ checkId }) => !unfixable.includes(checkId)) };
}

function isHosted(platform: Platform): platform is Hosted {
  return platform in FIXES;
}

function kindOf({ checkId, errorType }: Failure): Kind {
  const kind = KINDS[checkId.split('-')[1] ?? ''] ?? 'access';
  if (checkId === 'C-BOT-03') return 'access';
  const isRefused = errorType === 'UNREACHABLE' || errorType === 'TIMEOUT' || errorType === 'BLOCKED';
  const isByRobots = checkId === 'C-BOT-01' && errorType === 'BLOCKED';
  return isRefused && !isByRobots && kind !== 'sitemap' ? 'access' : kind;
}

/** Removes a last paragraph that introduces the blocks for servers. */
function removeLeadIn(general: string): string {
  return general.replace(/\n\n[^\n]*:$/, '');
}
