import { z } from 'zod';
import type { ExtraFields, TakesExtra } from '../extra.ts';
import type { Shape } from './answer.ts';

/** Schema of an object in a request: only documented fields, and `extra`, which may contain only fields that the documents do not show. */
export function inputObject<T extends TakesExtra>(shape: Shape<T>): z.ZodType<T> {
  const fields = { ...shape, extra: z.record(z.string(), z.unknown()).optional() };
  const closed = z.strictObject(fields as z.ZodRawShape).superRefine(({ extra }, context) => {
    for (const name of Object.keys((extra ?? {}) as ExtraFields)) {
      if (Object.hasOwn(shape, name)) blame(context, name);
    }
  });
  return closed as z.ZodType as z.ZodType<T>;
}

function blame(context: z.core.$RefinementCtx, name: string): void {
  context.addIssue({ code: 'custom', path: ['extra', name], message: 'is a documented field' });
}

/**
 * Schema of an input whose request has no body. Fields that the documents do not show are refused, because they could only be sent in a
 * body.
 */
export function queryInput<T>(shape: Shape<T>): z.ZodType<T> {
  return z.strictObject(shape as z.ZodRawShape) as z.ZodType as z.ZodType<T>;
}

/** The schemas of the fields of the object at a path within an input, by field name; null if there is no object at this path. */
export function fieldsAt(schema: unknown, path: readonly PropertyKey[]): z.ZodRawShape | null {
  const inner = unwrapped(schema);
  const [step, ...rest] = path;
  if (step === undefined) return inner instanceof z.ZodObject ? inner.shape : null;
  if (inner instanceof z.ZodArray) return fieldsAt(inner.element, rest);
  return inner instanceof z.ZodObject ? fieldsAt(inner.shape[String(step)], rest) : null;
}

/**
 * Converts a body in the vendor's form to an input of this client: fields that the schema does not contain move into the `extra` of their
 * object. Everything else is checked when the call is made.
 */
export function captureExtra(schema: unknown, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => captureExtra(inner.element, item));
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  const isKnown = (name: string): boolean => name !== 'extra' && Object.hasOwn(inner.shape, name);
  const members = Object.entries(value);
  const known = members
    .filter(([name]) => isKnown(name))
    .map(([name, member]) => [name, captureExtra(inner.shape[name], member)]);
  const extra = members.filter(([name]) => !isKnown(name));
  return { ...Object.fromEntries(known), ...(extra.length > 0 && { extra: Object.fromEntries(extra) }) };
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}
