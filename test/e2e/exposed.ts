import { parseDocument, DomUtils } from 'htmlparser2';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Test } from 'tap';
import type { HttpAnswer, Visitor } from '../support/http-client.js';

/** A client that searches every page it gets. */
export interface Exposed {
  /** Elements that could run foreign script, and the URLs of pages on which script ran. Must stay empty. */
  readonly found: readonly string[];
  look(path: string): Promise<void>;
  /** Sends a form as our own pages do. */
  send(path: string, fields: Record<string, string>): Promise<void>;
  /** Waits for the end of the scan that the page follows, then searches the page. */
  awaitScan(): Promise<void>;
  path(): string;
  html(): Promise<string>;
}

/** Elements that run script, embed a document or change what addresses mean. */
const FOREIGN_ELEMENTS = ['iframe', 'object', 'embed', 'base', 'math'];
const ADDRESS_ATTRIBUTES = ['href', 'xlink:href', 'src', 'action', 'formaction', 'data'];
/** A refresh of our own pages, which works without script. */
const OWN_REFRESH = /^\d+;url=\/[\w./%-]*$/;

/** Opens a client without a browser: it parses the pages. */
export function openParsed(visitor: Visitor): Exposed {
  const found: string[] = [];
  let path = '/';
  let page = '';
  const follow = async ({ status, headers, text }: HttpAnswer): Promise<void> => {
    if (status === 303 && headers.location !== undefined) {
      const { pathname, search } = new URL(headers.location, 'http://page.test');
      return look(pathname + search);
    }
    page = text;
    found.push(...dangersOf(page));
  };
  const look = async (to: string): Promise<void> => {
    path = to;
    await follow(await visitor.get(to));
  };
  return {
    found,
    look,
    send: async (to, fields) => {
      path = to;
      await follow(await visitor.post(to, fields));
    },
    awaitScan: async () => {
      while (page.includes('data-live')) await look(path);
    },
    path: () => path,
    html: () => Promise.resolve(page),
  };
}

/** Returns every element of the page that could run foreign script, as its name and attributes. */
export function dangersOf(html: string): string[] {
  const leadsToScript = (address: string): boolean =>
    URL.canParse(address, 'http://page.test') && new URL(address, 'http://page.test').protocol === 'javascript:';
  const runs = ([name, value]: [string, string]): boolean =>
    name.startsWith('on') || name === 'srcdoc' || (ADDRESS_ATTRIBUTES.includes(name) && leadsToScript(value));
  const isForeign = (
    name: string,
    { src = '', type, 'http-equiv': equivalent, content = '' }: Record<string, string>,
  ) =>
    FOREIGN_ELEMENTS.includes(name) ||
    (name === 'meta' && equivalent !== undefined && !OWN_REFRESH.test(content)) ||
    (name === 'script' && !src.startsWith('/assets/') && type !== 'application/ld+json');
  return DomUtils.findAll(
    ({ name, attribs }) => isForeign(name, attribs) || Object.entries(attribs).some(runs),
    parseDocument(html),
  ).map(({ name, attribs }) => `${name} ${JSON.stringify(attribs)}`);
}

/** Opens a client in a browser. The content security policy is off, so that escaping alone must prevent script. */
export async function openInBrowser(t: Test, browser: Browser, options: BrowserContextOptions): Promise<Exposed> {
  const context = await browser.newContext({ ...options, bypassCSP: true });
  t.teardown(() => context.close());
  const found: string[] = [];
  await context.exposeBinding('xss', ({ page }) => void found.push(page.url()));
  const page = await context.newPage();
  const search = async (): Promise<void> => void found.push(...dangersOf(await page.content()));
  return {
    found,
    look: async (path) => {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await search();
    },
    send: async (path, fields) => {
      if (page.url() === 'about:blank') await page.goto('/sign-in');
      const loaded = page.waitForEvent('domcontentloaded');
      await page.evaluate(`(${SEND})(${JSON.stringify(path)}, ${JSON.stringify(fields)})`);
      await loaded;
      await search();
    },
    awaitScan: async () => {
      await page.locator('[data-live]').waitFor({ state: 'detached' });
      await page.waitForLoadState();
      await search();
    },
    path: () => new URL(page.url()).pathname,
    html: () => page.content(),
  };
}

/** Runs in the page: sends the form after the call has returned, since the next page replaces this one and its answer. */
const SEND = `(path, fields) => {
  const form = Object.assign(document.createElement('form'), { method: 'post', action: path });
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  }
  document.body.append(form);
  setTimeout(() => form.submit());
}`;
