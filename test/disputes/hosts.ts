import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { FIXTURE_ORIGIN } from '../support/fixture-site.js';

const FIXTURE_HOST = new URL(FIXTURE_ORIGIN).hostname;
const FIXTURE_DOMAIN = FIXTURE_HOST.replace('www.', '');

/** Gives the scanned site the host of the corpus wherever its own is named; its other hosts stay alongside it. */
export class Hosts {
  readonly #scanned: string;
  readonly #domain: string;
  readonly #named: RegExp;

  /** @param origin the scanned one */
  constructor(origin: string) {
    this.#scanned = new URL(origin).hostname;
    this.#domain = parse(this.#scanned, { allowPrivateDomains: true }).domain ?? this.#scanned;
    const spellings = [this.#domain, domainToUnicode(this.#domain)].map(escape).join('|');
    this.#named = new RegExp(
      String.raw`(?<![\p{L}\w.-])(?:[\p{L}\w-]{1,63}\.){0,9}(?:${spellings})(?![\p{L}\w-])`,
      'giu',
    );
  }

  renameIn(text: string): string {
    return text.replace(this.#named, (host) => this.#rename(domainToASCII(host) || host.toLowerCase()));
  }

  #rename(host: string): string {
    if (host === this.#scanned) return FIXTURE_HOST;
    const renamed = host.slice(0, host.length - this.#domain.length) + FIXTURE_DOMAIN;
    // The other one of the two, where the site was scanned without www.
    return renamed === FIXTURE_HOST ? FIXTURE_DOMAIN : renamed;
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
