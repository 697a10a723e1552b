import { dirname, resolve } from 'node:path';
import { real } from './own-folder.ts';
import { foreignFile, type SecretScope } from './secret-scope.ts';

/**
 * Why a tenant file may not name this mapping file; null if it may. A tenant file may name files in the tenant's own folder, and files
 * beside the tenant file, which several tenants may share.
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
