/**
 * How every text of ours names the command line. The npm package of that name belongs to somebody else, so no text has it fetched from a
 * registry: it comes with a checkout, or with an installation of the service.
 */
export const PROGRAM = 'agent-readiness';
