import t from 'tap';
import type { EvidenceMap } from '../../../src/scanner/artifacts/evidence.js';
import { SITE_NOTES } from '../../../src/scanner/checks/site-notes.js';
import { collectFrom } from '../../support/collect.js';
import { redirectTo } from '../../support/visit-site.js';
import type { Routes } from './expect-findings.js';

const PLAIN = 'http://www.fixture-site.com/';
const PAGE = '<!doctype html><title>Home</title><p>Welcome</p>';

async function noteOn(routes: Routes, id: string): Promise<string | undefined> {
  const home = await collectFrom({ routes }, 'home');
  if (!('ok' in home)) throw new Error('there is a home page');
  return SITE_NOTES.find((rule) => rule.id === id)?.observe({ home: home.ok } as EvidenceMap)?.text;
}

t.test('HTTPS that does not work is told with what was read in its place, and what to do', async (t) => {
  const httpAnswers = 'Agents that use https get nothing. This report is about the http address.';
  const install = 'Install a valid certificate with its full chain, then run again.';
  const cases: Readonly<Record<string, Routes>> = {
    [`HTTPS does not work: the TLS certificate has expired. ${httpAnswers} ${install}`]: {
      '/': { failure: 'tls_expired' },
      [PLAIN]: PAGE,
    },
    [`HTTPS does not work on this host: the TLS certificate does not cover the host name. Agents that use https get nothing. This report is about the https address that http redirects to. ${install}`]:
      {
        '/': { failure: 'tls_wrong_host' },
        [PLAIN]: redirectTo('https://fixture-site.com/', 301),
        'https://fixture-site.com/': PAGE,
      },
    [`HTTPS does not work: it redirects to another host, but the server does not accept a connection within 5 seconds. ${httpAnswers} Check that the server is up and that no firewall drops this scanner's requests, then run again.`]:
      {
        '/': redirectTo('https://shop.fixture-site.com/', 301),
        'https://shop.fixture-site.com/': { failure: 'connect_timeout' },
        [PLAIN]: PAGE,
      },
  };
  for (const [expected, routes] of Object.entries(cases)) t.equal(await noteOn(routes, 'https-fails'), expected);
  t.equal(await noteOn({ '/': PAGE }, 'https-fails'), undefined);
});
