/**
 * Reasons why the guard refuses a URL or an address. Only the log and the command line show them: users see the same text for every
 * refused target, so that it reveals nothing about what a name leads to.
 */
export const REFUSALS = {
  scheme_not_allowed: 'only http and https sites can be scanned',
  credentials_not_allowed: 'the address contains a user name or password',
  port_not_allowed: 'the port is neither 80 nor 443 nor one of SCAN_ALLOW_PORTS',
  host_not_allowed: 'an IP address is scanned only if SCAN_ALLOW_CIDRS covers it',
  host_excluded: 'its owner asked the operator of this service not to scan it',
  address_not_public: 'its address is not public; SCAN_ALLOW_CIDRS can allow it',
} as const;
export type RefusalReason = keyof typeof REFUSALS;

/** The only reason that users and anonymous callers see. */
export const REFUSED_TARGET =
  'Only public sites on the usual ports can be scanned. Give a host name such as example.com.';
