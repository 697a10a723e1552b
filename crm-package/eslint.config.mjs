import parser from '@babel/eslint-parser';
import lwc from '@lwc/eslint-plugin-lwc';

/**
 * Salesforce's own rules for Lightning web components. Left out: rules for old browsers, rules for components that a server renders, and
 * the rule against timers, because a page looks again after a request and ends its timers itself.
 */
const RULES = [
  'consistent-component-name',
  'newer-version-available',
  'no-api-reassignments',
  'no-attributes-during-construction',
  'no-deprecated',
  'no-disallowed-lwc-imports',
  'no-document-query',
  'no-dupe-class-members',
  'no-inner-html',
  'no-leading-uppercase-api-name',
  'no-leaky-event-listeners',
  'no-template-children',
  'prefer-custom-event',
  'valid-api',
  'valid-track',
  'valid-wire',
];

/** Wire adapters of the platform; they are no functions to call. */
const ADAPTERS = [{ module: 'lightning/ui*', identifier: 'get*' }];

export default [
  {
    files: ['**/lwc/*/*.js'],
    plugins: { '@lwc/lwc': lwc },
    languageOptions: {
      parser,
      parserOptions: {
        requireConfigFile: false,
        babelOptions: {
          parserOpts: { plugins: [['decorators', { decoratorsBeforeExport: false }], 'classProperties'] },
        },
      },
    },
    rules: {
      ...Object.fromEntries(RULES.map((rule) => [`@lwc/lwc/${rule}`, 'error'])),
      '@lwc/lwc/no-unexpected-wire-adapter-usages': ['error', { adapters: ADAPTERS }],
      '@lwc/lwc/no-unknown-wire-adapters': ['error', { adapters: ADAPTERS }],
    },
  },
];
