import { safeText } from '../../artifacts/safe-text.js';
import { defineNote } from '../../verdict/note-rule.js';

/** About descriptions of APIs. */
export const cWk03Notes = [
  defineNote({
    id: 'openapi-private-server',
    standard: 'openapi',
    uses: ['apiMetadata'],
    observe: ({ apiMetadata }) => {
      const openApi = apiMetadata?.openApi;
      return openApi?.hasPrivateServer === true
        ? safeText`The first server of ${openApi.path} is in a private network, so nobody else can call it: put the public address first.`
        : null;
    },
  }),
];
