/** The stand-in for `@temporalio/workflow` that the engine's stories run on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as runtime from '../support/engine/workflow-runtime.ts';
import { readImportedNames } from '../support/house-rules/imported-names.ts';

const WORKFLOWS = join(import.meta.dirname, '../../workflows');

/** Does not compile when something is exported under a name of the SDK that is not what the SDK has there. */
runtime satisfies Pick<typeof import('@temporalio/workflow'), keyof typeof runtime>;

test('it has all that the workflows import, so that none of their ways is lost in the stories', () => {
  const sources = readdirSync(WORKFLOWS).filter((file) => file.endsWith('.ts'));
  const imported = sources.flatMap((file) =>
    readImportedNames(readFileSync(join(WORKFLOWS, file), 'utf8'), '@temporalio/workflow'),
  );
  const missing = imported.filter((name) => !(name in runtime));
  expect(missing, 'give test/support/engine/workflow-runtime.ts what the workflows import').toEqual([]);
  expect(Object.keys(runtime).sort(), 'and take away what they no longer do').toEqual([...new Set(imported)].sort());
});
