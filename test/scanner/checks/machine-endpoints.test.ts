import t from 'tap';
import { cWk01 } from '../../../src/scanner/checks/c-wk-01.js';
import { cWk02 } from '../../../src/scanner/checks/c-wk-02.js';
import { cWk03 } from '../../../src/scanner/checks/c-wk-03.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { AGENT_CARD, AGENT_PATH, ALIVE, CARD_ENTRY, CARD_PATH, expectOn, INTERFACE } from './endpoint-sites.js';
import { OLDER_CARD, SERVER, SERVER_CARD, SKILL } from './endpoint-sites.js';
import { json, url } from './expect-findings.js';

t.test('each required field is asked for, by its name', async (t) => {
  const catalogPath = '/.well-known/ai-catalog.json';
  const ardPath = '/.well-known/ard.json';
  const serverPath = '/.well-known/oauth-authorization-server';
  const named = { ...CARD_ENTRY, displayName: 'Shop' };
  const remote = { type: 'sse', url: url('/mcp') };
  const modes = 'defaultInputModes defaultOutputModes';
  const entries = (entry: object): object => ({ specVersion: '1.0', entries: [entry] });
  const table: [check: Check, path: string, whole: object, fields: string, put?: (part: object) => object][] = [
    [cWk01, catalogPath, { entries: [] }, 'entries'],
    [cWk01, catalogPath, CARD_ENTRY, 'identifier url', entries],
    [cWk01, ardPath, { entries: [] }, 'entries'],
    [cWk01, ardPath, named, 'identifier displayName url', entries],
    [cWk01, ardPath, { ...named, mediaType: CARD_ENTRY.type }, 'type', entries],
    [cWk01, CARD_PATH, SERVER_CARD, '$schema name version description'],
    [cWk01, CARD_PATH, remote, 'type url', (one) => ({ ...SERVER_CARD, remotes: [one] })],
    [cWk02, AGENT_PATH, AGENT_CARD, `name description version capabilities ${modes} skills`],
    [cWk02, AGENT_PATH, SKILL, 'id name description tags', (skill) => ({ ...AGENT_CARD, skills: [skill] })],
    [
      ...([cWk02, AGENT_PATH, INTERFACE, 'url protocolBinding protocolVersion'] as const),
      (item) => ({ ...AGENT_CARD, supportedInterfaces: [item] }),
    ],
    [cWk02, AGENT_PATH, OLDER_CARD, 'url'],
    [cWk03, serverPath, SERVER, 'issuer authorization_endpoint token_endpoint response_types_supported'],
  ];
  for (const [check, path, whole, fields, put = (one: object) => one] of table) {
    for (const field of fields.split(' ')) {
      const site = { '/mcp': ALIVE, '/a2a': ALIVE, [path]: json(put({ ...whole, [field]: undefined })) };
      await expectOn(t, check, { 'FAIL INVALID_MANIFEST': { [`${path}: ${field}`]: [site, `lacks "${field}"`] } });
    }
  }
});
