import { PUBLIC_PAGES } from '../public-pages.js';
import { ADDRESSES, TYPES } from './addresses.js';

/** How the home page leads agents to the documents that are for them (RFC 8288, RFC 8631, RFC 9727 §3). */
export const HOME_LINKS = [
  `<${ADDRESSES.llms}>; rel="describedby"; type="text/plain"`,
  `<${ADDRESSES.apiCatalog}>; rel="api-catalog"`,
  `<${ADDRESSES.openApi}>; rel="service-desc"; type="${TYPES.json}"`,
  `<${PUBLIC_PAGES.api.path}>; rel="service-doc"; type="text/html"`,
  `<${ADDRESSES.aiCatalog}>; rel="ai-catalog"; type="${TYPES.aiCatalog}"`,
].join(', ');
