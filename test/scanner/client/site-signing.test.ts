import { createPublicKey, verify } from 'node:crypto';
import t from 'tap';
import type { RunEvent } from '../../../src/scanner/client/events.js';
import { MessageSigner } from '../../../src/scanner/artifacts/message-signer.js';
import type { FetchOptions } from '../../../src/scanner/client/visit.js';
import { recordScan } from '../../../src/scanner/scan/recorded-scan.js';
import {
  FIXTURE_ORIGIN,
  type FixtureRequest,
  type FixtureRoute,
  FixtureTransport,
} from '../../support/fixture-site.js';
import { SIGNING_KEY, SIGNING_KEY_ID } from '../../support/signing-key.js';
import { FIXTURE_TARGET, redirectTo, visitSite } from '../../support/visit-site.js';

const signing = { signer: new MessageSigner(SIGNING_KEY), agent: 'https://readiness.example.com' };

const ASKS = { 'accept-signature': 'sig1=("@authority" "@query");nonce="n 1";tag="web-bot-auth"' };

const isSigned = ({ headers }: Pick<FixtureRequest, 'headers'>): boolean =>
  ['signature', 'signature-input', 'signature-agent'].some((name) => name in headers);

/** Turns away who has not signed, and asks for it. */
const guarded: FixtureRoute = (request) => (isSigned(request) ? 'Hello' : { status: 403, headers: ASKS });

function visitSigned(routes: Readonly<Record<string, FixtureRoute>>, events: RunEvent[] = []) {
  return visitSite(routes, { signing, listeners: [(event) => void events.push(event)] });
}

t.test('a site that asks for it is sent a signature that holds', async (t) => {
  const { fetch, transport, visit } = visitSigned({ '/a': guarded });
  t.match(await fetch('/a?b=c'), { response: { status: 200 } });
  t.equal(visit.requestCount, 2, 'the second request counts');
  const [first, second] = transport.requests;
  t.notOk(first && isSigned(first));
  const headers = second?.headers ?? {};
  t.equal(headers['signature-agent'], 'sig1="https://readiness.example.com"');
  const [, parameters = ''] = /^sig1=(.+)$/.exec(headers['signature-input'] ?? '') ?? [];
  t.match(
    parameters,
    /^\("@method" "@authority" "@path" "@query" "signature-agent";key="sig1"\);created=\d+;expires=\d+;keyid="[\w-]+";alg="ed25519";nonce="n 1";tag="web-bot-auth"$/,
  );
  const [, created = '', expires = ''] = /created=(\d+);expires=(\d+)/.exec(parameters) ?? [];
  t.equal(Number(expires) - Number(created), 60);
  t.match(parameters, SIGNING_KEY_ID);
  const base = [
    '"@method": GET',
    '"@authority": www.fixture-site.com',
    '"@path": /a',
    '"@query": ?b=c',
    '"signature-agent";key="sig1": "https://readiness.example.com"',
    `"@signature-params": ${parameters}`,
  ].join('\n');
  const [, signature = ''] = /^sig1=:(.+):$/.exec(headers.signature ?? '') ?? [];
  t.ok(verify(null, Buffer.from(base), createPublicKey(SIGNING_KEY), Buffer.from(signature, 'base64')));
  t.match(await fetch('/b'), { response: { status: 404 } });
  t.ok(transport.requests[2] && isSigned(transport.requests[2]), 'and so is what follows');
});

t.test('none is sent unasked, nor where a site asks for one that is not ours to make', async (t) => {
  for (const field of [
    'sig1=("@authority")',
    'sig1=("@authority");tag="other"',
    'sig1=("@authority");tag="web-bot-auth";keyid="another"',
    'sig1=("@authority");tag="web-bot-auth";alg="rsa-pss-sha512"',
    'sig1=("cookie");tag="web-bot-auth"',
    'sig1=("@query-param";name="a");tag="web-bot-auth"',
    `sig1=("@authority");tag="web-bot-auth";nonce="${'n'.repeat(257)}"`,
    'sig1="@authority";tag="web-bot-auth"',
    'sig1=(',
    `${'a=1, '.repeat(500)}sig1=("@authority");tag="web-bot-auth"`,
  ]) {
    const { fetch, transport } = visitSigned({ '*': { status: 403, headers: { 'accept-signature': field } } });
    for (const path of ['/a', '/b']) await fetch(path);
    t.equal(transport.requests.filter(isSigned).length, 0, field.slice(0, 80));
    t.equal(transport.requests.length, 2);
  }
});

t.test('of several that it asks for, the first that we can make', async (t) => {
  const field =
    'a=("cookie");tag="web-bot-auth", b=("@method" "signature-agent";key="b");created;keyid="' +
    SIGNING_KEY_ID +
    '";tag="web-bot-auth"';
  const { fetch, transport } = visitSigned({ '*': { headers: { 'accept-signature': field } } });
  for (const path of ['/a', '/b']) await fetch(path);
  t.match(
    transport.requests[1]?.headers['signature-input'],
    /^b=\("@method" "@authority" "@path" "signature-agent";key="b"\)/,
  );
});

t.test('never under another name, to another host, or by http', async (t) => {
  const OTHER = 'https://other-site.com';
  const plain = new URL('http://www.fixture-site.com');
  const routes = {
    '/': guarded,
    '/to-other': redirectTo(`${OTHER}/`),
    [`${OTHER}/`]: { status: 403, headers: ASKS },
    [`${plain.origin}/x`]: { status: 403, headers: ASKS },
  };
  const { fetch, visit, transport } = visitSigned(routes);
  await fetch('/');
  transport.requests.length = 0;
  const named: FetchOptions = { userAgent: 'GPTBot/1.3', isRepeat: true };
  await fetch('/', named);
  await fetch('/to-other');
  await visit.fetch(new URL('/x', plain));
  t.same(
    transport.requests.map((request) => [request.url, isSigned(request)]),
    [
      [`${FIXTURE_ORIGIN}/`, false],
      [`${FIXTURE_ORIGIN}/to-other`, true],
      [`${OTHER}/`, false],
      [`${plain.origin}/x`, false],
    ],
  );
});

t.test('a site that turns away signed requests, too, is asked no more', async (t) => {
  const { fetch, transport } = visitSigned({ '*': { status: 403, headers: ASKS } });
  t.match(await fetch('/a'), { response: { status: 403 } });
  t.match(await fetch('/b'), { response: { status: 403 } });
  t.equal(transport.requests.length, 3);
});

t.test('what hears of a request does not see its signature, and no record holds one', async (t) => {
  const events: RunEvent[] = [];
  const { fetch } = visitSigned({ '*': guarded }, events);
  await fetch('/a');
  t.ok(events.length > 1);
  for (const { request } of events) t.notOk(isSigned(request));

  const transport = new FixtureTransport({ routes: { '*': guarded } });
  const options = { target: FIXTURE_TARGET, transport, pause: async () => undefined, signing };
  const { recording } = await recordScan(options, { clock: { now: () => new Date() }, version: '1.0.0' });
  t.ok(transport.requests.some(isSigned));
  for (const { request } of recording.exchanges) t.notOk(isSigned(request), request.url);
});
