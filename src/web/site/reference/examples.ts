import type { Operation } from './api-document.js';

/** A line for a shell in which the parameters are variables: `siteId` is $SITE_ID. */
export function curlLine({ method, path, needsKey }: Operation, baseUrl: string): string {
  const shellPath = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`);
  const options = [method === 'GET' ? '' : `-X ${method}`, needsKey ? '-H "Authorization: Bearer $API_KEY"' : ''];
  return ['curl', ...options.filter((option) => option !== ''), `"${baseUrl}${shellPath}"`].join(' ');
}

function shellName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The same in TypeScript, by what every runtime of today has. */
export function fetchLines({ method, path, needsKey }: Operation, baseUrl: string): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(needsKey ? ['  headers: { authorization: `Bearer ${apiKey}` },'] : []),
  ];
  const url = `\`${baseUrl}${path.replace(/\{(\w+)\}/g, '${$1}')}\``;
  return [
    ...(options.length > 0
      ? [`const answer = await fetch(${url}, {`, ...options, '});']
      : [`const answer = await fetch(${url});`]),
    'if (!answer.ok) throw new Error((await answer.json()).error.code);',
    'const body = await answer.json();',
  ].join('\n');
}

/** The same in Python, without a package of others. */
export function pythonLines({ method, path, needsKey }: Operation, baseUrl: string): string {
  const url = `f"${baseUrl}${path.replace(/\{(\w+)\}/g, (_, name: string) => `{${shellName(name).toLowerCase()}}`)}"`;
  return [
    'import json, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${url.includes('{') ? url : url.slice(1)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(needsKey ? ['    headers={"Authorization": f"Bearer {api_key}"},'] : []),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    body = json.load(answer)',
  ].join('\n');
}

/** Texts of an example are cut after so many characters, and lists after their first item. */
const TEXT_CHARS_MAX = 48;

/** An example as far as it shows its shape. */
export function abridge(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > TEXT_CHARS_MAX ? `${value.slice(0, TEXT_CHARS_MAX).trimEnd()}…` : value;
  }
  if (Array.isArray(value)) return value.slice(0, 1).map(abridge);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, its]) => [name, abridge(its)]));
}
