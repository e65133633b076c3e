import type { App } from '../app.js';
import type { Trigger } from '../runs/run.js';
import type { SiteOfAccount } from '../sites/site.js';

/** Triggers of the shop's runs, in order, within the daily limits. */
export const SHOP_RUNS: readonly Trigger[] = ['MANUAL', 'POST_DEPLOY', 'POST_DEPLOY', 'MANUAL', 'API', 'POST_DEPLOY'];

// Each constant is the number of the first run that sees the change.
const ROBOTS_AND_SITEMAP = 2;
/** At first, llms.txt has no heading, and the structured data has a price in words. */
const LLMS_AND_STRUCTURED_DATA = 3;
const OUTAGE = 4;
const CORRECTIONS = 5;
/** Only during this run, robots.txt disallows two agents. The next run shows the fix. */
const AGENTS_BLOCKED = 6;

/**
 * Performs the shop's remaining runs, one after another. Rejects if a run fails or the service stops. The next start of the demo continues.
 * @param setRunNumber changes the shop to its version for this run
 */
export async function performShopRuns(
  { sites, runs }: Pick<App, 'sites' | 'runs'>,
  site: SiteOfAccount,
  setRunNumber: (number: number) => void,
): Promise<void> {
  for (;;) {
    const { latestNumber } = await sites.getOwn(site);
    setRunNumber(latestNumber + 1);
    const trigger = SHOP_RUNS[latestNumber];
    if (trigger === undefined) return;
    const label = { label: `shop 1.${latestNumber}`, commit: null };
    await runs.start({ ...site, trigger, ...(trigger === 'POST_DEPLOY' && { label }) });
  }
}

/**
 * Returns the shop's response during run `number`. The shop has typical faults, which its owner fixes one by one.
 * @param origin such as `http://localhost:8081`
 */
export function respondAsShop(number: number, path: string, origin: string) {
  if (number === OUTAGE) return { status: 503, type: TYPES.txt, body: 'Back in a minute.\n' };
  const type = Object.entries(TYPES).find(([ending]) => path.endsWith(`.${ending}`))?.[1] ?? TYPES.html;
  const body = filesAt(number, origin)[path];
  if (body !== undefined) return { status: 200, type, body };
  return { status: 404, type: TYPES.html, body: page('Not here', '<p>No such pot.</p>') };
}

const TYPES = { txt: 'text/plain; charset=utf-8', xml: 'application/xml', html: 'text/html; charset=utf-8' };

/** Returns file contents by path. */
function filesAt(number: number, origin: string): Readonly<Record<string, string>> {
  const isCorrected = number >= CORRECTIONS;
  const hasData = number >= LLMS_AND_STRUCTURED_DATA;
  return {
    '/': page('Kiln Street Pottery', HOME, hasData && businessOf(origin, isCorrected)),
    '/bowls': page('Bowls', BOWLS, hasData && productOf(origin, isCorrected)),
    '/visit': page('Visit us', VISIT),
    ...(number >= ROBOTS_AND_SITEMAP && {
      '/robots.txt': `User-agent: *\nAllow: /\n${number === AGENTS_BLOCKED ? DISALLOW_AGENTS : ''}\nSitemap: ${origin}/sitemap.xml\n`,
      '/sitemap.xml': sitemapOf(origin),
    }),
    ...(hasData && { '/llms.txt': (isCorrected ? '# ' : '') + LLMS }),
  };
}

const HOME = `<p>We throw bowls and cups by hand, two streets from the harbour, and fire them in a kiln that runs on Fridays. Each
piece is stoneware with a glaze that we mix ourselves, and goes into the dishwasher.</p>`;

const BOWLS = `<p>Our bowl for soup and noodles: the Rain bowl is a hand wide, grey inside and blue outside, and holds half a litre.
38 euros, and we send it within a week.</p>`;

const VISIT = `<p>The workshop at Kiln Street 12 is open on Saturdays from ten to four. Ring twice: the wheel is loud.</p>`;

function page(title: string, body: string, data: object | false = false): string {
  const script = data ? `<script type="application/ld+json">\n${JSON.stringify(data, null, 2)}\n</script>\n` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
${script}</head>
<body>
<nav><a href="/">Home</a> <a href="/bowls">Bowls</a> <a href="/visit">Visit us</a></nav>
<h1>${title}</h1>
${body}
</body>
</html>
`;
}

function businessOf(origin: string, isCorrected: boolean): object {
  const address = { '@type': 'PostalAddress', streetAddress: 'Kiln Street 12', addressLocality: 'Harbour Town' };
  const corrections = { logo: `${origin}/logo.png`, description: 'Bowls and cups, thrown by hand.', address };
  const business = { '@type': 'Organization', name: 'Kiln Street Pottery', url: `${origin}/` };
  return { '@context': 'https://schema.org', ...business, ...(isCorrected && corrections) };
}

function productOf(origin: string, isCorrected: boolean): object {
  const price = isCorrected ? '38.00' : 'thirty-eight';
  const offers = { '@type': 'Offer', price, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' };
  const image = `${origin}/rain.jpg`;
  return { '@context': 'https://schema.org', '@type': 'Product', name: 'Rain bowl', image, offers };
}

const DISALLOW_AGENTS = `
# Keeps our photographs to ourselves
User-agent: OAI-SearchBot
User-agent: PerplexityBot
Disallow: /
`;

function sitemapOf(origin: string): string {
  const entries = ['/', '/bowls', '/visit'].map(
    (path) => `<url><loc>${origin}${path}</loc><lastmod>2025-10-05</lastmod></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>
`;
}

const LLMS = `Kiln Street Pottery

> Bowls and cups, thrown by hand.

## Pages

- [Bowls](/bowls): what we sell
- [Visit us](/visit): when the workshop is open
- [Glazes](/glazes): what is in them
- [Courses](/courses/2024): evenings at the wheel
`;
