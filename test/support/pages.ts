import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The pages for people, and the paths that they name. */

export const ROOT = join(import.meta.dirname, '..', '..');
/** Texts of packages, whose links start at the package's root, and test samples. */
const NO_PAGES = /^(scripts|test|bench)\//;
const UNTRACKED = /(^|\/)(node_modules|\.git|\.lockstep|dist[\w-]*|\.cache)(\/|$)/;

export const readPage = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Every page, by its path from the root. */
export function pages(): readonly string[] {
  return [...tree()].filter((path) => path.endsWith('.md') && !NO_PAGES.test(path));
}

/** The page without code blocks, in which brackets and back-ticks have other meanings. */
export function prose(text: string): string {
  return text.replace(/```[\s\S]*?```/g, '');
}

/** Files and folders of the tree, from the root, without installed or built ones. */
export function tree(): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (UNTRACKED.test(path)) continue;
      found.add(path);
      if (entry.isDirectory()) walk(path);
    }
  };
  walk('');
  return found;
}

/** Files that a page may name although they are not in the tree, each with the reason. */
const NOT_IN_THE_TREE: readonly (readonly [RegExp, string])[] = [
  [/^\.lockstep\//, 'state of npm start'],
  [/^(endpoints\.json|sealing\.key)$/, 'state of npm start'],
  [/^(tenants|declared|secrets)\//, "an operator's own files"],
  [/^(acme|demo)(\.mapping)?\.(yaml|jsonl)$/, "an operator's own files"],
  [/^dist[\w-]*\//, 'built'],
  [/^(npm-shrinkwrap\.json|index\.cjs|.*\.tgz|.*\.cpuprofile)$/, 'built'],
  [/^(activities|workflows-\d)\.html$/, 'written by npm run profile'],
];

const FILE = /[\w-]\.(ts|mjs|cjs|md|yaml|yml|json|jsonl|xml|sql|html|tgz|cpuprofile)$/;
const PATH = /^[\w.@-]+(\/[\w.@-]+)*\/?$/;

/** Paths in back-ticks that the tree does not have. A path starts at the root or at the page's folder, or is the end of a path. */
export function pathProblems(page: string, text: string, known: ReadonlySet<string>): readonly string[] {
  const folders = new Set([...known].filter((path) => !path.includes('/')));
  const spans = [...prose(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const paths = spans.flatMap(withoutBraces).filter((span) => {
    const [first = ''] = span.split('/');
    return PATH.test(span) && (FILE.test(span) || (span.includes('/') && folders.has(first)));
  });
  const isKnown = (path: string): boolean => {
    const bare = normalize(path).replace(/\/$/, '');
    if (known.has(bare) || known.has(normalize(join(dirname(page), bare)))) return true;
    return NOT_IN_THE_TREE.some(([pattern]) => pattern.test(path)) || endsOne(known, bare);
  };
  return [...new Set(paths)].filter((path) => !isKnown(path)).map((path) => `${page}: \`${path}\` is not there`);
}

/** Salesforce metadata is named without the ending of its file. */
const METADATA = /\.[a-z]+-meta\.xml$/i;

function endsOne(known: ReadonlySet<string>, tail: string): boolean {
  for (const path of known)
    if (path.replace(METADATA, '').endsWith(`/${tail}`) || path.endsWith(`/${tail}`)) return true;
  return false;
}

/** Names that a page locates in a file (`name` in `file.ts`, or `name` (`file.ts`)) and that the file does not declare. */
export function placeProblems(page: string, text: string, known: ReadonlySet<string>): readonly string[] {
  const said = [...prose(text).matchAll(/`(\w+)`(?: in | \()`([\w./-]+\.ts)`/g)];
  return said.flatMap(([, name = '', file = '']) => {
    if (!known.has(file) || declares(readPage(file), name)) return [];
    return [`${page}: \`${file}\` has no \`${name}\``];
  });
}

/** Whether a source declares a name; imports and uses do not count. */
function declares(source: string, name: string): boolean {
  const declared = new RegExp(`\\b(?:function|const|type|class|interface)\\s+${name}\\b|\\b${name}\\??[:(]`);
  return declared.test(source);
}

/** `src/{a,b}/c.ts` as the two paths that it stands for. */
function withoutBraces(span: string): readonly string[] {
  const [, before = '', inner, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(span) ?? [];
  if (inner === undefined) return [span];
  return inner.split(',').map((one) => `${before}${one}${after}`);
}
