import { z } from 'zod';
import type { Unknown } from '../../domain/decide/replay.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { FieldVerdict } from '../../domain/record/field-decision.ts';
import type { IssueCode } from '../../domain/record/issue.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import { LINK_STATES } from '../../domain/record/link-state.ts';

/** This file has the schemas of the console API's answers. Each answer has the form of the output of its command with `--json`. */

const list = <T extends z.ZodType>(of: T) => z.array(of).readonly();
export const instant = z.string().describe('an instant, ISO 8601');
const name = <T extends string>() => z.string() as unknown as z.ZodType<T>;
const ids = { key: z.string(), crmId: z.string().nullable(), vendorId: z.string().nullable() };
const state = z.enum(LINK_STATES);
const issueCode = name<IssueCode>();
const counts = z.record(z.string(), z.number());
export const shape = <T extends string>(text: T) => z.literal(text);

export const TENANTS = z.object({
  shape: shape('tenants/1'),
  tenants: list(
    z.object({
      tenant: z.string(),
      state: z.enum(['active', 'paused', 'unavailable', 'removed']),
      declaredBy: z.enum(['registry', 'file']),
      version: z.number().nullable(),
      changedAt: instant.nullable(),
      pausedSince: instant.nullable(),
      unavailable: list(z.object({ process: z.string(), reason: z.string(), at: instant })),
    }),
  ),
});

/** The schema of an issue (the reason why a record waits), without the remote's own error text, because that text may quote values. */
const issue = z.object({ code: issueCode, field: name<FieldName>().nullable(), message: z.string() });
const group = z.string();
const pause = z.looseObject({ group, reason: z.string(), since: instant });

/**
 * The schema of a status part whose fields no program reads. The API's document describes such a part as an object without naming its
 * fields, because only people read the fields.
 */
const part = z.looseObject({});

export const STATUS = z.object({
  shape: shape('status/1'),
  tenants: list(
    z.object({
      tenant: z.string(),
      records: counts,
      paused: list(pause),
      failing: list(z.looseObject({ stream: z.string(), code: z.string(), at: instant, readAt: instant })),
      overdue: list(z.object({ stream: z.string(), readAt: instant })),
      changes: part.nullable(),
      stopped: list(part),
      refusedRows: z.record(z.string(), counts),
      ownerNotices: list(part),
      undelivered: list(part),
      parkedRows: counts,
      waiting: list(z.looseObject({ records: z.number(), since: instant })),
      drift: z.object({ records: z.number(), repaired: z.number(), at: instant }).nullable(),
      org: part.nullable(),
      unopenedMapping: z.object({ version: z.number(), applies: z.number() }).nullable(),
      vendor: part,
      flow: z.object({
        lag: list(z.object({ stream: z.string(), readAt: instant, seconds: z.number() })),
        backlog: z
          .object({ records: z.number(), since: instant, seconds: z.number(), boundBy: z.enum(['rate', 'quota']) })
          .nullable(),
        causes: list(z.object({ code: issueCode, records: z.number() })),
        quotas: list(part),
      }),
      crmCalls: part.nullable(),
      orders: part.nullable(),
      attention: list(z.object({ ...ids, state, issues: list(issue) })),
    }),
  ),
  unavailable: list(z.looseObject({ tenant: z.string(), process: z.string(), reason: z.string(), at: instant })),
});

export const INBOX = z.object({
  shape: shape('inbox/1'),
  tenant: z.string(),
  causes: list(z.object({ code: issueCode, records: z.number(), meaning: z.string(), repair: z.string() })),
  records: list(z.object({ ...ids, state, updatedAt: instant, issues: list(issue) })),
  ownerNotices: list(part),
});

const side = z.object({
  changed: z.union([z.boolean(), z.literal('unknown')]),
  after: instant.nullable(),
  until: instant.nullable(),
  by: z.string().nullable(),
});
const values = z.object({
  base: z.object({ crm: z.unknown(), vendor: z.unknown() }),
  crm: z.unknown(),
  vendor: z.unknown(),
});

export const EXPLANATION = z.object({
  shape: shape('explain/1'),
  tenant: z.string(),
  ...ids,
  formerLeads: list(z.string()),
  linkedBy: z.string().nullable(),
  linked: z.object({ at: instant, words: z.string() }).nullable(),
  state: z.enum([...LINK_STATES, 'unseen']),
  sentence: z.string(),
  observedAt: instant.nullable(),
  notObserved: z.string().nullable(),
  next: z.object({ step: z.string(), reason: z.string() }).nullable(),
  gates: list(
    z.object({
      gate: z.string(),
      field: z.string().nullable(),
      code: z.string(),
      what: z.string(),
      opens: z.string(),
      needsSomebody: z.boolean(),
      said: z.string().optional(),
    }),
  ),
  fields: list(
    z.looseObject({
      field: z.string(),
      crmField: z.string(),
      direction: z.string(),
      conflictRule: z.string(),
      crm: side,
      vendor: side,
      verdict: z.string().nullable(),
      decidedBy: z.string().nullable(),
      values: values.optional(),
    }),
  ),
  links: z.object({ crm: z.string().nullable(), vendor: z.string().nullable(), temporal: z.string().nullable() }),
});

export const HISTORY = z.object({
  shape: shape('history/1'),
  tenant: z.string(),
  ...ids,
  state,
  linkedBy: z
    .object({ way: z.string(), matchedOn: z.string().optional(), at: instant })
    .nullable() as unknown as z.ZodType<import('../../domain/record/linked-by.ts').LinkedBy | null>,
  lines: list(
    z.object({
      at: instant,
      kind: name<JournalEntry['kind']>(),
      summary: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
      decisions: list(
        z.object({
          field: name<FieldName>(),
          verdict: name<FieldVerdict>(),
          rule: z.string(),
          values: values.optional(),
        }),
      ),
    }),
  ),
  isCut: z.boolean(),
});

const ending = z.object({ verdict: name<FieldVerdict>(), rule: z.string() });

export const WHAT_IF = z.object({
  shape: shape('what-if/1'),
  tenant: z.string(),
  since: instant,
  until: instant,
  fields: list(name<FieldName>()),
  lines: z.number(),
  decisions: z.object({ same: z.number(), otherwise: z.number(), unknown: z.number() }),
  changedRecords: z.number(),
  ways: list(
    z.object({
      field: name<FieldName>(),
      was: name<FieldVerdict>(),
      would: name<FieldVerdict>(),
      decisions: z.number(),
    }),
  ),
  unknown: list(z.object({ why: name<Unknown>(), meaning: z.string(), decisions: z.number() })),
  records: list(
    z.object({
      ...ids,
      decisions: list(
        z.object({
          at: instant,
          field: name<FieldName>(),
          was: ending,
          would: ending,
          values: values.optional(),
        }),
      ),
    }),
  ),
  isCut: z.boolean(),
});

export const PLANNED = z.looseObject({
  shape: shape('plan-record/1'),
  crmId: z.string().nullable(),
  vendorId: z.string().nullable(),
  action: z.string(),
  linkBy: z.string().nullable(),
  reason: z.string(),
  fields: list(z.object({ field: z.string(), way: z.string(), verdict: z.string(), rule: z.string() })),
  issues: list(z.looseObject({ code: issueCode, field: name<FieldName>().nullable() })),
});

export const KEYS = z.object({
  shape: shape('keys/1'),
  tenant: z.string(),
  inUse: z.enum(['ledger', 'tenant file']),
  switchedAt: instant.nullable(),
  provenAt: instant.nullable(),
  waiting: z.object({ hashedKey: z.string(), since: instant.nullable() }).nullable(),
  rotation: part.nullable(),
  rotationKey: z.enum(['waiting', 'in use', 'missing']).nullable(),
  paused: list(pause),
});

export const AUDIT_LOG = z.object({
  shape: shape('audit-log/1'),
  actions: list(
    z.looseObject({
      seq: z.number(),
      verb: z.string(),
      tenants: list(z.string()),
      details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), list(z.string())])),
      reason: z.string().nullable(),
      user: z.string(),
      host: z.string(),
      dbUser: z.string(),
      error: z.string().nullable(),
      attemptedAt: instant,
      endedAt: instant.nullable(),
      outcome: z.enum(['succeeded', 'failed']).nullable(),
    }),
  ),
});

const outcome = z
  .object({ ended: z.boolean(), state: state.optional(), waitsFor: list(z.string()) })
  .nullable() as unknown as z.ZodType<import('../../operator/records/when-settled.ts').RecordOutcome | null>;

export const SYNCED = z.object({
  shape: shape('sync/1'),
  tenant: z.string(),
  records: list(z.object({ id: z.string(), workflowId: z.string(), outcome })),
});

export const RETRIED = z.object({
  shape: shape('inbox-retry/1'),
  tenant: z.string(),
  code: issueCode,
  waiting: z.number(),
  records: list(z.object({ ...ids, workflowId: z.string().nullable() })),
});

export const RESOLVED = z.object({
  shape: shape('conflict-resolved/1'),
  tenant: z.string(),
  ...ids,
  field: name<FieldName>(),
  take: z.enum(['crm', 'vendor', 'value']),
  workflowId: z.string(),
  outcome,
});

export const RESUMED = z.object({
  shape: shape('resume/1'),
  tenant: z.string(),
  resumed: z.boolean(),
  groups: list(group),
  allowedUntil: instant.nullable(),
  waitsEnded: z.number().optional(),
  loadPausedSince: instant.nullable(),
  streams: list(z.string()),
  refusedRows: z.number(),
});

export const TURNED = z.object({
  shape: shape('tenant-turned/1'),
  tenant: z.string(),
  changed: z.boolean(),
  state: z.string(),
});
