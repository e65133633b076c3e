import type { OwnSite } from '../support/fixture-server.js';
import type { StartedService } from '../support/service.js';
import type { Engine } from './engine.js';

interface JourneyDeps {
  readonly service: StartedService;
  readonly site: OwnSite;
  readonly email: string;
}

const LLMS = '# Kiln Street Pottery\n\n> Bowls and cups, thrown by hand.\n\n## Pages\n\n- [Home](/): what we make\n';

/** From the operator's link to a failure that passes when it is checked again. */
export async function goThrough(engine: Engine, deps: JourneyDeps): Promise<void> {
  const hand = new Hand(engine);
  const { baseUrl } = deps.service;
  // Undoes the fix of the previous engine.
  delete deps.site.routes['/llms.txt'];
  const sitePath = await addSite(engine, hand, deps);
  await hand.see(`document.querySelector('details#C-LLMS-01')`);
  await engine.goto(`${baseUrl}${sitePath}/runs/1/checks/C-LLMS-01`);
  deps.site.routes['/llms.txt'] = LLMS;
  await hand.press(/^Check again/);
  await hand.see(`/passes now/i.test(document.querySelector('main').textContent)`);
  await engine.goto(baseUrl + sitePath);
  await hand.press(/^Run now$/);
  await hand.see(`[...document.querySelectorAll('main a')].some((one) => /runs.2$/.test(one.href))`);
  await engine.goto(baseUrl);
  await hand.fill(/^(Your s|S)ite$/, deps.site.origin);
  await hand.press(/^Scan$/);
  await hand.see(
    `location.pathname.startsWith('/scan/') && /of 100/.test(document.querySelector('.score')?.textContent)`,
  );
}

/** Signs in by a link, adds the site and verifies it. @returns the path of its page */
async function addSite(engine: Engine, hand: Hand, { service, site, email }: JourneyDeps): Promise<string> {
  const { signInUrl } = await service.addAccount(email);
  await engine.goto(signInUrl);
  await hand.press(/^Sign in$/);
  await hand.seeAt(/^\/sites$/);
  await engine.goto(`${service.baseUrl}/sites/new`);
  await hand.fill(/^Site$/, site.origin);
  await hand.press(/^Add site$/);
  await hand.seeAt(/\/verify$/);
  const proof = `/agent-readiness-[0-9a-f]{48}/.exec(document.querySelector('main').textContent)?.[0]`;
  await hand.see(proof);
  site.routes['/.well-known/agent-readiness-verification.txt'] = await engine.evaluate<string>(proof);
  await hand.press(/^Verify$/);
  // The first run starts by itself, and its end opens its page.
  await hand.seeAt(/^\/sites\/site_\w+(\/runs\/1)?$/);
  return engine.evaluate<string>("location.pathname.replace('/runs/1', '')");
}

const POLL_MS = 50;
const POLLS_MAX = 1800;

/** Uses a page by script, so that both engines are driven in the same way. */
class Hand {
  constructor(private readonly engine: Engine) {}

  /** Waits until the expression is true. */
  async see(expression: string): Promise<void> {
    for (let polls = 0; polls < POLLS_MAX; polls += 1) {
      // There may be no page during a navigation.
      if (await this.engine.evaluate<boolean>(`Boolean(${expression})`).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`${this.engine.name} never showed: ${expression}`);
  }

  /** Presses the first button with this name, or else the first link. */
  async press(name: RegExp): Promise<void> {
    const found = `[...document.querySelectorAll('main button'), ...document.querySelectorAll('main a, main summary')].find((one) => ${String(name)}.test(one.textContent.trim()))`;
    await this.see(found);
    await this.engine.evaluate(`void setTimeout(() => ${found}.click())`);
  }

  async fill(label: RegExp, text: string): Promise<void> {
    const found = `[...document.querySelectorAll('label')].find((one) => ${String(label)}.test(one.textContent.trim()))?.control`;
    await this.see(found);
    await this.engine.evaluate(`((field) => void (field.value = ${JSON.stringify(text)}))(${found})`);
  }

  async seeAt(path: RegExp): Promise<void> {
    await this.see(`${String(path)}.test(location.pathname) && document.readyState === 'complete'`);
  }
}
