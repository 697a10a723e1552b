import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** One metadata file in source format: `objects/Account/fields/X__c.field-meta.xml` is `field` `X__c` of `Account`. */
export type SourceFile = {
  readonly path: string;
  /** The kind of metadata: the word before `-meta.xml` in the file's name. */
  readonly kind: string;
  readonly name: string;
  /** The object in whose folder the file lies; empty elsewhere. */
  readonly object: string;
};

const META = /^(.+)\.([A-Za-z0-9]+)-meta\.xml$/;
const SKIPPED = new Set(['node_modules', '.git', '.sf', '.sfdx']);

/**
 * The metadata files below a folder of Salesforce DX source, in order of their paths and in any folder layout. Throws if there is no
 * metadata file.
 */
export function sourceFiles(dir: string): readonly SourceFile[] {
  const files = existsSync(dir) ? walk(dir) : [];
  if (files.length > 0) return files;
  throw new Error(`There is no CRM package in ${dir}.`);
}

function walk(dir: string): readonly SourceFile[] {
  const entries = readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : walk(path);
    const match = META.exec(entry.name);
    if (match === null) return [];
    const [, name = '', kind = ''] = match;
    return [{ path, kind, name, object: objectOf(path) }];
  });
}

/** `objects/<Object>/<Object>.object-meta.xml` and `objects/<Object>/<folder>/…`. */
function objectOf(path: string): string {
  const folder = dirname(path);
  if (basename(dirname(folder)) === 'objects') return basename(folder);
  return basename(dirname(dirname(folder))) === 'objects' ? basename(dirname(folder)) : '';
}
