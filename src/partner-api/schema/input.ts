import { z } from 'zod';
import type { ExtraFields, TakesExtra } from '../extra.ts';
import type { Shape } from './answer.ts';

/** Schema of an object of a request: a closed set of fields, and `extra`, which may contain undocumented fields only. */
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

/** Schema of an input without a body. It refuses undocumented fields, because there is no body to send them in. */
export function queryInput<T>(shape: Shape<T>): z.ZodType<T> {
  return z.strictObject(shape as z.ZodRawShape) as z.ZodType as z.ZodType<T>;
}

/** The fields, by name, of the object at a path of an input; null if there is no object. */
export function fieldsAt(schema: unknown, path: readonly PropertyKey[]): z.ZodRawShape | null {
  const inner = unwrapped(schema);
  const [step, ...rest] = path;
  if (step === undefined) return inner instanceof z.ZodObject ? inner.shape : null;
  if (inner instanceof z.ZodArray) return fieldsAt(inner.element, rest);
  return inner instanceof z.ZodObject ? fieldsAt(inner.shape[String(step)], rest) : null;
}

/**
 * Turns a body in the vendor's form into an input of this client: fields unknown to the schema move into the `extra` of their object. The
 * call's own check validates the rest.
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
