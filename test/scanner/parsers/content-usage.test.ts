import t from 'tap';
import { parseContentUsage } from '../../../src/scanner/parsers/content-usage.js';

t.test('Content-Usage says what its last Tokens y and n say (RFC 9651, vocab-08)', (t) => {
  const cases = [
    ['train-ai=n', 'train-ai=n'],
    ['ai-use=y;q="a,b", search=n', 'ai-use=y search=n'],
    ['train-ai;allow=n, train-ai=y', 'train-ai=y'],
    ['train-ai=y, train-ai', ''],
    ['search="n"', ''],
    ['train-ai=?0', ''],
    ['train-ai=yes', ''],
    ['train-ai=(n)', ''],
    ['train-ai=N', ''],
    ['genai=n', ''],
    ['archive=n', ''],
    ['', ''],
    ['/press/ ai-use=n', '/press/ ai-use=n'],
    ['/press/', '/press/ '],
    ['Train-AI=n', 'broken'],
    ['ai-use=n, !!=y', 'broken'],
    ['/caf\u00e9 search=n,', 'broken'],
    ['search=:%:', 'broken'],
    [`search=n;a=${'b'.repeat(4_100)}`, 'cut'],
  ] as const;
  for (const [value, expected] of cases) t.equal(describe(value), expected, value.slice(0, 40));
  t.equal(parseContentUsage('/a train-ai=n', false).kind, 'broken', 'a header has no path');
  t.end();
});

function describe(value: string): string {
  const reading = parseContentUsage(value, true);
  if (reading.kind !== 'read') return reading.kind;
  const said = [...reading.preferences].map(([label, token]) => `${label}=${token}`).join(' ');
  return reading.path === null ? said : `${reading.path} ${said}`;
}
