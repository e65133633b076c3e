import type { FixtureAnswer } from '../../../support/fixture-site.js';
import type { Proof, Routes } from './proof.js';

export const inScript = (members: string, type = 'Product'): string =>
  `<script type="application/ld+json">{"@context": "https://schema.org", "@type": "${type}", "name": "Lamp", ${members}}</script>`;

export const urlset = (entries: string): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;

export const SITEMAP = urlset('<url><loc>https://www.fixture-site.com/</loc></url>');

/** A file that fails to answer, and is served as its fix says. */
export const unserved = (path: string, answer: FixtureAnswer, body: string, beside: Routes = {}): Proof => ({
  failing: { [path]: answer, ...beside },
  mended: ({ served }) => served(body),
});

/** What a server that follows an nginx block with a redirect sends. */
export function redirected(nginx: string): Routes {
  const [, from = '', status, location = ''] = /location = (\S+) { return (\d+) (\S+); }/.exec(nginx) ?? [];
  return { [from]: { status: Number(status), headers: { location } } };
}
