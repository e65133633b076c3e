import type { Setting } from './programs.js';

/** What is asked of a server that follows a block, and what it must answer. */
export interface Trial {
  readonly what: string;
  readonly against: Setting['against'];
  /** The files of the site alongside its pages. */
  readonly files: Readonly<Record<string, string>>;
  readonly asked: readonly Asked[];
}

interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Values that these fields of the answer must contain. */
  readonly fields?: Readonly<Record<string, string>>;
  /** How often it is asked; the last answer counts. */
  readonly times?: number;
}

const MARKDOWN = { 'content-type': 'text/markdown; charset=utf-8' };
const HTML = { 'content-type': 'text/html' };
const PAGES = { '/about.html': '<!doctype html><p>About', '/about.md': '# About', '/index.md': '# Home' };
const as = (name: string) => ({ 'user-agent': `Mozilla/5.0 (compatible; ${name}/1.0)` });
const REQUESTS_MANY = 20;

/** The trial of a block, by what the block does; null if none is known. */
export function trialOf(block: string): Trial | null {
  const path =
    /(?:location = |handle |not path |RewriteRule \^)(\/?[^\s$]+)/.exec(block)?.[1]?.replaceAll('\\', '') ?? '';
  const type = /(?:default_type|ForceType|Content-Type) "([^"]+)"/.exec(block)?.[1];
  if (block.includes('zone=bots')) {
    const asked = { path: '/', headers: as('GPTBot'), times: REQUESTS_MANY };
    return trial('limits no agent that answers people', 'nothing', [
      { ...asked, status: 429 },
      { ...asked, headers: as('PerplexityBot'), status: 200 },
    ]);
  }
  if (block.includes('GPTBot')) {
    return trial('refuses no agent that answers people', 'nothing', [
      { path: '/', headers: as('PerplexityBot'), status: 200 },
      { path: '/', headers: as('GPTBot'), status: 403 },
      { path: '/', status: 200 },
    ]);
  }
  if (/HTTP_ACCEPT|http_accept|header Accept/.test(block)) return negotiation();
  if (block.includes('.md') || block.includes('\\.md')) {
    return trial('labels Markdown', 'nothing', [{ path: '/about.md', status: 200, fields: MARKDOWN }], PAGES);
  }
  const header = /(?:add_header|Header always set|header) (Content-Signal) "(.+)"/.exec(block);
  if (header?.[1] && header[2]) {
    return trial('sends a header', 'nothing', [{ path: '/', status: 200, fields: { [header[1]]: header[2] } }]);
  }
  const moved = /(?:location = |redir |\^)(\/OLD-\w+)\S* .*?(\/NEW-\w+)/.exec(block);
  if (moved?.[1] && moved[2]) {
    return trial('redirects', 'nothing', [{ path: moved[1], status: 301, fields: { location: moved[2] } }]);
  }
  if (type !== undefined && path !== '') {
    const file = path.startsWith('/') ? path : `/${path}`;
    const fields = { 'content-type': type };
    const asked = [
      { path: file, status: 200, fields },
      { path: '/other', status: 200, fields: HTML },
    ];
    return trial(`sends ${file} as a file`, 'application', asked, { [file]: 'text' });
  }
  const open = /<Files "([^"]+)">/.exec(block)?.[1] ?? path.slice(1);
  if (open === '') return null;
  const asked = [
    { path: `/${open}`, status: 200 },
    { path: '/about.html', status: 403 },
  ];
  return trial(`opens /${open}`, 'refusal', asked, { [`/${open}`]: 'text', ...PAGES });
}

function negotiation(): Trial {
  const accept = { accept: 'text/markdown, text/html;q=0.5' };
  const html = { accept: 'text/html' };
  return trial(
    'chooses by Accept',
    'nothing',
    [
      { path: '/', headers: accept, status: 200, fields: { ...MARKDOWN, vary: 'Accept' } },
      { path: '/', headers: html, status: 200, fields: { ...HTML, vary: 'Accept' } },
      { path: '/about', headers: accept, status: 200, fields: { ...MARKDOWN, vary: 'Accept' } },
      { path: '/about.html', headers: html, status: 200, fields: HTML },
    ],
    PAGES,
  );
}

function trial(what: string, against: Trial['against'], asked: readonly Asked[], files: Trial['files'] = {}): Trial {
  return { what, against, asked, files };
}
