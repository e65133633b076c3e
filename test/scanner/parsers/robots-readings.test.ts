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

t.test("robots.txt as others' readers read it", async (t) => {
  for (const { body, path, google, protego, others } of ROBOTS_ANSWERS) {
    const found = ask(body, path);
    t.equal(found.google, !google, `${body}: ${path} for Googlebot`);
    t.equal(found.others, !others, `${body}: ${path} for others`);
    if (!others) t.notOk(google || protego, `${body}: whoever opens it spares it`);
    if (!google || !protego) t.notOk(found.ours, `${body}: we stay out of ${path} where one reader would`);
  }
});
