import { failure } from '../store/failure.ts';

const REFERENCE = /@\{([A-Za-z0-9_]+)((?:\.[A-Za-z0-9_]+|\[\d+\])*)\}/g;

/** Bodies of the answers so far, by reference id. */
export type Answers = ReadonlyMap<string, unknown>;

/**
 * Replaces `@{ref.path}` in every text of a composite sub-request by the value in the earlier answer. Throws PROCESSING_HALTED for a
 * reference without a value, as when the earlier request failed.
 */
export function resolveReferences<T>(value: T, answers: Answers): T {
  if (typeof value === 'string') return replaceIn(value, answers) as T;
  if (Array.isArray(value)) return value.map((each) => resolveReferences(each, answers)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolveReferences(each, answers)])) as T;
}

/** The reference ids that texts anywhere in a value name. */
export function referencesIn(value: unknown): readonly string[] {
  const names = [...(JSON.stringify(value) ?? '').matchAll(REFERENCE)].map(([, name]) => name ?? '');
  return [...new Set(names)];
}

function replaceIn(text: string, answers: Answers): string {
  // Salesforce documents no escape for a text that looks like a reference.
  if (text.replace(REFERENCE, '').includes('@{'))
    throw failure(400, 'PROCESSING_HALTED', 'Invalid reference specified.');
  return text.replace(REFERENCE, (_, name: string, path: string) => {
    let here: unknown = answers.get(name);
    for (const [step] of path.matchAll(/[A-Za-z0-9_]+/g)) {
      here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[step] : undefined;
    }
    if (typeof here === 'string' || typeof here === 'number' || typeof here === 'boolean') return String(here);
    throw failure(
      400,
      'PROCESSING_HALTED',
      `Invalid reference specified. No value for ${name}${path} found in ${name}`,
    );
  });
}
