import { renderToString } from 'preact-render-to-string';
import { answer, cacheCodings, entityTagOf } from '../../platform/http/answer.js';
import type { Assets } from './assets.js';
import { queryOf, type WebContext } from './context.js';
import { Layout, type Navigation } from '../html/layout.js';
import type { Page, SendConstantPage, SendPage } from './page.js';

/** The parts that all pages share. */
export interface Frame {
  readonly assets: Assets;
  readonly publicUrl: string;
  readonly navigation: Navigation;
}

const HTML = 'text/html; charset=utf-8';
/** Pages differ by viewer. */
const VISITOR_CACHE = 'private, no-cache';

/** Creates the function that renders and sends a page. */
export function createSendPage(frame: Frame): SendPage {
  return (ctx, page) => {
    if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', ctx.state.viewer ? 'no-store' : VISITOR_CACHE);
    ctx.vary('Cookie');
    ctx.state.hasSecret = page.hasSecret ?? false;
    answer(ctx, page.status ?? 200, HTML, render(ctx, page, frame));
  };
}

interface Constant {
  readonly body: Buffer;
  readonly etag: string;
}

/** Creates the function that sends constant pages: cached by their canonical path, for visitors only. */
export function createSendConstantPage(frame: Frame, sendPage: SendPage): SendConstantPage {
  const kept = new Map<string, Constant>();
  return (ctx, path, make) => {
    // Another spelling of the path, such as with percent signs, is not cached: there is no end of them.
    if (ctx.path !== path || ctx.state.viewer !== null || queryOf(ctx, 'notice') !== '') {
      sendPage(ctx, make());
      return;
    }
    const { body, etag } = kept.get(path) ?? keep(path, render(ctx, make(), frame));
    ctx.set('Cache-Control', VISITOR_CACHE);
    ctx.vary('Cookie');
    ctx.set('ETag', etag);
    answer(ctx, 200, HTML, body);
  };

  function keep(path: string, body: Buffer): Constant {
    const constant = { body, etag: entityTagOf(body) };
    cacheCodings(body, 'best');
    kept.set(path, constant);
    return constant;
  }
}

/** Returns bytes: of a string, Koa computes the length and Node the encoding separately. */
function render(ctx: WebContext, page: Page, { assets, publicUrl, navigation }: Frame): Buffer {
  const { status = 200, notices = {} } = page;
  const code = queryOf(ctx, 'notice');
  const html = renderToString(
    <Layout
      page={page}
      notice={status < 400 && Object.hasOwn(notices, code) ? notices[code] : null}
      assets={assets}
      path={ctx.path}
      canonicalUrl={publicUrl + ctx.path}
      viewer={ctx.state.viewer}
      navigation={navigation}
    />,
  );
  return Buffer.from(`<!doctype html>${html}`);
}
