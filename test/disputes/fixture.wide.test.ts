import t from 'tap';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { perfect } from '../fixtures/sites/perfect.js';
import { recordFixture } from '../support/recorded.js';
import { Hosts } from './hosts.js';
import { makeFixture } from './make-fixture.js';
import { Placeholders } from './placeholders.js';

/** Sites of which a case cannot say all: it neither fails nor refuses connections. */
const CHANGED: Readonly<Record<string, string>> = {
  strained: 'C-LLMS-01',
  'http-only': 'http',
  'expired-certificate': 'TLS',
  down: 'nothing answers',
};

for (const { name, site } of FIXTURE_SITES) {
  t.test(`a case made of a record keeps its findings: ${name}`, async (t) => {
    const { recording } = await recordFixture(site, { isOwnershipVerified: false });
    const { rows, corpusCase } = await makeFixture(recording, 'one');
    const changed = rows.filter(({ before, after }) => before !== after);
    if (name in CHANGED) t.not(changed.length, 0, CHANGED[name] ?? '');
    else t.same(changed, []);
    for (const { checkId } of changed) t.notOk(checkId in corpusCase.expect, 'a case says nothing of what changed');
  });
}

t.test('neither the host of a site nor its words are in the case', async (t) => {
  const { recording } = await recordFixture(perfect);
  const { corpusCase } = await makeFixture(recording, 'one');
  const text = JSON.stringify(corpusCase);
  for (const word of [new URL(perfect.origin ?? '').hostname, 'lantern', 'brass', 'glass'])
    t.notMatch(text, new RegExp(word, 'i'));
  t.match(corpusCase.answers['/robots.txt'], { body: /User-agent: GPTBot/i }, 'names of agents stay');
  t.match(text, /schema\.org/);
});

t.test('a host is renamed in each spelling, and those alongside it stay alongside it', async (t) => {
  const www = new Hosts('https://www.grüne-bücher.de');
  const { hostname } = new URL('https://www.grüne-bücher.de');
  t.equal(
    www.renameIn(`https://${hostname}/ www.grüne-bücher.de api.grüne-bücher.de, grüne-bücher.de a-grüne-bücher.de`),
    'https://www.fixture-site.com/ www.fixture-site.com api.fixture-site.com, fixture-site.com a-grüne-bücher.de',
  );
  const bare = new Hosts('https://acme.co.uk');
  t.equal(bare.renameIn('acme.co.uk www.acme.co.uk'), 'www.fixture-site.com fixture-site.com');
});

t.test('words become placeholders of their length, and all else stays', async (t) => {
  const placeholders = new Placeholders({ words: new Set(['gptbot', 'disallow', 'user', 'agent', 'href']) });
  const keepsForm = (text: string, form: RegExp): void => {
    const replaced = placeholders.replaceIn(text);
    t.match(replaced, form);
    t.equal(replaced.length, text.length);
    t.equal(placeholders.replaceIn(text), replaced, 'the same each time');
  };
  keepsForm('User-agent: GPTBot\nDisallow: /secret/\n', /^User-agent: GPTBot\nDisallow: \/(?!secret)[a-z]{6}\/\n$/);
  keepsForm(
    '<a class="Offer" href="/secret">Secret</a>&nbsp;',
    /^<a class="[A-Z][a-z]{4}" href="\/(?!secret)([a-z]{6})">(?!Secret)[A-Z][a-z]{5}<\/a>&nbsp;$/,
  );
  keepsForm(
    '{"price": "Twelve\\nEuro", "tel": 5550123}',
    /^\{"price": "[A-Z][a-z]{5}\\n[A-Z][a-z]{3}", "tel": 1000000\}$/,
  );
  t.equal(placeholders.replaceIn('/Stra%C3%9Fe'), encodeURI(placeholders.replaceIn('/Straße')), 'encoded or not');
});
