/** The name of the command line and of the npm package that holds it. */
export const PROGRAM = 'agent-readiness-scan';
