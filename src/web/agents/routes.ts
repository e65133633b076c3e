import { allPagesText } from '../public/content.js';
import { ADDRESSES, PUBLIC_PAGES, TYPES } from '../server/paths.js';
import { type Part, type PartDeps, PRODUCT } from '../server/page.js';
import { sendDocument } from '../server/send-text.js';
import { formatLlmsTxt, formatRobotsTxt, formatSecurityTxt, formatSitemap, formatSkill, skillIndex } from './texts.js';

/** What agents, crawlers and researchers look for at fixed places. */
export const addDiscoveryRoutes: Part = (router, deps) => {
  for (const [path, type, content] of documentsOf(deps)) {
    router.get(path, (ctx) => {
      // RFC 9727 §3 asks for it in answers to HEAD.
      if (path === ADDRESSES.apiCatalog) ctx.set('Link', `<${path}>; rel="api-catalog"`);
      const text = content();
      // Crawlers and clients may work with an older one for so long.
      sendDocument(ctx, { type, text, cacheControl: 'public, max-age=300' });
    });
  }
};

type Document = readonly [path: string, type: string, content: () => string];

function documentsOf(deps: PartDeps): readonly Document[] {
  const { publicUrl, contact, mcpDocuments, clock } = deps;
  const { serverCard, manifest, registryEntry, catalogEntry } = mcpDocuments;
  const json = (path: string, value: object, type: string = TYPES.json): Document => {
    const text = `${JSON.stringify(value, null, 2)}\n`;
    return [path, type, () => text];
  };
  return [
    [ADDRESSES.llms, TYPES.text, () => formatLlmsTxt(publicUrl)],
    [ADDRESSES.llmsFull, TYPES.text, allPagesText(deps)],
    [ADDRESSES.robots, TYPES.text, () => formatRobotsTxt(publicUrl)],
    [ADDRESSES.sitemap, TYPES.xml, () => formatSitemap(publicUrl)],
    [ADDRESSES.securityTxt, TYPES.text, () => formatSecurityTxt({ publicUrl, contact, now: clock.now() })],
    [ADDRESSES.skill, TYPES.markdown, () => formatSkill(publicUrl)],
    json(ADDRESSES.skills, skillIndex(publicUrl)),
    json(ADDRESSES.apiCatalog, apiCatalog(publicUrl), TYPES.linkset),
    // A manifest of ARD 0.91.
    json(ADDRESSES.ard, { specVersion: '1.0', host: { displayName: PRODUCT }, entries: [catalogEntry] }),
    json(ADDRESSES.serverCard, serverCard, TYPES.serverCard),
    json(ADDRESSES.serverCardAtEndpoint, serverCard, TYPES.serverCard),
    json(ADDRESSES.registryEntry, registryEntry),
    json(ADDRESSES.mcpManifest, manifest),
  ];
}

/** The API catalog (RFC 9727), a linkset (RFC 9264). */
function apiCatalog(publicUrl: string): object {
  return {
    linkset: [
      {
        anchor: publicUrl + ADDRESSES.api,
        'service-desc': [{ href: publicUrl + ADDRESSES.openApi, type: TYPES.json }],
        'service-doc': [{ href: publicUrl + PUBLIC_PAGES.api.path, type: 'text/html' }],
        status: [{ href: `${publicUrl}/readyz`, type: TYPES.json }],
      },
    ],
  };
}
