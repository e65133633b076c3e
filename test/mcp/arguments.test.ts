import type { ServerContext } from '@modelcontextprotocol/server';
import t from 'tap';
import { z } from 'zod';
import { answering, argumentsOf, missing } from '../../src/mcp/arguments.js';

const SHAPE = { url: z.string(missing('url')), checkId: z.string().optional(), detail: z.string().optional() };
/** What a client is told of these arguments; null where they are taken. */
const faultsOf = (given: unknown): string[] | null => {
  const parsed = argumentsOf(SHAPE).safeParse(given);
  return parsed.success ? null : parsed.error.issues.map(({ message }) => message);
};

t.test('an argument by another name is told its own, whatever way it is written', async (t) => {
  const others = {
    url: [
      'uri',
      'link',
      'site',
      'site_url',
      'website',
      'website-url',
      'webPage',
      'page',
      'Page URL',
      'homepage',
      'URL',
    ].concat(['domain', 'domain_name', 'host', 'hostname', 'origin']),
    checkId: ['check', 'check_id', 'check-ids', 'checkName'],
    detail: ['details', 'detail_level', 'Verbosity'],
  };
  for (const [own, names] of Object.entries(others)) {
    for (const name of names) {
      t.match(faultsOf({ url: 'x', [name]: 'y' }), [`The argument "${name}" is called "${own}" here.`], name);
    }
  }
  t.same(faultsOf({ url: 'x', site: 'y', check: 'z' }), [
    'The argument "site" is called "url" here. The argument "check" is called "checkId" here.',
  ]);
  t.same(faultsOf({ website: 'x' }), [
    'The argument "url" is missing.',
    'The argument "website" is called "url" here.',
  ]);
  t.same(faultsOf({ url: 'x', checkId: 'y', detail: 'z' }), null);
  t.same(faultsOf({ url: 'x', requestId: 1, urls: 2 }), null, 'what is not an other name is let through');
  t.match(faultsOf({ url: 5 }), [/string/], 'another fault keeps its message');
  for (const none of [null, 'x']) t.ok(faultsOf(none), 'no object');
});

t.test('an answer names what it ignored, five of it', async (t) => {
  const answer = async (given: object) => {
    const call = answering(SHAPE, () => ({ content: [{ type: 'text', text: 'done' }] }));
    return call(given, {} as ServerContext);
  };
  const said = (text: string) => ({
    isError: false,
    content: [
      { type: 'text', text: 'done' },
      { type: 'text', text },
    ],
  });
  t.same(await answer({ url: 'x' }), { isError: false, content: [{ type: 'text', text: 'done' }] });
  t.same(await answer({ url: 'x', a: 1 }), said('This tool has no such argument, and ignored: "a".'));
  const five = { a: 1, b: 1, c: 1, d: 1, e: 1 };
  const list = 'This tool has no such argument, and ignored: "a", "b", "c", "d", "e"';
  t.same(await answer(five), said(`${list}.`));
  t.same(await answer({ ...five, f: 1, g: 1 }), said(`${list} and 2 more.`));
  t.same(
    await answer({ ['x'.repeat(40)]: 1, ['y'.repeat(41)]: 1 }),
    said(`This tool has no such argument, and ignored: "${'x'.repeat(40)}", "${'y'.repeat(40)}…".`),
  );
  const failing = answering(SHAPE, () => ({ isError: true, content: [] }));
  t.same(await failing({}, {} as ServerContext), { isError: true, content: [] });
});
