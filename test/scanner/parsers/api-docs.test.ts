import t from 'tap';
import { rankApiDocs, showsApiDocs } from '../../../src/scanner/parsers/api-docs.js';

t.test('an address names documentation of an API, or may, or does not', async (t) => {
  const cases: readonly (readonly [address: string, rank: ReturnType<typeof rankApiDocs>])[] = [
    ['https://shop.com/docs/api', 'certain'],
    ['https://shop.com/api-docs/', 'certain'],
    ['https://shop.com/en/developers/api/v2/reference.html', 'certain'],
    ['https://api.shop.com/docs', 'certain'],
    ['https://shop.com/swagger-ui/index.html', 'certain'],
    ['https://shop.com/redoc', 'certain'],
    ['https://docs.shop.com/', 'possible'],
    ['https://shop.com/docs', 'possible'],
    ['https://shop.com/en/developers', 'possible'],
    ['https://shop.com/api', 'possible'],
    ['https://shop.com/docs/care/of/tents', 'no'],
    ['https://shop.com/v2/openapi.json', 'no'],
    ['https://shop.com/capital-goods', 'no'],
    ['https://shop.com/doctors', 'no'],
    ['https://shop.com/', 'no'],
    [`https://shop.com/docs/api/${'a'.repeat(300)}`, 'no'],
  ];
  for (const [address, rank] of cases) t.equal(rankApiDocs(new URL(address)), rank, address);
});

t.test('a page shows that it documents an API', async (t) => {
  t.ok(showsApiDocs('<title>Shop - API Reference</title>'));
  t.ok(showsApiDocs('<div id="swagger-ui"></div>'));
  t.ok(showsApiDocs('<redoc spec-url="/openapi.json"></redoc>'));
  t.notOk(showsApiDocs('<title>Docs</title><p>How to pitch a tent.'));
});
