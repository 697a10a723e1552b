import { dirname, resolve } from 'node:path';
import { real } from './own-folder.ts';
import { foreignFile, type SecretScope } from './secret-scope.ts';

/**
 * Returns why a tenant file may not name this mapping file, or null if it may. It may name a file in the tenant's own folder, as with
 * `file:`, and a mapping file beside the tenant file, which several tenants may share.
 */
export function foreignMapping(
  name: string,
  from: { readonly tenant: string; readonly baseDir: string; readonly scope: SecretScope },
): string | null {
  const path = resolve(from.baseDir, name);
  const file = real(path);
  const isBeside = dirname(file) === real(from.baseDir) && /\.mapping\.ya?ml$/.test(file);
  if (isBeside && file === resolve(real(dirname(path)), file.slice(dirname(file).length + 1))) return null;
  const refusal = foreignFile(name, from);
  return refusal === null ? null : `${refusal}, or name it NAME.mapping.yaml beside the tenant file`;
}
