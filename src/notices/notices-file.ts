import { isIP } from 'node:net';
import { z } from 'zod';
import { CAUSE_NAMES, SEVERITIES } from '../domain/notices/causes.ts';
import { isTimeZone } from '../domain/notices/local-time.ts';
import { parseDuration } from '../platform/duration.ts';
import { checkBaseUrl } from '../platform/web-address.ts';

const NAME = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a name such as on-call');
const SECRET = z.string().regex(/^file:.+$/, 'must be file:PATH: the secret is in a file of its own');
const ZONE = z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin');
const URL_TEXT = z.string().superRefine((text, context) => {
  const checked = checkBaseUrl(text);
  if ('problem' in checked) context.addIssue({ code: 'custom', message: checked.problem });
});

/** Schema of a time of day such as `08:00`, which is read as minutes since midnight. */
const TIME = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day such as '08:00', in quotes")
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Schema of a duration such as `5m` between two limits, converted to ms. `words` is the error message for any other text. */
function duration(leastMs: number, mostMs: number, words: string) {
  return z.string().transform((text, context) => {
    const ms = parseDuration(text);
    if (ms !== null && ms >= leastMs && ms <= mostMs) return ms;
    context.addIssue({ code: 'custom', message: words });
    return z.NEVER;
  });
}
const SETTLE = duration(0, DAY_MS, 'must be a time such as 5m, at most 1d');

/** Schema of an e-mail address. It allows nothing that could begin another header of the e-mail. */
const ADDRESS = z
  .string()
  .max(254)
  .regex(/^[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+$/, 'must be an e-mail address such as ops@example.com');
const HOST = z
  .string()
  .refine((text) => isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text), 'must be a host name');

/** The settings that every kind of channel may have. */
const COMMON = {
  quiet: z
    .strictObject({ from: TIME, to: TIME, zone: ZONE, urgent: z.enum(['now', 'waits']).default('now') })
    .refine(({ from, to }) => from !== to, 'must not begin and end at the same time of day')
    .optional(),
  digest: z.strictObject({ at: TIME, zone: ZONE }).optional(),
  /** Whether the channel's server may be in a private network, such as a mail server in the operators' own network. */
  private: z.boolean().default(false),
};

const CHANNEL = z.discriminatedUnion('type', [
  z.strictObject({
    ...COMMON,
    type: z.literal('webhook'),
    address: URL_TEXT,
    /** The signing secret of Standard Webhooks, `whsec_` and base64. */
    secret: SECRET,
  }),
  // The address of an incoming webhook lets everybody who knows it post, so it is a secret itself.
  z.strictObject({ ...COMMON, type: z.literal('slack'), address: SECRET }),
  z.strictObject({ ...COMMON, type: z.literal('teams'), address: SECRET }),
  z.strictObject({
    ...COMMON,
    type: z.literal('email'),
    server: HOST,
    port: z.number().int().min(1).max(65_535).default(587),
    /**
     * How the connection to the mail server is encrypted. `starttls` refuses a server that does not offer STARTTLS; `implicit` uses TLS
     * from the first byte. `none` is for a server on this machine or in the operators' own network, and needs `private`.
     */
    tls: z.enum(['starttls', 'implicit', 'none']).default('starttls'),
    user: z.string().min(1).max(254).optional(),
    password: SECRET.optional(),
    from: ADDRESS,
    to: z.array(ADDRESS).min(1).max(20),
  }),
]);

const RULE = z.strictObject({
  causes: z.array(z.enum(CAUSE_NAMES)).min(1).optional(),
  severities: z.array(z.enum(SEVERITIES)).min(1).optional(),
  tenants: z.array(z.string()).min(1).optional(),
  /** Names of the channels to which the rule sends notices; absent for all channels. */
  to: z.array(NAME).min(1).optional(),
  as: z.enum(['now', 'digest', 'none']).default('now'),
  settle: SETTLE.optional(),
});

/** Schema of the file of operators' notices: the channels, and rules for which states of tenants go to which channel. */
export const NOTICES_FILE = z
  .strictObject({
    /** The console's address, with which messages link to its pages. */
    console: URL_TEXT.optional(),
    channels: z.record(NAME, CHANNEL),
    rules: z.array(RULE).max(200).default([]),
    settle: SETTLE.default(MINUTE_MS),
    giveUpAfter: duration(10 * MINUTE_MS, 14 * DAY_MS, 'must be a time from 10m to 14d').default(3 * DAY_MS),
  })
  .superRefine(({ channels, rules }, context) => {
    rules.forEach((rule, n) => {
      (rule.to ?? []).forEach((name, place) => {
        if (channels[name] === undefined)
          context.addIssue({ code: 'custom', path: ['rules', n, 'to', place], message: 'must name a channel' });
      });
      const named = rule.to ?? Object.keys(channels);
      if (rule.as === 'digest' && named.some((name) => channels[name] !== undefined && !channels[name].digest))
        context.addIssue({ code: 'custom', path: ['rules', n, 'as'], message: 'needs a digest of each channel' });
    });
    for (const [name, channel] of Object.entries(channels)) {
      if (channel.type === 'email' && channel.tls === 'none' && !channel.private)
        context.addIssue({
          code: 'custom',
          path: ['channels', name, 'tls'],
          message: 'needs private: true without TLS',
        });
      if (channel.type === 'email' && (channel.user === undefined) !== (channel.password === undefined))
        context.addIssue({ code: 'custom', path: ['channels', name], message: 'needs both user and password' });
    }
  });

export type NoticesFile = z.output<typeof NOTICES_FILE>;
export type ChannelSettings = NoticesFile['channels'][string];
