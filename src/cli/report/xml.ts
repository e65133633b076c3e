/** Characters that XML 1.0 §2.2 forbids even as references: most control characters, and lone surrogates. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Tabs and line breaks also become references, since XML readers turn literal ones in attributes into spaces (§3.3.3). */
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Text between the double quotes of an attribute. */
export function escapeAttribute(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"\t\n\r]/g, (found) => REFERENCES[found] ?? found);
}

/** Text between tags. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>\r]/g, (found) => REFERENCES[found] ?? found);
}

/** One element. `content` is already XML; `name` and the attribute names are constants of ours. */
export function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ''): string {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  return content === '' ? `<${name}${start.join('')}/>` : `<${name}${start.join('')}>${content}</${name}>`;
}
