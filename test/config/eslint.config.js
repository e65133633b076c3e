import { fileURLToPath } from 'node:url';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const guardOnly = 'Only src/net/network-transport.ts may open connections. Fetch through a Visit.';

/** Globals that connect to whatever they are given. */
const CLIENTS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

function allowOnly(modules, allowImportNames) {
  return modules.map((name) => ({ name, allowImportNames, allowTypeImports: true, message: guardOnly }));
}

const NO_SOCKETS = allowOnly(['net', 'node:net'], ['isIP', 'isIPv4', 'isIPv6']);

/** What reaches a client by another way than an import or a global name. */
const DETOURS = [
  ...CLIENTS.map((property) => ({ object: 'globalThis', property, message: guardOnly })),
  ...['getBuiltinModule', 'binding', '_linkedBinding', 'dlopen'].map((property) => ({
    object: 'process',
    property,
    message: 'Modules are imported by name, so that the rules of imports see them.',
  })),
];

const CAN_PARSE = {
  object: 'URL',
  property: 'canParse',
  message: 'URL.parse says it with the URL, or null.',
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      '.node/',
      'generated/',
      'node_modules/',
      '.tap/',
      'test/*/node_modules/',
      'test/config/*.{js,cjs}',
      'test/bench/',
      'test/clients/',
      'src/web/assets/',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json'],
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
      // A fifth of the linter's time. tsc reports what is unused, there are no enums, and a deprecated function shows up when its package is upgraded.
      '@typescript-eslint/no-unused-vars': 'off',
      '@typescript-eslint/no-deprecated': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
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
    rules: {
      'no-restricted-globals': ['error', ...CLIENTS.map((name) => ({ name, message: guardOnly }))],
      '@typescript-eslint/no-restricted-imports': ['error', { paths: NO_SOCKETS }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config.ts reads the environment.' },
        ...DETOURS,
        CAN_PARSE,
      ],
    },
  },
  // Refuses regular expressions whose time grows faster than their input, since sites choose that input.
  {
    files: ['src/**'],
    ignores: ['src/build/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false, ignoreSticky: false }],
    },
  },
  {
    files: ['src/config.ts'],
    rules: { 'no-restricted-properties': ['error', ...DETOURS, CAN_PARSE] },
  },
  {
    files: ['src/platform/http/server.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [...NO_SOCKETS, ...allowOnly(['http', 'node:http'], ['createServer'])] },
      ],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/build/**', 'src/main.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "ImportDeclaration[source.value=/^(node:)?module$/], ImportExpression[source.type!='Literal']",
          message: 'Modules are imported by name, so that the rules of imports see them.',
        },
      ],
    },
  },
  // Rules that need types cost as much again on the tests, whose types tsc checks.
  { files: ['test/**'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['test/**'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
