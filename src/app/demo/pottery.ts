/** A request to the shop. */
export interface PotteryRequest {
  readonly path: string;
  /** Such as `http://localhost:8081`. */
  readonly origin: string;
}

export interface PotteryAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/* The run from which on each change is live. */
const ROBOTS = 2;
const SITEMAP = 3;
/** Served as HTML at first. */
const LLMS = 4;
const LLMS_AS_TEXT = 5;
const OUTAGE = 6;
/** With a price in words at first. */
const STRUCTURED_DATA = 7;
const PRICE = 9;
const ADDRESS = 10;
const HEADING = 12;
/** robots.txt disallows two agents during this run alone, so that the first check after it proves a fix. */
const SHUT_OUT = 14;

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const UPDATED = '2025-10-05';

/** Returns what the shop answers during run `number`. It has faults of real sites, which its owner fixes one by one. */
export function potteryAnswer(number: number, { path, origin }: PotteryRequest): PotteryAnswer {
  if (number === OUTAGE) return { status: 503, type: TEXT, body: 'Back in a minute.\n' };
  const body = BODIES[path]?.(number, origin) ?? null;
  if (body === null) return { status: 404, type: HTML, body: page('Not here', '<h1>Not here</h1><p>No such pot.</p>') };
  return { status: 200, type: typeOf(path, number), body };
}

function typeOf(path: string, number: number): string {
  if (path === '/sitemap.xml') return 'application/xml';
  return path === '/robots.txt' || (path === '/llms.txt' && number >= LLMS_AS_TEXT) ? TEXT : HTML;
}

/** Bodies by path; null before the file exists. */
const BODIES: Readonly<Record<string, (number: number, origin: string) => string | null>> = {
  '/': (number, origin) =>
    page('Kiln Street Pottery', HOME, number >= STRUCTURED_DATA ? [businessOf(number, origin)] : []),
  '/bowls': (number, origin) => page('Bowls', BOWLS, number >= STRUCTURED_DATA ? [bowlOf(number, origin)] : []),
  '/visit': () => page('Visit us', VISIT),
  '/robots.txt': (number, origin) => (number >= ROBOTS ? robotsOf(number, origin) : null),
  '/sitemap.xml': (number, origin) => (number >= SITEMAP ? sitemapOf(origin) : null),
  '/llms.txt': (number) => (number >= LLMS ? llmsOf(number) : null),
};

const NAVIGATION = '<nav><a href="/">Home</a> <a href="/bowls">Bowls</a> <a href="/visit">Visit us</a></nav>';

const HOME = `<h1>Kiln Street Pottery</h1>
<p>We throw bowls and cups by hand, two streets from the harbour, and fire them in a kiln that runs on Fridays. Each piece is stoneware
with a glaze that we mix ourselves, and goes into the dishwasher.</p>`;

const BOWLS = `<h1>The Rain bowl</h1>
<p>Our bowl for soup and noodles: the Rain bowl is a hand wide, grey inside and blue outside, and holds half a litre. 38 euros, and we
send it within a week.</p>`;

const VISIT = `<h1>Visit us</h1>
<p>The workshop at Kiln Street 12 is open on Saturdays from ten to four. Ring twice: the wheel is loud.</p>`;

function page(title: string, body: string, blocks: readonly object[] = []): string {
  const data = blocks.map(
    (block) => `<script type="application/ld+json">\n${JSON.stringify(block, null, 2)}\n</script>\n`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
${data.join('')}</head>
<body>
${NAVIGATION}
${body}
</body>
</html>
`;
}

function businessOf(number: number, origin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: 'Kiln Street Pottery',
    url: `${origin}/`,
    ...(number >= ADDRESS && {
      logo: `${origin}/logo.png`,
      description: 'Bowls and cups, thrown by hand.',
      address: { '@type': 'PostalAddress', streetAddress: 'Kiln Street 12', addressLocality: 'Harbour Town' },
    }),
  };
}

function bowlOf(number: number, origin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Rain bowl',
    image: `${origin}/rain.jpg`,
    offers: {
      '@type': 'Offer',
      price: number >= PRICE ? '38.00' : 'thirty-eight',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    },
  };
}

function robotsOf(number: number, origin: string): string {
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
    (path) => `  <url><loc>${origin}${path}</loc><lastmod>${UPDATED}</lastmod></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
}

function llmsOf(number: number): string {
  return `${number >= HEADING ? '# Kiln Street Pottery' : 'Kiln Street Pottery'}

> Bowls and cups, thrown by hand.

## Pages

- [Bowls](/bowls): what we sell
- [Visit us](/visit): when the workshop is open
- [Glazes](/glazes): what is in them
- [Courses](/courses/2024): evenings at the wheel
`;
}
