/** What XML 1.0 §2.2 lets no document contain, not even as a reference: most control characters, and lone surrogates. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Tab and line breaks become references too: a reader turns those that stand in an attribute into spaces (§3.3.3). */
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function escapeAttribute(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"\t\n\r]/g, (found) => REFERENCES[found] ?? found);
}

/** Text between tags. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>\r]/g, (found) => REFERENCES[found] ?? found);
}

/** One element. `content` is XML already; names are ours. */
export function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ''): string {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  return content === '' ? `<${name}${start.join('')}/>` : `<${name}${start.join('')}>${content}</${name}>`;
}
