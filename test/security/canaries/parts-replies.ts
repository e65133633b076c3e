import type { FixtureAnswer } from '../../support/fixture-site.js';
import { HEADER_SPEECH, MARKER, MARKER_HOST, PATH, SPEECH } from './marker.js';
import {
  CHALLENGE,
  failing,
  html,
  LINKED_PAGES,
  MARKDOWN,
  redirect,
  status,
  type Piece,
  type Variants,
} from './piece.js';

/** Whether names of agents are served: by what their User-Agent contains. */
const ALL = () => true;
const named = (part: string) => (userAgent: string) => userAgent.includes(part);
const isAgent = named('AgentReadinessScan/1.0');
const edge = (rule: (userAgent: string) => boolean, answer: FixtureAnswer): Piece => ({
  edge: () => (userAgent) =>
    userAgent.includes('Mozilla') || /Bot|User/.test(userAgent) ? (rule(userAgent) ? answer : null) : null,
});
/** The same on a page that the home page links. */
const onOnePage = (answer: FixtureAnswer): Piece => ({
  routes: {
    [LINKED_PAGES[0]]: ({ headers }) => (/Bot|User/.test(headers['user-agent'] ?? '') ? answer : html('')),
  },
});
const thin = `<html lang="${MARKER}"><title>${MARKER}</title><p>${MARKER}</p></html>`;
/** Every page that is asked for under our own name is served this often, and then no more. */
const SERVED_AT_FIRST = 1;

export const EDGE_VARIANTS: Variants = {
  sound: {},
  unverified: { isOwnershipVerified: false },
  refusesOne: edge(named('PerplexityBot'), status(403)),
  refusesPaid: edge(named('Claude-User'), status(402)),
  resetsOne: edge(named('Claude-User'), failing('reset')),
  emptiesOne: edge(named('ChatGPT-User'), { body: thin }),
  challengesOne: edge(named('OAI-SearchBot'), CHALLENGE),
  stallsOne: edge(named('OAI-SearchBot'), failing('stalled')),
  refusesAndStalls: {
    edge: () => (userAgent) =>
      userAgent.includes('OAI-SearchBot') ? failing('stalled') : userAgent.includes('Claude-User') ? status(406) : null,
  },
  refusesAll: edge(ALL, status(403)),
  busyForOne: edge(named('PerplexityBot'), status(429)),
  brokenForOne: edge(named('PerplexityBot'), failing('tls_failed')),
  missingForOne: edge(named('PerplexityBot'), status(404)),
  half: edge(ALL, { body: `<html><title>${MARKER}</title><p>${MARKER} ${'some words '.repeat(20)}</p></html>` }),
  markdownForOne: edge(named('PerplexityBot'), { type: 'text/markdown', body: MARKDOWN.repeat(30) }),
  refusesUsToo: {
    edge: () => {
      let own = 0;
      return (userAgent) => {
        if (userAgent.includes('PerplexityBot')) return status(403);
        if (/Bot|User/.test(userAgent) || !isAgent(userAgent)) return null;
        return (own += 1) > SERVED_AT_FIRST + 4 ? status(503) : null;
      };
    },
  },
  refusesKnown: edge((userAgent) => /Bot|User/.test(userAgent), status(403)),
  refusesGooglebotToo: edge((userAgent) => /ChatGPT-User|Googlebot/.test(userAgent), status(403)),
  brokenOnOnePage: onOnePage(status(500)),
  halfOnOnePage: onOnePage({
    body: `<html><title>${MARKER}</title><p>${MARKER} ${'some words '.repeat(20)}</p></html>`,
  }),
  firstRefusesThenFails: {
    edge: () => {
      let asked = 0;
      return (userAgent) => {
        if (!userAgent.includes('PerplexityBot')) return null;
        return (asked += 1) === 1 ? status(403) : status(500);
      };
    },
  },
  firstRefusesThenStalls: {
    edge: () => {
      let asked = 0;
      return (userAgent) => {
        if (!userAgent.includes('PerplexityBot')) return null;
        return (asked += 1) === 1 ? status(403) : failing('stalled');
      };
    },
  },
};

const asMarkdown = (answer: FixtureAnswer): Piece => ({
  negotiate: (accept) => (accept.startsWith('text/markdown') ? answer : null),
});
const alternate = (type: string, answer: FixtureAnswer): Piece => ({
  head: `<link rel="alternate ${MARKER}" type="${type}" href="/${MARKER}.md" title="${MARKER}">`,
  homeHeaders: { link: `</${MARKER}.md>; rel="alternate ${MARKER}"; type="${type}"; title="${HEADER_SPEECH}"` },
  routes: { [`/${MARKER}.md`]: answer },
});

export const MARKDOWN_VARIANTS: Variants = {
  sound: asMarkdown({ type: 'text/markdown', headers: { vary: `Accept, ${MARKER}` }, body: MARKDOWN }),
  none: {},
  withoutVary: asMarkdown({
    type: `text/markdown; charset=utf-8; ${MARKER}="${MARKER}"`,
    headers: { vary: MARKER },
    body: MARKDOWN,
  }),
  underOtherType: asMarkdown({ type: 'text/plain', body: MARKDOWN }),
  htmlAsMarkdown: asMarkdown({ type: 'text/markdown', body: html('') }),
  pastOurLimit: { body: `<!--${MARKER.repeat(200_000)}-->` },
  notAcceptable: asMarkdown(status(406)),
  refused: asMarkdown(status(403)),
  busy: asMarkdown(status(429)),
  broken: asMarkdown(failing('reset')),
  challenged: asMarkdown(CHALLENGE),
  elsewhere: asMarkdown(redirect(`${MARKER}://${MARKER}`)),
  ownType: asMarkdown({ type: `${MARKER}/${MARKER}`, body: MARKDOWN }),
  forAll: {
    negotiate: (accept) =>
      accept.startsWith('text/markdown') || accept === 'text/html' ? { type: 'text/markdown', body: MARKDOWN } : null,
  },
  linked: alternate('text/markdown', { type: 'text/markdown', body: MARKDOWN }),
  linkedNowhere: alternate('text/markdown', status(404)),
  linkedAsHtml: alternate('text/markdown', { type: 'text/markdown', body: html('') }),
};

/** What everything answers that is not there. */
export const NOWHERE_VARIANTS: Variants = {
  sound: {},
  page: { routes: { '*': html('') } },
  echo: { routes: { '*': ({ url }) => ({ type: 'text/plain', body: `${SPEECH} ${url.pathname}` }) } },
  text: { routes: { '*': { type: `text/${MARKER}`, body: SPEECH } } },
  refused: { routes: { '*': status(403) } },
  broken: { routes: { '*': status(500) } },
  busy: { routes: { '*': status(429) } },
  stalled: { routes: { '*': failing('stalled') } },
  challenged: { routes: { '*': CHALLENGE } },
  home: { routes: { '*': redirect('/') } },
  moved: { routes: { '*': redirect(`/${MARKER}/lost`), [`/${MARKER}/lost`]: html('') } },
  unfinished: { routes: { '*': status(302) } },
  outside: { routes: { '*': redirect(`https://${MARKER_HOST}${PATH}`), [`https://${MARKER_HOST}/*`]: html('') } },
};
