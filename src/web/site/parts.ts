import type { SitePart } from './deps.js';
import { addDiscoveryRoutes } from './discovery/routes.js';
import { addPublicRoutes } from './public/routes.js';
import { addSampleRoutes } from './public/sample-page.js';
import { addRedirects } from './redirects.js';

/** The pages and documents for everybody, in the order of their routes. */
export const SITE_PARTS: readonly SitePart[] = [addDiscoveryRoutes, addPublicRoutes, addSampleRoutes, addRedirects];
