/** Stands for each character that is masked, so that what is left keeps its place. */
const MASK = '•';

/** Forms of well-known keys, JSON Web Tokens (RFC 7519) and credentials in a header field (RFC 9110 §11.4). */
const KNOWN =
  /\b(?:eyJ[\w-]{8,}(?:\.[\w-]+){0,2}|(?:sk|pk|rk)[-_](?:live|test|proj|ant)[\w-]{8,}|gh[opsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{8,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,}|(?:Bearer|Basic)\s+[\w.~+/=-]{8,})/g;
/** `api_key=…`, `"token": "…"`. */
const NAMED =
  /((?:token|api_?key|secret|passwd|password|signature|session_?id|access_?key|client_?secret|authorization)["']?\s{0,3}[=:]\s{0,3}["']?)([^\s"'&<>,;]{6,200})/gi;
const URLS = /https?:\/\/[^\s"'<>]+/gi;
const LONG = /[\w+=-]{24,}/g;

/**
 * The text with what looks like a secret masked, character by character: tokens, values with a telling name, queries of URLs, long runs
 * without a word in them.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(KNOWN, hide)
    .replace(NAMED, (_, name: string, value: string) => name + hide(value))
    .replace(URLS, hideQuery)
    .replace(LONG, (run) => (isTokenLike(run) ? hide(run) : run));
}

/** A query may hold anything. */
function hideQuery(url: string): string {
  const at = url.indexOf('?') + 1;
  return at === 0 ? url : url.slice(0, at) + url.slice(at).replace(/^[^#()[\]{}\\]+/, hide);
}

function hide(text: string): string {
  return MASK.repeat(text.length);
}

/** How often one kind of character follows another in random text, at the least; in words and slugs it is rarer. */
const CHANGES_SHARE_MIN = 0.45;

/** Hexadecimal digits, or capitals, small letters and digits at random. */
function isTokenLike(run: string): boolean {
  if (/^[0-9a-f-]{32,}$/i.test(run) && /[0-9]/.test(run)) return true;
  if (!/[A-Z].*[A-Z]/.test(run) || !/[a-z].*[a-z]/.test(run) || !/[0-9].*[0-9]/.test(run)) return false;
  const kinds = run.replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'a').replaceAll(/[0-9]/g, '0');
  let changes = 0;
  for (let at = 1; at < kinds.length; at += 1) if (kinds[at] !== kinds[at - 1]) changes += 1;
  return changes / run.length >= CHANGES_SHARE_MIN;
}
