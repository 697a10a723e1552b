import { causeRow, type NoticeCause, type Severity } from './causes.ts';
import { type DailyHours, hoursEnd } from './local-time.ts';
import type { Target, Way } from './state.ts';

/**
 * A rule that decides which channels get the notices of a tenant's state. A rule applies to a state if its causes, severities and tenants
 * fit. A list that is null fits every state.
 */
export type NoticeRule = {
  readonly causes: readonly NoticeCause[] | null;
  readonly severities: readonly Severity[] | null;
  readonly tenants: readonly string[] | null;
  /** The names of the channels that get the notices; null for all channels. */
  readonly to: readonly string[] | null;
  readonly as: Way | 'none';
  /**
   * How long, in ms, a state must last before the notice of its beginning is sent, and be gone before the notice of its end is sent. Null
   * for the time that the state's cause sets.
   */
  readonly settleMs: number | null;
};

/** Hours of the day in which no notices are sent to a channel. If `isUrgentNow`, urgent notices are sent nevertheless. */
export type QuietHours = DailyHours & { readonly isUrgentNow: boolean };

export type ChannelRules = {
  readonly name: string;
  readonly quiet: QuietHours | null;
};

export type NoticeRules = {
  readonly channels: readonly ChannelRules[];
  /**
   * Rules in order: the first rule that fits a state decides which channels get its notices. If no rule fits, all channels get its notices
   * as single messages, and not in the daily digest.
   */
  readonly rules: readonly NoticeRule[];
  /**
   * How long, in ms, a state must last before the notice of its beginning is sent, and be gone before the notice of its end is sent.
   * Applies if neither a rule nor the state's cause sets another time.
   */
  readonly settleMs: number;
};

type Of = { readonly tenant: string; readonly cause: NoticeCause };

/**
 * The channels that get the notices of a state (`to`), and how long, in ms, the state must last or be gone before a notice is sent
 * (`settleMs`). Pure.
 */
export function routeOf(rules: NoticeRules, of: Of): { readonly to: readonly Target[]; readonly settleMs: number } {
  const rule = rules.rules.find((one) => fits(one, of));
  const settleMs = rule?.settleMs ?? causeRow(of.cause).settleMs ?? rules.settleMs;
  const way = rule?.as ?? 'now';
  if (way === 'none') return { to: [], settleMs };
  const names = rules.channels.map(({ name }) => name).filter((name) => rule?.to?.includes(name) ?? true);
  return { to: names.map((channel) => ({ channel, way })), settleMs };
}

function fits({ causes, severities, tenants }: NoticeRule, { tenant, cause }: Of): boolean {
  return (
    causes?.includes(cause) !== false &&
    severities?.includes(causeRow(cause).severity) !== false &&
    tenants?.includes(tenant) !== false
  );
}

/**
 * When a notice may be sent to a channel: now, or at the end of the channel's quiet hours if it has quiet hours now. An urgent notice
 * (`severity`) may be sent during quiet hours too, if the channel has `isUrgentNow`. Instants are epoch milliseconds. Pure.
 */
export function dueMs({ channels }: NoticeRules, channel: string, severity: Severity, nowMs: number): number {
  const quiet = channels.find(({ name }) => name === channel)?.quiet ?? null;
  if (quiet === null || (severity === 'urgent' && quiet.isUrgentNow)) return nowMs;
  return hoursEnd(quiet, nowMs) ?? nowMs;
}
