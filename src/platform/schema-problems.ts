import { z } from 'zod';
import { nearest } from '../domain/values/nearest.ts';
import type { Problem } from './problems.ts';
import type { YamlFile } from './yaml-file.ts';

type JsonSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: { readonly enum?: readonly string[] };
  readonly items?: JsonSchema;
  /** The schema of the values of a map with free keys. */
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
};

/**
 * Checks a file's data against a schema. Each error message of the schema is the end of a sentence that begins with the key. No problem
 * contains a value.
 */
export function checkAgainst<S extends z.ZodType>(
  schema: S,
  yaml: YamlFile,
): { readonly value: z.output<S> } | { readonly problems: readonly Problem[] } {
  const result = schema.safeParse(yaml.data);
  if (result.success) return { value: result.data };
  const { issues } = result.error;
  const shown = issues.slice(0, MOST_SHOWN).flatMap((issue) => issueProblems(issue, yaml, schema));
  const left = issues.length - MOST_SHOWN;
  return { problems: left > 0 ? [...shown, problemAt(yaml, [], `has ${left} more problems`)] : shown };
}

/** The maximum number of problems of one file that are reported. It is limited because finding the line of each problem takes time. */
const MOST_SHOWN = 50;

/**
 * Whether a part of a key's path has the form of a key. A problem's message shows other parts as `(a key)`, because they might be values.
 */
function isPlainName(part: PropertyKey): boolean {
  return typeof part === 'number' || /^[A-Za-z_][\w-]{0,39}$/.test(String(part));
}

/** Makes a problem about a key. Its line is the line of the key; if the key is missing, the line of the nearest section around it. */
export function problemAt(yaml: YamlFile, path: readonly PropertyKey[], message: string): Problem {
  const shown = path.map((part) => (isPlainName(part) ? String(part) : '(a key)'));
  const name = path.length === 0 ? 'the file' : shown.join('.').replace(/\.(\d+)/g, '[$1]');
  return { file: yaml.file, line: yaml.lineOf(path), message: `${name} ${message}` };
}

function issueProblems(issue: z.core.$ZodIssue, yaml: YamlFile, schema: z.ZodType): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, issue.path);
    const shown = issue.keys.slice(0, MOST_SHOWN).map((key) => unknownKey(yaml, [...issue.path, key], key, known));
    const left = issue.keys.length - MOST_SHOWN;
    return left > 0 ? [...shown, problemAt(yaml, issue.path, `holds ${left} more keys that are not known`)] : shown;
  }
  // A list with one item may be written as a single value. A problem of its first item is then reported for the value itself.
  const inSingleValue = issue.path.at(-1) === 0 && !yaml.has(issue.path);
  const path = inSingleValue ? issue.path.slice(0, -1) : issue.path;
  if (yaml.has(path)) return [problemAt(yaml, path, issue.message)];
  return [problemAt(yaml, issue.path, `is missing; it ${issue.message}`)];
}

function unknownKey(yaml: YamlFile, path: readonly PropertyKey[], key: string, known: readonly string[]): Problem {
  if (known.includes(key)) return problemAt(yaml, path, 'does not belong to what is chosen beside it: remove it');
  const meant = isPlainName(key) ? nearest(key, known) : null;
  const repair = meant === null ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`;
  return problemAt(yaml, path, `is not a known key; ${repair}`);
}

function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let level = [z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema];
  for (const step of path) {
    level = level.flatMap(branches).flatMap((branch) => {
      const { items, properties, additionalProperties } = branch;
      const next = typeof step === 'number' ? items : (properties?.[String(step)] ?? additionalProperties);
      return typeof next === 'object' ? [next] : [];
    });
  }
  const keys = level
    .flatMap(branches)
    .flatMap((branch) => [...Object.keys(branch.properties ?? {}), ...(branch.propertyNames?.enum ?? [])]);
  return [...new Set(keys)];
}

function branches(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
}
