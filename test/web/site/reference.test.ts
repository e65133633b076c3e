import { headingId } from '../../../src/web/public/long-page.js';
import { DOCUMENT, OPERATIONS, WEBHOOKS } from '../../support/contract.js';
import { onSqlite } from '../../support/databases.js';
import { PUBLIC_URL } from '../../support/services.js';
import { startWeb } from '../../support/web.js';

const SCHEMAS = DOCUMENT.components?.schemas as Readonly<Record<string, { properties?: object; enum?: string[] }>>;
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

onSqlite(async (t, engine) => {
  const web = await startWeb(t, await engine.openDb(t));
  const { status, text } = await web.newVisitor().get('/docs/api');

  /** Returns the page from a heading to the next one that has an id. */
  const sectionOf = (heading: string): string =>
    text.split(` id="${headingId(heading)}"`)[1]?.split(/<(?:section|h3)[^>]* id="/)[0] ?? '';

  t.test('everything in the document is on the page', async (t) => {
    t.equal(status, 200);
    for (const { path, object } of OPERATIONS) {
      t.ok(text.includes(escapeHtml(path)), path);
      const section = sectionOf(object.summary);
      for (const word of [object.operationId, ...object.parameters.map(({ name }) => name)])
        t.match(section, `<code>${word}</code>`, `${object.operationId} ${word}`);
    }
    for (const [name, { properties = {}, enum: values = [] }] of Object.entries(SCHEMAS)) {
      const section = sectionOf(name);
      for (const word of [...Object.keys(properties), ...values])
        t.match(section, `<code>${word}</code>`, `${name} ${word}`);
    }
  });

  t.test('each answer is there with its description and its body, and each header once', async (t) => {
    for (const { object } of OPERATIONS) {
      const { operationId } = object;
      const section = sectionOf(object.summary);
      for (const [status, response] of Object.entries(object.responses)) {
        const row = section.split(`<code>${status}</code>`)[1]?.split('</tr>')[0] ?? '';
        const about = `${operationId} ${status}`;
        const [words = ''] = response.description.split(/[.(`]/);
        t.ok(words.trim().length > 3 && row.includes(escapeHtml(words.trim())), `${about}: ${words}`);
        for (const name of Object.keys(response.headers ?? {}))
          t.match(text, `<code>${name}</code>`, `${about} ${name}`);
        t.match(row, response.content ? '<a href="#' : 'no body', about);
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

  t.test('it lies as Markdown, too', async (t) => {
    const markdown = await web.newVisitor().get('/docs/api.md');
    for (const { object } of OPERATIONS) t.match(markdown.text, `operation \`${object.operationId}\``);
    for (const line of [
      `curl -X POST -H "Authorization: Bearer $API_KEY" "${PUBLIC_URL}/api/v1/sites/$SITE_ID/runs"`,
      `curl -H "Authorization: Bearer $API_KEY" "${PUBLIC_URL}/api/v1/sites/$SITE_ID/runs/$NUMBER"`,
      `curl "${PUBLIC_URL}/api/v1/openapi.json"`,
    ])
      t.match(markdown.text, `\n${line}\n`);
    for (const type of ['array of [Finding](#finding)', '[Pillar](#pillar) or null', 'one of `A`, `B`', 'integer, '])
      t.match(markdown.text, type);
  });
});
