import { cruise, type ICruiseResult } from 'dependency-cruiser';
import config from '../../../.dependency-cruiser.mjs';

/**
 * What the imports of a tree of sources break of `.dependency-cruiser.mjs`: each as `from -> to`, and circles as all
 * their files. `names` are folders and files of `root`.
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
  // One import may break the rules of a folder and of the folders around it.
  return [...new Set(lines)];
}
