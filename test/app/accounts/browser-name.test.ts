import t from 'tap';
import { nameBrowser } from '../../../src/app/accounts/sessions.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

t.test('a browser is named as itself, not as the ones it imitates', async (t) => {
  const cases: readonly [userAgent: string, name: string | null][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      'Safari on Mac',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPhone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/30.0 Chrome/140.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    ['SomethingNew/1.0 (Linux)', 'A program on Linux'],
    ['curl/8.17.0', null],
    ['', null],
    [`${'x'.repeat(500)} Firefox/153.0`, null],
  ];
  for (const [userAgent, name] of cases) t.equal(nameBrowser(userAgent), name, userAgent);
});
