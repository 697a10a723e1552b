import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['scripts/mutate/domain.test.ts'],
    runner: 'scripts/mutate/every-mutant.ts',
    // Nobody reads a report of vitest's own: Stryker makes one.
    reporters: [{}],
    // A mutant of a module-level table is only there when everything is loaded anew.
    isolate: true,
    // Those of the one file are taken in the sandbox, before the first mutant.
    update: 'new',
    testTimeout: 60_000,
  },
});
