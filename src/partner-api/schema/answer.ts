import { z } from 'zod';
import type { HasExtra } from '../extra.ts';

/** For each field of an interface except `extra`, its schema. If a schema is missing or superfluous, the code does not compile. */
export type Shape<T> = { readonly [Name in Exclude<keyof T, 'extra'>]: z.ZodType<T[Name]> };

/**
 * Schema of an object in an answer. Unknown fields are collected in `extra`. `around`: names of fields that are on the same level as the
 * object's own fields but belong to the envelope (such as `info`); they are left out.
 */
export function answerObject<T extends HasExtra>(shape: Shape<T>, around: readonly string[] = []) {
  return z.looseObject(shape as z.ZodRawShape).transform((value) => setApart(value, shape, around) as T);
}

function setApart(value: object, known: object, around: readonly string[]): object {
  const members = Object.entries(value).filter(([name]) => !around.includes(name));
  const extra = members.filter(([name]) => !Object.hasOwn(known, name));
  const shown = Object.fromEntries(members.filter(([name]) => Object.hasOwn(known, name)));
  return extra.length === 0 ? shown : { ...shown, extra: Object.fromEntries(extra) };
}

/** Schema of a text. It reads `''` as null, which means unset (sales spec 2.8). An absent text stays absent. */
export const text = z
  .string()
  .nullish()
  .transform((value) => (value === '' ? null : value));

/** Schema of a text that is a code. Every text is accepted, because the documents may not show all codes of the field. */
export const code = <Code extends string>() => text as z.ZodType<Code | null | undefined>;

export const flag = z.boolean().nullish();

/**
 * Schema of a list of at least `least` items. Validation stops at the first invalid item, because reporting a hundred thousand invalid
 * items would block the process for ten seconds.
 */
export function listOf<T>(item: z.ZodType<T>, least = 0): z.ZodType<T[]> {
  return z
    .array(z.unknown())
    .min(least)
    .transform((items, context) => {
      const read: T[] = [];
      for (const [index, one] of items.entries()) {
        const parsed = item.safeParse(one);
        if (parsed.success) read.push(parsed.data);
        else {
          const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [index, ...issue.path] }));
          context.issues.push(...(issues as z.core.$ZodRawIssue[]));
          return z.NEVER;
        }
      }
      return read;
    });
}

/** Schema of a list. It reads `''` and null as an empty list. An absent list stays absent. */
export function list<T>(item: z.ZodType<T>): z.ZodType<readonly T[] | undefined> {
  return z
    .union([listOf(item), z.literal(''), z.null()])
    .optional()
    .transform((items) => (items === '' || items === null ? [] : items));
}

/** Schema of an object. It reads `''` as null, which means unset. An absent object stays absent. */
export function part<T>(object: z.ZodType<T>): z.ZodType<T | null | undefined> {
  return z.union([object, z.literal('').transform(() => null), z.null()]).optional();
}

/** Schema of a number, or a number as text. The number of digits is limited, because `1e999999999` takes a gigabyte when written out. */
export const numeral = z.union([z.number(), z.string().regex(/^-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,2})?$/)]);
