import { gzipSync } from 'node:zlib';
import { renderToString } from 'preact-render-to-string';
import type { Assets } from './assets.js';
import { Layout, type Navigation } from './layout.js';
import type { SendPage } from './page.js';

/** How pages are sent: rendered on the server, complete without script. */
export function createSendPage(assets: Assets, publicUrl: string, navigation: Navigation): SendPage {
  return (ctx, page) => {
    const html = renderToString(
      <Layout
        page={page}
        assets={assets}
        path={ctx.path}
        canonicalUrl={publicUrl + ctx.path}
        viewer={ctx.state.viewer}
        navigation={navigation}
      />,
    );
    ctx.status = page.status ?? 200;
    // What a page shows depends on who asks, and may be theirs alone.
    if (!ctx.response.get('Cache-Control')) {
      ctx.set('Cache-Control', ctx.state.viewer ? 'no-store' : 'private, no-cache');
    }
    ctx.vary('Cookie');
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    const body = `<!doctype html>${html}`;
    // Only public pages are compressed: the length of a page that holds a secret must not reveal it (BREACH).
    const isPublic = page.description !== undefined && ctx.state.viewer === null;
    if (isPublic) ctx.vary('Accept-Encoding');
    if (isPublic && ctx.acceptsEncodings('gzip') !== false) {
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = gzipSync(body);
    } else ctx.body = body;
  };
}
