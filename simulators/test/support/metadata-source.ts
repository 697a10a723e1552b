import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const NAMESPACE = 'http://soap.sforce.com/2006/04/metadata';

export type MetadataSource = { readonly dir: string; remove(): void };

/** For each path below `main/default`, the root element of the file and its content. */
export type SourceFiles = Readonly<Record<string, readonly [root: string, content: string]>>;

/** Writes a folder of Salesforce DX source. */
export function metadataSource(files: SourceFiles): MetadataSource {
  const dir = mkdtempSync(join(tmpdir(), 'metadata-source-'));
  for (const [path, [root, content]] of Object.entries(files)) {
    const file = join(dir, 'main', 'default', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">${content}</${root}>\n`);
  }
  return { dir, remove: () => rmSync(dir, { recursive: true }) };
}

/** XML elements with these names and texts. */
export function elements(values: Readonly<Record<string, string | number | boolean>>): string {
  const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return Object.entries(values)
    .map(([name, value]) => `<${name}>${escaped(String(value))}</${name}>`)
    .join('');
}
