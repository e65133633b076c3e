/** The addresses of the free scan's pages. */
export const addressOf = {
  form: '/scan',
  result: (hostname: string) => `/scan/${encodeURIComponent(hostname)}`,
  progress: (hostname: string) => `/scan/${encodeURIComponent(hostname)}/progress`,
};
