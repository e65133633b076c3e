import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import t from 'tap';
import type { FetchFailure } from '../../src/net/failure.js';
import { readBody } from '../../src/net/body.js';
import { ResponseHeaders } from '../../src/net/transport.js';
import type { FetchOptions, Fetched } from '../../src/scanner/client/visit.js';
import type { FixtureAnswer } from '../support/fixture-site.js';
import { visitSite } from '../support/visit-site.js';

const MIB = 1_048_576;
/** Kept of a body that a sink takes. */
const START_BYTES = 16_384;

async function fetchAnswer(answer: FixtureAnswer, options: FetchOptions = {}) {
  const { visit, fetch } = visitSite({ '/': answer });
  const fetched = await fetch('/', options);
  await visit.close();
  return fetched;
}

/** What was read of a body: [bytes read, bytes kept, whether our own limit cut it]. */
function extentOf(fetched: Fetched): readonly [number, number, boolean] | FetchFailure {
  if ('failure' in fetched) return fetched.failure;
  const { byteCount, body, isOverLimit } = fetched.response;
  return [byteCount, body.length, isOverLimit];
}

const coded = (coding: string, body: Uint8Array): FixtureAnswer => ({ headers: { 'content-encoding': coding }, body });

t.test('a body is put together from pieces of every size', async (t) => {
  const whole = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
  const pieces = async function* () {
    for (let at = 0, length = 0; at < whole.length; at += length) {
      length = at < 70_000 ? 1 : 3 * length + 1;
      yield whole.subarray(at, at + length);
    }
  };
  const answer = { status: 200, headers: new ResponseHeaders([]), body: pieces() };
  const read = await readBody(answer, { bodyBytesMax: MIB, sink: null });
  t.ok(whole.equals(read.body));
  t.equal(read.byteCount, whole.length);
});

t.test('a content coding is undone, or named as the cause', async (t) => {
  const text = 'some text that repeats itself, some text that repeats itself';
  const [gzip, brotli] = [gzipSync(text), brotliCompressSync(text)];
  const flipped = Buffer.from(gzip).fill(0, 12, 20);
  const cases: readonly (readonly [coding: string, body: Uint8Array, outcome: string])[] = [
    ['gzip', gzip, text],
    ['GZIP ', gzip, text],
    ['x-gzip', gzip, text],
    ['br', brotli, text],
    ['identity', Buffer.from(text), text],
    ['UTF-8', Buffer.from(text), text],
    ['gzip', Buffer.of(), ''],
    ['br', Buffer.of(), ''],
    ['gzip', Buffer.concat([gzip, gzip]), text + text],
    ['gzip', gzip.subarray(0, 5), 'cut_off'],
    ['gzip', gzip.subarray(0, -6), 'cut_off'],
    ['br', brotli.subarray(0, -3), 'cut_off'],
    ['gzip', flipped, 'bad_encoding'],
    ['gzip', Buffer.from(text), 'bad_encoding'],
    ['br', Buffer.from(`<!doctype html>${text}`), 'bad_encoding'],
    ['deflate', deflateSync(text), 'bad_encoding'],
    ['zstd', gzip, 'bad_encoding'],
    ['gzip, br', brotliCompressSync(gzip), 'bad_encoding'],
  ];
  for (const [coding, body, outcome] of cases) {
    const fetched = await fetchAnswer(coded(coding, body));
    const actual = 'failure' in fetched ? fetched.failure : Buffer.from(fetched.response.body).toString();
    t.equal(actual, outcome, `${coding}, ${body.length} bytes`);
  }
});

t.test('compressed data that ends early in an answer that does not is not a broken connection', async (t) => {
  const data = gzipSync('half of it').subarray(0, -9);
  const framings = [{ 'content-length': `${data.length}` }, { 'transfer-encoding': 'chunked' }];
  for (const headers of framings) {
    const answer: FixtureAnswer = { body: data, headers: { 'content-encoding': 'gzip', ...headers } };
    t.same(await fetchAnswer(answer), { failure: 'ends_early' });
    t.same(await fetchAnswer({ ...answer, cut: true }), { failure: 'cut_off' });
    t.match(await fetchAnswer(answer, { sink: () => true }), { response: { status: 200, endsEarly: data.length } });
  }
  t.same(await fetchAnswer(coded('gzip', data)), { failure: 'cut_off' }, 'nothing shows where the answer ends');
  t.same(await fetchAnswer({ body: 'half of it', cut: true }), { failure: 'cut_off' });
  t.same(await fetchAnswer({ ...coded('gzip', gzipSync('half of it')), cut: true }), { failure: 'cut_off' });
});

t.test('our own limit is known as such', async (t) => {
  const zeros = Buffer.alloc(16 * MIB);
  const bombs = {
    plain: { body: Buffer.alloc(2 * MIB) },
    gzip: coded('gzip', gzipSync(zeros)),
    brotli: coded('br', brotliCompressSync(zeros)),
  };
  for (const [name, answer] of Object.entries(bombs)) {
    t.same(extentOf(await fetchAnswer(answer)), [MIB, MIB, true], name);
  }
  const upTo = async (bodyBytesMax: number) => extentOf(await fetchAnswer({ body: 'exact' }, { bodyBytesMax }));
  t.same(await upTo(5), [5, 5, false]);
  t.same(await upTo(4), [4, 4, true]);
});

t.test('a bomb of bombs is not unpacked beyond the limit', async (t) => {
  const nested = gzipSync(gzipSync(Buffer.alloc(64 * MIB)));
  const before = process.memoryUsage().rss;
  const options = { sink: () => true, bodyBytesMax: MIB };
  const fetched = await fetchAnswer(coded('gzip', nested), options);
  t.same(extentOf(fetched), [MIB, START_BYTES, true]);
  t.ok(process.memoryUsage().rss - before < 32 * MIB);
});

t.test('a sink takes the bytes, of which the beginning alone is kept', async (t) => {
  const body = Buffer.alloc(3 * MIB, 'x');
  type SinkOptions = FetchOptions & { readonly bytesWanted?: number };
  const fetchInto = async (answer: FixtureAnswer, { bytesWanted = Infinity, ...options }: SinkOptions = {}) => {
    const offsets: number[] = [];
    let bytes = 0;
    const sink = (chunk: Uint8Array, offset: number) => {
      bytes += chunk.length;
      return offsets.push(offset) > 0 && bytes < bytesWanted;
    };
    const fetched = await fetchAnswer(answer, { sink, ...options });
    return { fetched, extent: extentOf(fetched), bytes, offsets };
  };
  const whole = await fetchInto({ body });
  t.same([whole.extent, whole.bytes], [[3 * MIB, START_BYTES, false], 3 * MIB]);
  t.same(whole.offsets.slice(0, 2), [0, 16_384]);
  t.same((await fetchInto({ body }, { bytesWanted: MIB })).extent, [MIB, START_BYTES, true], 'until it has enough');
  const capped = await fetchInto({ body }, { bodyBytesMax: 100 });
  t.same([capped.extent, capped.bytes], [[100, 100, true], 100], 'up to a limit that is asked for');
  t.match(await fetchInto({ status: 500, body: 'oops' }), { fetched: { response: { status: 500 } }, bytes: 0 });
  const refused = { response: { status: 403, body: Buffer.from('a challenge') } };
  const challenged = await fetchInto({ status: 403, body: 'a challenge' });
  t.match(challenged, { fetched: refused, bytes: 0 }, 'a refusal may be a challenge');
});

t.test('gzip in the body itself is undone for a sink', async (t) => {
  const file = gzipSync('<urlset/>');
  const bodyOf = async (answer: FixtureAnswer) => {
    const chunks: Uint8Array[] = [];
    const fetched = await fetchAnswer(answer, { sink: (chunk) => chunks.push(chunk) > 0 });
    return 'failure' in fetched ? fetched.failure : Buffer.concat(chunks).toString();
  };
  t.equal(await bodyOf({ body: file }), '<urlset/>');
  t.equal(await bodyOf(coded('gzip', gzipSync(file))), '<urlset/>', 'inside of a content coding');
  t.equal(await bodyOf({ body: '<urlset/>' }), '<urlset/>');
  t.equal(await bodyOf({ body: 'x' }), 'x', 'shorter than the magic bytes');
  t.equal(await bodyOf({ body: file.subarray(0, -9) }), 'cut_off');
  const short = { body: file.subarray(0, -9), headers: { 'content-length': `${file.length - 9}` } };
  t.equal(await bodyOf(short), '<urlset/>', 'as far as it goes');
  t.match(await fetchAnswer({ body: file }), { response: { body: { length: file.length } } });
});

t.test('nothing of an event stream is waited for: it has no end', async (t) => {
  const stream: FixtureAnswer = { type: 'text/event-stream', body: 'data: 1\n\n' };
  t.same(extentOf(await fetchAnswer(stream)), [0, 0, true]);
});

t.test('large bodies are parsed in different turns of the event loop', async (t) => {
  let turn = 0;
  let timer: NodeJS.Immediate;
  const count = (): void => {
    turn += 1;
    timer = setImmediate(count);
  };
  timer = setImmediate(count);
  t.teardown(() => clearImmediate(timer));

  const large = { body: Buffer.alloc(100_000, 'x') };
  const ends = new Set<number>();
  await Promise.all([large, large, large].map((answer) => fetchAnswer(answer).then(() => ends.add(turn))));
  t.equal(ends.size, 3);

  const bytesIn = new Map<number, number>();
  const sink = (chunk: Uint8Array) => bytesIn.set(turn, (bytesIn.get(turn) ?? 0) + chunk.length).size > 0;
  await fetchAnswer({ body: Buffer.alloc(MIB, 'x') }, { sink });
  t.ok(Math.max(...bytesIn.values()) <= 200_000, 'and so are the parts of one');
});
