import type { Failures } from '../../verdict/failure.js';
import { IDENTITY } from '../fixes/snippets.js';

export const cSd03Failures = {
  ENTITY_INCOMPLETE: {
    severity: 'MISSING',
    headline: 'JSON-LD does not say who is behind the site',
    fix: `Give the home page one complete node that says who you are, and add to the other nodes the properties that the finding says are lacking.

One of these is enough: an Organization with name, url and one of logo, description or sameAs; a LocalBusiness with name and address; a Person with name; a WebSite with name and url.

${IDENTITY}

Google lists what it requires of other types at https://developers.google.com/search/docs/appearance/structured-data/search-gallery`,
    onFixed: {},
  },
} as const satisfies Failures;
