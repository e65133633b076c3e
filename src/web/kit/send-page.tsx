import { brotliCompressSync, gzipSync } from 'node:zlib';
import { renderToString } from 'preact-render-to-string';
import { entityTagOf, isNotModified } from '../../platform/http/conditional.js';
import { type Assets, BROTLI, chooseCoding, type Coding } from './assets.js';
import type { WebContext } from './context.js';
import { Layout, type Navigation } from './layout.js';
import type { Page, SendConstantPage, SendPage } from './page.js';

/** What stands around every page. */
export interface Frame {
  readonly assets: Assets;
  readonly publicUrl: string;
  readonly navigation: Navigation;
}

const HTML = 'text/html; charset=utf-8';
/** What a page shows depends on who asks, and may be theirs alone. */
const VISITOR_CACHE = 'private, no-cache';

/** How pages are sent: rendered on the server, complete without script. */
export function createSendPage(frame: Frame): SendPage {
  return (ctx, page) => {
    const body = render(ctx, page, frame);
    ctx.status = page.status ?? 200;
    if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', ctx.state.viewer ? 'no-store' : VISITOR_CACHE);
    ctx.vary('Cookie');
    ctx.set('Content-Type', HTML);
    // Only public pages are compressed: the length of a page that holds a secret must not reveal it (BREACH).
    const isPublic = page.description !== undefined && ctx.state.viewer === null;
    if (isPublic) ctx.vary('Accept-Encoding');
    if (isPublic && ctx.acceptsEncodings('gzip') !== false) {
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = gzipSync(body);
    } else ctx.body = body;
  };
}

interface Constant {
  readonly identity: Buffer;
  readonly etag: string;
  readonly coded: ReadonlyMap<Coding, Buffer>;
}

/** How constant pages are sent: a copy by path, which holds nothing of anybody. */
export function createSendConstantPage(frame: Frame, sendPage: SendPage): SendConstantPage {
  const kept = new Map<string, Constant>();
  return (ctx, make) => {
    if (ctx.state.viewer !== null) {
      sendPage(ctx, make());
      return;
    }
    const { identity, etag, coded } = kept.get(ctx.path) ?? keep(ctx.path, render(ctx, make(), frame));
    ctx.set('Cache-Control', VISITOR_CACHE);
    ctx.vary('Cookie');
    ctx.vary('Accept-Encoding');
    if (isNotModified(ctx, etag)) return;
    const coding = chooseCoding(ctx);
    if (coding) ctx.set('Content-Encoding', coding);
    ctx.set('Content-Type', HTML);
    ctx.body = (coding && coded.get(coding)) ?? identity;
  };

  function keep(path: string, identity: Buffer): Constant {
    const coded = new Map<Coding, Buffer>([
      ['br', brotliCompressSync(identity, BROTLI)],
      ['gzip', gzipSync(identity)],
    ]);
    // Weak, since all codings have the same (RFC 9110 §8.8.3).
    const constant = { identity, etag: `W/${entityTagOf(identity)}`, coded };
    kept.set(path, constant);
    return constant;
  }
}

/** As bytes: Koa measures a text and Node encodes it, each on its own. */
function render(ctx: WebContext, page: Page, { assets, publicUrl, navigation }: Frame): Buffer {
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
  return Buffer.from(`<!doctype html>${html}`);
}
