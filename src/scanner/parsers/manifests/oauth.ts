import { type SafeText, term, safeText } from '../../artifacts/safe-text.js';
import type { JsonObject } from '../json.js';
import { ManifestSchema, objectOf, STRINGS, URL_TEXT } from './schema.js';
import { type ManifestReading, httpUrlOf, isArray, isTextArray, readManifest } from './shape.js';

const PROTECTED_RESOURCE = new ManifestSchema(
  objectOf('resource', { resource: URL_TEXT, authorization_servers: STRINGS }),
);
const ISSUER = term('issuer');
const AUTHORIZATION_ENDPOINT = term('authorization_endpoint');
const TOKEN_ENDPOINT = term('token_endpoint');
const RESPONSE_TYPES = term('response_types_supported');

/** Where a document is served. */
interface Served {
  /** The final URL. */
  readonly url: URL;
  /** The URLs that redirected here. */
  readonly hops: readonly URL[];
  /** Further origins that are the document's own, such as the scanned one. */
  readonly origins?: readonly string[];
}

/**
 * Reads OAuth protected resource metadata (RFC 9728 §2): `resource` is required, a URL without fragment, on the origin that
 * serves the document (§3.3), or on another one that is the document's own.
 */
export function readProtectedResource(text: string, served: Served): ManifestReading<null> {
  return readManifest(text, served.url, (metadata, problems) => {
    const resource = httpUrlOf(metadata.get('resource'));
    PROTECTED_RESOURCE.check(metadata, problems);
    if (resource !== null && !addressesOf(served).some((url) => url.origin === resource.origin)) {
      problems.add(safeText`has a "resource" on another origin than the document itself`, { pointer: '/resource' });
    }
    return null;
  });
}

/**
 * Reads OAuth authorization server metadata (RFC 8414 §2, and under `openid-configuration` by its §5): `issuer` must be the URL
 * that the well-known path was inserted into (§3.3), except for a trailing slash; a differing `www.` is tolerated, since one
 * server often answers for both names. Every grant except the implicit one needs `token_endpoint`; grants that send the user
 * there need `authorization_endpoint` and `response_types_supported`.
 */
export function readAuthorizationServer(text: string, served: Served): ManifestReading<null> {
  return readManifest(text, served.url, (metadata, problems) => {
    const issuer = httpUrlOf(metadata.get('issuer'));
    problems.require(issuer !== null && issuer.hash === '' && issuer.search === '', metadata, ISSUER);
    if (issuer !== null && !addressesOf(served).some((url) => isIssuerOf(issuer, url))) {
      problems.add(safeText`has an "issuer" that does not match the address at which it is served`, {
        pointer: '/issuer',
      });
    }
    const grants = grantsOf(metadata);
    const requireUrl = (field: SafeText): void =>
      problems.require(httpUrlOf(metadata.get(field.text)) !== null, metadata, field);
    if (grants.some((grant) => grant !== 'implicit')) requireUrl(TOKEN_ENDPOINT);
    if (grants.includes('authorization_code') || grants.includes('implicit')) {
      requireUrl(AUTHORIZATION_ENDPOINT);
      problems.require(isTextArray(metadata.get('response_types_supported')), metadata, RESPONSE_TYPES);
    }
    return null;
  });
}

/** `grant_types_supported`, or its default (RFC 8414 §2). */
function grantsOf(metadata: JsonObject): string[] {
  const grants = metadata.get('grant_types_supported');
  const texts = isArray(grants) ? grants.filter((grant) => typeof grant === 'string') : [];
  return texts.length > 0 ? texts : ['authorization_code', 'implicit'];
}

/** A path without the well-known part at its start (RFC 8414 §3.1) or end (its §5), and without a trailing slash. */
function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/\.well-known\/[^/]+/, '').replace(/\/$/, '');
}

function isIssuerOf(issuer: URL, servedAt: URL): boolean {
  const hostOf = ({ host }: URL): string => host.replace(/^www\./, '');
  return (
    issuer.protocol === servedAt.protocol && hostOf(issuer) === hostOf(servedAt) && pathOf(issuer) === pathOf(servedAt)
  );
}

/** Returns the addresses of the document on each of its own origins. */
function addressesOf({ url, hops, origins = [] }: Served): readonly URL[] {
  return [...hops, url].flatMap((address) => [
    address,
    ...origins.map((origin) => new URL(origin + address.pathname + address.search)),
  ]);
}
