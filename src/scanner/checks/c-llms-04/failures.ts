import type { Failures } from '../../verdict/failure.js';

export const cLlms04Failures = {
  OVERSIZE: {
    severity: 'POLISH',
    headline: 'llms.txt is too long for an agent to read',
    fix: `Shorten llms.txt to less than 100,000 characters: keep the title, a summary and the main links, and move full texts to the pages or to llms-full.txt.

If the list of links itself is too long, split it by subject and link to the parts:

# Example Shop

## Documentation

- [API reference index](https://www.example.com/api/llms.txt)
- [Guides index](https://www.example.com/guides/llms.txt)`,
    onFixed: {},
  },
} as const satisfies Failures;
