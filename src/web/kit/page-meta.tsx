import type { JSX } from 'preact';
import type { Assets } from './assets.js';
import { type Page, PRODUCT } from './page.js';

interface PageMetaProps {
  readonly page: Page;
  readonly canonicalUrl: string;
  readonly assets: Assets;
}

/** The picture of a page that has none of its own: 1200 by 630. */
const DEFAULT_PREVIEW = 'og.png';

/** What search engines learn of a page, and what stands where somebody shares its address (ogp.me). */
export function PageMeta({ page, canonicalUrl, assets }: PageMetaProps): JSX.Element {
  const { title, description } = page;
  if (description === undefined) return <meta name="robots" content="noindex" />;
  const origin = new URL(canonicalUrl).origin;
  const preview = assets.has(DEFAULT_PREVIEW) ? origin + assets.urlOf(DEFAULT_PREVIEW) : null;
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={canonicalUrl} />
      <meta property="og:site_name" content={PRODUCT} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={canonicalUrl} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {preview !== null && <meta property="og:image" content={preview} />}
      <meta name="twitter:card" content={preview === null ? 'summary' : 'summary_large_image'} />
    </>
  );
}
