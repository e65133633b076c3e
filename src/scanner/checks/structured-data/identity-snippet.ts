/** A complete identity node to paste into a page: a start for a site without JSON-LD, and for one whose identity lacks something. */
export const IDENTITY_SNIPPET = `<script type="application/ld+json">
{
  "@context": "https://schema.org",
  "@type": "Organization",
  "name": "Example Ltd",
  "url": "https://www.example.com/",
  "logo": "https://www.example.com/logo.png"
}
</script>`;
