/** Path segments of pages that need an account or belong to one visit: what they answer is not what the site publishes. */
const PRIVATE_SEGMENTS = new Set(
  `account accounts admin auth basket cart checkout forgot-password login log-in logout log-out my-account oauth password
  profile register session sessions signin sign-in signout sign-out signup sign-up sso user wp-admin wp-login.php`.split(
    /\s+/,
  ),
);

/** Whether a URL leads to a sign-in page, an account or a cart, by the words of its path. */
export function isPrivatePath({ pathname }: URL): boolean {
  return pathname
    .toLowerCase()
    .split('/')
    .some((segment) => PRIVATE_SEGMENTS.has(segment));
}
