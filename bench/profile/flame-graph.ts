import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { CpuProfile } from './parts.ts';

/**
 * Writes the threads' profiles and a flame graph page for each. Each page uses a copy of speedscope beside it, so it opens from disk
 * without network. Returns the pages.
 */
export async function writeFlameGraphs(
  folder: string,
  profiles: Readonly<Record<string, CpuProfile>>,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const viewer = dirname(createRequire(import.meta.url).resolve('speedscope/dist/release/index.html'));
  await cp(viewer, join(folder, 'speedscope'), { recursive: true });
  const pages: string[] = [];
  for (const [name, profile] of Object.entries(profiles)) {
    const text = JSON.stringify(profile);
    await writeFile(join(folder, `${name}.cpuprofile`), text);
    const given = [`${name}.cpuprofile`, Buffer.from(text).toString('base64')].map((part) => JSON.stringify(part));
    await writeFile(join(folder, `${name}.js`), `speedscope.loadFileFromBase64(${given.join(', ')});\n`);
    const page = join(folder, `${name}.html`);
    await writeFile(page, pageOf(name));
    pages.push(page);
  }
  return pages;
}

/** A page that gives the viewer the profile's path, which depends on where the page lies. */
function pageOf(name: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<title>${name}</title>
<script>
  const here = decodeURIComponent(location.pathname).replace(/[^/]*$/, '');
  location.replace('speedscope/index.html#title=${name}&localProfilePath=' + encodeURIComponent(here.slice(1) + '${name}.js'));
</script>
`;
}
