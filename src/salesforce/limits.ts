import type { CrmLimits, FieldLimit, ObjectLimits } from '../domain/record/crm-limits.ts';
import { oneLine } from '../domain/record/shown-text.ts';
import { flagOf, listOf, objectOf, textOf } from './answers.ts';
import { CrmError } from './errors.ts';
import { choicesOf } from './picklist-choices.ts';
import type { RestCall, Session } from './session.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * How long an object's description is cached, in milliseconds. Fields seldom change. If an outdated description allows a value that
 * Salesforce refuses, the refusal names the field.
 */
const KEPT_FOR_MS = 60 * 60_000;

/** Types of fields whose values are texts of limited length. */
const TEXTS: ReadonlySet<string> = new Set([
  'string',
  'textarea',
  'picklist',
  'multipicklist',
  'combobox',
  'email',
  'phone',
  'url',
]);

export interface Limits {
  /** The limits of these objects' fields. An object is described at most once in `maxAgeMs`, and the result is used for all its records. */
  of(objects: readonly string[], maxAgeMs: number | undefined, call: RestCall): Promise<CrmLimits>;
}

/** A description of an object that was requested at `atMs` (milliseconds since 1970). Its answer may not have come yet. */
type Described = { readonly limits: Promise<ObjectLimits | null>; readonly atMs: number };

/**
 * Creates the reader of field limits. It describes an object when its limits are first needed, and caches the result. Concurrent callers
 * share one request.
 */
export function createLimits(session: Session, now: () => number): Limits {
  const kept = new Map<string, Described>();

  function ask(object: string, { operation }: RestCall): Described {
    // The request has no abort signal of a caller, because other callers may wait for it too.
    const asked = { limits: describe(session, object, { operation }), atMs: now() };
    kept.set(object, asked);
    asked.limits.catch(() => {
      if (kept.get(object) === asked) kept.delete(object);
    });
    return asked;
  }

  /**
   * The limits of one object's fields, from the cache or by a request. The function must not await anything before it caches the promise of
   * the request, so that concurrent callers share the request.
   */
  function described(object: string, maxAgeMs: number, call: RestCall): Promise<ObjectLimits | null> {
    const known = kept.get(object);
    const isGood = known !== undefined && now() - known.atMs <= maxAgeMs;
    return untilAborted((isGood ? known : ask(object, call)).limits, call.signal);
  }

  return {
    async of(objects, maxAgeMs = KEPT_FOR_MS, call) {
      const found = await Promise.all(
        objects.map(async (object) => {
          const limits = await described(object, maxAgeMs, call);
          return limits === null ? [] : [[object, limits] as const];
        }),
      );
      return Object.fromEntries(found.flat());
    },
  };
}

/** Reads the limits of an object; null if the integration user may not see it. */
async function describe(session: Session, object: string, call: RestCall): Promise<ObjectLimits | null> {
  try {
    const answer = await session.request({ method: 'GET', path: `/sobjects/${object}/describe` }, call);
    const fields = listOf(objectOf(answer.body)['fields']).map(objectOf);
    const choices = choicesOf(fields);
    return Object.fromEntries(
      fields.map((field) => {
        const name = textOf(field['name']);
        const found = choices.get(name);
        return [name, { ...limitOf(field), ...(found === undefined ? {} : { choices: found }) }];
      }),
    );
  } catch (error) {
    if (error instanceof CrmError && NOT_CURED_BY_TIME.has(error.kind)) return null;
    throw error;
  }
}

const NOT_CURED_BY_TIME: ReadonlySet<string> = new Set(['gone', 'permanent', 'schema-mismatch']);

const LONGEST_LABEL = 80;

function limitOf(field: Readonly<Record<string, unknown>>): FieldLimit {
  const { type, length } = field;
  const label = oneLine(textOf(field['label']), LONGEST_LABEL);
  const isBounded = TEXTS.has(textOf(type)) && typeof length === 'number' && length > 0;
  return {
    ...(label === null ? {} : { label }),
    length: isBounded ? length : null,
    values: field['restrictedPicklist'] === true ? activeValues(field['picklistValues']) : null,
    isMulti: type === 'multipicklist',
    createable: flagOf(field['createable']),
    updateable: flagOf(field['updateable']),
  };
}

function activeValues(choices: unknown): readonly string[] {
  return listOf(choices)
    .map(objectOf)
    .filter(({ active }) => active === true)
    .map(({ value }) => textOf(value));
}
