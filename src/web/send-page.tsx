import { gzipSync } from 'node:zlib';
import { renderToString } from 'preact-render-to-string';
import type { Assets } from './assets.js';
import { Layout } from './layout.js';
import type { SendPage } from './page.js';

/** How pages are sent: rendered on the server, complete without script. */
export function createSendPage(assets: Assets, publicUrl: string): SendPage {
  return (exchange, page) => {
    const html = renderToString(
      <Layout
        page={page}
        assets={assets}
        path={exchange.path}
        canonicalUrl={publicUrl + exchange.path}
        session={exchange.state.session}
      />,
    );
    exchange.status = page.status ?? 200;
    // What a page shows depends on who asks, and may be theirs alone.
    if (!exchange.response.get('Cache-Control')) {
      exchange.set('Cache-Control', exchange.state.session ? 'no-store' : 'private, no-cache');
    }
    exchange.vary('Cookie');
    exchange.set('Content-Type', 'text/html; charset=utf-8');
    const body = `<!doctype html>${html}`;
    // Only what is the same for everybody is compressed: the length of a page that holds a secret must not tell of it (BREACH).
    const isPublic = page.description !== undefined && exchange.state.session === null;
    if (isPublic) exchange.vary('Accept-Encoding');
    if (isPublic && exchange.acceptsEncodings('gzip') !== false) {
      exchange.set('Content-Encoding', 'gzip');
      exchange.body = gzipSync(body);
    } else exchange.body = body;
  };
}
