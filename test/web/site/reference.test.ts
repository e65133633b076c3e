import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { TypeName } from '../../../src/web/site/reference/schema.js';
import t from 'tap';
import { readReference } from '../../../src/web/site/reference/api-document.js';
import { abridge, curlLine, fetchLines, pythonLines } from '../../../src/web/site/reference/examples.js';
import { DOCUMENT, OPERATIONS, responsesOf } from '../../support/contract.js';
import { WEBHOOKS } from '../../support/event-contract.js';
import { onSqlite } from '../../support/databases.js';
import { startWeb, WEB_URL } from '../../support/web.js';

/** Enough of the document to see whether everything in it is on the page. */
interface Documented {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters: { $ref?: string; name?: string }[];
      }
    >
  >;
  readonly components: {
    schemas: Record<string, { properties?: object; enum?: string[] }>;
    parameters: Record<string, { name: string }>;
  };
}

const { paths, components } = DOCUMENT as unknown as Documented;
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

onSqlite(async (t, engine) => {
  const web = await startWeb(t, await engine.openDb(t));
  const { status, text } = await web.newVisitor().get('/docs/api');

  t.test('everything in the document is on the page', async (t) => {
    t.equal(status, 200);
    const names = [...Object.keys(paths), ...Object.values(components.parameters).map(({ name }) => name)];
    for (const operations of Object.values(paths)) {
      for (const { operationId, parameters } of Object.values(operations)) {
        const section = text.split(`<section id="${operationId}"`)[1]?.split('</section>')[0] ?? '';
        for (const { $ref = '', name = components.parameters[$ref.split('/').at(-1)!]!.name } of parameters) {
          t.match(section, `<code>${name}</code>`, `${operationId} ${name}`);
        }
      }
    }
    for (const [name, { properties = {}, enum: values = [] }] of Object.entries(components.schemas)) {
      const section = text.split(`<section id="schema-${name}"`)[1]?.split('</section>')[0] ?? '';
      for (const word of [...Object.keys(properties), ...values])
        t.match(section, `<code>${word}</code>`, `${name} ${word}`);
    }
    for (const name of new Set(names)) t.ok(text.includes(escapeHtml(name)), name);
  });

  t.test('each answer is there with its description, its headers and its body', async (t) => {
    for (const operation of OPERATIONS) {
      const { operationId } = operation.object;
      const section = text.split(`<section id="${operationId}"`)[1]?.split('</section>')[0] ?? '';
      for (const [status, { response }] of responsesOf(operation)) {
        const row = section.split(`<code>${status}</code>`)[1]?.split('</tr>')[0] ?? '';
        const about = `${operationId} ${status}`;
        const [words = ''] = response.description.split(/[.(`]/);
        t.ok(words.trim().length > 3 && row.includes(escapeHtml(words.trim())), `${about}: ${words}`);
        const common = /Headers of every answer: ([^<]*)/.exec(section)?.[1] ?? '';
        for (const name of Object.keys(response.headers ?? {}))
          t.ok(common.split(', ').includes(name) || row.includes(name), `${about} ${name}`);
        t.match(row, response.content ? '<a href="#schema-' : 'no body', about);
      }
    }
  });

  t.test('each message to webhooks is there', async (t) => {
    t.ok(Object.keys(WEBHOOKS).length > 3);
    for (const [type, { post }] of Object.entries(WEBHOOKS)) {
      const row = text.split(`<code>${type}</code>`).at(-1)?.split('</tr>')[0] ?? '';
      t.match(row, post.summary, type);
    }
  });

  t.test('a filter leaves what says the words, and keeps the rest for the links that lead there', async (t) => {
    const answer = await web.newVisitor().get('/docs/api?find=Idempotency-Key');
    const shown = [...answer.text.matchAll(/<section id="([^"]+)" class="op"[^>]*>/g)].flatMap(([tag, id]) =>
      tag.includes('hidden="until-found"') ? [] : [id],
    );
    t.same(shown, ['createRun']);
    t.match(answer.text, 'What says “Idempotency-Key”.');
    t.match(answer.text, 'id="schema-Finding"');
    t.ok(answer.text.length < 60_000 && text.length < 60_000, 'what a page weighs at most');
  });

  t.test('every link within the page leads somewhere, and no id is there twice', async (t) => {
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    t.equal(new Set(ids).size, ids.length);
    for (const [link, id] of text.matchAll(/href="#([^"]*)"/g)) t.ok(ids.includes(id), link);
  });

  t.test('each operation has a form that calls it, with a field for each part of its path', async (t) => {
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { operationId }] of Object.entries(operations)) {
        const [, form = ''] = text.split(`data-try="${path}" data-method="${method.toUpperCase()}"`);
        const fields = [...(form.split('</form>')[0] ?? '').matchAll(/<input [^>]*id="([^"]*)"/g)].map(([, id]) => id);
        t.same(
          fields,
          [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${operationId}-${name}`),
          operationId,
        );
      }
    }
  });
});

t.test('examples in other languages ask for the same', async (t) => {
  const run = readReference(DOCUMENT).operations.find(({ operationId }) => operationId === 'createRun');
  if (!run) throw new Error('there is no createRun');
  t.match(fetchLines(run, WEB_URL), `fetch(\`${WEB_URL}/api/v1/sites/\${siteId}/runs\`, {\n  method: 'POST',`);
  t.match(pythonLines(run, WEB_URL), `f"${WEB_URL}/api/v1/sites/{site_id}/runs",\n    method="POST",`);
  t.same(abridge({ texts: ['a'.repeat(60), 'b'], none: null }), { texts: [`${'a'.repeat(48)}…`], none: null });
});

t.test('curl lines take the parameters from variables of the shell', async (t) => {
  const lines = readReference(DOCUMENT).operations.map((operation) => curlLine(operation, WEB_URL));
  t.strictSame(lines, [
    `curl "${WEB_URL}/api/v1/openapi.json"`,
    `curl -X POST -H "Authorization: Bearer $API_KEY" "${WEB_URL}/api/v1/sites/$SITE_ID/runs"`,
    `curl -H "Authorization: Bearer $API_KEY" "${WEB_URL}/api/v1/sites/$SITE_ID/runs/latest"`,
    `curl -H "Authorization: Bearer $API_KEY" "${WEB_URL}/api/v1/sites/$SITE_ID/runs/$NUMBER"`,
  ]);
});

t.test('limits of a number are told as they are', async (t) => {
  for (const [schema, words] of [
    [{ minimum: 1, maximum: 9 }, '1 to 9'],
    [{ minimum: 1 }, 'at least 1'],
  ] as const) {
    const html = render(h(TypeName, { schema: { type: 'integer', ...schema } }));
    t.match(html, words);
    t.notMatch(html, 'undefined');
  }
});
