/**
 * How every text of ours names the command line. The npm package of that name belongs to somebody else, so no text has it fetched from a
 * registry: it comes with a checkout, with an installation of the service, or with our package.
 */
export const PROGRAM = 'agent-readiness';

/** The name of our npm package, which holds the scanner and this command line. It was free on 26 November 2026. */
export const PACKAGE = 'agent-readiness-scan';
