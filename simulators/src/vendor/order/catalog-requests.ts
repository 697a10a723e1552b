import { z } from 'zod';
import { described } from '../described.ts';
import { type Answer, found, invalid } from './refusals.ts';

/** A text of at most `limit` code points, the unit of JSON Schema's maxLength. */
export const text = (limit: number) =>
  z
    .string()
    .refine((value) => [...value].length <= limit, `must have at most ${limit} characters`)
    .meta({ maxLength: limit });

const accreditation = described('accreditationCriteria', {
  accreditationType: z.enum(['R', 'I']),
  accreditationId: z.string().regex(/^[A-Z0-9]{1,15}$/, 'must be 1 to 15 uppercase letters and digits'),
});

/** The request body of a price search (order spec 4.6). */
export const priceRequest = z.object(
  described('priceSearch', {
    ...accreditation,
    priceListId: z.number().int().min(0).max(99),
    priceListStatus: z
      .string()
      .refine((value) => [...value].length === 1, 'must be one character')
      .meta({ minLength: 1, maxLength: 1 })
      .optional(),
  }),
);

/** The request body of a search for product information (order spec 4.7). */
export const informationRequest = z.object(accreditation);

/** The request body of a search for a package's content (order spec 4.8). */
export const contentRequest = z.object(described('contentSearch', { number: text(20), release: text(50) }));

/** Checks a body. Each issue becomes a fault with its JSON pointer. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): Answer<T> {
  const result = schema.safeParse(body);
  if (result.success) return found(result.data);
  return invalid(
    result.error.issues.map((issue) => ({
      detail: `${issue.message}.`,
      pointer: issue.path.map((part) => `/${String(part)}`).join(''),
    })),
  );
}
