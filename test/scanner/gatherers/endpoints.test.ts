import t from 'tap';
import type { FetchOptions } from '../../../src/scanner/client/visit.js';
import { ask } from '../../../src/scanner/gatherers/endpoints.js';

t.test('an event stream without its type is recognised however its first bytes arrive', async (t) => {
  const goesOn = async (...chunks: readonly string[]) => {
    const answers: (boolean | undefined)[] = [];
    const fetch = async (_url: URL, { sink }: FetchOptions) => {
      let offset = 0;
      for (const chunk of chunks) {
        answers.push(sink?.(Buffer.from(chunk), offset));
        offset += chunk.length;
      }
      return { failure: 'stalled' };
    };
    await ask({ visit: { fetch } } as never, new URL('https://www.fixture-site.com/mcp'), {});
    return answers;
  };
  t.same(await goesOn('data: x\n\n'), [false]);
  t.same(await goesOn('ev', 'ent', ': x\n\n'), [true, true, false]);
  t.same(await goesOn('{"a":', ' "data: x"}'), [true, true]);
  t.same(await goesOn('x'.repeat(16_383), 'x'), [true, false], 'the start is enough');
});
