import type { ComponentChildren } from 'preact';
import { assetUrl } from '../server/assets.js';
import { ErrorSummary } from './form.js';
import { BrandMark } from './pins.js';
import { type Page, PRODUCT } from '../server/page.js';
import { Callout } from './text.js';
import { type Link, PUBLIC_PAGE_LIST, type PublicPage, SIGN_UP_PATH } from '../server/paths.js';
import { LinkButton } from './sections.js';

export interface LayoutProps {
  readonly page: Page;
  readonly notice: ComponentChildren;
  readonly path: string;
  readonly canonicalUrl: string;
  /** E-mail address of the signed-in account; null for a visitor. */
  readonly email: string | null;
  /** True if visitors may create accounts. */
  readonly isSignUpOpen: boolean;
}

const MEMBER_LINKS: readonly Link[] = [
  ['/sites', 'Sites'],
  ['/alerts', 'Alerts'],
  ['/keys', 'API keys'],
];

/** URLs that change with the content of the assets. */
const ASSETS = {
  icon: assetUrl('favicon.svg'),
  font: assetUrl('hanken-grotesk.woff2'),
  style: assetUrl('style.css'),
  contrast: assetUrl('contrast.css'),
  print: assetUrl('print.css'),
  script: assetUrl('app.js'),
  picture: assetUrl('og.png'),
};

const HEADER_LINKS = menuLinks('main');
const VISITOR_LINKS = menuLinks('main', 'visitors');
const FOOTER_LINKS = menuLinks('footer');
/** For members, the visitors' links move here from the header. */
const MEMBER_FOOTER_LINKS = menuLinks('visitors', 'footer');

function menuLinks(...menus: readonly PublicPage['menu'][]): readonly Link[] {
  return PUBLIC_PAGE_LIST.filter(({ menu }) => menus.includes(menu)).map(({ path, label }) => [path, label]);
}

export function Layout(props: LayoutProps) {
  const { page, notice, path, canonicalUrl, email, isSignUpOpen } = props;
  const { header, main, error, isLive = false } = page;
  return (
    <html lang="en">
      <Head page={page} canonicalUrl={canonicalUrl} />
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {page.skip !== undefined && (
          <a class="skip" href={page.skip[0]}>
            {page.skip[1]}
          </a>
        )}
        <header class="top">
          <div class="w">
            <a class="brand" href="/">
              <BrandMark />
              {PRODUCT}
            </a>
            <nav aria-label="Main">
              <Links links={email !== null ? [...MEMBER_LINKS, ...HEADER_LINKS] : VISITOR_LINKS} path={path} />
            </nav>
            <AccountLinks {...{ email, path, isSignUpOpen }} />
          </div>
        </header>
        <main id="main" tabIndex={-1} data-live={isLive || undefined}>
          {header}
          <Messages notice={notice} error={error} />
          {main}
        </main>
        <footer class="end">
          <nav class="w" aria-label="About this service">
            {(email !== null ? MEMBER_FOOTER_LINKS : FOOTER_LINKS).map(([href, label]) => (
              <a key={href} href={href} {...ariaCurrent(href, path)}>
                {label}
              </a>
            ))}
            {page.markdownPath !== undefined && (
              <>
                <span></span>
                <a href={page.markdownPath} type="text/markdown">
                  This page as Markdown
                </a>
              </>
            )}
          </nav>
        </footer>
      </body>
    </html>
  );
}

function Head({ page, canonicalUrl }: Pick<LayoutProps, 'page' | 'canonicalUrl'>) {
  const { title, description, sharedDescription, head, reloadAt } = page;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title === PRODUCT ? PRODUCT : `${title} · ${PRODUCT}`}</title>
      {description === undefined ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <meta name="description" content={description} />
          <link rel="canonical" href={canonicalUrl} />
        </>
      )}
      {Object.entries(previewOf(title, description ?? sharedDescription, canonicalUrl)).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <link rel="icon" type="image/svg+xml" href={ASSETS.icon} />
      {/* Without the preload, the font would load late, and text would be drawn twice. */}
      <link rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={ASSETS.font} />
      <link rel="stylesheet" href={ASSETS.style} />
      <link rel="stylesheet" href={ASSETS.contrast} media="(forced-colors: active)" />
      <link rel="stylesheet" href={ASSETS.print} media="print" />
      <script type="module" src={ASSETS.script}></script>
      {reloadAt !== undefined && (
        <noscript>
          <meta http-equiv="refresh" content={`3;url=${reloadAt}`} />
        </noscript>
      )}
      {head}
    </head>
  );
}

/** The notice or the error of the last action. */
function Messages({ notice, error }: Pick<LayoutProps, 'notice'> & Pick<Page, 'error'>) {
  if (notice === null && error === undefined) return null;
  return (
    <div class="w over-text">
      {notice !== null && (
        <Callout result="PASS" role="status">
          {notice}
        </Callout>
      )}
      {error !== undefined && <ErrorSummary message={error} />}
    </div>
  );
}

/** Returns the preview for shared links (ogp.me); empty for a page without a description. */
function previewOf(title: string, description: string | undefined, canonicalUrl: string) {
  if (description === undefined) return {};
  return {
    'og:site_name': PRODUCT,
    'og:type': 'website',
    'og:url': canonicalUrl,
    'og:title': title,
    'og:description': description,
    'og:image': new URL(canonicalUrl).origin + ASSETS.picture,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': PRODUCT,
    'twitter:card': 'summary_large_image',
  };
}

function Links({ links, path }: { readonly links: readonly Link[]; readonly path: string }) {
  return (
    <ul>
      {links.map(([href, label]) => (
        <li key={href}>
          <a href={href} {...ariaCurrent(href, path)}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** `page` for the current page, `true` for a page above it (WAI-ARIA 1.2, aria-current). */
function ariaCurrent(href: string, path: string): { 'aria-current'?: 'page' | 'true' } {
  if (path === href) return { 'aria-current': 'page' };
  return path.startsWith(`${href}/`) ? { 'aria-current': 'true' } : {};
}

/** Links to the account, or to sign in and sign up; neither on the sign-in pages. */
function AccountLinks({ email, path, isSignUpOpen }: Pick<LayoutProps, 'email' | 'path' | 'isSignUpOpen'>) {
  if (email !== null) {
    return (
      <div class="row who">
        <a class="soft" href="/account" title={email} {...ariaCurrent('/account', path)}>
          Account
        </a>
        <form method="post" action="/sign-out">
          <button class="bare" type="submit">
            Sign out
          </button>
        </form>
      </div>
    );
  }
  const isSigningIn = path.startsWith('/sign-in');
  return (
    <div class="row who">
      {!isSigningIn && isSignUpOpen && (
        <a class="soft" href={SIGN_UP_PATH} {...ariaCurrent(SIGN_UP_PATH, path)}>
          Sign up
        </a>
      )}
      {!isSigningIn && <LinkButton kind="quiet" isTight href="/sign-in" label="Sign in" />}
    </div>
  );
}
