import type { ServerContext } from '@modelcontextprotocol/server';
import t from 'tap';
import { z } from 'zod';
import { answering } from '../../src/mcp/arguments.js';

t.test('an answer says whether it is an error, and which arguments the tool takes if some are unknown', async (t) => {
  const shape = { url: z.string(), detail: z.string().optional() };
  const done = { type: 'text', text: 'done' } as const;
  const context = {} as ServerContext;
  const call = answering(shape, () => ({ content: [done] }));
  t.same(await call({ url: 'x' }, context), { isError: false, content: [done] });
  t.same(await call({ url: 'x', site: 'y' }, context), {
    isError: false,
    content: [done, { type: 'text', text: 'Unknown arguments were ignored. This tool takes url, detail.' }],
  });
  const failing = answering(shape, () => ({ isError: true, content: [] }));
  t.same(await failing({}, context), { isError: true, content: [] });
});
