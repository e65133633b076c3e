import { renderToString } from 'preact-render-to-string';
import { answer, cacheCodings, entityTagOf } from '../../platform/http/answer.js';
import { queryOf } from './form.js';
import type { Page, PagesDeps, SendConstantPage, SendPage, WebContext } from './page.js';
import { Layout } from '../html/layout.js';

const HTML = 'text/html; charset=utf-8';
/** Pages differ by viewer. */
const VISITOR_CACHE = 'private, no-cache';

interface Constant {
  readonly body: Buffer;
  readonly etag: string;
}

/** Creates the functions that render and send pages. */
export function createSendPage({ publicUrl, isSignUpOpen }: Pick<PagesDeps, 'publicUrl' | 'isSignUpOpen'>): {
  readonly sendPage: SendPage;
  readonly sendConstantPage: SendConstantPage;
} {
  /** By canonical path. */
  const constants = new Map<string, Constant>();

  /** Returns bytes: of a string, Koa computes the length and Node the encoding separately. */
  const render = (ctx: WebContext, page: Page): Buffer => {
    const { status = 200, notices = {} } = page;
    const code = queryOf(ctx, 'notice');
    const html = renderToString(
      <Layout
        page={page}
        notice={status < 400 && Object.hasOwn(notices, code) ? notices[code] : null}
        path={ctx.path}
        canonicalUrl={publicUrl + ctx.path}
        viewer={ctx.state.viewer}
        isSignUpOpen={isSignUpOpen}
      />,
    );
    return Buffer.from(`<!doctype html>${html}`);
  };

  const sendPage: SendPage = (ctx, page) => {
    if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', ctx.state.viewer ? 'no-store' : VISITOR_CACHE);
    ctx.vary('Cookie');
    ctx.state.hasSecret = page.hasSecret ?? false;
    answer(ctx, page.status ?? 200, HTML, render(ctx, page));
  };

  const sendConstantPage: SendConstantPage = (ctx, path, make) => {
    // Another spelling of the path, such as with percent signs, is not cached: there is no end of them.
    if (ctx.path !== path || ctx.state.viewer !== null || queryOf(ctx, 'notice') !== '') {
      sendPage(ctx, make());
      return;
    }
    let constant = constants.get(path);
    if (!constant) {
      const body = render(ctx, make());
      cacheCodings(body, 'best');
      constant = { body, etag: entityTagOf(body) };
      constants.set(path, constant);
    }
    ctx.set('ETag', constant.etag);
    ctx.set('Cache-Control', VISITOR_CACHE);
    ctx.vary('Cookie');
    answer(ctx, 200, HTML, constant.body);
  };

  return { sendPage, sendConstantPage };
}
