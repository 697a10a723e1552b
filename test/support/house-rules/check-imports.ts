import { cruise, type ICruiseResult } from 'dependency-cruiser';
import config from '../../../.dependency-cruiser.mjs';

/**
 * Imports that break the rules of `.dependency-cruiser.mjs`: each as `from -> to`, and cycles as all their files. `names` are folders and
 * files of `root`.
 */
export async function checkImports(root: string, names: readonly string[]): Promise<readonly string[]> {
  const { forbidden = [], options } = config;
  const { output } = await cruise([...names], {
    ...options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden },
  });
  const lines = (output as ICruiseResult).summary.violations.map(({ from, to, cycle }) =>
    [from, ...(cycle?.map(({ name }) => name) ?? [to])].join(' -> '),
  );
  // One import may break the rules of a folder and of its parent folders.
  return [...new Set(lines)];
}
