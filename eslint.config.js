import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const NO_DEFAULT_EXPORTS = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
];

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.data', 'coverage', 'test/generated-clients'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // Classes that are injected must stay values in decorated signatures.
      '@typescript-eslint/consistent-type-imports': 'off',
      'no-restricted-syntax': ['error', ...NO_DEFAULT_EXPORTS],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: [
      'src/base/rights/rights.ts',
      // What the columns of a user say: for the rights, for their writer and for people who read.
      'src/directory/user.rules.ts',
      'src/auth/credentials/tokens.service.ts',
      'src/auth/authentication.controller.ts',
      'src/operations/startup-banner.ts',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...NO_DEFAULT_EXPORTS,
        ...[
          'MemberExpression > Identifier.property',
          'ObjectPattern > Property > Identifier.key',
        ].map((place) => ({
          selector: `${place}[name=/^(administrator|processEngine|areOfAdministrator)$/]`,
          message: 'A role decides nothing: ask the rights of the caller for a permission.',
        })),
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      // Bodies of answers are asserted as they come.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['web/**/*.ts', 'web/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      'react-hooks/exhaustive-deps': 'error',
      // Effects reset a page's state when its address or its session changes.
      'react-hooks/set-state-in-effect': 'off',
      'max-lines-per-function': ['error', { max: 90, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        fetch: 'readonly',
        setTimeout: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        AbortController: 'readonly',
      },
    },
  },
);
