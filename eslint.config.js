import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const namesOfPages = [
  'document',
  'window',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'HTMLElement',
  'Element',
];
const namesOfNode = ['process', 'Buffer', 'global', 'setImmediate', 'require', '__dirname', '__filename'];
/** It runs in the pages of the origin. */
const taskOfPages = 'testbed/origin/tasks/run-task.ts';

export default tseslint.config(
  { ignores: ['**/dist/**', 'node_modules/**'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Promise.withResolvers<void>() is what it is for.
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'max-params': ['error', 3],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"], TSParameterProperty)[accessibility="private"]',
          message: 'Write #name: it is private when the program runs, too.',
        },
      ],
    },
  },
  {
    // Much of what is matched comes from others: a regular expression must take linear time, whatever the text.
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
  // The compiler knows the globals of pages and of Node everywhere. What runs in one of the two may not use those of the other.
  { files: ['core/**/*.ts'], rules: { 'no-restricted-globals': ['error', ...namesOfPages, ...namesOfNode] } },
  {
    files: ['agent/**/*.ts', 'controller/**/*.ts', 'cli/**/*.ts', 'testbed/**/*.ts', 'pep/**/*.ts'],
    ignores: [taskOfPages],
    rules: { 'no-restricted-globals': ['error', ...namesOfPages] },
  },
  {
    files: ['probe/**/*.ts', 'extension/**/*.ts', 'web-ui/src/**/*.{ts,tsx}', taskOfPages],
    ignores: ['**/vite.config.ts'],
    rules: { 'no-restricted-globals': ['error', ...namesOfNode] },
  },
  {
    files: ['web-ui/**/*.tsx', 'web-ui/**/*.ts'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  {
    files: ['tests/**/*.ts'],
    rules: {
      // What tests read is their own.
      'regexp/no-super-linear-backtracking': 'off',
      'regexp/no-super-linear-move': 'off',
      'max-params': 'off',
      'no-restricted-properties': [
        'error',
        ...['describe', 'it', 'test'].flatMap((object) =>
          ['only', 'skip', 'todo', 'fails'].map((property) => ({ object, property })),
        ),
      ],
    },
  },
  { files: ['**/*.js', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs', globals: { module: 'writable' } } },
);
