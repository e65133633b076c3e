import t from 'tap';
import { nameBrowser } from '../../../src/app/accounts/sessions.js';

/** The User-Agent of a browser on a system, as Chrome and those that derive from it send it. */
const webkit = (system: string, products: string): string =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${products}`;
const CHROME = 'Chrome/156.0.0.0 Safari/537.36';

t.test('a browser is named as itself, not as the ones it imitates', async (t) => {
  const cases: readonly [userAgent: string, name: string | null][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'Firefox on Linux'],
    [webkit('Windows NT 10.0; Win64; x64', CHROME), 'Chrome on Windows'],
    [webkit('Windows NT 10.0; Win64; x64', `${CHROME} Edg/156.0.0.0`), 'Edge on Windows'],
    [webkit('Macintosh; Intel Mac OS X 10_15_7', 'Version/26.0 Safari/605.1.15'), 'Safari on Mac'],
    [webkit('iPhone; CPU iPhone OS 18_7 like Mac OS X', 'CriOS/156.0 Mobile/15E148 Safari/604.1'), 'Chrome on iPhone'],
    [webkit('Linux; Android 10; K', `SamsungBrowser/30.0 ${CHROME}`), 'Samsung Internet on Android'],
    ['SomethingNew/1.0 (Linux)', 'A program on Linux'],
    ['curl/8.17.0', null],
    ['', null],
    [`${'x'.repeat(500)} Firefox/153.0`, null],
  ];
  for (const [userAgent, name] of cases) t.equal(nameBrowser(userAgent), name, userAgent);
});
