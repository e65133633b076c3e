import t from 'tap';
import type { SchemaNode, SchemaProperty } from '../../../src/scanner/artifacts/structured-data.js';
import { readJsonLd } from '../../../src/scanner/parsers/structured-data/json-ld.js';
import { READ_CASES } from './json-ld-readers.js';

const PAGE = new URL('https://www.fixture-site.com/page');

t.test('JSON-LD is read as other readers of the standard do it', async (t) => {
  for (const { what, block, read, ours } of READ_CASES) {
    const { nodes } = await readJsonLd([{ position: 1, text: JSON.stringify(block) }], PAGE);
    t.same(
      {
        nodes: nodes.map(describeNode).filter(Boolean).sort(),
        unread: nodes.flatMap((node) => [...node.unreadProperties, ...(node.isPartlyUnread ? ['any'] : [])]),
      },
      { unread: [], ...(ours ?? { nodes: read }) },
      what,
    );
  }
});

function describeNode({ types, properties }: SchemaNode): string {
  return [types.map(({ name }) => name).join('+'), ...properties.map(describeProperty).sort()].join(' ').trim();
}

function describeProperty({ name, values }: SchemaProperty): string {
  const texts = values.flatMap((value) => (value === true ? '{}' : typeof value === 'object' ? [] : String(value)));
  return texts.length > 0 ? `${name}=${texts.join(',')}` : name;
}
