import type { App } from '../app.js';
import type { Trigger } from '../runs/run.js';
import type { SiteOfAccount } from '../sites/site.js';

/** What starts each run of the shop, within the daily limits. */
export const HISTORY: readonly Trigger[] = ['MANUAL', 'POST_DEPLOY', 'POST_DEPLOY', 'MANUAL', 'API', 'POST_DEPLOY'];

/* The run from which on each change is live. */
const ROBOTS_AND_SITEMAP = 2;
/** llms.txt has no heading at first, and the structured data a price in words. */
const LLMS_AND_STRUCTURED_DATA = 3;
const OUTAGE = 4;
const CORRECTIONS = 5;
/** robots.txt disallows two agents during this run alone, so that the first check after it proves a fix. */
const SHUT_OUT = 6;

export interface HistoryContext extends Pick<App, 'sites' | 'runs'> {
  /** Serves the shop as it is at its run `number`. */
  readonly setVersion: (number: number) => void;
  /** Once aborted, no run is started. */
  readonly signal: AbortSignal;
}

/** Makes the missing runs of the shop, one after another. Rejects if one fails; the next start of the demo continues. */
export async function makeHistory(
  at: SiteOfAccount,
  { sites, runs, setVersion, signal }: HistoryContext,
): Promise<void> {
  for (;;) {
    const { latestNumber } = await sites.getOwn(at);
    setVersion(latestNumber + 1);
    const trigger = HISTORY[latestNumber];
    if (trigger === undefined || signal.aborted) return;
    const label = trigger === 'POST_DEPLOY' ? { label: `shop 1.${latestNumber}`, commit: null } : undefined;
    await runs.start({ ...at, trigger, ...(label && { label }) });
  }
}

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

/** A file's type, and its content at a run; null where it does not exist yet. */
type ShopFile = readonly [type: string, contentAt: (number: number, origin: string) => string | null];

/**
 * Returns what the shop answers during run `number`. It has faults of real sites, which its owner fixes one by one.
 * @param origin such as `http://localhost:8081`
 */
export function shopAnswer(number: number, path: string, origin: string) {
  if (number === OUTAGE) return { status: 503, type: TEXT, body: 'Back in a minute.\n' };
  const [type, contentAt] = FILES[path] ?? [HTML, () => null];
  const body = contentAt(number, origin);
  if (body !== null) return { status: 200, type, body };
  return { status: 404, type: HTML, body: page('Not here', '<h1>Not here</h1><p>No such pot.</p>') };
}

const FILES: Readonly<Record<string, ShopFile>> = {
  '/': [HTML, (number, origin) => page('Kiln Street Pottery', HOME, businessAt(number, origin))],
  '/bowls': [HTML, (number, origin) => page('Bowls', BOWLS, bowlAt(number, origin))],
  '/visit': [HTML, () => page('Visit us', VISIT)],
  '/robots.txt': [TEXT, (number, origin) => (number < ROBOTS_AND_SITEMAP ? null : robotsAt(number, origin))],
  '/sitemap.xml': ['application/xml', (number, origin) => (number < ROBOTS_AND_SITEMAP ? null : sitemapOf(origin))],
  '/llms.txt': [TEXT, (number) => (number < LLMS_AND_STRUCTURED_DATA ? null : llmsAt(number))],
};

const HOME = `<h1>Kiln Street Pottery</h1>
<p>We throw bowls and cups by hand, two streets from the harbour, and fire them in a kiln that runs on Fridays. Each piece is stoneware
with a glaze that we mix ourselves, and goes into the dishwasher.</p>`;

const BOWLS = `<h1>The Rain bowl</h1>
<p>Our bowl for soup and noodles: the Rain bowl is a hand wide, grey inside and blue outside, and holds half a litre. 38 euros, and we
send it within a week.</p>`;

const VISIT = `<h1>Visit us</h1>
<p>The workshop at Kiln Street 12 is open on Saturdays from ten to four. Ring twice: the wheel is loud.</p>`;

function page(title: string, body: string, data: object | null = null): string {
  const script = data && `<script type="application/ld+json">\n${JSON.stringify(data, null, 2)}\n</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
${script ?? ''}</head>
<body>
<nav><a href="/">Home</a> <a href="/bowls">Bowls</a> <a href="/visit">Visit us</a></nav>
${body}
</body>
</html>
`;
}

function businessAt(number: number, origin: string): object | null {
  if (number < LLMS_AND_STRUCTURED_DATA) return null;
  const address = { '@type': 'PostalAddress', streetAddress: 'Kiln Street 12', addressLocality: 'Harbour Town' };
  const corrections = { logo: `${origin}/logo.png`, description: 'Bowls and cups, thrown by hand.', address };
  const business = { '@type': 'Organization', name: 'Kiln Street Pottery', url: `${origin}/` };
  return { '@context': 'https://schema.org', ...business, ...(number >= CORRECTIONS && corrections) };
}

function bowlAt(number: number, origin: string): object | null {
  if (number < LLMS_AND_STRUCTURED_DATA) return null;
  const price = number >= CORRECTIONS ? '38.00' : 'thirty-eight';
  const offers = { '@type': 'Offer', price, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' };
  const image = `${origin}/rain.jpg`;
  return { '@context': 'https://schema.org', '@type': 'Product', name: 'Rain bowl', image, offers };
}

function robotsAt(number: number, origin: string): string {
  const closed = `
# Keeps our photographs to ourselves
User-agent: OAI-SearchBot
User-agent: PerplexityBot
Disallow: /
`;
  return `User-agent: *
Allow: /
${number === SHUT_OUT ? closed : ''}
Sitemap: ${origin}/sitemap.xml
`;
}

function sitemapOf(origin: string): string {
  const entries = ['/', '/bowls', '/visit'].map(
    (path) => `  <url><loc>${origin}${path}</loc><lastmod>2025-10-05</lastmod></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
}

function llmsAt(number: number): string {
  return `${number >= CORRECTIONS ? '# ' : ''}Kiln Street Pottery

> Bowls and cups, thrown by hand.

## Pages

- [Bowls](/bowls): what we sell
- [Visit us](/visit): when the workshop is open
- [Glazes](/glazes): what is in them
- [Courses](/courses/2024): evenings at the wheel
`;
}
