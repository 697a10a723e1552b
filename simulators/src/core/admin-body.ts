import type { Context } from 'hono';
import { refusal } from './refusal.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A request's JSON body; `{}` if the request has none. */
export async function readJson(c: Context): Promise<unknown> {
  const text = await c.req.text();
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(400, 'The body is not JSON.');
  }
}

/** The JSON body as an object. Refuses fields that are not in `known`. */
export async function readObject(c: Context, known: readonly string[]): Promise<JsonObject> {
  const body = expectObject(await readJson(c), 'The body');
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown === undefined) return body;
  throw refusal(400, `There is no field "${unknown}" here. Known: ${known.join(', ')}.`);
}

/** Checks that a value is an object and returns it. The refusal of any other value contains `name`. */
export function expectObject(value: unknown, name: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw refusal(400, `${name} must be a JSON object.`);
}
