import type { WebContext } from '../server/context.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { allPagesText } from '../public/content.js';
import { sendDocument } from '../server/send-document.js';
import { ADDRESSES, TYPES } from '../server/agent-paths.js';
import { formatSkill, skillIndex } from './agent-skill.js';
import { agentCatalog, apiCatalog } from './catalogs.js';
import { formatSecurityTxt } from './security-txt.js';
import { formatLlmsTxt, formatRobotsTxt, formatSitemap } from './texts.js';

/** Something for programs to read, at one or more paths. */
interface Document {
  readonly paths: readonly string[];
  readonly type: string;
  readonly body: () => string;
  readonly link?: string;
}

/** What agents, crawlers and researchers look for at fixed places. */
export const addDiscoveryRoutes: Part = (router, deps) => {
  for (const document of documentsOf(deps)) {
    for (const path of document.paths) {
      router.get(path, (ctx) => {
        send(ctx, document);
      });
    }
  }
};

function documentsOf(deps: PartDeps): readonly Document[] {
  const { publicUrl, contact, mcpDocuments, clock } = deps;
  const text = (path: string, body: string): Document => ({ paths: [path], type: TYPES.text, body: () => body });
  const json = (paths: readonly string[], type: string, value: object): Document => {
    const body = `${JSON.stringify(value, null, 2)}\n`;
    return { paths, type, body: () => body };
  };
  return [
    text(ADDRESSES.llms, formatLlmsTxt(publicUrl)),
    { ...text(ADDRESSES.llmsFull, ''), body: allPagesText(deps) },
    text(ADDRESSES.robots, formatRobotsTxt(publicUrl)),
    { ...text(ADDRESSES.sitemap, formatSitemap(publicUrl)), type: TYPES.xml },
    {
      ...text(ADDRESSES.securityTxt, ''),
      body: () => formatSecurityTxt({ publicUrl, contact, now: clock.now() }),
    },
    {
      ...json([ADDRESSES.apiCatalog], TYPES.linkset, apiCatalog(publicUrl)),
      // RFC 9727 §3 asks for it in answers to HEAD.
      link: `<${ADDRESSES.apiCatalog}>; rel="api-catalog"`,
    },
    json([ADDRESSES.skills], TYPES.json, skillIndex(publicUrl)),
    { ...text(ADDRESSES.skill, formatSkill(publicUrl)), type: TYPES.markdown },
    json([ADDRESSES.ard], TYPES.json, agentCatalog(mcpDocuments.catalogEntry)),
    json([ADDRESSES.serverCard, ADDRESSES.serverCardAtEndpoint], TYPES.serverCard, mcpDocuments.serverCard),
    json([ADDRESSES.registryEntry], TYPES.json, mcpDocuments.registryEntry),
    json([ADDRESSES.mcpManifest], TYPES.json, mcpDocuments.manifest),
  ];
}

/** Kept for as long as crawlers and clients may work with an older one. */
function send(ctx: WebContext, { type, body, link }: Document): void {
  if (link !== undefined) ctx.set('Link', link);
  sendDocument(ctx, { type, text: body(), cacheControl: 'public, max-age=300' });
}
