import { html } from 'hono/html';
import type { AuditLog } from '../../operator/actions/audit-log.ts';
import type { Session } from '../access/sessions.ts';
import type { Page } from './layout.ts';
import { badge, stateBadge, table, time } from './parts.ts';

/** The page of the audit log: operators' actions on one tenant, or in the whole installation (`tenant` null). */
export function auditLogPage({ actions }: AuditLog, tenant: string | null, session: Session): Page {
  const rows = actions.toReversed().map((one) => [
    String(one.seq),
    time(one.attemptedAt),
    one.verb,
    one.tenants.join(', ') || '–',
    Object.entries(one.details)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', '),
    one.outcome === null ? badge('no end known', 'warn') : html`${stateBadge(one.outcome)} ${one.error ?? ''}`,
    html`${one.user}<span class="ids">${one.host} as ${one.dbUser}</span>`,
    one.reason ?? '–',
  ]);
  const heads = ['No.', 'When', 'Command', 'Tenants', 'With', 'Outcome', 'Who', 'Why'];
  const body = html`<section>${table({ caption: 'Audit log', none: 'Nobody has changed anything.' }, heads, rows)}</section>
<p class="small">lockstep audit-log --verify checks that the log is complete.</p>`;
  const of = tenant === null ? {} : { tenant, at: 'audit-log' };
  return { title: tenant === null ? 'Audit log' : `Audit log of ${tenant}`, session, body, ...of };
}
