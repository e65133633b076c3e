import type { ExampleAnswer, ExampleAnswers } from '../../src/scanner/report/examples.js';
import type { FixtureAnswer, FixtureRequest, FixtureRoute, FixtureSite } from './fixture-site.js';

const PAGE = '<!doctype html><title>Page</title><p>A page';
const HOME = '<!doctype html><title>Shop</title><body><a href="/start">Start</a>';

/** A site that answers as an example says, and as every example does where it says nothing. */
export function exampleSite(answers: ExampleAnswers): FixtureSite {
  const routes = Object.entries(answers).map(([address, answer]): [string, FixtureRoute] => [
    address,
    typeof answer === 'string' ? answer : (request) => answerTo(request, answer),
  ]);
  return { origin: 'https://www.example.com', routes: { '/': HOME, '/start': PAGE, ...Object.fromEntries(routes) } };
}

function answerTo(request: FixtureRequest, { instead, body = '', ...rest }: ExampleAnswer): FixtureAnswer {
  if (instead !== undefined && isFor(request, instead.to)) return answerTo(request, instead.answer);
  if (typeof body === 'string') return { ...rest, body };
  const { before, line, times, after } = body;
  return { ...rest, body: `${before}${`${line}\n`.repeat(times)}${after}` };
}

function isFor({ headers }: FixtureRequest, to: NonNullable<ExampleAnswer['instead']>['to']): boolean {
  const { accept = '', 'user-agent': agent = '' } = headers;
  return 'mediaType' in to
    ? accept.startsWith(to.mediaType)
    : to.names.some((name) => agent.toLowerCase().includes(name.toLowerCase()));
}
