/** Path segments of pages that need an account or a session, such as a cart. */
const PRIVATE_SEGMENTS = new Set(
  `account accounts admin auth basket cart checkout forgot-password login log-in logout log-out my-account oauth password
  profile register session sessions signin sign-in signout sign-out signup sign-up sso user wp-admin wp-login.php`.split(
    /\s+/,
  ),
);

/** True if a URL's path indicates a sign-in page, an account or a cart. */
export function isPrivatePath({ pathname }: URL): boolean {
  return pathname
    .toLowerCase()
    .split('/')
    .some((segment) => PRIVATE_SEGMENTS.has(segment));
}
