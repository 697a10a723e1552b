import { z } from 'zod';
import type { FieldName } from '../../domain/record/canonical.ts';

/** This file has the schemas of the console API's answers about a tenant's mapping. */

const list = <T extends z.ZodType>(of: T) => z.array(of).readonly();
const instant = z.string().describe('an instant, ISO 8601');
const name = <T extends string>() => z.string() as unknown as z.ZodType<T>;
const differences = list(z.object({ at: z.string(), before: z.string().nullable(), after: z.string().nullable() }));

export const MAPPING = z.object({
  shape: z.literal('mapping/1'),
  tenant: z.string().nullable(),
  text: z.string().describe('a whole mapping file'),
});

export const MAPPING_DIFFERS = z.object({ shape: z.literal('mapping-diff/1'), tenant: z.string(), differences });

export const MAPPING_CHECK = z.object({
  shape: z.literal('mapping-check/1'),
  tenant: z.string(),
  problems: list(
    z.object({
      file: z.string(),
      line: z.number(),
      at: z.string(),
      verdict: z.enum(['fails', 'warns']),
      what: z.string(),
      repair: z.string().nullable(),
    }),
  ),
});

const fits = z.record(z.string(), z.enum(['holds', 'shows'])) as unknown as z.ZodType<
  Readonly<Partial<Record<FieldName, 'holds' | 'shows'>>>
>;
const values = z.record(
  z.string(),
  z.object({ crm: list(z.string()), vendor: list(z.string()) }),
) as unknown as z.ZodType<
  Readonly<Partial<Record<FieldName, { readonly crm: readonly string[]; readonly vendor: readonly string[] }>>>
>;

export const MAPPING_CHOICES = z.object({
  shape: z.literal('mapping-choices/1'),
  tenant: z.string(),
  orgFields: list(z.object({ name: z.string(), label: z.string(), type: z.string(), isWritable: z.boolean(), fits })),
  stages: list(z.string()),
  revenueTypes: list(z.string()),
  values,
});

export const MAPPING_VERSIONS = z.object({
  shape: z.literal('mapping-versions/1'),
  tenant: z.string(),
  current: z.number(),
  applies: z.number(),
  areFilesNewer: z.boolean(),
  toBackfill: list(name<FieldName>()),
  versions: list(
    z.object({
      version: z.number(),
      publishedAt: instant,
      by: z.string().nullable(),
      reason: z.string().nullable(),
      takenBackTo: z.number().nullable(),
      isOfFiles: z.boolean(),
      differences: differences.nullable(),
    }),
  ),
});

export const MAPPING_PUBLISHED = z.object({
  shape: z.literal('mapping-published/1'),
  tenant: z.string(),
  version: z.number(),
  takenBackTo: z.number().nullable(),
  differences,
  toBackfill: list(name<FieldName>()),
});

const next = z.object({ step: z.string(), reason: z.string() }).nullable();

export const MAPPING_TRIED = z.object({
  shape: z.literal('mapping-try/1'),
  tenant: z.string(),
  key: z.string(),
  crmId: z.string().nullable(),
  vendorId: z.string().nullable(),
  state: z.string(),
  notObserved: z.string().nullable(),
  before: next,
  after: next,
  gates: list(z.looseObject({ code: z.string(), field: z.string().nullable(), what: z.string(), opens: z.string() })),
  fields: list(
    z.object({
      field: z.string(),
      crmField: z.string(),
      isChanged: z.boolean(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      values: z
        .object({ base: z.object({ crm: z.unknown(), vendor: z.unknown() }), crm: z.unknown(), vendor: z.unknown() })
        .optional(),
    }),
  ),
});

const counts = z.record(z.string(), z.number());

export const MAPPING_PLANNED = z.object({
  shape: z.literal('mapping-plan/1'),
  tenant: z.string(),
  since: instant,
  isComplete: z.boolean(),
  totals: z.looseObject({ records: z.number(), actions: counts, fields: counts, issues: counts }),
});
