import type { Test } from 'tap';
import { Badges } from '../../../src/app/badges/badges.js';
import type { Database } from '../../../src/store/database.js';
import { BADGE_COLOURS, drawBadge } from '../../../src/app/badges/pages/badge.js';
import { addAccount, addSite, scanReport } from '../../support/accounts.js';
import { onEachDatabase, onSqlite } from '../../support/databases.js';
import { startWeb } from '../../support/web.js';

async function prepare(t: Test, db: Database) {
  const web = await startWeb(t, db, { scan: () => Promise.resolve(scanReport(72)) });
  const account = await addAccount(db);
  const site = await addSite(db, account.id);
  const at = { accountId: account.id, siteId: site.id };
  return {
    ...{ ...web, at, badges: new Badges({ db, clock: web.clock }) },
    finishRun: () => web.runs.start({ ...at, trigger: 'SCHEDULED' }),
  };
}

onEachDatabase(async (t, engine) => {
  t.test('a badge is a picture of the latest score, for everyone and for pages of every origin', async (t) => {
    const { newVisitor, badges, at, finishRun } = await prepare(t, await engine.openDb(t));
    const path = `/badges/${await badges.turnOn(at)}.svg`;
    const visitor = newVisitor();
    t.match((await visitor.get(path)).text, '<title>agent readiness: n/a</title>');
    await finishRun();
    const answer = await visitor.get(path);
    t.equal(answer.status, 200);
    t.match(
      answer.text,
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*role="img" aria-label="agent readiness: 72">/,
    );
    t.match(answer.headers, {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      etag: /^"[\w-]{43}"$/,
    });
    t.equal(answer.headers['set-cookie'], undefined);
    t.equal(answer.headers.vary, undefined, 'the same for everyone');
    const again = await visitor.get(path, { 'if-none-match': answer.headers.etag ?? '' });
    t.equal(again.status, 304);
    t.equal(again.text, '');
  });

  t.test('an unknown badge is not found', async (t) => {
    const { newVisitor, badges, at } = await prepare(t, await engine.openDb(t));
    const token = await badges.turnOn(at);
    for (const path of [`/badges/${'A'.repeat(43)}.svg`, '/badges/x.svg', `/badges/${token}`, `/badges/${token}.png`]) {
      const { status, headers } = await newVisitor().get(path, { accept: 'image/*' });
      t.equal(status, 404, path);
      t.equal(headers['cache-control'], 'no-store');
    }
  });
});

/** The relative luminance of a colour (WCAG 2.2, "relative luminance"). */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

onSqlite(async (t) => {
  t.test('the white letters of a badge can be read on each of its colours', async (t) => {
    for (const [name, colour] of Object.entries(BADGE_COLOURS)) {
      t.ok(1.05 / (luminanceOf(colour) + 0.05) >= 4.5, name);
    }
  });

  t.test('a badge is as wide as what it says, and says it by colour too', async (t) => {
    const cases: [score: number | null, value: string, colour: string][] = [
      [100, '100', BADGE_COLOURS.good],
      [90, '90', BADGE_COLOURS.good],
      [89, '89', BADGE_COLOURS.fair],
      [50, '50', BADGE_COLOURS.fair],
      [49, '49', BADGE_COLOURS.poor],
      [0, '0', BADGE_COLOURS.poor],
      [null, 'n/a', BADGE_COLOURS.none],
    ];
    for (const [score, value, colour] of cases) {
      const svg = drawBadge(score);
      t.match(svg, `>${value}</text>`);
      t.match(svg, `aria-label="agent readiness: ${value}"`);
      t.match(svg, `fill="${colour}"`);
      t.ok(svg.length < 1500, `${svg.length} bytes`);
    }
    const widthOf = (score: number | null) => Number(/width="(\d+)"/.exec(drawBadge(score))?.[1]);
    t.ok(widthOf(0) < widthOf(50) && widthOf(50) < widthOf(100));
  });
});
