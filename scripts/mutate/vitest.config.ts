import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['scripts/mutate/domain.test.ts'],
    runner: 'scripts/mutate/every-mutant.ts',
    // Vitest's own report is off, because Stryker makes one.
    reporters: [{}],
    // A mutant in a module-level table only takes effect if all modules are loaded again.
    isolate: true,
    // The snapshots of the combined test file are taken in the sandbox, before the first mutant.
    update: 'new',
    testTimeout: 60_000,
  },
});
