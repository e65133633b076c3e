import type { JSX } from 'preact';
import type { Assets } from '../server/assets.js';
import { type Page, PRODUCT } from '../server/page.js';

interface PageMetaProps {
  readonly page: Page;
  readonly canonicalUrl: string;
  readonly assets: Assets;
}

/** The image of link previews. */
const PREVIEW = { file: 'og.png', width: 1200, height: 630 };

/** Metadata for search engines and link previews. */
export function PageMeta({ page, canonicalUrl, assets }: PageMetaProps): JSX.Element {
  const { title, description, sharedDescription } = page;
  if (description === undefined) {
    return (
      <>
        <meta name="robots" content="noindex" />
        {sharedDescription !== undefined && (
          <Card {...{ title, canonicalUrl, assets }} description={sharedDescription} />
        )}
      </>
    );
  }
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={canonicalUrl} />
      <Card {...{ title, canonicalUrl, description, assets }} />
    </>
  );
}

interface CardProps extends Pick<PageMetaProps, 'canonicalUrl' | 'assets'> {
  readonly title: string;
  readonly description: string;
}

/** A property of the Open Graph protocol (ogp.me). */
function Card({ title, description, canonicalUrl, assets }: CardProps): JSX.Element {
  return (
    <>
      <meta property="og:site_name" content={PRODUCT} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={canonicalUrl} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={new URL(canonicalUrl).origin + assets.urlOf(PREVIEW.file)} />
      <meta property="og:image:width" content={String(PREVIEW.width)} />
      <meta property="og:image:height" content={String(PREVIEW.height)} />
      <meta property="og:image:alt" content={PRODUCT} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
