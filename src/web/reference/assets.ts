import { ownAsset } from '../assets.js';

/** The files of Swagger UI that a page needs, and no others of its package: no maps, no page of its own. */
export const CONSOLE_SCRIPT = 'swagger-ui/swagger-ui-bundle.js';
export const CONSOLE_STYLE = 'swagger-ui/swagger-ui.css';

/** The files of the API reference, by their paths under /assets/. */
export const REFERENCE_ASSETS: Readonly<Record<string, URL>> = {
  'api-reference.js': ownAsset('api-reference.js'),
  'api-reference.css': ownAsset('api-reference.css'),
  [CONSOLE_SCRIPT]: new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  [CONSOLE_STYLE]: new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  'swagger-ui/LICENSE.txt': new URL(import.meta.resolve('swagger-ui-dist/LICENSE')),
};
