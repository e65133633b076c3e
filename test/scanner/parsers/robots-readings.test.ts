import t from 'tap';
import { decideUnanimously } from '../../../src/scanner/checks/bot-policy.js';
import { parseRobots } from '../../../src/scanner/parsers/robots.js';
import { isAllowedInBothViews } from '../../../src/scanner/parsers/robots-match.js';
import { ROBOTS_ANSWERS } from './robots-answers.js';

const at = (path: string) => new URL(path, 'https://www.fixture-site.com');

function ask(body: string, path: string) {
  const robots = parseRobots(Buffer.from(body, 'latin1').toString());
  const isBarred = (token: 'Googlebot' | 'Bingbot') => !decideUnanimously(robots, token, at(path)).allowed;
  return {
    google: isBarred('Googlebot'),
    others: isBarred('Bingbot'),
    ours: isAllowedInBothViews(robots, 'Googlebot', at(path)),
  };
}

for (const kind of new Set(ROBOTS_ANSWERS.map(([one]) => one))) {
  t.test(`robots.txt as others' readers read it: ${kind}`, async (t) => {
    for (const [, what, body, path, google, protego, isCharged] of ROBOTS_ANSWERS.filter(([one]) => one === kind)) {
      const found = ask(body, path);
      t.equal(found.google, !google, `${what}: ${path} for Googlebot`);
      t.equal(found.others, isCharged, `${what}: ${path} for others`);
      if (isCharged) t.notOk(google || protego, `${what}: whoever opens it spares it`);
      if (!google || !protego) t.notOk(found.ours, `${what}: we stay out of ${path} where one reader would`);
    }
  });
}
