import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { openHouse } from '../security/bytes/house.js';
import { textOfAnyCodePoints } from '../support/code-points.js';
import { CONTRACT_OPERATIONS, contractFaults } from '../support/contract.js';
import { onEachDatabase } from '../support/databases.js';
import { send } from '../support/http-client.js';

const CASES = { seed: 20_260_315, numRuns: 150, endOnFailure: true };

const encodedText = textOfAnyCodePoints(30)
  .map((text) => encodeURIComponent(text.toWellFormed()))
  .filter((text) => text !== '' && text !== '.' && text !== '..');
const siteId = fc.oneof(
  fc.constantFrom('{own}', '{own}', '{unverified}', `site_${'z'.repeat(20)}`, '%00', '__proto__', 'x'.repeat(4_000)),
  encodedText,
);
const number = fc.oneof(
  fc.constantFrom('1', '1', '2', '0', '-1', '1e3', '01', '%31', '2147483648', '9'.repeat(400), 'NaN', '1%00', '*'),
  encodedText,
);
const authorization = fc.constantFrom(
  'Bearer {good}',
  'Bearer {good}',
  'bearer {good}',
  'Bearer {good}x',
  'Basic e',
  '',
);
const headers = fc.record(
  {
    'If-None-Match': fc.constantFrom('*', '"x"', 'W/"x", "y"', '"', ''),
    'Accept-Encoding': fc.constantFrom('gzip;q=0', 'identity', 'x'),
    'X-Request-Id': fc.constantFrom('a-1', 'x'.repeat(300), '\u00ff'),
    'Idempotency-Key': fc.constantFrom('one', 'x'.repeat(300), ''),
    Range: fc.constantFrom('bytes=0-0', 'x'),
  },
  { requiredKeys: [] },
);
const body = fc.constantFrom('', '', '{}', '[', '{"a":1}', `${'['.repeat(10_000)}`, 'x'.repeat(65_537));

/** `{x}` stands for any text, other names for what the member has. */
const PAGES =
  `/ /sites /sites/{own} /sites/{own}/runs/{x} /sites/{own}/runs?before={x} /sites/{own}/compare?from={x}&to=1
  /sites/{x} /sites?page={x} /keys /keys/{x}/revoke /alerts/webhooks/{x} /account/activity?before={x} /sign-in/{x}?for={x} /sign-in?next={x}
  /scan/{x} /checks/{x} /badges/{x}.svg /reports/{x} /hooks/deploy/{hook}?wait={x} /hooks/{x} /metrics /mcp/{x} /assets/{x} /.well-known/{x} /{x}/{x}`.split(
    /\s+/,
  );

onEachDatabase(async (t, engine) => {
  const house = await openHouse(t, await engine.openDb(t));
  const member: Readonly<Record<string, string>> = await house.addMember();
  const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => member[name] ?? whole);
  const form = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Sec-Fetch-Site': 'same-origin',
    Cookie: fill('__Host-session={cookie}'),
  };

  t.test('an operation answers any request as the document declares', async (t) => {
    const request = fc.record({
      ...{ operation: fc.constantFrom(...CONTRACT_OPERATIONS), siteId, number, authorization, headers, body },
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ operation, ...given }) => {
        const path = fill(
          operation.path.replace('{siteId}', () => given.siteId).replace('{number}', () => given.number),
        );
        const answer = await send(house.port, path, {
          method: operation.method,
          headers: { ...given.headers, Authorization: fill(given.authorization) },
          ...(operation.method === 'POST' && { body: given.body }),
        });
        const faults = contractFaults(operation.object.operationId, answer);
        if (faults.length > 0) throw new Error(`${answer.status}: ${faults.join('; ')}`);
      }),
      CASES,
    );
    t.strictSame(house.logFaults(), [], 'nothing was logged as our fault');
  });

  t.test('pages, hooks and MCP answer any request without a failure', async (t) => {
    const request = fc.record({
      page: fc.constantFrom(...PAGES),
      text: encodedText,
      method: fc.constantFrom('GET', 'POST'),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ page, text, method }) => {
        const path = fill(page.replaceAll('{x}', () => text));
        const { status, headers } = await send(house.port, path, { method, headers: form, body: '' });
        if (status >= 500 || headers['x-content-type-options'] !== 'nosniff') throw new Error(`${path}: ${status}`);
      }),
      CASES,
    );
    t.strictSame(house.logFaults(), [], 'nothing was logged as our fault');
  });

  t.test('a form that claims to be compressed is refused, however it is broken', async (t) => {
    // What does not compress reaches the end of the parser's patience before its own end.
    const content = gzipSync(randomBytes(70_000));
    for (const coding of ['gzip', 'deflate', 'br', 'x']) {
      for (const body of [content, content.subarray(0, -5), Buffer.from('x')]) {
        const headers = { ...form, 'Content-Encoding': coding };
        const { status } = await send(house.port, '/sign-in', { method: 'POST', headers, body: [body] });
        t.equal(status, 400, coding);
      }
    }
    t.equal((await send(house.port, '/healthz')).status, 200, 'and the process goes on');
  });

  t.test('a manual run of a site that cannot exist', async (t) => {
    for (const id of ['%00', fill('{own}%00'), '%F0%9F%90%98', 'x']) {
      const { status } = await send(house.port, `/sites/${id}/runs`, { method: 'POST', headers: form, body: '' });
      t.equal(status, 404, id);
    }
  });
});
