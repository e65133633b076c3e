import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import { onEachDatabase, type TestEngine } from '../support/databases.js';
import { send } from '../support/http-client.js';
import { playCuts } from '../torture/fuzz-cuts.js';
import { addMember } from '../torture/fuzz-members.js';
import { playRounds } from '../torture/fuzz-rounds.js';
import { playSmuggling } from '../torture/fuzz-smuggling.js';
import { startWorld } from '../torture/fuzz-world.js';

/** The whole service, until the test ends. */
async function openWorld(t: Test, engine: TestEngine) {
  const world = await startWorld(await engine.newMigratedUrl(t));
  t.teardown(() => world.stop());
  return world;
}

/** A little of what `make fuzz` does, the same each time. */
onEachDatabase(async (t, engine) => {
  const world = await openWorld(t, engine);
  const { failures } = await playRounds(world, { seed: 20_260_315, cases: 150, share: 0.4 });
  t.strictSame(failures, [], 'requests of all kinds get the answers that they should');
  const smuggling = await playSmuggling(world, 40);
  t.strictSame(smuggling.faults, [], 'no bytes are one request to us and another to somebody else');
  const cuts = await playCuts(world, 61);
  t.strictSame(cuts.faults, [], 'a request that comes in pieces is the same request, and part of one is none');
  t.strictSame(world.logFaults, [], 'and nothing of all this is a fault of ours');
});

onEachDatabase(async (t, engine) => {
  const world = await openWorld(t, engine);
  const member = await addMember(world);
  const form = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Sec-Fetch-Site': 'same-origin',
    Cookie: `__Host-session=${member.cookie?.() ?? ''}`,
  };

  t.test('a form that claims to be compressed is refused, however it is broken', async (t) => {
    // What does not compress reaches the end of the parser's patience before its own end.
    const content = gzipSync(randomBytes(70_000));
    for (const coding of ['gzip', 'deflate', 'br', 'x']) {
      for (const body of [content, content.subarray(0, -5), Buffer.from('x')]) {
        const headers = { ...form, 'Content-Encoding': coding };
        const { status } = await send(world.port, '/sign-in', { method: 'POST', headers, body: [body] });
        t.equal(status, 400, coding);
      }
    }
    t.equal((await send(world.port, '/healthz')).status, 200, 'and the process goes on');
  });

  t.test('a run by hand of a site that cannot exist', async (t) => {
    for (const id of ['%00', `${member.own?.() ?? ''}%00`, '%F0%9F%90%98', 'x']) {
      const { status } = await send(world.port, `/sites/${id}/runs`, { method: 'POST', headers: form, body: '' });
      t.equal(status, 404, id);
    }
  });
});
