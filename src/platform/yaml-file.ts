import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { Problem } from './problems.ts';

type Path = readonly PropertyKey[];

/** A YAML text with the line of each of its keys. */
export type YamlFile = {
  readonly file: string;
  readonly data: unknown;
  /** Line (from 1) of the key at this path, or of the nearest existing section around it. */
  lineOf(path: Path): number;
  has(path: Path): boolean;
};

const SYNTAX: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'a key stands here twice: keep one of them',
  TAB_AS_INDENT: 'a tab indents this line: use spaces',
  BAD_INDENT: 'this line is not indented like its neighbours: align it',
  MISSING_CHAR: 'a quote, bracket or colon is missing here: add it',
  KEY_NOT_TEXT: 'this key is read as a number, a truth value or nothing: put it in quotes',
  MERGE_KEY: 'merge keys (<<) are not supported: write the values out',
  MULTIPLE_DOCS: 'a second document begins here: one tenant a file',
};

/** Parses YAML. Syntax errors are returned as problems. They contain no part of the text, because it may contain a secret. */
export function parseYamlFile(file: string, text: string): { yaml: YamlFile } | { problems: readonly Problem[] } {
  if (hasTooManyParts(text)) {
    const message = `this has more than ${MOST_PARTS} lines, values and signs: write it shorter`;
    return { problems: [{ file, line: 1, message }] };
  }
  const lines = new LineCounter();
  const document = parsed(text, lines);
  if (document === null) return { problems: [{ file, line: 1, message: 'this nests too deep: write it flatter' }] };
  const faults = [...document.errors, ...document.warnings, ...keyFaults(document)].slice(0, MOST_FAULTS);
  if (faults.length > 0) {
    return {
      problems: faults.map((fault) => ({
        file,
        line: lines.linePos(fault.pos[0]).line,
        message: SYNTAX[fault.code] ?? `this is not valid YAML (${fault.code})`,
      })),
    };
  }
  const data = readData(document);
  if (data === unreadable) {
    return { problems: [{ file, line: 1, message: 'too many aliases (*name): write the values out' }] };
  }
  return {
    yaml: { file, data, lineOf: (path) => lineOf(document, lines, path), has: (path) => has(data, path) },
  };
}

/**
 * Presents data that is not from a file, such as a tenant file that the ledger (Lockstep's PostgreSQL database) stores, as if it were a
 * YAML file with every key on line 1.
 */
export function asYamlFile(file: string, data: unknown): YamlFile {
  return { file, data, lineOf: () => 1, has: (path) => has(data, path) };
}

/** The maximum number of syntax errors of one YAML file that are reported. */
const MOST_FAULTS = 50;

/**
 * The maximum number of line ends and YAML signs (characters with a meaning in YAML) in a text: thirty times as many as the default mapping
 * has. Parsing takes up to 30 µs for each.
 */
const MOST_PARTS = 10_000;
const PARTS: ReadonlySet<number> = new Set([...'\n,:?[]{}&*!|>#\\'].map((sign) => sign.charCodeAt(0)));
const [DASH, LEAST_VISIBLE] = [0x2d, 0x21];

/**
 * Whether parsing the text would occupy the process for long, because it contains too many line ends and signs with a meaning in YAML. A
 * dash counts only where it may begin an item of a list.
 */
function hasTooManyParts(text: string): boolean {
  let parts = 0;
  for (let at = 0; at < text.length && parts <= MOST_PARTS; at += 1) {
    const sign = text.charCodeAt(at);
    if (PARTS.has(sign) || (sign === DASH && text.charCodeAt(at + 1) < LEAST_VISIBLE)) parts += 1;
  }
  return parts > MOST_PARTS;
}

/**
 * Parses YAML without the library's slow check for repeated keys; `keyFaults` finds these keys faster. Null if the text is nested too
 * deeply for the stack.
 */
function parsed(text: string, lineCounter: LineCounter): Document | null {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, strict: true, uniqueKeys: false });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

type Fault = { readonly code: string; readonly pos: readonly [number, number] };

/**
 * Faults of keys: a key that occurs twice in one section, a merge key, and a key that YAML does not read as text. An unquoted key `007`
 * would be read as `7`, and `1e3` as `1000`, so that a code of the vendor would never match.
 */
function keyFaults(document: Document): readonly Fault[] {
  const faults: Fault[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const code = faultOf(key.value, seen);
        if (code !== null) faults.push({ code, pos: [key.range?.[0] ?? 0, 0] });
        seen.add(key.value);
      }
    },
  });
  return faults;
}

function faultOf(key: unknown, seen: ReadonlySet<unknown>): string | null {
  if (typeof key !== 'string') return 'KEY_NOT_TEXT';
  if (key === '<<') return 'MERGE_KEY';
  return seen.has(key) ? 'DUPLICATE_KEY' : null;
}

const unreadable = Symbol('unreadable');

function readData(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch {
    return unreadable;
  }
}

function has(data: unknown, path: Path): boolean {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return true;
}

function lineOf(document: Document, lines: LineCounter, path: Path): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    const found = childAt(node, step);
    if (found === null) break;
    offset = found.offset;
    node = found.node;
  }
  return lines.linePos(offset).line;
}

function childAt(parent: unknown, step: PropertyKey): { node: unknown; offset: number } | null {
  if (isSeq(parent)) {
    const item = parent.items[Number(step)] as Node | undefined;
    return item?.range ? { node: item, offset: item.range[0] } : null;
  }
  if (!isMap(parent)) return null;
  const pair = parent.items.find((candidate) => isScalar(candidate.key) && String(candidate.key.value) === step);
  const key = pair?.key as Node | undefined;
  return key?.range ? { node: pair?.value, offset: key.range[0] } : null;
}
