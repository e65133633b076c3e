import { isSameSite, siteKey } from '../artifacts/site-address.js';

/** Stores where the home page says that the site has moved. Redirects there are not followed, since that is another site. */
export class SiteMove {
  #movedTo: Promise<string | null> = Promise.resolve(null);

  constructor(private readonly origin: URL) {}

  /** See Visit.noteMove. */
  note(movedTo: Promise<string | null>): void {
    this.#movedTo = movedTo;
  }

  /** True if a redirect leads to the site that this one has moved to. Waits for the home page if the redirect leaves the site. */
  async isEnteredBy(from: URL, to: URL): Promise<boolean> {
    if (isSameSite(to, this.origin) || isSameSite(from, to)) return false;
    return siteKey(to) === (await this.#movedTo);
  }
}
