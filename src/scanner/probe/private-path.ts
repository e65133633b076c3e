/** Path segments of pages that need an account or belong to one visit: the site does not publish their content. */
const PRIVATE_SEGMENTS = new Set(
  `account accounts admin auth basket cart checkout forgot-password login log-in logout log-out my-account oauth password
  profile register session sessions signin sign-in signout sign-out signup sign-up sso user wp-admin wp-login.php`.split(
    /\s+/,
  ),
);

/** Whether the words of a URL's path indicate a sign-in page, an account or a cart. */
export function isPrivatePath({ pathname }: URL): boolean {
  return pathname
    .toLowerCase()
    .split('/')
    .some((segment) => PRIVATE_SEGMENTS.has(segment));
}
