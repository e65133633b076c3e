import { markdownPathOf, PUBLIC_PAGES, type PublicPage } from './public-pages.js';
import { ADDRESSES, TYPES } from './agent-paths.js';

/** Links of the home page to documents for agents (RFC 8288, RFC 8631, RFC 9727 §3, ARD 0.91 §4). */
const HOME_LINKS = [
  `<${ADDRESSES.ard}>; rel="ard"; type="${TYPES.json}"`,
  `<${ADDRESSES.apiCatalog}>; rel="api-catalog"`,
  `<${ADDRESSES.openApi}>; rel="service-desc"; type="${TYPES.json}"`,
  `<${PUBLIC_PAGES.api.path}>; rel="service-doc"; type="text/html"`,
];

/** The Link header of a public page: the llms.txt that covers it, and the page as Markdown (llms.txt v2, "Discovery"). */
export function pageLinks(page: PublicPage): string {
  return [
    `<${ADDRESSES.llms}>; rel="describedby"; type="text/plain"`,
    `<${markdownPathOf(page)}>; rel="alternate"; type="text/markdown"`,
    ...(page.path === PUBLIC_PAGES.home.path ? HOME_LINKS : []),
  ].join(', ');
}
