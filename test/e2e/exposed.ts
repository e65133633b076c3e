import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';

/** A page on which script that gets in would run: the policy that forbids it is off, so that the escaping alone has to hold. */
export interface Exposed {
  readonly page: Page;
  /** Where script ran: has to stay empty. */
  readonly executions: string[];
  /** Goes there, and resolves with whatever could run in what came. */
  look(path: string): Promise<string[]>;
  /** Sends a form as our own pages do, and looks at the answer. */
  send(path: string, fields: Readonly<Record<string, string>>): Promise<string[]>;
}

export async function openExposed(t: Test, browser: Browser, options: BrowserContextOptions): Promise<Exposed> {
  const context = await browser.newContext({ ...options, bypassCSP: true });
  t.teardown(() => context.close());
  const executions: string[] = [];
  await context.exposeBinding('xss', ({ page }) => void executions.push(page.url()));
  const page = await context.newPage();
  // A page that waits for a scan goes on by itself, and may do so while it is looked at.
  const dangers = (): Promise<string[]> =>
    page.evaluate<string[]>(DANGERS).catch(async (error: unknown) => {
      if (!String(error).includes('Execution context was destroyed')) throw error;
      await page.waitForLoadState('domcontentloaded');
      return dangers();
    });
  return {
    page,
    executions,
    look: async (path) => {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      return dangers();
    },
    send: async (path, fields) => {
      if (page.url() === 'about:blank') await page.goto('/sign-in');
      const loaded = page.waitForEvent('domcontentloaded');
      await page.evaluate(`(${SEND})(${JSON.stringify(path)}, ${JSON.stringify(fields)})`);
      await loaded;
      return dangers();
    },
  };
}

/** In the page: everything that can run script and is not ours. */
const DANGERS = `[...document.querySelectorAll('*')].flatMap((element) => {
  const leadsToScript = (address) => URL.canParse(address, location.href) && new URL(address, location.href).protocol === 'javascript:';
  const runs = (name) =>
    name.startsWith('on') || name === 'srcdoc' ||
    (['href', 'xlink:href', 'src', 'action', 'formaction', 'data'].includes(name) && leadsToScript(element.getAttribute(name)));
  const isForeign = element.matches(
    'iframe, object, embed, base, math, meta[http-equiv], script:not([src^="/assets/"]):not([type="application/ld+json"])',
  );
  return isForeign || element.getAttributeNames().some(runs) ? [element.outerHTML.slice(0, 200)] : [];
})`;

/** In the page: the form is sent once the call has returned, since the next page takes the place of this one and of its answer. */
const SEND = `(path, fields) => {
  const form = Object.assign(document.createElement('form'), { method: 'post', action: path });
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  }
  document.body.append(form);
  setTimeout(() => form.submit());
}`;
