import { dirname, resolve } from 'node:path';
import { identitiesOf } from './own-folder.ts';
import { isReferencePlace } from './reference-places.ts';
import { textsIn } from './texts-in.ts';
import type { YamlFile } from './yaml-file.ts';

/**
 * A file that contains a secret of a tenant. `path`: the path of the key in the tenant file that refers to the secret. `identity`: a text
 * that identifies the file, whatever path leads to it; `identitiesOf` returns such texts.
 */
export type SecretFile = { readonly path: readonly string[]; readonly identity: string };

/** All files that contain secrets of a tenant, found by the references in its tenant file or declaration. */
export function secretFilesOf(yaml: YamlFile): readonly SecretFile[] {
  const folder = dirname(resolve(yaml.file));
  return textsIn(yaml.data).flatMap(({ path, text }) => {
    if (!text.startsWith('file:') || !isReferencePlace(path.join('.'))) return [];
    return identitiesOf(resolve(folder, text.slice('file:'.length))).map((identity) => ({ path, identity }));
  });
}
