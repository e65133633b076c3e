interface Header {
  readonly required?: boolean;
  readonly $ref?: string;
}

/** What it reads of a document. */
export interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Record<string, { headers?: Record<string, Header> }> }>>>
  >;
  readonly components: { readonly headers?: Readonly<Record<string, Header>> };
}

/**
 * Moves the headers of answers to the components: one header is said once, for each of the answers that have it. Those that an answer may
 * lack are components of their own.
 * @throws Error for two headers of one name that differ in more
 */
export function shareHeaders(document: OpenApi): OpenApi {
  const shared = structuredClone(document);
  const components: Record<string, Header> = {};
  for (const { responses } of Object.values(shared.paths).flatMap((methods) => Object.values(methods))) {
    for (const { headers = {} } of Object.values(responses)) {
      for (const [name, header] of Object.entries(headers)) {
        const component = header.required ? name : `${name}-if-known`;
        const before = (components[component] ??= header);
        if (JSON.stringify(before) !== JSON.stringify(header)) throw new Error(`the header ${name} is described twice`);
        headers[name] = { $ref: `#/components/headers/${component}` };
      }
    }
  }
  return { ...shared, components: { ...shared.components, headers: components } };
}
