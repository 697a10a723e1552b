import { z } from 'zod';
import { CAUSE_NAMES, SEVERITIES } from '../../domain/notices/causes.ts';

const list = <T extends z.ZodType>(of: T) => z.array(of).readonly();
const instant = z.string().describe('an instant, ISO 8601');

export const NOTICES = z.object({
  shape: z.literal('notices/1'),
  channels: list(z.object({ name: z.string(), type: z.string() })),
  open: list(
    z.object({
      tenant: z.string(),
      cause: z.enum(CAUSE_NAMES),
      subject: z.string(),
      severity: z.enum(SEVERITIES),
      since: instant,
      records: z.number().nullable(),
      text: z.string(),
      channels: list(z.string()),
    }),
  ),
  undelivered: list(
    z.object({
      tenant: z.string().nullable(),
      channel: z.string(),
      waiting: z.number(),
      since: instant.nullable(),
      givenUp: z.number(),
      error: z.string().nullable(),
    }),
  ),
  messages: list(
    z.object({
      id: z.string(),
      tenant: z.string().nullable(),
      channel: z.string(),
      kind: z.enum(['began', 'ended', 'digest', 'test']),
      title: z.string(),
      state: z.enum(['waits', 'sent', 'given-up', 'digest', 'in-digest']),
      createdAt: instant,
      dueAt: instant,
      attempts: z.number(),
      endedAt: instant.nullable(),
      error: z.string().nullable(),
    }),
  ),
});

export const NOTICES_TEST = z.object({
  shape: z.literal('notices-test/1'),
  channel: z.string(),
  sent: z.boolean(),
  error: z.string().nullable(),
});
