/** Name of the command and of its npm package. */
export const PROGRAM = 'agent-readiness-scan';
