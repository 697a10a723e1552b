import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSpare, nativeTarget, packagesIn, removeSpareParts } from '../../scripts/setup/spare-parts.mjs';

describe('spare parts of installed packages', () => {
  let work = '';
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'lockstep-spare-'));
  });
  afterEach(() => rmSync(work, { recursive: true }));

  function make(...files: readonly string[]): void {
    for (const file of files) {
      mkdirSync(dirname(join(work, file)), { recursive: true });
      writeFileSync(join(work, file), '');
    }
  }

  it('are deleted in all packages, also in those inside others, and nothing else is', () => {
    const spare = [
      'node_modules/jsforce/dist/jsforce.js',
      'node_modules/jsforce/lib/index.js.map',
      'node_modules/other/node_modules/@scope/inner/lib/index.js.map',
      'node_modules/other/node_modules/zod/src/index.ts',
    ];
    const needed = [
      'node_modules/jsforce/lib/index.js',
      'node_modules/other/dist/index.js',
      'node_modules/other/src/index.js',
      'node_modules/.cache/lockstep/workflows.js.map',
    ];
    make(...spare, ...needed);
    removeSpareParts(join(work, 'node_modules'));
    removeSpareParts(join(work, 'node_modules'));
    expect([...spare, ...needed].filter((file) => existsSync(join(work, file)))).toEqual(needed);
  });

  it('are not looked for in workspaces, which are the checkout’s own', () => {
    make('simulators/page.js.map', 'node_modules/other/index.js');
    symlinkSync(join(work, 'simulators'), join(work, 'node_modules', 'lockstep-simulators'));
    removeSpareParts(join(work, 'node_modules'));
    expect(existsSync(join(work, 'simulators/page.js.map'))).toBe(true);
    expect(packagesIn(join(work, 'node_modules')).map(({ name }) => name)).toEqual(['other']);
  });

  it('do not include the native part for this system', () => {
    const { getPrebuiltTargetName } = createRequire(import.meta.url)('@temporalio/core-bridge/common.js');
    expect(nativeTarget(process)).toBe(getPrebuiltTargetName());
    expect(isSpare('@temporalio/core-bridge', `releases/${nativeTarget(process)}/`)).toBe(false);
    expect(isSpare('@temporalio/core-bridge', 'releases/sparc-unknown-linux-gnu/')).toBe(true);
  });
});
