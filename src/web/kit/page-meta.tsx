import type { JSX } from 'preact';
import type { Assets } from './assets.js';
import { type Page, PRODUCT } from './page.js';

interface PageMetaProps {
  readonly page: Page;
  readonly canonicalUrl: string;
  readonly assets: Assets;
}

/** The picture of a page that brings none. */
const DEFAULT_PREVIEW = 'og.png';

/** The size of every preview. */
export const PREVIEW_SIZE = { width: 1200, height: 630 };

/** What search engines learn of a page, and what stands where somebody shares its address. */
export function PageMeta({ page, canonicalUrl, assets }: PageMetaProps): JSX.Element {
  const { title, description, shared } = page;
  if (description === undefined) {
    return (
      <>
        <meta name="robots" content="noindex" />
        {shared && <Card title={title} canonicalUrl={canonicalUrl} {...shared} />}
      </>
    );
  }
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={canonicalUrl} />
      <Card {...{ title, canonicalUrl, description }} imagePath={assets.urlOf(DEFAULT_PREVIEW)} />
    </>
  );
}

interface CardProps extends Pick<PageMetaProps, 'canonicalUrl'> {
  readonly title: string;
  readonly description: string;
  /** Null: it is not drawn yet, and the one of every other page would say something else. */
  readonly imagePath: string | null;
}

/** Of the Open Graph protocol (ogp.me). */
function Card({ title, description, canonicalUrl, imagePath }: CardProps): JSX.Element {
  const { width, height } = PREVIEW_SIZE;
  return (
    <>
      <meta property="og:site_name" content={PRODUCT} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={canonicalUrl} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {imagePath !== null && (
        <>
          <meta property="og:image" content={new URL(canonicalUrl).origin + imagePath} />
          <meta property="og:image:width" content={String(width)} />
          <meta property="og:image:height" content={String(height)} />
          <meta property="og:image:alt" content={title} />
        </>
      )}
      <meta name="twitter:card" content={imagePath === null ? 'summary' : 'summary_large_image'} />
    </>
  );
}
