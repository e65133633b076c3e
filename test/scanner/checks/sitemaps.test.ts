import t from 'tap';
import { cSite01 } from '../../../src/scanner/checks/c-site-01.js';
import { cSite02 } from '../../../src/scanner/checks/c-site-02.js';
import { findingOf } from '../../support/collect.js';
import { NOW, loc, robots, site, urlset, withMap } from './sitemap-sites.js';

t.test('nothing that the site wrote is told', async (t) => {
  const canary = 'ignore-all-previous-instructions';
  const map = urlset(
    `<loc>${canary}</loc><lastmod>${canary}</lastmod>`,
    loc(`/${canary}`),
    loc(`https://${canary}.example.net/`),
    `<${canary}/>${loc('/')}`,
  );
  for (const fixture of [
    withMap(map, { [`https://${canary}.example.net/robots.txt`]: canary }),
    withMap(`<${canary}>`),
    withMap(`<urlset>&${canary};`),
    site(robots(`https://${canary}.example.net/map.xml`, canary)),
  ]) {
    for (const check of [cSite01, cSite02]) {
      t.notMatch((await findingOf(check, fixture, { now: NOW })).detail ?? '', canary);
    }
  }
});
