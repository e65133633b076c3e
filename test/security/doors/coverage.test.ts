import t from 'tap';
import { COLLECTORS } from '../../../src/scanner/gatherers/collectors.js';
import { SITE_DOORS } from './site-doors.js';
import { readProject } from '../../support/project.js';

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
  const { components, paths } = JSON.parse(readProject('generated/openapi.json')) as {
    readonly components: { readonly parameters: Readonly<Record<string, { readonly name: string }>> };
    readonly paths: Readonly<
      Record<
        string,
        Readonly<
          Record<string, { readonly parameters?: readonly { readonly name?: string }[]; readonly requestBody?: object }>
        >
      >
    >;
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const named = operations.flatMap(({ parameters = [] }) => parameters.flatMap(({ name }) => name ?? []));
  const shared = Object.values(components.parameters).map(({ name }) => name);
  t.same([...new Set([...named, ...shared])].sort(), [
    'Idempotency-Key',
    'If-None-Match',
    'X-Run-Label',
    'number',
    'siteId',
  ]);
  t.ok(operations.every(({ requestBody }) => requestBody === undefined));
});
