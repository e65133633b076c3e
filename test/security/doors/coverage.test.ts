import t from 'tap';
import { COLLECTORS } from '../../../src/scanner/gatherers/collectors.js';
import { SITE_DOORS } from './site-doors.js';
import { DOCUMENT } from '../../support/contract.js';

t.test('every kind of evidence that is gathered from the network has a door', async (t) => {
  const kinds = new Set(SITE_DOORS.map(({ kind }) => kind));
  // The document of llms.txt is read from what `llms` fetched, and structured data from the sample; what only notes use goes through the
  // doors of what uses it, too.
  t.same(
    Object.keys(COLLECTORS).filter((kind) => !kinds.has(kind as keyof typeof COLLECTORS)),
    ['unknownAddress', 'sample', 'announcedLlms', 'llmsDocument', 'catalogs'],
  );
});

t.test('no operation of the API takes an address', async (t) => {
  const { paths, components } = DOCUMENT;
  const text = JSON.stringify([paths, components]);
  const names = [...text.matchAll(/"name":"([\w-]+)","in":/g)].map(([, name]) => name);
  t.same([...new Set(names)].sort(), ['Idempotency-Key', 'If-None-Match', 'X-Run-Label', 'number', 'siteId']);
  t.notMatch(text, '"requestBody"');
});
