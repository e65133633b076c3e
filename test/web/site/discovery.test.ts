import { createHash } from 'node:crypto';
import t from 'tap';
import { decide, groupsFor, parseRobots } from '../../../src/scanner/parsers/robots.js';
import { ADDRESSES, PUBLIC_PAGE_LIST } from '../../../src/web/server/paths.js';
import { formatSecurityTxt } from '../../../src/web/agents/documents.js';
import { onSqlite } from '../../support/databases.js';
import { PUBLIC_URL } from '../../support/services.js';
import { startWeb } from '../../support/web.js';

const MCP_DOCUMENTS = {
  serverCard: { name: 'card' },
  manifest: { name: 'manifest' },
  catalogEntry: { name: 'entry' },
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  '/llms.txt': 'text/plain; charset=utf-8',
  '/llms-full.txt': 'text/plain; charset=utf-8',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/sitemap.xml': 'application/xml',
  '/.well-known/security.txt': 'text/plain; charset=utf-8',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '/.well-known/ard.json': 'application/json',
  '/.well-known/agent-skills/index.json': 'application/json',
  '/.well-known/agent-skills/make-site-agent-ready/SKILL.md': 'text/markdown; charset=utf-8',
  '/.well-known/mcp/server-card.json': 'application/mcp-server-card+json',
  '/mcp/server-card': 'application/mcp-server-card+json',
  '/.well-known/mcp.json': 'application/json',
};

onSqlite(async (t, engine) => {
  const web = await startWeb(t, await engine.openDb(t), { mcpDocuments: MCP_DOCUMENTS });
  const visitor = web.newVisitor();
  const textOf = async (path: string): Promise<string> => (await visitor.get(path, { accept: '*/*' })).text;
  const jsonOf = async (path: string): Promise<unknown> => JSON.parse(await textOf(path)) as unknown;

  t.test('programs of every origin may read and keep the documents', async (t) => {
    for (const [path, type] of Object.entries(DOCUMENTS)) {
      const { status, headers } = await visitor.get(path, { accept: '*/*' });
      t.equal(status, 200, path);
      t.equal(headers['content-type'], type);
      t.equal(headers['access-control-allow-origin'], '*');
      t.equal(headers['cache-control'], 'public, max-age=300');
      t.notMatch(headers.vary ?? '', /Cookie|Accept\b(?!-)/, 'it is the same for everyone');
      const again = await visitor.get(path, { 'if-none-match': headers.etag ?? '' });
      t.equal(again.status, 304, path);
      t.equal(again.text, '');
    }
  });

  t.test('the sitemap, llms.txt and the navigation have the same pages', async (t) => {
    const urls = PUBLIC_PAGE_LIST.map(({ path }) => PUBLIC_URL + path);
    const inSitemap = (await textOf('/sitemap.xml')).matchAll(/<loc>([^<]+)<\/loc>/g);
    t.equal(Array.from(inSitemap, ([, url]) => url).join('\n'), urls.join('\n'));
    const [, pages = ''] = (await textOf('/llms.txt')).split(/^## .+$/m);
    const inList = pages.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm);
    t.equal(Array.from(inList, ([, url]) => url).join('\n'), urls.join('\n'));
    const { text } = await visitor.get('/');
    const menu = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => PUBLIC_URL + href);
    for (const { path, menu: place } of PUBLIC_PAGE_LIST)
      if (place !== null) t.ok(menu.includes(PUBLIC_URL + path), path);
  });

  t.test('llms-full.txt holds the pages whole', async (t) => {
    const full = await textOf('/llms-full.txt');
    for (const path of ['/', '/checks', '/accuracy', '/about', '/privacy']) {
      t.ok(full.includes((await visitor.get(path, { accept: 'text/markdown' })).text), path);
    }
  });

  t.test('robots.txt lets everybody read what is public, and nobody crawl what is somebody’s own', async (t) => {
    const text = await textOf('/robots.txt');
    t.match(text, `Sitemap: ${PUBLIC_URL}/sitemap.xml`);
    t.match(text, /^Content-Signal: search=yes, ai-input=yes, ai-train=no$/m);
    const groups = groupsFor(parseRobots(text).groups.rfc, 'OAI-SearchBot');
    const isOpen = (path: string): boolean => decide(groups, new URL(path, PUBLIC_URL)).allowed;
    for (const path of [...PUBLIC_PAGE_LIST.map((page) => page.path), ...Object.keys(DOCUMENTS), ADDRESSES.openApi]) {
      t.ok(isOpen(path), path);
    }
    for (const path of ['/sites/site_x', '/keys', '/account', '/scan/example.com', '/sign-in/token']) {
      t.notOk(isOpen(path), path);
    }
  });

  t.test('the catalogs lead to the API and to the MCP server', async (t) => {
    t.same(await jsonOf('/.well-known/api-catalog'), {
      linkset: [
        {
          anchor: `${PUBLIC_URL}/api/v1`,
          'service-desc': [{ href: `${PUBLIC_URL}/api/v1/openapi.json`, type: 'application/json' }],
          'service-doc': [{ href: `${PUBLIC_URL}/docs/api`, type: 'text/html' }],
          status: [{ href: `${PUBLIC_URL}/readyz`, type: 'application/json' }],
        },
      ],
    });
    const { link } = (await visitor.get('/.well-known/api-catalog')).headers;
    t.match(link, /<\/\.well-known\/api-catalog>; rel="api-catalog"/);
    t.match(await jsonOf('/.well-known/ard.json'), { specVersion: '1.0', entries: [{ name: 'entry' }] });
    t.same(await jsonOf('/.well-known/mcp.json'), { name: 'manifest' });
    t.same(await jsonOf('/.well-known/mcp/server-card.json'), { name: 'card' });
    t.same(await jsonOf('/mcp/server-card'), { name: 'card' });
  });

  t.test('the index of skills has the digest of the skill that is served', async (t) => {
    const path = '/.well-known/agent-skills/index.json';
    const index = (await jsonOf(path)) as {
      readonly skills: readonly { readonly url: string; readonly digest: string }[];
    };
    t.match(index, { $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json' });
    const [entry] = index.skills;
    t.match(entry, { name: 'make-site-agent-ready', type: 'skill-md', description: /\S/ });
    const skill = await textOf(new URL(entry?.url ?? '', new URL(path, PUBLIC_URL)).pathname);
    t.equal(`sha256:${createHash('sha256').update(skill).digest('hex')}`, entry?.digest);
    t.match(skill, /^---\nname: make-site-agent-ready\ndescription: \S[^\n]{0,1023}\n---\n\n# /);
    for (const part of ['`fix_plan`', '`verify_fix`', '`try_fix`', '`explain_check`', `${PUBLIC_URL}/mcp`])
      t.ok(skill.includes(part), part);
  });

  t.test('security.txt leads to the operator, and does not go stale', async (t) => {
    const text = await textOf('/.well-known/security.txt');
    t.match(text, `Contact: ${PUBLIC_URL}/about#contact\n`);
    t.match(text, `Canonical: ${PUBLIC_URL}/.well-known/security.txt\n`);
  });
});

t.test('security.txt says until when it holds, for less than a year', async (t) => {
  const now = new Date('2026-11-21T14:37:00.000Z');
  const text = formatSecurityTxt(PUBLIC_URL, 'mailto:ops@fixture-site.com', now);
  t.match(text, 'Contact: mailto:ops@fixture-site.com\n');
  const [, expires = ''] = /^Expires: (\d{4}-\d\d-\d\dT00:00:00Z)$/m.exec(text) ?? [];
  const days = (Date.parse(expires) - now.getTime()) / 86_400_000;
  t.ok(days > 30 && days < 365, `${days} days`);
});
