import { type SafeText, safeText } from '../../artifacts/safe-text.js';
import { isArray } from '../json.js';
import { type ManifestReading, type JsonNode, readManifest } from './document.js';
import { objectOf, STRINGS, URL_TEXT, validatorOf } from './schema.js';

const findResourceProblems = validatorOf(objectOf('resource', { resource: URL_TEXT, authorization_servers: STRINGS }));
const findResponseTypeProblems = validatorOf(
  objectOf('response_types_supported', { response_types_supported: STRINGS }),
);

/** The location of a document. */
interface DocumentLocation {
  readonly url: URL;
  /** URLs that redirected to `url`. */
  readonly hops: readonly URL[];
  /** Further origins that count as the document's own, such as the scanned one. */
  readonly origins?: readonly string[];
}

/**
 * Reads OAuth protected resource metadata (RFC 9728 §2): `resource` is required, a URL without fragment, on the origin that
 * serves the document (§3.3), or on another one that is the document's own.
 */
export function readProtectedResource(text: string, served: DocumentLocation): ManifestReading<null> {
  return readManifest(text, served.url, (metadata) => {
    const problems = [...findResourceProblems(metadata)];
    const resource = metadata.at('resource');
    const origin = resource.webUrl()?.origin;
    if (origin !== undefined && !addressesOf(served).some((url) => url.origin === origin))
      problems.push(resource.fault(safeText`has a "resource" on another origin than the document itself`));
    return { kind: 'read', problems, value: null };
  });
}

/**
 * Reads OAuth authorization server metadata (RFC 8414 §2, and under `openid-configuration` by its §5): `issuer` must be the URL
 * that the well-known path was inserted into (§3.3), except for a trailing slash; a differing `www.` is tolerated, since one
 * server often answers for both names. Every grant except the implicit one needs `token_endpoint`; grants that redirect the
 * user need `authorization_endpoint` and `response_types_supported`.
 */
export function readAuthorizationServer(text: string, served: DocumentLocation): ManifestReading<null> {
  return readManifest(text, served.url, (metadata) => {
    const issuer = metadata.at('issuer');
    const url = issuer.webUrl();
    const problems: SafeText[] = [];
    if (url?.hash !== '' || url.search !== '') problems.push(metadata.memberFault(safeText`issuer`));
    if (url !== null && !addressesOf(served).some((address) => isIssuerOf(url, address)))
      problems.push(issuer.fault(safeText`has an "issuer" that does not match the address at which it is served`));
    const grants = readGrants(metadata);
    const requireUrl = (field: SafeText): void => {
      if (metadata.at(field.text).webUrl() === null) problems.push(metadata.memberFault(field));
    };
    if (grants.some((grant) => grant !== 'implicit')) requireUrl(safeText`token_endpoint`);
    if (grants.includes('authorization_code') || grants.includes('implicit')) {
      requireUrl(safeText`authorization_endpoint`);
      problems.push(...findResponseTypeProblems(metadata));
    }
    return { kind: 'read', problems, value: null };
  });
}

/** Reads `grant_types_supported`, or returns its default (RFC 8414 §2). */
function readGrants(metadata: JsonNode): string[] {
  const grants = metadata.at('grant_types_supported').value;
  const texts = isArray(grants) ? grants.filter((grant) => typeof grant === 'string') : [];
  return texts.length > 0 ? texts : ['authorization_code', 'implicit'];
}

/** Returns a path without its well-known part, at the start (RFC 8414 §3.1) or end (§5), and without a trailing slash. */
function issuerPathOf({ pathname }: URL): string {
  return pathname.replace(/\/\.well-known\/[^/]+/, '').replace(/\/$/, '');
}

function isIssuerOf(issuer: URL, servedAt: URL): boolean {
  const hostOf = ({ host }: URL): string => host.replace(/^www\./, '');
  return (
    issuer.protocol === servedAt.protocol &&
    hostOf(issuer) === hostOf(servedAt) &&
    issuerPathOf(issuer) === issuerPathOf(servedAt)
  );
}

/** Returns the addresses of the document on each of its own origins. */
function addressesOf({ url, hops, origins = [] }: DocumentLocation): readonly URL[] {
  return [...hops, url].flatMap((address) => [
    address,
    ...origins.map((origin) => new URL(origin + address.pathname + address.search)),
  ]);
}
