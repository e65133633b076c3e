import type { Check } from '../../../src/scanner/verdict/check.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureRoute, FixtureSite } from '../../support/fixture-site.js';

export const HOME = '<!doctype html><title>Home</title><h1>Home</h1><p>Welcome to the home page of this fixture.</p>';
export const HTML = '<!doctype html><title>App</title><div id="app">The shell of an app</div>';
export const GOOD = '# Fixture\n\n> A site.\n\n## Docs\n\n- [Start](/start): begin here\n';

export function site(llms: FixtureRoute | null, routes: FixtureSite['routes'] = {}): FixtureSite {
  return {
    routes: { '/': HOME, '/start': '<h1>Start</h1>', ...(llms === null ? {} : { '/llms.txt': llms }), ...routes },
  };
}

/** "PASS", or "FAIL STRUCTURE". */
export async function outcomeOf(check: Check, fixture: FixtureSite): Promise<string> {
  const { result, errorType } = await findingOf(check, fixture);
  return errorType === null ? result : `${result} ${errorType}`;
}
