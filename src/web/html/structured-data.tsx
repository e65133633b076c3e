import type { JSX } from 'preact';

/** One entity in schema.org's vocabulary. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/**
 * JSON-LD for the `<head>`. A data block is not a script to the Content-Security-Policy; nothing in it can end its element, since
 * JSON may write `<` as an escape (HTML Living Standard §4.12.1.3).
 */
export function StructuredData({ nodes }: { readonly nodes: readonly SchemaNode[] }): JSX.Element {
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes }).replaceAll('<', '\\u003c');
  // The text of a script element is raw: JSX would write its quotes as character references, which stay as they are there.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }}></script>;
}
