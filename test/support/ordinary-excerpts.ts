import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { PROJECT } from './project.js';
import { createRandom } from './random.js';

/** Texts as sites serve them, none with a secret. The same ones each time, but for the parts of the project's own files. */
export interface OrdinaryExcerpts {
  readonly ordinary: readonly string[];
  /** Random on purpose, and no secret: the text alone does not tell. */
  readonly assets: readonly string[];
}

const EACH = 125;
const PART_CHARS = 500;
const random = createRandom(1_000);
const any = (items: readonly string[]): string => items[Math.floor(random() * items.length)] ?? '';
const some = (items: readonly string[], count: number, sign: string): string =>
  Array.from({ length: count }, () => any(items)).join(sign);
const number = (max: number): number => Math.floor(random() * max);
const hex = (length: number): string => Array.from({ length }, () => number(16).toString(16)).join('');

const WORDS = (
  'how to make your site ready for agents in season best walking shoes wide feet review gift guide author keywords tokenizer passport ' +
  'secretary authority keyboard monkeys session password manager reset cookies policy signature dishes iPhone15 USB-C 4K OLED summer'
).split(' ');
const GERMAN = (
  'Die Donaudampfschifffahrtsgesellschaft öffnet Kraftfahrzeughaftpflichtversicherung Anmeldung Passwort vergessen Bestellung und ' +
  'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz Straßenbahnhaltestelle Gerätesicherheit Schlüssel für Größe Maß über ' +
  'Lieferzeit beträgt 3 bis 5 Werktage Geschirrspülmaschinenreiniger Datenschutzgrundverordnung Artikelnummer Grundstücksverkehr'
).split(' ');
const CHINESE = [
  ...'请登录后查看您的订单|密码至少八个字符|我们的营业时间为周一至周五|免费送货|价格|会员可享受九折优惠|忘记密码|联系客服|隐私政策'.split(
    '|',
  ),
  ...'人工智能代理可以读取此网站|新品上市|本产品保修两年|版权所有'.split('|'),
];

const slug = (): string => some(WORDS, 4 + number(5), any(['-', '-', '_', '/'])).toLowerCase();
const camel = (): string => some(WORDS, 3, '-').replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
const price = (): string =>
  any(['€ 1.299,00', '$24.99', '¥12,800', 'CHF 89.–', '1 499 kr', 'EUR 9,95 / 100 g', '£3,499.00']);
const page = (): string =>
  `https://www.example.com/${any(['blog', 'de/ratgeber', 'p', 'en-gb/shop', 'tags'])}/${slug()}`;

const ADDRESSES: readonly (() => string)[] = [
  () => `- [${some(WORDS, 4, ' ')}](${page()}.html): ${some(WORDS, 9, ' ')}`,
  () => `<url><loc>${page()}</loc><lastmod>2026-0${1 + number(9)}-1${number(10)}T08:00:00+00:00</lastmod></url>`,
  () => `Disallow: /${slug()}/*?sessionid=\nAllow: /${camel()}\nDisallow: /*token=\nUser-agent: *`,
  () => `<a href="/${slug()}#${slug()}" title="${some(WORDS, 3, ' ')}">${some(WORDS, 3, ' ')}</a>`,
  () =>
    `mailto:help@example.com, https://medium.example/@${any(WORDS)}/${slug()}, https://maps.example/@48.137154,11.576124,17z`,
];
const OFFERS: readonly (() => string)[] = [
  () =>
    `<span class="price">${price()}</span> <s>${price()}</s> SKU ${100_000 + number(900_000)}-${any(['BLK', 'RED'])}-${number(50)}`,
  () =>
    JSON.stringify({
      '@type': 'Offer',
      price: number(5000) / 100,
      priceCurrency: 'EUR',
      sku: `AB-${number(99_999)}`,
      gtin13: '4006381333931',
    }),
  () => `| ${some(WORDS, 2, ' ')} | ${price()} | ${number(90)} cm × ${number(90)} cm | ISBN 978-3-16-148410-0 |`,
  () => `Tel. +49 89 1234567-${number(99)}, IBAN DE02 1203 0000 0000 2020 51, UID ATU12345678, ${some(GERMAN, 4, ' ')}`,
];
const SAID: readonly (() => string)[] = [
  () =>
    `The ${any(['token', 'secret', 'password', 'API key', 'session', 'cookie'])} that clients send: see ${some(WORDS, 9, ' ')}.`,
  () => `Basic ${some(WORDS, 6, ' ')}. Author: ${any(WORDS)} ${any(WORDS)}. Keywords: ${some(WORDS, 8, ', ')}.`,
  () => `Session: ${some(WORDS, 5, ' ')} (room ${number(20)}). Forgot your password? ${some(WORDS, 6, ' ')}`,
  () =>
    '"token_endpoint": "https://www.example.com/oauth/token", "scopes_supported": ["basic profile"], "max_tokens": 4096',
  () =>
    `<label for="password">Password</label><input type="password" name="password" autocomplete="current-password"> ${some(WORDS, 5, ' ')}`,
];

/** A part of each, by the house rule without the queries of URLs: these are always masked. */
function partsOf(texts: readonly string[]): string[] {
  return Array.from({ length: EACH }, (_, at) => {
    const text = texts[at % texts.length] ?? '';
    const start = Math.floor(
      (text.length * (1 + Math.floor(at / texts.length))) / (2 + Math.floor(EACH / texts.length)),
    );
    return text.slice(start, start + PART_CHARS).replaceAll(/(:\/\/[^\s"'<>?]+)\?[^\s"'<>]*/g, '$1');
  });
}

/** In an order that another file does not change. */
function filesOf(folder: string, ending: RegExp): string[] {
  const names = readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    ending.test(name),
  );
  const digestOf = (name: string): string => createHash('sha256').update(name).digest('hex');
  return names
    .sort((a, b) => (digestOf(a) < digestOf(b) ? -1 : 1))
    .map((name) => readFileSync(join(PROJECT, folder, name), 'utf8'));
}

const made = (makers: readonly (() => string)[]): string[] =>
  Array.from({ length: EACH }, (_, at) => makers[at % makers.length]?.() ?? '');

export function makeOrdinaryExcerpts(): OrdinaryExcerpts {
  const served = FIXTURE_SITES.flatMap(({ site }) => Object.values(site.routes)).flatMap((route) =>
    typeof route === 'string' ? [route] : 'body' in route && typeof route.body === 'string' ? [route.body] : [],
  );
  const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join('-');
  return {
    ordinary: [
      ...made(ADDRESSES),
      ...made(OFFERS),
      ...made(SAID),
      ...made([() => `${some(GERMAN, 20, ' ')}. ${some(GERMAN, 5, '-')}/${some(GERMAN, 3, '_')}`]),
      ...made([
        () =>
          `<p>${some(CHINESE, 12, '，')}。</p><a href="/${encodeURIComponent(any(CHINESE))}">${any(CHINESE)}</a> 密码：${any(CHINESE)}`,
      ]),
      ...partsOf(filesOf('src', /\.tsx?$/)),
      ...partsOf([...filesOf('docs', /\.md$/), readFileSync(join(PROJECT, 'README.md'), 'utf8')]),
      ...partsOf(served),
    ],
    assets: made([
      () => `<script src="/assets/index-${hex(8)}.js"></script><link href="/_next/static/css/${hex(16)}.css">`,
      () => `<img src="/media/${hex(40)}.webp">`,
      () => `{"@id": "urn:uuid:${uuid()}", "image": "/img/${uuid()}/1024x768.jpg"}`,
    ]),
  };
}
