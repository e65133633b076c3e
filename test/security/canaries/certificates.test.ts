import t from 'tap';
import { createServer } from 'node:https';
import { systemClock } from '../../../src/platform/clock.js';
import { createContext } from '../../../src/scanner/probe/context.js';
import { COLLECTORS } from '../../../src/scanner/gatherers/collectors.js';
import { scan } from '../../../src/scanner/scan/scan.js';
import { listen } from '../../support/servers.js';
import { openScene, PUBLIC_ADDRESS } from '../../support/network-scene.js';
import { MARKER, MARKER_HOST } from './marker.js';
import { findSpeech } from './find-speech.js';
import { readFixture } from '../../support/project.js';

const readPem = (name: string) => readFixture(`tls/${name}.pem`);
const HOST = 'www.fixture-aviary.com';

/** Each certificate has markers in subject, issuer, alternative names, addresses and comment. Node's errors quote some of these. */
t.test('no finding contains text of a certificate', async (t) => {
  const cases = [
    { certificate: 'canary', isTrusted: true, told: null },
    { certificate: 'canary', isTrusted: false, told: /not from a trusted authority/ },
    { certificate: 'canary-expired', isTrusted: true, told: /has expired/ },
    { certificate: 'canary-other-host', isTrusted: true, told: /does not cover the host name/ },
  ];
  for (const { certificate, isTrusted, told } of cases) {
    const cert = readPem(certificate);
    const server = createServer({ key: readPem('key'), cert }, (_, response) => response.end(`<h1>${MARKER}</h1>`));
    const { port, close } = await listen(server, PUBLIC_ADDRESS);
    t.teardown(close);
    const { visit } = await openScene(t, {
      ports: [port],
      names: { [HOST]: { A: [PUBLIC_ADDRESS], CNAME: MARKER_HOST } },
      ...(isTrusted && { ca: cert }),
    });
    const target = { origin: new URL(`https://${HOST}:${port}`), isOwnershipVerified: true };
    const context = createContext({
      ...{ target, visit, collectors: COLLECTORS, now: systemClock.now() },
      randomName: () => 'random-control',
    });
    const report = await scan({ visit, context, close: () => visit.close() }, { clock: systemClock });
    const { findings } = report;
    t.same(findSpeech(report), [], `${certificate}, ${isTrusted ? 'trusted' : 'not trusted'}`);
    if (told === null) t.notMatch(findings[0]?.detail, /certificate/);
    else t.match(findings[0]?.detail, told);
  }
});
