/** The passwords of the tests, so that the search for secrets knows them: a test takes its own from here. */
export const TEST_PASSWORD = 'a lantern under seven rivers';
export const GOOD_PASSWORD = 'plum ladder seven oceans';
export const OTHER_PASSWORD = 'a quite different sentence';
export const BROWSER_PASSWORD = 'four words that rhyme with nothing';

export const WORDS: readonly string[] = [TEST_PASSWORD, GOOD_PASSWORD, OTHER_PASSWORD, BROWSER_PASSWORD];
