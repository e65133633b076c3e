/** A complete identity node to paste into a page, for sites without JSON-LD or with an incomplete identity. */
export const IDENTITY_SNIPPET = `<script type="application/ld+json">
{
  "@context": "https://schema.org",
  "@type": "Organization",
  "name": "Example Ltd",
  "url": "https://www.example.com/",
  "logo": "https://www.example.com/logo.png"
}
</script>`;
