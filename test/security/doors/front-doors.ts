import type { AdminServices } from '../../../src/cli/admin.js';
import { runProgram } from '../../../src/cli/program.js';
import { addSiteCommands } from '../../../src/cli/site.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { InputError } from '../../../src/platform/errors.js';
import { parseSiteInput, parseSiteOfPage } from '../../../src/app/sites/site-input.js';
import { vetTarget } from '../../../src/net/guard.js';
import { createScanners } from '../../../src/scanner/scan/scanner.js';
import { callTool, send } from '../../support/http-client.js';
import { MemoryOutput, runScanCommand } from '../../support/memory-output.js';
import type { Case } from './cases.js';
import { type Door, type Outcome, outcomeSince } from './walk.js';
import { detailsOf, redirect } from './site-doors.js';
import type { House, World } from './world.js';

const parseWebhook = (text: string): void => {
  const { protocol, username, password } = new URL(text.trim());
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    throw new TypeError('another refusal comes first');
};

const parseSiteLine = (text: string): void => {
  if (/[\r\n]/.test(text)) throw new TypeError('these are two lines');
  parseSiteInput(text);
};

/** Every way in which people, programs and agents name a target, and what the service later does with it. */
export function frontDoors(house: House): readonly Door[] {
  const { services, lax, webhooks, member, accountId, port, newClientAddress, performJobs, forgetLimits } = house;
  const { freeScans, sites, siteRemoval } = services;
  const removeSites = async (): Promise<void> => {
    for (const { id } of await sites.list(accountId)) await siteRemoval.remove(id);
  };
  const removeWebhooks = async (): Promise<void> => {
    for (const { id } of await webhooks.list(accountId)) await webhooks.remove({ accountId, webhookId: id });
  };
  const scanFree = async (site: string, clientAddress = newClientAddress(), acceptsCached = false): Promise<unknown> =>
    (await freeScans.start({ site, clientAddress, acceptsCached })).done;
  return [
    inputDoor('site list: the service', parseSiteLine, async ({ url }) => {
      const [line] = await sites.addList(accountId, url).finally(removeSites);
      if (line?.state === 'refused') throw new InputError(line.why ?? '');
    }),
    inputDoor('site add: the form', parseSiteInput, ({ url }) =>
      postForm(member, '/sites', { site: url }).finally(removeSites),
    ),
    inputDoor('site add: the command line', parseSiteInput, async ({ url }) => {
      const output = new MemoryOutput();
      const withAdmin = <T>(work: (services: AdminServices) => Promise<T>): Promise<T> =>
        work({ ...services, signInUrl: () => '' });
      const args = ['site', 'add', '--account', accountId, '--', url];
      const exitCode = await runProgram(args, [addSiteCommands(withAdmin, output)], output, '0').finally(removeSites);
      if (exitCode !== 0) throw new InputError(output.stderr);
    }),
    inputDoor('free scan: the service', parseSiteOfPage, ({ url }) => scanFree(url)),
    inputDoor('free scan: the form', parseSiteOfPage, async ({ url }) => {
      const clientAddress = newClientAddress();
      await postForm(member, '/scan', { site: url }, { 'x-forwarded-for': clientAddress });
      // Joins the scan that the form began.
      await scanFree(url, clientAddress, true);
    }),
    inputDoor('free scan: MCP', parseSiteOfPage, async ({ url }) => {
      const { text: answer } = await callTool(port, 'scan_site', { url }, { 'x-forwarded-for': newClientAddress() });
      const { text } = /"text":(?<text>"(?:[^"\\]|\\.)*")/.exec(answer)?.groups ?? {};
      if (!answer.includes('"structuredContent"')) throw new InputError(text ?? answer);
    }),
    inputDoor('scan: the command line', parseSiteInput, async ({ url }, { scanning }) => {
      const { scan } = createScanners(scanning);
      const deps = { scan, vetTarget: (origin: URL) => vetTarget(scanning, origin) };
      const { exitCode } = await runScanCommand(['--', url], deps);
      // Only the operator sees the reason, so it is not compared.
      if (exitCode === 2) throw new InputError('refused');
    }),
    inputDoor('webhook add: the form', parseWebhook, ({ url }) =>
      // Webhooks must be https.
      postForm(member, '/alerts/webhooks', { url: url.replace(/^(\s*)http:/i, '$1https:') }).finally(removeWebhooks),
    ),
    {
      name: 'webhook delivery',
      expects: ({ url }) => isParsed(parseWebhook, url),
      async open(target, world) {
        const conclude = outcomeSince(world, target);
        const added = await lax.webhooks.add({ accountId, url: target.url }).catch(() => null);
        if (added === null) return PASSED_BY;
        const which = { accountId, webhookId: added.webhook.id };
        await lax.webhooks.sendTest(which);
        await performJobs();
        const log = await webhooks.log(which);
        await removeWebhooks();
        await forgetLimits();
        return conclude(log[0]?.problem ?? '');
      },
    },
    ...storedSiteDoors(house),
  ];
}

const PASSED_BY = { verdict: 'passed by', reasons: [], told: '' } as const;

/** Sites that were added before their names resolved to private addresses. */
function storedSiteDoors({ services, lax, accountId, key, port, forgetLimits }: House): Door[] {
  const door = (
    name: string,
    visit: (siteId: string) => Promise<string>,
    site: (target: Case, world: World) => string = ({ url }) => url,
  ): Door => ({
    name,
    expects: (target, world) => target.url === site(target, world) && isParsed(parseSiteInput, target.url),
    async open(target, world) {
      const added = await lax.sites.add({ accountId, site: site(target, world) }).catch(() => null);
      if (added === null) return PASSED_BY;
      const conclude = outcomeSince(world, target);
      const told = await visit(added.id);
      await services.siteRemoval.remove(added.id);
      await forgetLimits();
      return conclude(told);
    },
  });
  const check = async (siteId: string): Promise<string> => {
    const { attempts } = await lax.ownership.verify(await lax.sites.get(siteId), 'operator');
    // An address has no TXT record, which says nothing about the target.
    const asked = attempts.filter(({ method }) => method === 'file' || method === 'meta');
    return JSON.stringify(asked.map(({ method, seen }) => [method, seen]));
  };
  const run = async (siteId: string): Promise<string> => {
    await lax.sites.markVerified(siteId, 'operator');
    const request = { method: 'POST', headers: { authorization: `Bearer ${key}` } };
    const { text } = await send(port, `/api/v1/sites/${siteId}/runs`, request);
    return detailsOf((JSON.parse(text) as { readonly findings: readonly Finding[] }).findings);
  };
  return [
    door('a run of a stored site, over the API', run),
    door('the ownership check of a stored site', check),
    door(
      'a redirect of the ownership file and the home page',
      check,
      // Redirects to other hosts are not followed.
      ({ url }, world) => world.addSite(() => ({ '*': redirect(302, url) })).origin,
    ),
  ];
}

/** A door for typed input: a refusal is an InputError. */
function inputDoor(
  name: string,
  parse: (text: string) => unknown,
  give: (target: Case, world: World) => Promise<unknown>,
): Door {
  return {
    name,
    expects: ({ url }) => isParsed(parse, url),
    open: async (target, world): Promise<Outcome> => {
      try {
        await give(target, world);
        return { verdict: 'taken', reasons: [], told: '' };
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return { verdict: 'refused', reasons: [], told: error.message };
      }
    },
  };
}

/** Invalid input is refused before the guard is asked. */
function isParsed(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws InputError with the page's own words, the values of its fields left out */
async function postForm(
  member: House['member'],
  path: string,
  fields: Record<string, string>,
  headers?: Record<string, string>,
): Promise<void> {
  const { status, text } = await member.post(path, fields, headers);
  if (status < 400) return;
  const [, , summary] = /<(div|p) class="(?:note is-f|wrong)"[^>]*>(.*?)<\/\1>/s.exec(text) ?? [];
  if (summary === undefined) throw new Error(`${path} answered ${status} without a reason`);
  throw new InputError(summary);
}
