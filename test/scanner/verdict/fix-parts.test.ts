import t from 'tap';
import { ASSISTANT_TOKENS } from '../../../src/scanner/artifacts/agents.js';
import { cBot01 } from '../../../src/scanner/checks/c-bot-01.js';
import { fixFor } from '../../../src/scanner/verdict/fix-parts.js';

t.test('a fix is shown with the origin of the site in place of that of the example', async (t) => {
  const fix = 'Sitemap: https://www.example.com/sitemap.xml\n\nserver_name www.example.com; # not login.example.com';
  const shown = 'Sitemap: https://shop.test:8443/sitemap.xml\n\nserver_name shop.test:8443; # not login.example.com';
  t.equal(fixFor('https://shop.test:8443', fix, null), shown);
  t.equal(fixFor('http://$&.test', 'https://www.example.com/', null), 'http://$&.test/', 'it is not a pattern');
  t.equal(fixFor('https://www.example.com', fix, null), fix);
});

t.test('a fix that lets agents in names all agents of the shut-out assistants, and no others', async (t) => {
  const fix = cBot01.failures.BLOCKED?.fix ?? '';
  const groupsIn = (detail: string | null) => {
    const shown = fixFor('https://shop.test', fix, detail).split('\nAllow: /\n')[0] ?? '';
    return [...shown.matchAll(/^User-agent: (.*)$/gm)].map(([, agent]) => agent);
  };
  const some = 'Line 6 closes the home page to OAI-SearchBot and PerplexityBot. The other 4 agents may fetch it.';
  t.same(groupsIn(some), ['OAI-SearchBot', 'ChatGPT-User', 'PerplexityBot', 'Perplexity-User']);
  t.match(fixFor('https://shop.test', fix, some), 'Perplexity-User\nAllow: /\nDisallow: /PRIVATE-FOLDER/\n');
  const two = 'Line 2 closes the home page to Googlebot. Line 9 closes it to Bingbot.';
  t.same(groupsIn(two), ['Googlebot', 'Bingbot']);
  const unclear = ['Some rules come too late.', 'It closes it to Bingbot and 2 more.', 'Closed to Bingbot…'];
  for (const detail of [null, ...unclear]) t.same(groupsIn(detail), ASSISTANT_TOKENS, `${detail}`);
});
