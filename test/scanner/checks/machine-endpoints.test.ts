import t from 'tap';
import { cWk01 } from '../../../src/scanner/checks/c-wk-01.js';
import { cWk02 } from '../../../src/scanner/checks/c-wk-02.js';
import { cWk03 } from '../../../src/scanner/checks/c-wk-03.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { findingOf } from '../../support/collect.js';
import {
  AGENT_CARD,
  AGENT_PATH,
  ALIVE,
  CARD_ENTRY,
  CARD_PATH,
  HOME,
  OLDER_CARD,
  SERVER,
  SERVER_CARD,
  json,
  url,
} from './endpoint-sites.js';

t.test('each required field is asked for, by its name', async (t) => {
  const without = (value: object, field: string): object =>
    Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
  const catalogPath = '/.well-known/ai-catalog.json';
  const ardPath = '/.well-known/ard.json';
  const skills = (skill: object): object => ({ ...AGENT_CARD, skills: [skill] });
  const interfaces = (item: object): object => ({ ...AGENT_CARD, supportedInterfaces: [item] });
  const entries = (entry: object): object => ({ specVersion: '1.0', entries: [entry] });
  const remotes = (remote: object): object => ({ ...SERVER_CARD, remotes: [remote] });
  const same = (value: object): object => value;
  const table: readonly [
    check: Check,
    path: string,
    whole: object,
    fields: readonly string[],
    put?: (part: object) => object,
  ][] = [
    [cWk01, catalogPath, { entries: [] }, ['entries']],
    [cWk01, catalogPath, CARD_ENTRY, ['identifier', 'url'], entries],
    [cWk01, ardPath, { entries: [] }, ['entries']],
    [cWk01, ardPath, { ...CARD_ENTRY, displayName: 'Shop' }, ['identifier', 'displayName', 'url'], entries],
    [cWk01, ardPath, { ...CARD_ENTRY, displayName: 'Shop', mediaType: CARD_ENTRY.type }, ['type'], entries],
    [cWk01, CARD_PATH, SERVER_CARD, ['$schema', 'name', 'version', 'description']],
    [cWk01, CARD_PATH, { type: 'sse', url: url('/mcp') }, ['type', 'url'], remotes],
    [
      cWk02,
      AGENT_PATH,
      AGENT_CARD,
      ['name', 'description', 'version', 'capabilities', 'defaultInputModes', 'defaultOutputModes', 'skills'],
    ],
    [cWk02, AGENT_PATH, AGENT_CARD.skills[0] ?? {}, ['id', 'name', 'description', 'tags'], skills],
    [
      cWk02,
      AGENT_PATH,
      AGENT_CARD.supportedInterfaces[0] ?? {},
      ['url', 'protocolBinding', 'protocolVersion'],
      interfaces,
    ],
    [cWk02, AGENT_PATH, OLDER_CARD, ['url']],
    [
      cWk03,
      '/.well-known/oauth-authorization-server',
      SERVER,
      ['issuer', 'authorization_endpoint', 'token_endpoint', 'response_types_supported'],
    ],
  ];
  for (const [check, path, whole, fields, put = same] of table) {
    for (const field of fields) {
      const site = { '/': HOME, '/mcp': ALIVE, '/a2a': ALIVE, [path]: json(put(without(whole, field))) };
      const finding = await findingOf(check, { routes: site });
      t.match(finding, { errorType: 'INVALID_MANIFEST', detail: `lacks "${field}"` }, `${path}: ${field}`);
    }
  }
});
