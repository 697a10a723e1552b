import { z } from 'zod';
import { ORDER_ANSWERS } from './order-answers.ts';
import { gatewayMessage, SALES_ANSWERS } from './sales-answers.ts';

/** The JSON Schema of a zod schema, without the dialect, which OpenAPI 3.1 names once. `closed` forbids undocumented fields. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', closed = false): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: made }) => {
      if (closed && made.type === 'object') made.additionalProperties = false;
    },
  });
  return rest;
}

function pascal(...words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function named(prefix: string, table: Readonly<Record<string, unknown>>): readonly (readonly [z.ZodType, string])[] {
  return Object.entries(table).flatMap(([name, value]) =>
    value instanceof z.ZodType
      ? [[value, pascal(prefix, name)] as const]
      : named(pascal(prefix, name), value as Readonly<Record<string, unknown>>),
  );
}

const NAMES = new Map([
  [gatewayMessage, 'GatewayMessage'] as const,
  ...named('sales', SALES_ANSWERS),
  ...named('order', ORDER_ANSWERS),
]);

/** A reference to the schema of an answer in `components`. */
export function answerRef(schema: z.ZodType): object {
  return { $ref: `#/components/schemas/${NAMES.get(schema)}` };
}

/** The schemas of the given answers, by name. */
export function answerSchemas(used: ReadonlySet<z.ZodType>): Readonly<Record<string, object>> {
  const shown = Array.from(NAMES).filter(([schema]) => used.has(schema));
  return Object.fromEntries(shown.map(([schema, name]) => [name, jsonSchema(schema, 'output')]));
}
