/** The address ranges that scans come from, in the form that operators of crawlers publish theirs in. */
export function scannerAddresses(cidrs: readonly string[]): object {
  return { prefixes: cidrs.map((cidr) => (cidr.includes(':') ? { ipv6Prefix: cidr } : { ipv4Prefix: cidr })) };
}
