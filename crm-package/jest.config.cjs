/** The tests of the Lightning web components, run by `test/contract/crm-package-components.test.ts`. */
const { jestConfig } = require('@salesforce/sfdx-lwc-jest/config');

module.exports = {
  ...jestConfig,
  moduleNameMapper: {
    ...jestConfig.moduleNameMapper,
    '^lightning/uiListsApi$': '<rootDir>/test-stubs/uiListsApi.js',
  },
  roots: ['<rootDir>/main/default/lwc'],
  cacheDirectory: '<rootDir>/../node_modules/.cache/jest',
};
