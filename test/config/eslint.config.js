import { fileURLToPath } from 'node:url';
import tseslint from 'typescript-eslint';

const undiciOnly = 'Only src/gather talks to strangers: fetch through a Visit.';

export default tseslint.config(
  { ignores: ['dist/', 'generated/', 'node_modules/', '.tap/', 'test/config/', 'src/web/assets/'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['test/tsconfig.json'],
        tsconfigRootDir: fileURLToPath(new URL('../..', import.meta.url)),
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['warn', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['warn', { max: 60, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/no-invalid-void-type': 'off',
      // An interface that is asynchronous for one engine has synchronous implementations for another.
      '@typescript-eslint/require-await': 'off',
      // Services are closures without `this`, and are taken apart freely.
      '@typescript-eslint/unbound-method': 'off',
      // Query builders are thenables that nobody awaits.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/gather/**'],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: undiciOnly }],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/config.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config.ts reads the environment.' },
      ],
    },
  },
  {
    files: ['test/**'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
