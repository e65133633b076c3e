import type { OwnSite } from '../support/fixture-server.js';
import type { StartedService } from '../support/service.js';
import type { Engine } from './engine.js';
import { Hand } from './hand.js';

export interface JourneyDeps {
  readonly service: StartedService;
  readonly site: OwnSite;
  /** Of the account, which is made on the way. */
  readonly email: string;
}

const LLMS = '# Kiln Street Pottery\n\n> Bowls and cups, thrown by hand.\n\n## Pages\n\n- [Home](/): what we make\n';

/** From the operator's link to a failure that passes when it is checked again. */
export async function goThrough(engine: Engine, deps: JourneyDeps): Promise<void> {
  const hand = new Hand(engine);
  const { baseUrl } = deps.service;
  // As the site was before an engine went this way.
  delete deps.site.routes['/llms.txt'];
  // Its first run starts by itself.
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

/** Signs in by a link, adds the site and proves that it is ours. @returns the path of its page */
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
  // The first run starts by itself, and its end leads on to its page.
  await hand.seeAt(/^\/sites\/site_\w+(\/runs\/1)?$/);
  return engine.evaluate<string>("location.pathname.replace('/runs/1', '')");
}
