/** The values of `scan --format`. */
export type ScanFormat = 'table' | 'json' | 'markdown' | 'agent' | 'junit' | 'html' | 'github';
