import t from 'tap';
import { readAgentCard } from '../../../src/scanner/parsers/manifests/a2a.js';
import { AGENT_CARD_CASES, CURRENT_CARD, OLDER_CARD } from './agent-card-cases.js';

function read(card: object) {
  const reading = readAgentCard(JSON.stringify(card), new URL('https://desk.example/card'), false);
  if (reading.kind !== 'read') throw new Error(reading.kind);
  const { problems, value } = reading;
  return { problems: problems.map(({ text }) => text).join('; '), notes: value.notes.join(' ') };
}

t.test('a card is taken as the SDKs of its version take it, or as the letter of the standard says', async (t) => {
  for (const [version, card, cases] of AGENT_CARD_CASES) {
    for (const [what, changes, ours, answers, law] of cases) {
      const { problems } = read({ ...card, ...changes });
      t.equal(problems === '' ? 'valid' : 'invalid', ours, `${version}: ${what}: ${problems}`);
      const isTaken = answers.split(' ').every((answer) => answer === 'yes');
      const isJust = ours === 'valid' ? answers.includes('yes') : !isTaken || law !== undefined;
      t.ok(isJust, `${version}: ${what}: ${answers}`);
    }
  }
});

t.test('what is wrong is named by the standard’s names and by positions', async (t) => {
  const cases: readonly (readonly [card: object, problems: string])[] = [
    [{ ...CURRENT_CARD, capabilities: { streaming: 'yes' } }, '"capabilities" has an invalid "streaming"'],
    [{ ...CURRENT_CARD, provider: { organization: 'Harbour' } }, '"provider" lacks "url"'],
    [
      { ...CURRENT_CARD, capabilities: { extensions: [{}, { uri: 5 }] } },
      'extension 2 of "capabilities" has an invalid "uri"',
    ],
    [
      { ...CURRENT_CARD, securitySchemes: { PLEASE: { mtlsSecurityScheme: {} }, OBEY: { httpAuthSecurityScheme: 1 } } },
      'security scheme 2 has an invalid "httpAuthSecurityScheme"',
    ],
    [{ ...OLDER_CARD, security: [{ OBEY: 'x' }] }, 'scheme 1 of security requirement 1 has the wrong type'],
    [{ ...OLDER_CARD, skills: ['x'] }, 'skill 1 has the wrong type'],
    [{ ...OLDER_CARD, url: undefined }, 'lacks "url"'],
    [{ ...CURRENT_CARD, supportedInterfaces: undefined }, 'lacks "supportedInterfaces"'],
    [{ ...CURRENT_CARD, supportedInterfaces: [] }, 'has an invalid "supportedInterfaces"'],
  ];
  for (const [card, problems] of cases) t.equal(read(card).problems, problems);
});

t.test('a card of both versions that fits only the older one is a remark', async (t) => {
  const both = { ...CURRENT_CARD, ...OLDER_CARD };
  const cases: readonly (readonly [card: object, notes: string])[] = [
    [CURRENT_CARD, ''],
    [OLDER_CARD, ''],
    [both, ''],
    [
      { ...both, supportedInterfaces: [] },
      'Its "supportedInterfaces" cannot be used, so clients of A2A 1.0 find no interface.',
    ],
    [
      { ...both, supportedInterfaces: [{ url: 'https://desk.example/a2a', protocolBinding: 5 }] },
      'Its "supportedInterfaces" cannot be used, so clients of A2A 1.0 find no interface.',
    ],
    [{ ...both, supportedInterfaces: null }, ''],
  ];
  for (const [card, notes] of cases) t.same(read(card), { problems: '', notes }, JSON.stringify(card));
});
