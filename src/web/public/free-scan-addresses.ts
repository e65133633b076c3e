/** The addresses of the free scan's pages. */
export const addressOf = {
  form: '/scan',
  result: (hostname: string) => `/scan/${encodeURIComponent(hostname)}`,
  forAgents: (hostname: string) => `/scan/${encodeURIComponent(hostname)}/agent`,
  markdown: (hostname: string) => `/scan/${encodeURIComponent(hostname)}/markdown`,
};
