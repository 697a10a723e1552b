import { defineConfig } from 'vitest/config';

/** The tests of `src/domain` that need no database and no server, with few runs of each property: a mutant costs them all. */
export default defineConfig({
  test: {
    include: [
      'test/unit/domain/**/*.test.ts',
      'test/property/{engine-rounds,lens-crm,lens-equality,lens-vendor,merge-laws,step-laws}.test.ts',
    ],
    exclude: ['test/unit/domain/mapping/docs.test.ts'],
    setupFiles: ['scripts/mutate/few-runs.ts'],
    testTimeout: 60_000,
  },
});
