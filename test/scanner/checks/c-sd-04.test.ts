import t, { type Test } from 'tap';
import { cSd04 } from '../../../src/scanner/checks/c-sd-04.js';
import { redirectTo } from '../../support/visit-site.js';
import { type Expected, expectFindings, type Routes } from './expect-findings.js';
import { expectBlocks, ORGANIZATION, pageOf } from './markup-sites.js';

const ALIVE = 'https://alive.com/a';
const SHY = 'https://shy.com/a';
const linking = (sameAs: unknown, more: Routes = {}): Routes => ({
  '/': pageOf([{ ...ORGANIZATION, sameAs }]),
  [ALIVE]: 'Profile',
  ...more,
});
const expectOn = (t: Test, expected: Expected) => expectFindings(t, cSd04, {}, expected);

t.test('C-SD-04: sameAs links lead to profiles', async (t) => {
  const gone = { 'https://gone.com/*': 410, 'https://gone.com/back': '' };
  const second = (link: string, fault: string): Record<string, readonly [Routes, string]> => ({
    [link]: [linking([ALIVE, link], gone), `sameAs link 2 is ${fault}`],
  });
  const links = Array.from({ length: 9 }, (_, index) => `https://alive.com/a?${index}`);
  let asked = 0;
  const flakyUrl = 'https://flaky.com/a';
  await expectOn(t, {
    PASS: {
      'one answers, others refuse or are not asked': [
        linking([{ '@id': ALIVE }, SHY, 'https://x.com/a'], { [SHY]: 403 }),
        '1 sameAs link works. Checked: 2 of 3 sameAs links. Skipped: 1 on social networks that block programs.',
      ],
      'a first 404 is not believed': linking(flakyUrl, { [flakyUrl]: () => (asked++ ? 'Profile' : 404) }),
      'five are followed at most': [linking([...links, 'nowhere']), /Checked: 5 of 10 sameAs links/],
    },
    'FAIL BROKEN_SAMEAS': {
      ...second('//alive.com/a', 'not an absolute'),
      ...second('@crumb', 'not an absolute'),
      ...second('https://gone.com/a', 'dead'),
      ...second('https://no-such-host.com/a', 'dead'),
    },
    UNDETERMINED: {
      'a wall behind a redirect': linking('https://short.com/a', {
        'https://short.com/a': redirectTo('https://www.facebook.com/a', 301),
        'https://www.facebook.com/*': 404,
      }),
      'refused, and missing on the same host': linking([SHY, `${SHY}?b`], { 'https://shy.com/*': 404, [SHY]: 403 }),
    },
    NOT_APPLICABLE: {
      'links of the wall list alone': linking([
        ...['https://www.linkedin.com/in/a', 'https://twitter.com/a', 'https://de-de.facebook.com/a'],
        ...['https://tiktok.com/@a', 'https://instagram.com/a'],
      ]),
    },
  });
  await expectBlocks(t, cSd04, 'NOT_APPLICABLE', [[{ '@type': 'Event', sameAs: 'https://gone.com/' }]]);
});

t.test('hosts that refuse whatever is asked prove nothing, and use up no requests of other links', async (t) => {
  const hop = 'https://hop.com/a';
  const refused = ['a', 'b', 'c', 'd', 'e'].map((name) => `https://${name}-shy.com/a`);
  for (const status of [403, 429, 999]) {
    const routes = { 'https://shy.com/*': status, [hop]: redirectTo(ALIVE, 301), 'https://down.com/a': 500 };
    const refusing = Object.fromEntries(refused.map((link) => [`${new URL(link).origin}/*`, status]));
    const among = (...sameAs: string[]) => linking(sameAs, { ...routes, ...refusing });
    await expectOn(t, {
      PASS: { 'another answers': among(SHY, ALIVE), 'a redirect is followed': among(...refused.slice(0, 4), hop) },
      NOT_APPLICABLE: {
        'all refuse': among(SHY, 'https://x.com/a'),
        'all of five refuse': [among(...refused), /^All sameAs links/],
      },
      UNDETERMINED: {
        'another fails': among(SHY, 'https://down.com/a'),
        'a sixth is not asked': [
          among(...refused, ALIVE),
          /^The 5 sameAs links that we tried lead to sites that block programs.* Checked: 5 of 6/,
        ],
      },
    });
  }
});
