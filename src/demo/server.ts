import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ENDPOINTS, answerJsonRpc } from './endpoints.js';
import { renderNotFound } from './render.js';
import type { DemoResource } from './site.js';
import { demoSite } from './site.js';

export interface DemoSite {
  /** Such as `http://127.0.0.1:8788`. */
  readonly origin: string;
  readonly port: number;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 65_536;

/**
 * Serves the demonstration site.
 * @param port 0 takes a free one
 */
export async function startDemoSite(address: string, port: number): Promise<DemoSite> {
  let site: ReadonlyMap<string, DemoResource> = new Map();
  const server = createServer((request, response) => {
    answer(site, request, response).catch(() => response.destroy());
  });
  server.listen(port, address);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  const origin = `http://${address}:${bound}`;
  site = demoSite(origin);
  return {
    origin,
    port: bound,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  site: ReadonlyMap<string, DemoResource>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '/'] = (request.url ?? '/').split('?');
  const methods = ENDPOINTS.get(path);
  const resource = site.get(path);
  if (methods) await answerEndpoint(methods, request, response);
  else if (request.method !== 'GET' && request.method !== 'HEAD') refuse(response, resource ? 'GET, HEAD' : null);
  else if (resource) send(response, 200, negotiate(resource, request.headers.accept ?? ''));
  else send(response, 404, { type: 'text/html; charset=utf-8', body: renderNotFound() });
}

/** An endpoint takes one JSON-RPC request by POST; it keeps no stream open for GET. */
async function answerEndpoint(
  methods: Parameters<typeof answerJsonRpc>[0],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    refuse(response, 'POST');
    return;
  }
  const body = await readBody(request);
  if (body === null) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const reply = answerJsonRpc(methods, body);
  if (reply === null) response.writeHead(202).end();
  else send(response, 200, { type: 'application/json', body: JSON.stringify(reply) });
}

function refuse(response: ServerResponse, allow: string | null): void {
  response.writeHead(allow === null ? 404 : 405, allow === null ? {} : { allow }).end();
}

/** `HEAD` gets the same header fields; node:http leaves the body out by itself. */
function send(response: ServerResponse, status: number, { type, body, headers }: DemoResource): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(body);
}

/** Markdown for those who prefer it to HTML (RFC 9110 §12.5.1). */
function negotiate(resource: DemoResource, accept: string): DemoResource {
  const { markdown, ...html } = resource;
  if (markdown === undefined || qualityOf(accept, 'text/markdown') <= qualityOf(accept, 'text/html')) return html;
  return { ...html, type: 'text/markdown; charset=utf-8', body: markdown };
}

/** The weight of a media type that is named, 0 where it is not: a wildcard asks for no kind in particular. */
function qualityOf(accept: string, mediaType: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim());
    if (type !== mediaType) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return 0;
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    byteCount += chunk.length;
    if (byteCount > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
