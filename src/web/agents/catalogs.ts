import { PRODUCT } from '../server/page.js';
import { PUBLIC_PAGES } from '../server/public-pages.js';
import { ADDRESSES, TYPES } from '../server/agent-paths.js';

/** The API catalog (RFC 9727), a linkset (RFC 9264). */
export function apiCatalog(publicUrl: string): object {
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

/** What is here for agents: a manifest of ARD 0.91. */
export function agentCatalog(mcpEntry: object): object {
  return { specVersion: '1.0', host: { displayName: PRODUCT }, entries: [mcpEntry] };
}
