/**
 * Why the guard refuses a URL or an address, for operators: in the log and the command line only. A tenant sees the same reason
 * for every refused target, so that it reveals nothing about what is behind a name.
 */
export const REFUSALS = {
  scheme_not_allowed: 'only http and https sites can be scanned',
  credentials_not_allowed: 'the address contains a user name or password',
  port_not_allowed: 'the port is neither 80 nor 443 nor one of SCAN_ALLOW_PORTS',
  host_not_allowed: 'it is not a public host name; an IP address must be in SCAN_ALLOW_CIDRS',
  address_not_public: 'its address is not public; SCAN_ALLOW_CIDRS can allow it',
} as const;
export type RefusalReason = keyof typeof REFUSALS;

/** The only reason that a tenant or a caller without a key sees. */
export const REFUSED_TARGET =
  'Only public sites on the usual ports can be scanned. Give a host name such as example.com.';
